/** Rows of a partner in an environment that need other rows or values than `derived-rows.ts` can know. */
import type { Tenant } from '../../src/kit/tenant.ts'
import type { World } from '../world.ts'

/** @param id of each of the rows; that of the streak follows from it */
export const plantRows = async ({ runtime: { db } }: World, tenant: Tenant, id: string) => {
  const now = new Date()
  const streakId = `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`
  const { partnerId } = tenant
  const tomorrow = new Date(Date.now() + 86_400_000)
  await db.segment.create({ data: { ...tenant, id, name: 'all', createdAt: now } })
  const offers = { segmentId: id, name: 'all', offerType: 'vip_play', title: 'x' } as const
  const planned = { kind: 'OFFERS', filter: {}, hasSegment: true } as const
  const worth = { pointsValue: 0, creditsPoints: true, expiresAt: tomorrow }
  await db.userBatch.create({
    data: { ...tenant, ...planned, id, ...offers, ...worth, createdAt: now },
  })
  const invited = {
    email: 'ann@example.com',
    role: 'EDITOR',
    tokenDigest: Buffer.from(id),
  } as const
  await db.invitation.create({ data: { id, partnerId, ...invited, expiresAt: tomorrow } })
  const by = { actorKind: 'UNKNOWN', address: '192.0.2.1', requestId: 'x', changes: [] } as const
  await db.auditEntry.create({ data: { ...tenant, id, at: now, action: 'signIn', ...by } })
  const endpoint = { id, url: 'https://8.8.8.8/', events: ['*'], secret: Buffer.from('x') }
  await db.webhookEndpoint.create({ data: { ...tenant, ...endpoint } })
  const delivery = { endpointId: id, eventId: id, eventType: 'test', nextAttemptAt: now }
  await db.webhookDelivery.create({ data: { ...tenant, ...delivery, createdAt: now } })
  const requested = { kind: 'USERS', format: 'CSV', apiKeyId: id, createdAt: now } as const
  await db.dataExport.create({ data: { ...tenant, id, ...requested } })
  const { id: userId } = await db.endUser.findFirstOrThrow({ where: tenant })
  const badge = {
    slug: 'badge',
    name: 'Badge',
    kind: 'BADGE',
    grantCount: 1,
    updatedAt: now,
  } as const
  await db.userNote.create({ data: { ...tenant, id, userId, text: 'a note', createdAt: now } })
  await db.reward.create({ data: { ...tenant, id, ...badge, createdAt: now } })
  const cause = { userId, rewardId: id, sourceKind: 'GIVEN', sourceId: id } as const
  const times = { createdAt: now, readyAt: now, issuedAt: now }
  await db.rewardGrant.create({
    data: { ...tenant, id, ...cause, status: 'ISSUED', apiKeyId: id, ...times },
  })
  const start = { status: 'ACTIVE', startedAt: now, createdAt: now, updatedAt: now } as const
  const plan = { window: 'EVER', repeat: 'ONCE', maxCompletions: 1, joinMode: 'AUTO' } as const
  await db.goal.create({ data: { ...tenant, id, slug: 'goal', name: 'Goal', ...start, ...plan } })
  const target = { facts: ['POINTS_AWARDED'], of: 'COUNT', target: 1 } as const
  const plantTask = (goalId: string) =>
    db.goalTask.create({
      data: { ...tenant, id: goalId, goalId, position: 1, ...target, facts: [...target.facts] },
    })
  await plantTask(id)
  const done = { k: 1, windowStart: new Date('1970-01-01'), completedAt: now }
  await db.goalCompletion.create({ data: { ...tenant, id, goalId: id, userId, ...done } })
  const each = { id: streakId, slug: 'streak', name: 'Streak', position: 1 }
  const daily = { ...plan, window: 'DAY', repeat: 'EACH_WINDOW' } as const
  const freezes = { initialFreezes: 1, maxFreezes: 5, restoreDays: 3, atRiskHours: 6 }
  const streak = { create: { ...tenant, ...freezes, weekdays: [], milestoneLengths: [] } }
  await db.goal.create({ data: { ...tenant, ...each, ...start, ...daily, streak } })
  await plantTask(streakId)
  const yesterday = new Date(new Date(now.getTime() - 86_400_000).toISOString().slice(0, 10))
  const run = { length: 1, longest: 1, freezes: 1, runFrom: yesterday, updatedAt: now }
  await db.streak.create({ data: { ...tenant, goalId: streakId, userId, ...run } })
  const restored = { id, goalId: streakId, brokenOn: yesterday, apiKeyId: id, createdAt: now }
  await db.streakRestoration.create({ data: { ...tenant, ...restored } })
}
