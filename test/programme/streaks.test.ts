/** Streaks of users by HTTP only, with a clock of the test. Each expected value was written by hand. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { decideGoals } from '../../src/programme/decider.ts'
import { settleDueGrants } from '../../src/programme/payer.ts'
import { settleDueStreaks } from '../../src/programme/streak-settling.ts'
import { createWorld, type World } from '../world.ts'
import { countAll } from './goals.ts'

let world: World
let now = new Date('2026-03-02T09:00:00Z')
beforeAll(async () => {
  world = await createWorld({ clock: () => now, isAlone: true })
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

const run = async (text: string, variables: Record<string, unknown> = {}) => {
  const { body } = await world.graphql(text, variables)
  expect(body.errors, JSON.stringify(body.errors)).toBeUndefined()
  return body.data
}

const settle = async () => {
  await countAll(world.runtime)
  await decideGoals(world.runtime)
  await settleDueStreaks(world.runtime)
  await settleDueGrants(world.runtime)
}

const startStreak = async (slug: string, streak: string, more = '') => {
  const measure = `{ facts: [ACTIVITY], eventTypes: ["${slug}"] }`
  const made = await run(`mutation {
    createGoal(input: { slug: "${slug}", name: "${slug}", window: DAY, repeat: EACH_WINDOW, ${more}
      tasks: [{ target: 1, measure: ${measure} }], streak: { ${streak} } }) {
      ... on CreateGoalPayload { goal { streak { freezes { initial max everyDays } weekdays restoreDays atRiskHours
        milestones { length reward { name } } } } } ... on Error { code message } }
    startGoal(input: { goal: { slug: "${slug}" } }) { ... on Error { code message } ... on StartGoalPayload { goal { slug } } }
  }`)
  await settle()
  return made.createGoal.goal?.streak ?? made.createGoal
}

/** Something happens to a user at a moment. It is sent at once, unless it is late. */
const meet = async (slug: string, userId: string, occurredAt = now) => {
  const body = {
    externalId: userId,
    eventType: slug,
    category: 'CUSTOM',
    occurredAt: occurredAt.toISOString(),
    reference: `${slug}-${userId}-${occurredAt.toISOString()}`,
  }
  const { status } = await world.post('/v1/user-journeys/events', world.keys.secret, body)
  expect(status).toBe(200)
  await settle()
}

const streaks = async (userId: string) =>
  (
    await run(
      `query ($id: String!) { user(by: { externalId: $id }) { streaks { nodes {
      goal { slug } length longest state deadline freezes brokenOn history { windowStart status } } } } }`,
      {
        id: userId,
      },
    )
  ).user.streaks.nodes

const streakOf = async (slug: string, userId: string) =>
  (await streaks(userId)).find((one: { goal: { slug: string } }) => one.goal.slug === slug)

/** What was announced of the streaks of a user, the latest first. */
const events = async (userId: string) =>
  (
    await world.server.database.pool.query({
      text: `SELECT type, data FROM event WHERE type LIKE 'streak.%' AND data ->> 'userId' = $1 ORDER BY id DESC`,
      values: [userId],
    })
  ).rows.map(({ type, data }) => ({ type, ...data }))

const at = (moment: string) => {
  now = new Date(moment)
}

test('a streak counts days, freezes a missed one, breaks, and is restored', async () => {
  await run(
    `mutation { createReward(input: { name: "three-days", kind: POINTS, points: 30 }) { __typename } }`,
  )
  expect(
    await startStreak(
      'daily',
      'freezes: { initial: 1, max: 2 }, milestones: [{ length: 3, reward: { name: "three-days" } }]',
    ),
  ).toEqual({
    freezes: { initial: 1, max: 2, everyDays: null },
    weekdays: [],
    restoreDays: 3,
    atRiskHours: 6,
    milestones: [{ length: 3, reward: { name: 'three-days' } }],
  })
  await meet('daily', 'ann')
  expect(await streakOf('daily', 'ann')).toMatchObject({
    length: 1,
    state: 'ALIVE',
    deadline: '2026-03-04T00:00:00.000Z',
    freezes: 1,
  })
  at('2026-03-03T19:00:00Z')
  await settle()
  expect(await streakOf('daily', 'ann')).toMatchObject({ state: 'AT_RISK', length: 1 })
  expect((await events('ann')).map(({ type }: { type: string }) => type)).toEqual([
    'streak.at_risk',
  ])
  at('2026-03-04T09:00:00Z')
  await settle()
  expect(await streakOf('daily', 'ann')).toMatchObject({ state: 'FROZEN', length: 1, freezes: 0 })
  await meet('daily', 'ann')
  at('2026-03-05T09:00:00Z')
  await meet('daily', 'ann')
  expect(await streakOf('daily', 'ann')).toMatchObject({ state: 'ALIVE', length: 3 })
  expect((await events('ann'))[0]).toMatchObject({
    type: 'streak.milestone',
    milestone: 3,
    reachedOn: '2026-03-05',
  })
  at('2026-03-07T09:00:00Z')
  await settle()
  expect(await streakOf('daily', 'ann')).toMatchObject({
    state: 'BROKEN',
    length: 0,
    longest: 3,
    brokenOn: '2026-03-06',
    deadline: null,
  })
  expect((await events('ann'))[0]).toMatchObject({
    type: 'streak.broken',
    lostLength: 3,
    windowStart: '2026-03-06',
  })
  const restored = await run(
    `mutation { restoreStreak(input: { user: { externalId: "ann" }, goal: { slug: "daily" } }) {
      ... on RestoreStreakPayload { streak { length state history(last: 3) { status } } } ... on Error { code } } }`,
  )
  expect(restored.restoreStreak.streak).toEqual({
    length: 3,
    state: 'ALIVE',
    history: [{ status: 'MET' }, { status: 'RESTORED' }, { status: 'OPEN' }],
  })
  expect((await events('ann'))[0]).toMatchObject({
    type: 'streak.restored',
    reason: 'RESTORED',
    length: 3,
  })
  await meet('daily', 'ann')
  expect(await streakOf('daily', 'ann')).toMatchObject({ state: 'ALIVE', length: 4 })
  const { user } = await run(
    '{ user(by: { externalId: "ann" }) { balance grants { nodes { source status } } } }',
  )
  expect(user).toEqual({ balance: 30, grants: { nodes: [{ source: 'STREAK', status: 'ISSUED' }] } })
})
