/** Rewards that a partner gives by a call. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { settleDueGrants } from '../../src/programme/payer.ts'
import { createWorld, type World } from '../world.ts'
import { type Programme, programmeOf } from './programme.ts'

let world: World
let call: Programme
let now = new Date('2026-11-01T12:00:00.000Z')
const later = (hours: number) => new Date(now.getTime() + hours * 3_600_000)
beforeAll(async () => {
  world = await createWorld({ clock: () => now })
  call = programmeOf(world)
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

const eventsOf = async (grantId: string) => {
  const events = await world.runtime.db.event.findMany({
    where: { type: { startsWith: 'grant.' } },
    orderBy: { position: 'asc' },
  })
  return events.filter(({ data }) => (data as { grantId: string }).grantId === grantId)
}

test('points are paid at once to a user who is created, count as earned, and are no award', async () => {
  const reward = await call.pointsReward(50)
  const userId = randomUUID()
  const grant = await call.give(userId, reward, { reference: 'order-1', note: 'Sorry' })
  expect(grant).toMatchObject({
    status: 'ISSUED',
    source: 'GIVEN',
    points: 50,
    needsClaim: false,
    reference: 'order-1',
    note: 'Sorry',
    issuedAt: now.toISOString(),
    ledgerEntry: {
      points: 50,
      eventType: 'reward_given',
      account: 'rewards',
      sourceId: grant.uuid,
    },
    refundEntry: null,
    user: { externalId: userId, balance: 50, lifetimePoints: 50 },
    reward: { name: reward.name, grantCount: 1 },
  })
  const { db } = world.runtime
  expect(await db.event.count({ where: { type: 'points.awarded' } })).toBe(0)
  const user = await db.endUser.findFirstOrThrow({
    where: { externalId: userId },
    include: { profile: true, activities: true },
  })
  // On the timeline, but no activity of the user.
  expect(user.activities).toMatchObject([
    {
      id: grant.ledgerEntry.uuid,
      category: 'POINTS',
      eventType: 'reward_given',
      points: 50,
      sourceId: grant.uuid,
      isCorrection: true,
      metadata: { reward: reward.name },
    },
  ])
  expect(user.profile).toMatchObject({ events: 0, lastEventAt: null })
  expect(await eventsOf(grant.uuid)).toMatchObject([
    {
      type: 'grant.issued',
      occurredAt: now,
      data: {
        userId,
        rewardName: reward.name,
        rewardKind: 'POINTS',
        points: 50,
        source: 'GIVEN',
        reference: 'order-1',
        ledgerId: grant.ledgerEntry.uuid,
        userBalance: 50,
      },
    },
  ])
})

test('a badge is issued without points, and is on the timeline', async () => {
  const badge = await call.badge()
  const userId = randomUUID()
  await world.givePoints(userId, 1)
  const grant = await call.give(userId, badge)
  expect(grant).toMatchObject({ status: 'ISSUED', points: null, ledgerEntry: null })
  const [event] = await eventsOf(grant.uuid)
  expect(event?.data).toMatchObject({ rewardKind: 'BADGE', points: 0, userBalance: 100 })
  expect(event?.data).not.toHaveProperty('ledgerId')
  const lines = await world.runtime.db.userActivity.findMany({ where: { sourceId: grant.uuid } })
  expect(lines).toMatchObject([{ category: 'CUSTOM', eventType: 'reward_given', points: 0 }])
  expect(await call.balance(userId)).toBe(100)
})

test('the same reference gives once; for another reward or user it is a duplicate, in GraphQL and REST', async () => {
  const [reward, other] = [await call.pointsReward(5), await call.pointsReward(6)]
  const [userId, reference] = [randomUUID(), randomUUID()]
  const first = await call.give(userId, reward, { reference })
  expect(await call.give(userId, reward, { reference })).toEqual(first)
  // Whatever has become of the reward meanwhile.
  await call.archiveReward({ reward: { slug: reward.slug } })
  expect(await call.give(userId, reward, { reference })).toMatchObject({ uuid: first.uuid })
  const duplicate = {
    __typename: 'DuplicateReferenceError',
    code: 'DUPLICATE_REFERENCE',
    firstEntry: null,
    firstGrant: { uuid: first.uuid },
  }
  expect(await call.give(userId, other, { reference })).toMatchObject(duplicate)
  const stranger = randomUUID()
  expect(await call.give(stranger, reward, { reference })).toMatchObject(duplicate)
  const where = { externalId: stranger }
  expect(await world.runtime.db.endUser.count({ where })).toBe(0)
  const path = `/v1/users/${userId}/grants`
  const again = await world.post(path, world.keys.secret, { reward: other.slug, reference })
  expect(again).toMatchObject({ status: 409, body: { errorCode: 'DUPLICATE_REFERENCE' } })
  // In another environment, a reference is another one.
  const inLive = await call.createReward(
    { slug: other.slug, name: other.name, kind: 'BADGE' },
    world.partner.live,
  )
  expect(await call.give(userId, inLive, { reference }, world.partner.live)).toMatchObject({
    status: 'ISSUED',
  })
  expect(await call.balance(userId)).toBe(5)
})

test('a reference that many callers send at once gives once', async () => {
  const reward = await call.pointsReward(5)
  const [userId, reference] = [randomUUID(), randomUUID()]
  const grants = await Promise.all(
    Array.from({ length: 8 }, () => call.give(userId, reward, { reference })),
  )
  expect(new Set(grants.map(({ uuid }) => uuid)).size).toBe(1)
  expect(await call.balance(userId)).toBe(5)
})

test('an id of a grant as a reference is a reference like others', async () => {
  const reward = await call.badge()
  const userId = randomUUID()
  const first = await call.give(userId, reward)
  const second = await call.give(userId, reward, { reference: first.uuid })
  expect(second.uuid).not.toBe(first.uuid)
  expect(await call.give(userId, reward, { reference: first.uuid })).toEqual(second)
})

test('what is refused creates no user and uses up no reference', async () => {
  const reward = await call.badge()
  const [userId, reference] = [randomUUID(), randomUUID()]
  const past = { heldUntil: later(-1).toISOString() }
  expect(await call.give(userId, { slug: 'unknown' }, { reference })).toMatchObject({
    code: 'REWARD_NOT_FOUND',
  })
  for (const [more, message] of [
    [past, 'heldUntil must be in the future'],
    [
      { needsClaim: true, claimExpiresAt: later(-1).toISOString() },
      'claimExpiresAt must be in the future',
    ],
    [
      { claimExpiresAt: later(1).toISOString() },
      'claimExpiresAt must not be given without needsClaim',
    ],
    [
      {
        needsClaim: true,
        heldUntil: later(2).toISOString(),
        claimExpiresAt: later(1).toISOString(),
      },
      'claimExpiresAt must be after heldUntil',
    ],
  ] as const)
    expect((await call.give(userId, reward, { reference, ...more })).errors).toMatchObject([
      { message },
    ])
  expect(await world.runtime.db.endUser.count({ where: { externalId: userId } })).toBe(0)
  expect(await call.give(userId, reward, { reference })).toMatchObject({ status: 'ISSUED' })
})

test('a held grant is issued when its hold ends', async () => {
  const reward = await call.pointsReward(5)
  const userId = randomUUID()
  const grant = await call.give(userId, reward, { heldUntil: later(2).toISOString() })
  expect(grant).toMatchObject({ status: 'HELD', readyAt: null, issuedAt: null })
  now = later(1)
  await settleDueGrants(world.runtime)
  expect((await call.grant(grant.uuid)).status).toBe('HELD')
  now = later(1)
  await settleDueGrants(world.runtime)
  expect(await call.grant(grant.uuid)).toMatchObject({ status: 'ISSUED', readyAt: now })
  expect(await call.balance(userId)).toBe(5)
  expect((await eventsOf(grant.uuid)).map(({ type }) => type)).toEqual(['grant.issued'])
})

test('without stock a grant has failed, and is issued once the stock is raised and it is retried', async () => {
  const reward = await call.pointsReward(5, { stock: 1 })
  expect(await call.give('first', reward)).toMatchObject({ status: 'ISSUED' })
  const reference = randomUUID()
  const failed = await call.give('second', reward, { reference })
  expect(failed).toMatchObject({
    status: 'FAILED',
    failure: 'OUT_OF_STOCK',
    readyAt: null,
    reward: { grantCount: 1 },
  })
  expect(await call.give('second', reward, { reference })).toMatchObject({ uuid: failed.uuid })
  const input = { grantId: failed.uuid }
  expect(await call.retry(input)).toMatchObject({
    code: 'OUT_OF_STOCK',
    limit: 1,
    current: 1,
  })
  await call.updateReward({ reward: { slug: reward.slug }, stock: 2 })
  expect(await call.retry(input)).toMatchObject({
    status: 'ISSUED',
    failure: null,
    reward: { grantCount: 2 },
    user: { balance: 5 },
  })
  expect(await call.retry(input)).toMatchObject({ code: 'GRANT_NOT_ACTIVE', status: 'ISSUED' })
  // A revoked grant does not go back into the stock.
  await call.revoke(input)
  expect(await call.give('third', reward)).toMatchObject({ status: 'FAILED' })
})

test('a list of gifts shares the stock in its order', async () => {
  const reward = await call.badge({ stock: 2 })
  const grants = await call.grantAll(
    ['a', 'b', 'c'].map((name) => world.userKey(`${name}-${randomUUID()}`)),
    reward.uuid,
  )
  expect(grants.map(({ status }) => status)).toEqual(['READY', 'READY', 'FAILED'])
  await settleDueGrants(world.runtime)
  expect(await world.runtime.db.reward.findUnique({ where: { id: reward.uuid } })).toMatchObject({
    grantCount: 2,
  })
})

test('revoking an issued grant takes its points back, also from what was earned', async () => {
  const reward = await call.pointsReward(50)
  const userId = randomUUID()
  const { uuid: grantId } = await call.give(userId, reward)
  expect(await call.revoke({ grantId })).toMatchObject({
    status: 'REVOKED',
    revokedAt: now.toISOString(),
    shortfall: 0,
    refundEntry: {
      points: -50,
      eventType: 'reward_refund',
      account: 'rewards',
      sourceId: grantId,
    },
    user: { balance: 0, lifetimePoints: 0 },
  })
  expect((await eventsOf(grantId)).at(-1)).toMatchObject({
    type: 'grant.revoked',
    data: { wasIssued: true, points: 50 },
  })
  expect(await call.revoke({ grantId })).toMatchObject({
    code: 'GRANT_NOT_ACTIVE',
    status: 'REVOKED',
  })
})

test('what the user has spent is the shortfall, and the balance is not negative', async () => {
  const [large, small] = [await call.pointsReward(60), await call.pointsReward(30)]
  const userId = randomUUID()
  const grants = [await call.give(userId, large), await call.give(userId, small)]
  const spent = { user: { externalId: userId }, reason: 'spent', points: -80 }
  await call.mutate('adjustPoints', 'user { balance }', spent)
  expect(await call.balance(userId)).toBe(10)
  expect(await call.revoke({ grantId: grants[0]?.uuid })).toMatchObject({
    shortfall: 50,
    refundEntry: { points: -10 },
    user: { balance: 0 },
  })
  expect(await call.revoke({ grantId: grants[1]?.uuid })).toMatchObject({
    shortfall: 30,
    refundEntry: null,
  })
})

test('a grant that is not issued is revoked without entries, also one that failed', async () => {
  const [reward, rare] = [await call.pointsReward(5), await call.pointsReward(5, { stock: 0 })]
  const userId = randomUUID()
  const held = await call.give(userId, reward, { heldUntil: later(1).toISOString() })
  const claimable = await call.give(userId, reward, { needsClaim: true })
  const failed = await call.give(userId, rare)
  for (const { uuid: grantId } of [held, claimable, failed]) {
    const revoked = await call.revoke({ grantId })
    expect(revoked).toMatchObject({ status: 'REVOKED', shortfall: null, ledgerEntry: null })
  }
  now = later(2)
  await settleDueGrants(world.runtime)
  expect(await call.balance(userId)).toBe(0)
  expect(await call.retry({ grantId: failed.uuid })).toMatchObject({ code: 'GRANT_NOT_ACTIVE' })
})

test('a grant of a goal is not revoked by hand', async () => {
  const reward = await call.badge()
  const [grant] = await call.grantAll([world.userKey(randomUUID())], reward.uuid)
  expect(await call.revoke({ grantId: grant?.id })).toMatchObject({ code: 'GRANT_NOT_GIVEN' })
  await settleDueGrants(world.runtime)
})

test('an entry of a reward is not reversed, because its grant can be revoked', async () => {
  const reward = await call.pointsReward(5)
  const { ledgerEntry } = await call.give(randomUUID(), reward)
  const input = { ledgerEntryId: ledgerEntry.uuid, reason: 'x' }
  const result = await call.mutate('reverseLedgerEntry', 'user { balance }', input)
  expect(result).toMatchObject({ code: 'LEDGER_ENTRY_NOT_REVERSIBLE' })
})

test('a grant of another partner or environment does not exist', async () => {
  const other = await world.createPartner()
  const reward = await call.badge()
  const userId = randomUUID()
  const { uuid: grantId } = await call.give(userId, reward, { needsClaim: true })
  for (const keys of [other.test, world.partner.live]) {
    const by = { secret: keys.secret }
    for (const act of [call.claim, call.revoke, call.retry])
      expect(await act({ grantId }, by)).toMatchObject({ code: 'GRANT_NOT_FOUND' })
    const { body } = await world.graphql(
      'query ($id: ID!) { node(id: $id) { __typename } grants { nodes { uuid } } }',
      { id: Buffer.from(`Grant:${grantId}`).toString('base64url') },
      by,
    )
    expect(body.data.node).toBeNull()
    const ids = body.data.grants.nodes.map(({ uuid }: { uuid: string }) => uuid)
    expect(ids).not.toContain(grantId)
  }
})

test('statistics: a reward is issued, and what is taken back lowers what was issued', async () => {
  const partner = await world.createPartner()
  const by = { secret: partner.test.secret }
  const reward = await call.createReward({ name: 'bonus', kind: 'POINTS', points: 50 }, by)
  const { uuid: grantId } = await call.give('ann', reward, {}, by)
  await call.give('ben', reward, {}, by)
  await call.revoke({ grantId }, by)
  const range = `from: "${later(-1).toISOString()}", to: "${later(1).toISOString()}", interval: HOUR`
  const { body } = await world.graphql(
    `{ analytics(metrics: [POINTS_ISSUED, POINTS_SPENT], ${range}) { metric total } }`,
    {},
    by,
  )
  expect(body.data.analytics).toEqual([
    { metric: 'POINTS_ISSUED', total: 50 },
    { metric: 'POINTS_SPENT', total: 0 },
  ])
})
