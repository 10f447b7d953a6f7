/**
 * Counting and deciding: from facts to completions and grants, and back by reversals.
 * Neighbours that were looked for: two crossings before one decision, falling and rising again with each policy, a goal that
 * is completed once over many windows, a user who is not eligible yet, and goals that require others.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { awardPoints } from '../../src/points/points.ts'
import { deleteExpiredCounters } from '../../src/programme/counting.ts'
import { settleDueGrants } from '../../src/programme/payer.ts'
import { setWheel } from '../games/wheel.ts'
import { createWorld, type World } from '../world.ts'
import { goalsOf } from './goals.ts'
import { shopOf } from './shop.ts'

let world: World
let goals: ReturnType<typeof goalsOf>
let now = new Date()
beforeAll(async () => {
  world = await createWorld({ clock: () => now })
  goals = goalsOf(world)
})
// A goal counts from its start, so the facts of other tests must be before it.
beforeEach(() => {
  now = new Date(now.getTime() + 60_000)
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

const award = async (userId: string, eventType = 'purchase') => {
  const { body, text } = await world.post('/v1/points/award', world.keys.secret, {
    userId,
    eventType,
  })
  if (!body.data) throw new Error(text)
  return body.data.ledgerId as string
}

const reverse = (ledgerEntryId: string) =>
  world.graphql(
    `mutation ($id: ID!) { reverseLedgerEntry(input: { ledgerEntryId: $id, reason: "test" }) { __typename } }`,
    { id: ledgerEntryId },
  )

const grantsOf = (rewardId: string) =>
  world.runtime.db.rewardGrant.findMany({ where: { rewardId } })

test('counts awards, completes the goal once, and pays its reward', async () => {
  const reward = await goals.reward(40)
  const goal = await goals.plant([{ facts: ['POINTS_AWARDED'], target: 2 }], {
    rewardIds: [reward],
  })
  await goals.settle()
  for (let n = 0; n < 5; n++) await award('ann')
  await award('bob')
  expect(await goals.counters(goal)).toMatchObject([
    { userId: 'ann', value: 5, windowStart: '1970-01-01' },
    { userId: 'bob', value: 1 },
  ])
  await goals.settle()
  expect(await goals.completions(goal)).toEqual([
    { userId: 'ann', windowStart: '1970-01-01', k: 1, round: 1, isLive: true },
  ])
  expect(await goals.grants(goal)).toMatchObject([{ userId: 'ann', round: 1, rewardNo: 1 }])
  expect(await goals.marks(goal)).toEqual([])
})

test('a reversal revokes the completion and its grant, and rising again makes a grant of the next round', async () => {
  const reward = await goals.reward()
  const goal = await goals.plant([{ facts: ['POINTS_AWARDED'], target: 2 }], {
    rewardIds: [reward],
  })
  await goals.settle()
  const first = await award('cleo')
  await award('cleo')
  await goals.settle()
  await reverse(first)
  expect(await goals.counters(goal)).toMatchObject([{ userId: 'cleo', value: 1 }])
  await goals.settle()
  expect(await goals.completions(goal)).toMatchObject([{ isLive: false, round: 1 }])
  expect(await goals.grants(goal)).toMatchObject([{ status: 'REVOKED', round: 1 }])
  await award('cleo')
  await goals.settle()
  expect(await goals.completions(goal)).toMatchObject([{ isLive: true, round: 2 }])
  expect(await goals.grants(goal)).toMatchObject([{ status: 'REVOKED' }, { round: 2 }])
})

test('an item that was handed out is not given again, whatever is reversed and completed again', async () => {
  const shop = shopOf(world)
  const { uuid: item } = await shop.createReward({ name: 'Mug', kind: 'ITEM' })
  const points = await goals.reward(10)
  const goal = await goals.plant([{ facts: ['POINTS_AWARDED'], target: 1 }], {
    rewardIds: [item, points],
  })
  await goals.settle()
  const settleAll = async () => {
    await goals.settle()
    await settleDueGrants(world.runtime)
  }
  for (const round of [1, 2, 3]) {
    const entry = await award('mia')
    await settleAll()
    if (round === 2)
      await shop.fulfill((await grantsOf(item)).find(({ status }) => status === 'ISSUED')?.id ?? '')
    await reverse(entry)
    await settleAll()
  }
  const made = (await goals.grants(goal)).map(({ rewardNo, round, status }) => [
    rewardNo,
    round,
    status,
  ])
  expect(made).toEqual([
    [1, 1, 'REVOKED'],
    [1, 2, 'FULFILLED'],
    [2, 1, 'REVOKED'],
    [2, 2, 'REVOKED'],
    [2, 3, 'REVOKED'],
  ])
})

test('free plays of which one was played are not given again after a reversal', async () => {
  const { uuid: plays } = await shopOf(world).createReward({
    name: 'Spins',
    kind: 'FREE_PLAYS',
    freePlays: { gameType: 'NEON_WHEEL', count: 2 },
  })
  await setWheel(world, { status: 'ACTIVE' })
  await goals.plant([{ facts: ['POINTS_AWARDED'], target: 1 }], {
    rewardIds: [plays],
  })
  await goals.settle()
  for (const round of [1, 2, 3]) {
    const entry = await award('noa')
    await goals.settle()
    await settleDueGrants(world.runtime)
    if (round === 2)
      await world.post('/v1/games/play', world.keys.public, {
        userId: 'noa',
        gameType: 'NEON_WHEEL',
      })
    await reverse(entry)
    await goals.settle()
  }
  expect((await grantsOf(plays)).map(({ round, status }) => [round, status]).sort()).toEqual([
    [1, 'REVOKED'],
    [2, 'REVOKED'],
  ])
})

test('with KEEP, a reversal keeps the reward, and completing again gives none', async () => {
  const reward = await goals.reward()
  const goal = await goals.plant([{ facts: ['POINTS_AWARDED'], target: 1 }], {
    rewardIds: [reward],
    onReversal: 'KEEP',
  })
  await goals.settle()
  const first = await award('dora')
  await goals.settle()
  await reverse(first)
  await goals.settle()
  expect(await goals.completions(goal)).toMatchObject([{ isLive: false }])
  expect(await goals.grants(goal)).toMatchObject([{ round: 1 }])
  await award('dora')
  await goals.settle()
  expect(await goals.completions(goal)).toMatchObject([{ isLive: true, round: 1 }])
  expect(await goals.grants(goal)).toHaveLength(1)
})

test('completes an unlimited goal at each multiple, many at once in several steps', async () => {
  const goal = await goals.plant([{ facts: ['POINTS_AWARDED'], of: 'POINTS', target: 0.25 }], {
    repeat: 'UNLIMITED',
    maxCompletions: 300,
  })
  await goals.settle()
  await award('eve', 'signup')
  await goals.settle()
  const made = await goals.completions(goal)
  expect(made.map(({ k }) => k)).toEqual(Array.from({ length: 300 }, (_, n) => n + 1))
  expect(await goals.marks(goal)).toEqual([])
})

test('a goal that is completed only once moves to another window when it is taken back', async () => {
  const goal = await goals.plant([{ facts: ['POINTS_AWARDED'], target: 1 }], { window: 'DAY' })
  await goals.settle()
  const first = await award('finn')
  await goals.settle()
  now = new Date(now.getTime() + 26 * 3_600_000)
  await award('finn')
  await goals.settle()
  expect(await goals.completions(goal)).toHaveLength(1)
  await reverse(first)
  await goals.settle()
  expect(await goals.completions(goal)).toMatchObject([{ isLive: false }, { isLive: true }])
})

test('who is not eligible waits until the required goal is completed', async () => {
  const [first, second] = [
    await goals.plant([{ facts: ['POINTS_AWARDED'], eventTypes: ['purchase'], target: 1 }]),
    await goals.plant([{ facts: ['POINTS_AWARDED'], eventTypes: ['signup'], target: 1 }]),
  ]
  await goals.query('UPDATE goal SET requires = ARRAY[$2::uuid] WHERE id = $1', [second, first])
  await goals.settle()
  await award('gus', 'signup')
  await goals.settle()
  expect(await goals.completions(second)).toEqual([])
  expect(await goals.marks(second)).toMatchObject([{ is_blocked: true }])
  await award('gus', 'purchase')
  await goals.settle()
  expect(await goals.completions(second)).toHaveLength(1)
  expect(await goals.marks(second)).toEqual([])
})

test('all tasks must be reached, and the smallest counts', async () => {
  const goal = await goals.plant(
    [
      { facts: ['POINTS_AWARDED'], eventTypes: ['signup'], target: 2 },
      { facts: ['POINTS_AWARDED'], eventTypes: ['purchase'], target: 1 },
    ],
    { repeat: 'UNLIMITED', maxCompletions: null },
  )
  await goals.settle()
  await award('hal', 'purchase')
  await award('hal', 'purchase')
  await goals.settle()
  expect(await goals.completions(goal)).toEqual([])
  for (let n = 0; n < 3; n++) await award('hal', 'signup')
  await goals.settle()
  expect(await goals.completions(goal)).toMatchObject([{ k: 1 }])
})

test('pausing stops decisions but not counting', async () => {
  const goal = await goals.plant([{ facts: ['POINTS_AWARDED'], target: 1 }])
  await goals.settle()
  await goals.query(`UPDATE goal SET status = 'PAUSED' WHERE id = $1`, [goal])
  await award('ida')
  await goals.settle()
  expect(await goals.counters(goal)).toMatchObject([{ value: 1 }])
  expect(await goals.completions(goal)).toEqual([])
  await goals.query(`UPDATE goal SET status = 'ACTIVE' WHERE id = $1`, [goal])
  await goals.settle()
  expect(await goals.completions(goal)).toHaveLength(1)
})

test('a reversal after the counters were deleted counts the window again', async () => {
  const present = now
  now = new Date(now.getTime() - 70 * 24 * 3_600_000)
  const goal = await goals.plant([{ facts: ['POINTS_AWARDED'], target: 2 }], {
    window: 'DAY',
    repeat: 'EACH_WINDOW',
  })
  await goals.settle()
  const first = await award('jo')
  await award('jo')
  await award('jo')
  await goals.settle()
  now = present
  await deleteExpiredCounters(world.runtime)
  // The facts of other tests are after its start, and count in windows of today.
  const ofJo = (rows: { userId: string }[]) => rows.filter(({ userId }) => userId === 'jo')
  expect(ofJo(await goals.counters(goal))).toEqual([])
  await reverse(first)
  await goals.settle()
  // Two of the three are left.
  expect(ofJo(await goals.counters(goal))).toMatchObject([{ value: 2 }])
  expect(ofJo(await goals.completions(goal))).toMatchObject([{ isLive: true }])
})

test('a goal that counts what was before counts more users than one step has', async () => {
  const users = Array.from({ length: 210 }, () => randomUUID())
  const awards = users.map((id) => ({ ...world.userKey(id), eventType: 'signup' }))
  for (const result of await awardPoints(world.runtime, awards))
    expect(result).not.toBeInstanceOf(Error)
  now = new Date(now.getTime() + 1_000)
  const task = { facts: ['POINTS_AWARDED' as const], eventTypes: ['signup'] }
  const id = await goals.plant([task], { countFrom: 'EVER' })
  await goals.settle()
  const counted = await goals.counters(id)
  const found = new Set(counted.map(({ userId }) => userId))
  expect(users.filter((userId) => !found.has(userId))).toEqual([])
  expect(await goals.completions(id)).toHaveLength(counted.length)
})
