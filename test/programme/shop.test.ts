/** Rewards for sale: who can buy them, what a purchase does, and what refuses it. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { createWorld, type World } from '../world.ts'
import { type Shop, shopOf } from './shop.ts'

let world: World
let shop: Shop
let now = new Date('2026-11-27T22:30:00Z')
beforeAll(async () => {
  world = await createWorld({ clock: () => now })
  shop = shopOf(world)
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

const hours = (count: number) => {
  now = new Date(now.getTime() + count * 3_600_000)
}

describe('a purchase', () => {
  test('takes the price and gives the reward', async () => {
    const { slug } = await shop.sold('ITEM', 60, { stock: 5 })
    const userId = await shop.newUser()
    const grant = await shop.buy(userId, slug)
    expect(grant).toMatchObject({
      status: 'ISSUED',
      source: 'BOUGHT',
      price: 60,
      reward: { slug, grantCount: 1, stock: 5 },
      purchaseEntry: { points: -60, eventType: 'reward_purchase', account: 'rewards' },
      refundEntry: null,
      user: { balance: 40, lifetimePoints: 100 },
    })
    expect(grant.purchaseEntry.sourceId).toBe(grant.uuid)
    const events = await world.runtime.db.event.findMany({ where: { type: 'grant.issued' } })
    expect(events.map(({ data }) => data)).toContainEqual(
      expect.objectContaining({ grantId: grant.uuid, reward: slug, price: 60, userBalance: 40 }),
    )
  })

  test('by REST answers with the grant and the balance', async () => {
    const { slug } = await shop.sold('BADGE', 30)
    const userId = await shop.newUser()
    const { status, body } = await shop.buyByRest(userId, slug, 'order-1')
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      userId,
      reward: slug,
      kind: 'BADGE',
      price: 30,
      status: 'ISSUED',
      reference: 'order-1',
      userBalance: 70,
    })
    const again = await shop.buyByRest(userId, slug, 'order-1')
    expect(again.body.data.grantId).toBe(body.data.grantId)
    expect(await shop.balance(userId)).toBe(70)
  })

  test('a reference is of one user and one reward', async () => {
    const [first, second] = [await shop.sold('BADGE', 10), await shop.sold('BADGE', 10)]
    const [ann, ben] = [await shop.newUser(), await shop.newUser()]
    const reference = randomUUID()
    const bought = await shop.buy(ann, first.slug, reference)
    expect(await shop.buy(ann, second.slug, reference)).toMatchObject({
      code: 'DUPLICATE_REFERENCE',
      firstGrant: { uuid: bought.uuid },
    })
    expect(await shop.buy(ben, first.slug, reference)).toMatchObject({ status: 'ISSUED' })
    expect(await shop.balance(ann)).toBe(90)
  })

  test('is refused with the reason that availability names', async () => {
    const userId = await shop.newUser()
    const dear = await shop.sold('BADGE', 101)
    expect(await shop.availability(dear.slug, userId)).toEqual({
      canBuy: false,
      reason: 'INSUFFICIENT_POINTS',
      missingPoints: 1,
      nextAt: null,
    })
    expect((await shop.buyByRest(userId, dear.slug)).status).toBe(402)

    const last = await shop.sold('ITEM', 1, { stock: 1 })
    expect(await shop.availability(last.slug, userId)).toMatchObject({ canBuy: true, reason: null })
    await shop.buy(userId, last.slug)
    expect(await shop.availability(last.slug, userId)).toMatchObject({ reason: 'OUT_OF_STOCK' })
    expect(await shop.buyByRest(userId, last.slug)).toMatchObject({
      status: 409,
      body: { errorCode: 'OUT_OF_STOCK' },
    })

    const startsAt = new Date(now.getTime() + 3_600_000).toISOString()
    const later = await shop.sold('ITEM', 1, { startsAt })
    expect(await shop.availability(later.slug, userId)).toMatchObject({
      reason: 'NOT_STARTED',
      nextAt: startsAt,
    })
    expect(await shop.buy(userId, later.slug)).toMatchObject({
      code: 'REWARD_NOT_FOR_SALE',
      status: 'NOT_STARTED',
    })

    const given = await shop.badge()
    expect(await shop.availability(given.slug, userId)).toMatchObject({ reason: 'NOT_FOR_SALE' })
    expect(await shop.buy(userId, given.slug)).toMatchObject({ code: 'REWARD_NOT_FOR_SALE' })
    expect((await shop.buyByRest(userId, 'unknown')).body.errorCode).toBe('REWARD_NOT_FOUND')
    expect((await shop.buyByRest(randomUUID(), last.slug)).body.errorCode).toBe('USER_NOT_FOUND')
  })

  test('is for users of the segment', async () => {
    const segment = await shop.mutate('createSegment', 'segment { id }', {
      name: randomUUID(),
      tag: 'level',
      tagValue: 'gold',
    })
    const segmentId = segment.segment.id
    const { slug } = await shop.sold('BADGE', 10, { segmentId })
    const [gold, plain] = [await shop.newUser(), await shop.newUser()]
    await world.post('/v1/user-journeys/users', world.keys.public, {
      externalId: plain,
      tags: { level: 'gold' },
    })
    await shop.mutate('trackUser', 'user { externalId }', {
      user: { externalId: gold },
      tags: { level: 'gold' },
    })
    expect(await shop.buy(gold, slug)).toMatchObject({ status: 'ISSUED' })
    // A public key can set tags, so they prove nothing.
    expect(await shop.buy(plain, slug)).toMatchObject({ code: 'NOT_ELIGIBLE' })
    expect(await shop.availability(slug, plain)).toMatchObject({ reason: 'NOT_ELIGIBLE' })
    await shop.mutate('updateSegment', 'segment { id }', {
      segment: { id: segmentId },
      balance: { min: 1_000_000 },
    })
    expect(await shop.buy(gold, slug)).toMatchObject({ code: 'NOT_ELIGIBLE' })
    expect(
      await shop.mutate('deleteSegment', 'deletedId', { segment: { id: segmentId } }),
    ).toMatchObject({
      code: 'SEGMENT_IN_USE',
    })
  })

  test("a limit counts in the days of the user's time zone", async () => {
    const { slug } = await shop.sold('BADGE', 1, { limit: { max: 2, window: 'DAY' } })
    const userId = randomUUID()
    await world.post('/v1/points/award', world.keys.secret, {
      userId,
      eventType: 'signup',
      timeZone: 'Europe/Berlin',
    })
    // 22:30 in London is 23:30 in Berlin.
    await shop.buy(userId, slug)
    await shop.buy(userId, slug)
    expect(await shop.buy(userId, slug)).toMatchObject({
      code: 'LIMIT_REACHED',
      limit: 2,
      current: 2,
    })
    expect(await shop.availability(slug, userId)).toMatchObject({
      reason: 'LIMIT_REACHED',
      nextAt: '2026-11-27T23:00:00.000Z',
    })
    hours(1)
    expect(await shop.buy(userId, slug)).toMatchObject({ status: 'ISSUED' })
  })

  test('of many at once, a user buys no more than the limit and the points allow', async () => {
    const { slug } = await shop.sold('ITEM', 30, { limit: { max: 2, window: 'EVER' } })
    const [rich, poor] = [await shop.newUser(5), await shop.newUser()]
    const buyers = [rich, poor].flatMap((userId) => Array.from({ length: 10 }, () => userId))
    const answers = await Promise.all(buyers.map((userId) => shop.buy(userId, slug)))
    expect(answers.filter(({ status }) => status === 'ISSUED')).toHaveLength(4)
    const cheap = await shop.sold('ITEM', 40)
    const many = await Promise.all(Array.from({ length: 8 }, () => shop.buy(poor, cheap.slug)))
    expect(many.filter(({ status }) => status === 'ISSUED')).toHaveLength(1)
  })

  test('a public key needs the token of the user, whatever the application says', async () => {
    const { slug } = await shop.sold('BADGE', 1)
    const [userId, other] = [await shop.newUser(), await shop.newUser()]
    const key = { 'x-api-key': world.keys.public }
    expect((await shop.buyByRest(userId, slug, undefined, key)).status).toBe(401)
    const { body } = await world.post(`/v1/users/${other}/token`, world.keys.secret, {})
    const byOther = { ...key, 'x-user-token': body.data.token }
    expect((await shop.buyByRest(userId, slug, undefined, byOther)).status).toBe(403)
    expect((await shop.buyByRest(other, slug, undefined, byOther)).status).toBe(200)
  })
})

test('the shop lists what is for sale, in its order, and hides the rest from public keys', async () => {
  const own = await createWorld()
  const ofOwn = shopOf(own)
  const second = await ofOwn.sold('ITEM', 20, { position: 2 })
  const first = await ofOwn.sold('BADGE', 10, { position: 1, stock: 3 })
  await ofOwn.badge()
  const ended = await ofOwn.sold('ITEM', 5, { endsAt: '2020-01-01T00:00:00Z' })
  const archived = await ofOwn.sold('ITEM', 5)
  await ofOwn.archiveReward({ reward: { slug: archived.slug } })
  const { body } = await own.get('/v1/rewards', own.keys.public)
  expect(body.data.map(({ slug }: { slug: string }) => slug)).toEqual([first.slug, second.slug])
  expect(body.data[0]).toMatchObject({ price: 10, kind: 'BADGE', limit: null, freePlays: null })
  expect((await own.get(`/v1/rewards/${first.slug}`, own.keys.public)).body.data.slug).toBe(
    first.slug,
  )
  expect((await own.get(`/v1/rewards/${ended.slug}`, own.keys.public)).status).toBe(404)
  expect((await own.get(`/v1/rewards/${ended.slug}`, own.keys.secret)).status).toBe(200)
  await own.end()
})

test.each([
  [{ kind: 'POINTS', points: 5, price: 3 }, 'price must not be given for points'],
  [{ kind: 'FREE_PLAYS' }, 'freePlays is required'],
  [
    { kind: 'ITEM', freePlays: { gameType: 'NEON_WHEEL', count: 1 } },
    'freePlays must not be given except for free plays',
  ],
  [{ kind: 'CODE', stock: 5 }, 'stock must not be given for codes: their number is the stock'],
  [{ kind: 'ITEM', price: 0 }, 'price must be at least 1'],
  [
    { kind: 'ITEM', startsAt: '2026-01-02T00:00:00Z', endsAt: '2026-01-01T00:00:00Z' },
    'endsAt must be after startsAt',
  ],
  [
    { kind: 'ITEM', slug: 'Not a slug' },
    'slug must be lower-case letters and digits in words joined by single hyphens',
  ],
  [
    { kind: 'ITEM', name: '報酬' },
    'slug is required, because the name has neither letters from a to z nor digits',
  ],
])('a reward %j is refused: %s', async (input, message) => {
  const result = await shop.createReward({ name: randomUUID(), ...input })
  expect(result.errors).toMatchObject([{ message }])
})
