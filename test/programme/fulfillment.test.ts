/** Items, codes and their way: fulfilled, failed, retried, cancelled. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { createWorld, type World } from '../world.ts'
import { type Shop, shopOf } from './shop.ts'

let world: World
let shop: Shop
beforeAll(async () => {
  world = await createWorld()
  shop = shopOf(world)
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

const eventsOf = async (grantId: string) =>
  (await world.runtime.db.event.findMany({ orderBy: { position: 'asc' } }))
    .filter(({ data }) => (data as { grantId?: string }).grantId === grantId)
    .map(({ type }) => type)

describe('an item', () => {
  test('is fulfilled with a message, once', async () => {
    const { slug } = await shop.sold('ITEM', 10)
    const { uuid } = await shop.buy(await shop.newUser(), slug)
    expect(await shop.fulfill(uuid, { message: 'Parcel 4711' })).toMatchObject({
      status: 'FULFILLED',
      message: 'Parcel 4711',
      fulfilledAt: expect.any(String),
    })
    expect(await shop.fulfill(uuid)).toMatchObject({
      code: 'GRANT_NOT_ACTIVE',
      status: 'FULFILLED',
    })
    expect(await shop.cancel(uuid)).toMatchObject({ code: 'GRANT_NOT_ACTIVE' })
    expect(await eventsOf(uuid)).toEqual(['grant.issued', 'grant.fulfilled'])
  })

  test('that failed is tried again, and then cancelled: the price and the stock come back once', async () => {
    const { slug } = await shop.sold('ITEM', 60, { stock: 1 })
    const userId = await shop.newUser()
    const { uuid } = await shop.buy(userId, slug)
    expect(await shop.fail(uuid, { message: 'Lost' })).toMatchObject({
      status: 'FAILED',
      failure: 'NOT_FULFILLED',
      message: 'Lost',
      reward: { grantCount: 1 },
    })
    expect(await shop.retry(uuid)).toMatchObject({ status: 'ISSUED', failure: null, message: null })
    await shop.fail(uuid)
    expect(await shop.cancel(uuid, { message: 'Sorry' })).toMatchObject({
      status: 'CANCELLED',
      message: 'Sorry',
      reward: { grantCount: 0 },
      refundEntry: { points: 60, eventType: 'purchase_refund', account: 'rewards', sourceId: uuid },
      user: { balance: 100, lifetimePoints: 100 },
    })
    expect(await shop.cancel(uuid)).toMatchObject({ code: 'GRANT_NOT_ACTIVE', status: 'CANCELLED' })
    expect(await shop.balance(userId)).toBe(100)
    expect(await eventsOf(uuid)).toEqual([
      'grant.issued',
      'grant.failed',
      'grant.failed',
      'grant.cancelled',
    ])
    expect(await shop.buy(userId, slug)).toMatchObject({ status: 'ISSUED' })
  })

  test('by REST', async () => {
    const { slug } = await shop.sold('ITEM', 10)
    const userId = await shop.newUser()
    const ids = await Promise.all([1, 2, 3].map(async () => (await shop.buy(userId, slug)).uuid))
    for (const [n, [verb, status]] of [
      ['fulfill', 'FULFILLED'],
      ['fail', 'FAILED'],
      ['cancel', 'CANCELLED'],
    ].entries()) {
      const path = `/v1/grants/${ids[n]}/${verb}`
      const { body } = await world.post(path, world.keys.secret, { message: 'Done' })
      expect(body.data).toMatchObject({ grantId: ids[n], status, message: 'Done' })
      expect((await world.post(path, world.keys.secret, {})).status).toBe(409)
    }
    const unknown = await world.post(`/v1/grants/${randomUUID()}/fulfill`, world.keys.secret, {})
    expect(unknown).toMatchObject({ status: 404, body: { message: 'Grant not found' } })
    expect((await world.post(`/v1/grants/${ids[0]}/fulfill`, world.keys.public, {})).status).toBe(
      401,
    )
  })
})

test('points and badges are not handed out; what was paid is not cancelled', async () => {
  const [points, badge] = [await shop.pointsReward(5), await shop.sold('BADGE', 10)]
  const userId = await shop.newUser()
  const given = await shop.give(userId, points)
  expect(await shop.fulfill(given.uuid)).toMatchObject({ code: 'GRANT_NOT_FULFILLABLE' })
  expect(await shop.cancel(given.uuid)).toMatchObject({ code: 'GRANT_USED' })
  const bought = await shop.buy(userId, badge.slug)
  expect(await shop.cancel(bought.uuid)).toMatchObject({ status: 'CANCELLED' })
  const held = await shop.give(userId, points, { heldUntil: '2040-01-01T00:00:00Z' })
  expect(await shop.cancel(held.uuid)).toMatchObject({ status: 'CANCELLED', refundEntry: null })
})

describe('codes', () => {
  test('are the stock, each is added once and shown to one user', async () => {
    const { slug, stock } = await shop.sold('CODE', 10)
    expect(stock).toBe(0)
    expect(await shop.addCodes(slug, ['A-1', 'A-2', 'A-1'])).toMatchObject({
      addedCount: 2,
      duplicateIndexes: [2],
      reward: { stock: 2 },
    })
    expect(await shop.addCodes(slug, ['A-2', 'A-3'])).toMatchObject({
      addedCount: 1,
      duplicateIndexes: [0],
      reward: { stock: 3 },
    })
    const users = await Promise.all([1, 2, 3, 4].map(() => shop.newUser()))
    const bought = await Promise.all(users.map((userId) => shop.buy(userId, slug)))
    const grants = bought.filter(({ status }) => status === 'ISSUED')
    expect(grants).toHaveLength(3)
    expect(grants.map(({ code }) => code)).toEqual([null, null, null])
    const shown = await Promise.all(grants.map(({ uuid }) => shop.reveal(uuid)))
    expect(shown.map(({ code }) => code).sort()).toEqual(['A-1', 'A-2', 'A-3'])
    expect(shown[0]).toMatchObject({ status: 'FULFILLED', codeShownAt: expect.any(String) })
    expect(await shop.reveal(grants[0].uuid)).toMatchObject({ code: shown[0].code })
    expect(await shop.cancel(grants[0].uuid)).toMatchObject({ code: 'GRANT_USED' })
    expect(await eventsOf(grants[0].uuid)).toEqual(['grant.issued', 'grant.fulfilled'])
    const { rows } = await world.server.database.pool.query({
      text: `SELECT encode(sealed_code, 'escape') AS text FROM reward_code`,
    })
    expect(JSON.stringify(rows)).not.toContain('A-1')
  })

  test('a code that nobody has seen comes back by a cancellation', async () => {
    const { slug } = await shop.sold('CODE', 10)
    await shop.addCodes(slug, ['ONLY'])
    const [ann, ben] = [await shop.newUser(), await shop.newUser()]
    const { uuid } = await shop.buy(ann, slug)
    expect(await shop.buy(ben, slug)).toMatchObject({ code: 'OUT_OF_STOCK' })
    await shop.cancel(uuid)
    expect(await shop.reveal(uuid)).toMatchObject({ code: 'GRANT_NOT_ACTIVE' })
    const second = await shop.buy(ben, slug)
    expect(await shop.reveal(second.uuid)).toMatchObject({ code: 'ONLY' })
  })

  test('are for rewards of codes, and go with the user', async () => {
    const badge = await shop.badge()
    expect(await shop.addCodes(badge.slug, ['x'])).toMatchObject({ code: 'REWARD_WITHOUT_CODES' })
    const other = await shop.give(await shop.newUser(), badge)
    expect(await shop.reveal(other.uuid)).toMatchObject({ code: 'GRANT_NOT_FOUND' })
  })

  test('a public key sees only the codes of its user', async () => {
    const { slug } = await shop.sold('CODE', 10)
    await shop.addCodes(slug, [randomUUID()])
    const [ann, ben] = [await shop.newUser(), await shop.newUser()]
    const { uuid } = await shop.buy(ann, slug)
    const reveal = async (userId: string, tokenOf?: string) => {
      const token =
        tokenOf &&
        (await world.post(`/v1/users/${tokenOf}/token`, world.keys.secret, {})).body.data.token
      return world.post(
        `/v1/users/${userId}/grants/${uuid}/reveal`,
        world.keys.public,
        {},
        token ? { 'x-user-token': token } : {},
      )
    }
    expect((await reveal(ann)).status).toBe(401)
    expect((await reveal(ann, ben)).status).toBe(403)
    expect((await reveal(ben, ben)).status).toBe(404)
    const kept = await world.runtime.db.rewardGrant.findUniqueOrThrow({ where: { id: uuid } })
    expect(kept).toMatchObject({ status: 'ISSUED', codeShownAt: null })
    expect((await reveal(ann, ann)).body.data).toMatchObject({ code: expect.any(String) })
  })
})
