/** A row of every type that has a global id. */
import { randomUUID } from 'node:crypto'
import type { World } from '../world.ts'
import { findOrMakeRow, nodeTypes } from './derived-rows.ts'
import { plant } from './planted.ts'
import { plantRows } from './planted-rows.ts'

/** Makes the rows that `plant` does not. */
const plantRest = async (world: World, slug: string) => {
  const { partner, post } = world
  const { db } = world.runtime
  const tenant = { partnerId: partner.partnerId, environment: 'LIVE' } as const
  const now = new Date()
  const id = randomUUID()
  await plantRows(world, tenant, id)
  await world.signInAs('OWNER')
  const offer = { stage: 'new', offerType: 'vip_play', title: 'x', pointsValue: 1 } as const
  await db.offerRule.create({
    data: {
      ...tenant,
      id,
      ...offer,
      creditsPoints: true,
      validHours: 1,
      cooldownDays: 1,
      createdAt: now,
      updatedAt: now,
    },
  })
  const { id: gameId } = await db.arenaGame.findFirstOrThrow({ where: tenant })
  const terms = { entryFee: 1, developerRevenueShare: 1, resultPolicy: 'SERVER' } as const
  const caps = { maxPointsInPerDay: 1, maxPointsOutPerDay: 1 }
  await db.arenaAcceptance.create({
    data: { ...tenant, id, gameId, ...terms, ...caps, acceptedAt: now },
  })
  const holder = `developer:${tenant.partnerId}`
  await db.pointAccount.create({ data: { ...tenant, name: holder, entries: 1 } })
  const entry = { entryNo: 1, eventType: 'x', points: 1, balanceAfter: 1, account: 'x' }
  await db.accountEntry.create({
    data: { ...tenant, ...entry, id, holder, sourceId: id, createdAt: now },
  })
  const { id: campaignId, tiers } = await db.campaign.findFirstOrThrow({
    where: { ...tenant, slug },
    include: { tiers: true },
  })
  const { id: userId } = await db.endUser.findFirstOrThrow({ where: tenant })
  const friend = { externalId: 'friend', scoreReachedAt: now }
  await db.endUser.create({ data: { ...tenant, id, ...friend } })
  const prize = { tierId: tiers[0]?.id ?? '', points: 1, codeHash: Buffer.from('x') }
  const won = { wonAt: now, expiresAt: now }
  await db.instantWin.create({ data: { ...tenant, id, campaignId, userId, ...prize, ...won } })
  const referral = { referrerId: userId, refereeId: id, referrerReward: 0, refereeReward: 0 }
  await db.referral.create({ data: { ...tenant, id, campaignId, ...referral, createdAt: now } })
  const batch = { slug, batchSize: 1, pointsValue: 1 }
  await post('/v1/campaigns/codes/generate', partner.live.secret, batch)
  return id
}

/** The UUID of a row of each type. All are of LIVE; a type is left out if it needs rows that nothing makes. */
export const plantNodes = async (world: World): Promise<Record<string, string>> => {
  const { partnerId } = world.partner
  const { slug, nodes } = await plant(world)
  const restId = await plantRest(world, slug)
  const ids: Record<string, string> = {}
  for (const type of nodeTypes) {
    const found = await findOrMakeRow(world, type, { partnerId, environment: 'LIVE' })
    if (found) ids[type] = found
  }
  // The account of an agent has entries, too.
  return { ...ids, User: nodes.User.id, Partner: partnerId, ArenaEarning: restId }
}
