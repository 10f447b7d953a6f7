/** Plays that grants of rewards pay for. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { type PlayedGame, playGames } from '../../src/games/play.ts'
import { type Shop, shopOf } from '../programme/shop.ts'
import { createWorld, type World } from '../world.ts'
import { points, setWheel } from './wheel.ts'

let world: World
let shop: Shop
let now = new Date('2026-11-27T12:00:00Z')
beforeAll(async () => {
  world = await createWorld({ clock: () => now })
  shop = shopOf(world)
  await setWheel(world, { status: 'ACTIVE' })
})
beforeEach(() => {
  now = new Date('2026-11-27T12:00:00Z')
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

const freePlays = (count: number, more: object = {}) =>
  shop.createReward({
    name: `plays ${randomUUID()}`,
    kind: 'FREE_PLAYS',
    freePlays: { gameType: 'NEON_WHEEL', count, ...more },
  })

const play = async (userId: string, gameType = 'NEON_WHEEL') =>
  (await world.post('/v1/games/play', world.keys.public, { userId, gameType })).body

const balanceOf = async (userId: string) =>
  (await world.get(`/v1/users/${userId}/sdk-balance`, world.keys.public)).body.data

const leftOf = async (grantId: string) => (await shop.grant(grantId)).freePlaysLeft

test('a free play costs nothing, and names its grant; the next play costs what the game costs', async () => {
  const userId = await shop.newUser()
  const { uuid } = await shop.give(userId, await freePlays(1))
  expect(await balanceOf(userId)).toMatchObject({
    totalPoints: 100,
    freePlays: [{ gameType: 'NEON_WHEEL', count: 1, nextEndsAt: null }],
  })
  expect((await play(userId)).data).toMatchObject({ pointsSpent: 0 })
  expect(await balanceOf(userId)).toMatchObject({ totalPoints: 100, freePlays: [] })
  expect((await play(userId)).data).toMatchObject({ pointsSpent: 50 })
  const { body } = await world.graphql(
    `query ($id: String!) { user(by: { externalId: $id }) { plays { nodes { pointsSpent grant { uuid }
      ledgerEntry { points eventType } } } } }`,
    { id: userId },
  )
  expect(body.data.user.plays.nodes).toEqual([
    { pointsSpent: 50, grant: null, ledgerEntry: { points: -50, eventType: 'game_play' } },
    { pointsSpent: 0, grant: { uuid }, ledgerEntry: { points: 0, eventType: 'game_play' } },
  ])
  expect(await shop.cancel(uuid)).toMatchObject({ code: 'GRANT_USED' })
})

test('a user without points plays for free, and not more often', async () => {
  const userId = randomUUID()
  await shop.give(userId, await freePlays(2))
  expect((await play(userId)).data).toMatchObject({ pointsSpent: 0 })
  expect((await play(userId)).data).toMatchObject({ pointsSpent: 0 })
  expect(await play(userId)).toMatchObject({ code: 402 })
})

test('the free play that ends first is used first, those that ended are not used', async () => {
  const userId = await shop.newUser()
  const endless = await shop.give(userId, await freePlays(1))
  const long = await shop.give(userId, await freePlays(1, { validDays: 3 }))
  const short = await shop.give(userId, await freePlays(2, { validDays: 1 }))
  expect((await balanceOf(userId)).freePlays).toEqual([
    { gameType: 'NEON_WHEEL', count: 4, nextEndsAt: '2026-11-28T12:00:00.000Z' },
  ])
  await play(userId)
  expect(await leftOf(short.uuid)).toBe(1)
  now = new Date('2026-11-28T12:00:00Z')
  await play(userId)
  expect([await leftOf(short.uuid), await leftOf(long.uuid)]).toEqual([1, 0])
  await play(userId)
  expect(await leftOf(endless.uuid)).toBe(0)
})

test('free plays are of one game', async () => {
  const userId = await shop.newUser(5)
  const { uuid } = await shop.give(userId, await freePlays(1))
  await play(userId, 'COSMIC_SLOTS')
  expect(await leftOf(uuid)).toBe(1)
})

test('free plays that were cancelled or revoked are not used', async () => {
  const userId = await shop.newUser()
  const [first, second] = [
    await shop.give(userId, await freePlays(3)),
    await shop.give(userId, await freePlays(3)),
  ]
  await shop.cancel(first.uuid)
  await shop.revoke({ grantId: second.uuid })
  expect((await balanceOf(userId)).freePlays).toEqual([])
  expect((await play(userId)).data).toMatchObject({ pointsSpent: 50 })
})

describe('many plays at once', () => {
  test('use each free play once', async () => {
    await setWheel(world, { status: 'ACTIVE', rewards: [points(0)] })
    const reward = await freePlays(3)
    const users = await Promise.all(Array.from({ length: 12 }, () => shop.newUser()))
    const grants = await Promise.all(users.map((userId) => shop.give(userId, reward)))
    const plays = users.flatMap((userId) =>
      Array.from({ length: 8 }, () => ({
        ...world.userKey(userId),
        gameType: 'NEON_WHEEL' as const,
      })),
    )
    // Each as by another node, so that they meet.
    const results = (
      await Promise.all(plays.map((play) => playGames(world.runtime, [play])))
    ).flat() as (PlayedGame | Error)[]
    const spent = results.flatMap((result) => ('play' in result ? result.play.pointsSpent : []))
    // Three free plays, and two that the points pay for.
    expect(spent.filter((price) => price === 0)).toHaveLength(36)
    expect(spent.filter((price) => price === 50)).toHaveLength(24)
    for (const { uuid } of grants) expect(await leftOf(uuid)).toBe(0)
  })

  test('meet a cancellation, which either comes first or is refused', async () => {
    for (let n = 0; n < 5; n++) {
      const userId = randomUUID()
      const { uuid } = await shop.give(userId, await freePlays(1))
      const [played, cancelled] = await Promise.all([play(userId), shop.cancel(uuid)])
      const isPlayed = played.code === 200
      expect(isPlayed).toBe(cancelled.code === 'GRANT_USED')
    }
  })
})
