/** What statistics say about completions, grants and the points that they paid. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { settleDueGrants } from '../../src/programme/payer.ts'
import { createWorld, type World } from '../world.ts'
import { goalsOf } from './goals.ts'
import { type Programme, programmeOf } from './programme.ts'

let world: World
let goals: ReturnType<typeof goalsOf>
let call: Programme
let now = new Date('2026-03-04T10:05:00Z')
beforeAll(async () => {
  world = await createWorld({ clock: () => now })
  goals = goalsOf(world)
  call = programmeOf(world)
})
afterAll(() => world.end())

const settle = async () => {
  await goals.settle()
  await settleDueGrants(world.runtime)
  expect(await audit(world.server.database.pool)).toBe(0)
}

const award = async (userId: string): Promise<string> => {
  const { body, text } = await world.post('/v1/points/award', world.keys.secret, {
    userId,
    eventType: 'purchase',
  })
  if (!body.data) throw new Error(text)
  return body.data.ledgerId
}

const span = 'from: "2026-03-04T10:00:00Z", to: "2026-03-04T13:00:00Z", interval: HOUR'
const fields = 'metric group total node { __typename } buckets { value }'

type Series = {
  metric: string
  group: string | null
  total: number
  node: { __typename: string } | null
  buckets: { value: number }[]
}

const ask = async (query: string) => {
  const { body, text } = await world.graphql(query)
  if (body.errors) throw new Error(text)
  return body.data
}
const valuesOf = (all: Series[]) =>
  Object.fromEntries(
    all.map(({ metric, buckets }) => [metric, buckets.map(({ value }) => value)] as const),
  )

test('count completions, grants and points by goal, reward and source, each in its own hour', async () => {
  const bonus = await goals.reward(40)
  const badge = await goals.reward()
  const goal = await goals.plant([{ facts: ['POINTS_AWARDED'], target: 2 }], {
    rewardIds: [bonus, badge],
  })
  await goals.settle()
  const first = await award('ann')
  const awarded = await call.balance('ann')
  await award('ann')
  await award('bob')
  await award('bob')
  await settle()
  // What was given has no goal.
  const own = await call.pointsReward(7)
  await call.give('ann', own)

  now = new Date('2026-03-04T11:20:00Z')
  // Of 40 points, 12 are left to take back once the award is.
  const spent = awarded + 12 - (await call.balance('ann'))
  await call.mutate('adjustPoints', 'user { balance }', {
    user: { externalId: 'ann' },
    points: spent,
    reason: 'spent',
  })
  await call.mutate('reverseLedgerEntry', 'ledgerEntry { id }', {
    ledgerEntryId: first,
    reason: 'test',
  })
  expect(await call.balance('ann')).toBe(12)
  await settle()

  now = new Date('2026-03-04T12:40:00Z')
  await award('ann')
  await settle()

  const { goal: ofGoal, reward } = await ask(`{
    goal(by: { id: "${goal}" }) { statistics(${span}) { ${fields} } }
    reward(by: { id: "${bonus}" }) { statistics(${span}) { ${fields} } } }`)
  expect(valuesOf(ofGoal.statistics)).toEqual({
    GOALS_COMPLETED: [2, 0, 1],
    GRANTS_ISSUED: [4, 0, 2],
    POINTS_GRANTED: [80, -12, 40],
  })
  expect(valuesOf(reward.statistics)).toEqual({
    GRANTS_ISSUED: [2, 0, 1],
    POINTS_GRANTED: [80, -12, 40],
  })
  const analytics = async (groupBy: string) =>
    (
      await ask(
        `{ analytics(metrics: [POINTS_GRANTED], ${span}, groupBy: ${groupBy}) { ${fields} } }`,
      )
    ).analytics as Series[]
  expect((await analytics('GRANT_SOURCE')).map(({ group, total }) => [group, total])).toEqual([
    ['GOAL', 108],
    ['GIVEN', 7],
  ])
  expect((await analytics('GOAL')).map(({ group, node }) => [group === '', node])).toEqual([
    [false, { __typename: 'Goal' }],
    [true, null],
  ])
  expect((await analytics('REWARD')).map(({ node }) => node?.__typename)).toEqual([
    'Reward',
    'Reward',
  ])
})

test('the audit finds a completion that was not counted', async () => {
  const { pool } = world.server.database
  await pool.query({ text: `UPDATE statistic SET q1 = q1 + 1 WHERE metric = 'GOALS_COMPLETED'` })
  expect(await audit(pool)).toBeGreaterThan(0)
  await pool.query({ text: `UPDATE statistic SET q1 = q1 - 1 WHERE metric = 'GOALS_COMPLETED'` })
  expect(await audit(pool)).toBe(0)
})
