/** The expected payout of plays, over time. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { playGames } from '../../src/games/play.ts'
import { points, setWheel } from '../games/wheel.ts'
import { createWorld, type World } from '../world.ts'

let world: World
let now = new Date('2026-03-04T10:00:00Z')
beforeAll(async () => {
  world = await createWorld({ clock: () => now })
})
afterAll(() => world.end())

/** Plays in one statement. */
const play = async (at: string, count: number) => {
  now = new Date(at)
  const item = { ...world.userKey('gus'), gameType: 'NEON_WHEEL' as const }
  const results = await playGames(world.runtime, Array(count).fill(item))
  expect(results.filter((result) => result instanceof Error)).toEqual([])
}

const series = async (metric: string, more = '') => {
  const { body, text } = await world.graphql(
    `{ analytics(metrics: [${metric}], interval: HOUR, from: "2026-03-04T10:00:00Z",
      to: "2026-03-04T12:00:00Z" ${more}) { group total buckets { value } } }`,
  )
  expect(body.errors, text).toBeUndefined()
  return body.data.analytics.map(
    ({
      group,
      total,
      buckets,
    }: {
      group: string
      total: number
      buckets: { value: number }[]
    }) => ({
      group,
      total,
      values: buckets.map(({ value }) => value),
    }),
  )
}

test('each play adds the expected payout of the version that it was drawn from', async () => {
  await world.givePoints('gus', 20)
  // 5 of 3: 1.667 points a play.
  await setWheel(world, { rewards: [points(5), { ...points(0), weight: 2 }] })
  await play('2026-03-04T10:05:00Z', 3)
  await setWheel(world, { rewards: [points(20)] })
  await play('2026-03-04T10:50:00Z', 1)
  await play('2026-03-04T11:00:00Z', 2)
  const values = [3 * 1_667 + 20_000, 40_000]
  const total = (values[0] as number) + (values[1] as number)
  expect(await series('PLAY_EXPECTED_PAYOUT')).toEqual([{ group: null, total, values }])
  expect(await series('PLAY_EXPECTED_PAYOUT', 'groupBy: GAME_TYPE')).toEqual([
    { group: 'NEON_WHEEL', total, values },
  ])
  expect(await audit(world.server.database.pool)).toBe(0)
})

test('a reward other than points has no expected payout', async () => {
  await setWheel(world, { rewards: [{ ...points(20), type: 'xp' }] })
  await play('2026-03-04T11:30:00Z', 2)
  const [item] = await series('PLAY_EXPECTED_PAYOUT')
  expect(item.values[1]).toBe(40_000)
  expect(await audit(world.server.database.pool)).toBe(0)
})

test('the audit finds a play that is counted under another version', async () => {
  const { pool } = world.server.database
  const { db } = world.runtime
  const first = await db.play.findFirstOrThrow({ orderBy: { playNo: 'asc' } })
  const setVersion = (mechanicVersion: number) =>
    db.play.update({ where: { id: first.id }, data: { mechanicVersion } })
  await setVersion(first.mechanicVersion + 1)
  expect(await audit(pool)).toBeGreaterThan(0)
  await setVersion(first.mechanicVersion)
  expect(await audit(pool)).toBe(0)
})

test('a preview of a change says what rewards of all types are worth before and after it, and in a day', async () => {
  const preview = async (game: string) => {
    const { body, text } = await world.graphql(
      `{ previewGame(game: { name: "Wheel", description: "Turn", segments: 8, ${game} }) {
        dailyPlayCount issues { code }
        before { ...Economy } after { ...Economy } } }
      fragment Economy on GameEconomy { price expectedWorth largestWorth largestWorthRate
        unknownWorthLabels dailyWorth dailyPrice }`,
    )
    expect(body.errors, text).toBeUndefined()
    return body.data.previewGame
  }
  const row = (type: string, value: number, weight: number, worth?: number) =>
    `{ label: "${value} ${type}", tier: COMMON, type: ${type}, value: ${value}, weight: ${weight}
      ${worth === undefined ? '' : `worthPoints: ${worth}`} }`
  // 8 plays: 40 points twice, an item worth 100 points twice, and items whose worth is not known.
  const rewards = [
    row('POINTS', 40, 1),
    row('POINTS', 40, 1),
    row('ITEM', 1, 1, 100),
    row('ITEM', 2, 1, 100),
    row('ITEM', 900, 4),
    row('XP', 7, 0),
  ].join()
  expect(await preview(`gameType: NEON_WHEEL, price: 5, rewards: [${rewards}]`)).toMatchObject({
    dailyPlayCount: 8,
    issues: [{ code: 'PAYS_MORE_THAN_PRICE' }],
    before: {
      ...{ expectedWorth: 0, largestWorth: 0, largestWorthRate: 0, dailyWorth: 0 },
      unknownWorthLabels: ['20 points'],
    },
    after: {
      ...{ price: 5, expectedWorth: 35, largestWorth: 100, largestWorthRate: 0.25 },
      ...{ unknownWorthLabels: ['900 ITEM'], dailyWorth: 280, dailyPrice: 40 },
    },
  })
  now = new Date('2026-03-05T11:30:00Z')
  const nothing = row('ITEM', 1, 1)
  expect(await preview(`gameType: NEON_WHEEL, price: 0, rewards: [${nothing}]`)).toMatchObject({
    dailyPlayCount: 0,
    issues: [],
    after: { expectedWorth: 0, largestWorth: 0, largestWorthRate: 0 },
  })
})
