/** Points that users spend at their partner. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { spendPoints } from '../../src/points/spending.ts'
import { createWorld, type World } from '../world.ts'
import { pointsByHand } from './by-hand.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

const newUser = async () => {
  const userId = randomUUID()
  await world.givePoints(userId, 1)
  return userId
}

const spend = (userId: string, points: number, more: object = {}) =>
  world.post('/v1/points/spend', world.keys.secret, {
    userId,
    points,
    reason: 'a discount',
    ...more,
  })

test('takes points, which stay earned, and is announced without the reason', async () => {
  const userId = await newUser()
  const { status, body } = await spend(userId, 30, { reference: 'order-1' })
  expect(status).toBe(200)
  expect(body).toEqual({
    status: 'success',
    code: 200,
    message: 'Points spent successfully',
    data: {
      ledgerId: expect.any(String),
      userId,
      eventType: 'points_spent',
      pointsSpent: 30,
      userBalance: 70,
      reference: 'order-1',
      createdAt: expect.any(String),
    },
  })
  const { ledgerId: id } = body.data
  const { db, tenant } = { db: world.runtime.db, tenant: world.tenant }
  expect(
    await db.endUser.findFirstOrThrow({ where: { ...tenant, externalId: userId } }),
  ).toMatchObject({ balance: 70n, lifetimePoints: 100n })
  const event = await db.event.findUniqueOrThrow({ where: { id } })
  expect(event).toMatchObject({
    type: 'points.spent',
    data: { ledgerId: id, userId, pointsSpent: 30, userBalance: 70, reference: 'order-1' },
  })
  expect(JSON.stringify(event.data)).not.toContain('discount')
  expect(await db.userActivity.findUniqueOrThrow({ where: { id } })).toMatchObject({
    category: 'POINTS',
    eventType: 'points_spent',
    points: -30,
    earned: 0,
    fact: null,
    isCorrection: false,
  })
})

test('a reference spends once, for whomever it is sent again', async () => {
  const [userId, other] = [await newUser(), await newUser()]
  const reference = randomUUID()
  const first = await spend(userId, 10, { reference })
  for (const again of [
    await spend(userId, 10, { reference }),
    await spend(other, 5, { reference }),
  ])
    expect(again).toMatchObject({
      status: 409,
      body: { message: 'Duplicate reference; points already spent for this reference' },
    })
  const [only] = await spendPoints(world.runtime, [
    {
      ...world.userKey(userId),
      points: 10,
      reason: 'x',
      reference,
      memberId: null,
      apiKeyId: randomUUID(),
    },
  ])
  expect(only).toMatchObject({
    code: 'DUPLICATE_REFERENCE',
    data: { ledgerEntryId: first.body.data.ledgerId },
  })
})

test('is refused when short, for an unknown user, and without a reason', async () => {
  const userId = await newUser()
  expect(await spend(userId, 101, { reference: 'short' })).toMatchObject({ status: 402 })
  expect(await spend(userId, 100, { reference: 'short' })).toMatchObject({ status: 200 })
  expect(await spend(randomUUID(), 1)).toMatchObject({
    status: 404,
    body: { message: 'User not found' },
  })
  for (const points of [0, -5, 1.5, '3'])
    expect((await spend(userId, points as number)).status).toBe(400)
  expect((await spend(userId, 1, { reason: undefined })).status).toBe(400)
})

test('spending can be reversed, and does not count as earned then', async () => {
  const userId = await newUser()
  const { body } = await spend(userId, 40)
  const { user } = await pointsByHand(world).reverse(body.data.ledgerId)
  expect(user).toMatchObject({ balance: 100, lifetimePoints: 100 })
})

test('of many at once, no more is spent than the user has', async () => {
  const userId = await newUser()
  const answers = await Promise.all(Array.from({ length: 30 }, () => spend(userId, 7)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(14)
  expect(answers.filter(({ status }) => status === 402)).toHaveLength(16)
})
