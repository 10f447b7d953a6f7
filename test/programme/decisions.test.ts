/**
 * Counting and deciding: from facts to completions and grants, and back by reversals.
 * Neighbours that were looked for: two crossings before one decision, falling and rising again with each policy, a goal that
 * is completed once over many windows, a user who is not eligible yet, and goals that require others.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { createWorld, type World } from '../world.ts'
import { goalsOf } from './goals.ts'

let world: World
let goals: ReturnType<typeof goalsOf>
const now = new Date('2026-03-02T10:00:00Z')
beforeAll(async () => {
  world = await createWorld({ clock: () => now })
  goals = goalsOf(world)
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
