/** How far the users of goals are as a whole, by HTTP, with a clock of the test. Each expected value was written by hand. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decideGoals } from '../../src/programme/decider.ts'
import { settleDueStreaks } from '../../src/programme/streak-settling.ts'
import { createWorld, type World } from '../world.ts'
import { countAll } from './goals.ts'

let world: World
let now = new Date('2026-03-02T09:00:00Z')
beforeAll(async () => {
  world = await createWorld({ clock: () => now, isAlone: true })
})
afterAll(() => world.end())

const run = async (text: string, variables: Record<string, unknown> = {}) => {
  const { body } = await world.graphql(text, variables)
  expect(body.errors, JSON.stringify(body.errors)).toBeUndefined()
  return body.data
}

const settle = async () => {
  await countAll(world.runtime)
  await decideGoals(world.runtime)
  await settleDueStreaks(world.runtime)
}

const startGoal = async (slug: string, targets: Record<string, number>, more: string) => {
  const tasks = Object.entries(targets).map(
    ([type, target]) =>
      `{ name: "${type}", target: ${target}, measure: { facts: [ACTIVITY], eventTypes: ["${type}"] } }`,
  )
  const { createGoal, startGoal: started } = await run(`mutation {
    createGoal(input: { slug: "${slug}", name: "${slug}", ${more} tasks: [${tasks}] }) { ... on Error { message } }
    startGoal(input: { goal: { slug: "${slug}" } }) { ... on Error { message } } }`)
  expect([createGoal, started]).toEqual([{}, {}])
  await settle()
}

/** Things that happen to a user now. */
const act = async (userId: string, eventType: string, times = 1) => {
  for (let n = 0; n < times; n++) {
    const body = { externalId: userId, eventType, category: 'CUSTOM' }
    expect((await world.post('/v1/user-journeys/events', world.keys.secret, body)).status).toBe(200)
  }
}

const funnelOf = async (slug: string) =>
  (
    await run(
      `query ($slug: String!) { goal(by: { slug: $slug }) { funnel { windowStart
        joinedCount { value precision } startedCount { value precision } completedCount { value precision } } } }`,
      { slug },
    )
  ).goal.funnel

const closeTo = async (slug: string, first = 50) =>
  (
    await run(
      `query ($slug: String!, $first: Int!) { goal(by: { slug: $slug }) { closeUsers(first: $first) { checkedUserCount
        accuracy users { user { externalId } rate windowStart tasks { name value target rate } } } } }`,
      { slug, first },
    )
  ).goal.closeUsers

const close = async (slug: string) =>
  (await closeTo(slug)).users.map((user: { user: { externalId: string }; rate: number }) => [
    user.user.externalId,
    Math.round(user.rate * 100),
  ])

const exactly = (value: number) => ({ value, precision: 'EXACT' })
const atLeast = (value: number) => ({ value, precision: 'AT_LEAST' })

test('a goal of two tasks a day shows who has begun, who is close, and who is done', async () => {
  await startGoal('daily-two', { run: 4, swim: 2 }, 'window: DAY, repeat: EACH_WINDOW,')
  expect(await funnelOf('daily-two')).toEqual({
    windowStart: '2026-03-02',
    joinedCount: null,
    startedCount: exactly(0),
    completedCount: exactly(0),
  })
  await act('none', 'walk')
  await act('ann', 'run', 3)
  await act('ann', 'swim', 2)
  await act('ben', 'run', 9)
  await act('cid', 'run', 4)
  await act('cid', 'swim', 2)
  await act('dee', 'swim')
  await settle()
  expect(await funnelOf('daily-two')).toMatchObject({
    startedCount: exactly(4),
    completedCount: exactly(1),
  })
  // Three of four and all of two; all of four and nothing; nothing and one of two.
  expect(await close('daily-two')).toEqual([
    ['ann', 88],
    ['ben', 50],
    ['dee', 25],
  ])
  expect(await closeTo('daily-two', 1)).toEqual({
    checkedUserCount: 5,
    accuracy: 'EXACT',
    users: [
      {
        user: { externalId: 'ann' },
        rate: 0.875,
        windowStart: '2026-03-02',
        tasks: [
          { name: 'run', value: 3, target: 4, rate: 0.75 },
          { name: 'swim', value: 2, target: 2, rate: 1 },
        ],
      },
    ],
  })
})

test('the window is the present one: of the partner for the funnel, of the user for who is close', async () => {
  const zone = { externalId: 'kim', timeZone: 'Pacific/Auckland' }
  const { status } = await world.post('/v1/user-journeys/users', world.keys.public, zone)
  expect(status).toBe(200)
  // 09:00 of the 2nd is 22:00 there.
  await act('kim', 'swim')
  await settle()
  now = new Date('2026-03-02T12:00:00Z')
  await settle()
  expect(await funnelOf('daily-two')).toMatchObject({ startedCount: exactly(5) })
  expect((await close('daily-two')).map(([userId]: [string]) => userId)).not.toContain('kim')
  await act('kim', 'swim', 2)
  await settle()
  expect((await close('daily-two')).map(([userId]: [string]) => userId)).toContain('kim')
  now = new Date('2026-03-03T09:00:00Z')
  expect(await funnelOf('daily-two')).toMatchObject({
    windowStart: '2026-03-03',
    startedCount: exactly(1),
    completedCount: exactly(0),
  })
  expect(await close('daily-two')).toEqual([['kim', 50]])
})

test('a goal that users join shows those who joined, and of one without limit the way to the next time', async () => {
  const plan = 'joinMode: OPT_IN, repeat: UNLIMITED, maxCompletions: 2, timeLimitHours: 48,'
  await startGoal('optional', { jump: 4 }, plan)
  for (const userId of ['ann', 'ben', 'cid', 'dee']) {
    const input = { user: { externalId: userId }, goal: { slug: 'optional' } }
    await run('mutation ($input: JoinGoalInput!) { joinGoal(input: $input) { __typename } }', {
      input,
    })
  }
  await act('ann', 'jump', 3)
  await act('ben', 'jump', 6)
  await act('cid', 'jump', 8)
  await act('none', 'jump', 3)
  await settle()
  expect(await funnelOf('optional')).toEqual({
    windowStart: null,
    joinedCount: exactly(4),
    startedCount: exactly(3),
    completedCount: exactly(2),
  })
  expect(await close('optional')).toEqual([
    ['ann', 75],
    ['ben', 50],
  ])
  now = new Date('2026-03-05T10:00:00Z')
  expect(await close('optional')).toEqual([])
  expect(await funnelOf('optional')).toMatchObject({ startedCount: exactly(3) })
})

test('users who are not eligible, and those who have completed a goal of once, are not close', async () => {
  const once = 'window: WEEK, repeat: ONCE,'
  await startGoal('once', { read: 2 }, once)
  await startGoal('after', { write: 4 }, `${once} requires: [{ slug: "once" }],`)
  for (const userId of ['ann', 'ben']) await act(userId, 'write')
  await act('ann', 'read', 2)
  await act('ben', 'read', 1)
  await settle()
  expect(await close('once')).toEqual([['ben', 50]])
  expect(await close('after')).toEqual([['ann', 25]])
  now = new Date('2026-03-11T10:00:00Z')
  await act('ann', 'read', 1)
  await settle()
  expect(await close('once')).toEqual([])
  await run('mutation { endGoal(input: { goal: { slug: "after" } }) { __typename } }')
  expect(await close('after')).toEqual([])
  await run('mutation { pauseGoal(input: { goal: { slug: "once" } }) { __typename } }')
  await act('ben', 'read', 1)
  await settle()
  expect(await close('once')).toEqual([['ben', 50]])
})

test('counts stop at 10,000 users, and say so', async () => {
  await startGoal('many', { nod: 3 }, 'window: DAY, repeat: EACH_WINDOW,')
  const { pool } = world.server.database
  const fill = (from: number, to: number) =>
    pool.query({
      text: `INSERT INTO fact_counter (task_id, user_id, window_start, partner_id, environment, value, reached_at)
        SELECT t.id, gen_random_uuid(), '2026-03-11', t.partner_id, t.environment, 1, now()
        FROM goal_task t JOIN goal g ON g.id = t.goal_id, generate_series($1::int, $2::int) WHERE g.slug = 'many'`,
      values: [from, to],
    })
  await fill(1, 10_000)
  expect(await funnelOf('many')).toMatchObject({ startedCount: exactly(10_000) })
  await fill(1, 1)
  expect(await funnelOf('many')).toMatchObject({
    startedCount: atLeast(10_000),
    completedCount: atLeast(0),
  })
})

const overviewOf = async (slug: string, filter: Record<string, unknown> | null = null) =>
  (
    await run(
      `query ($slug: String!, $filter: StreakFilter) { goal(by: { slug: $slug }) {
        streakLengths { from to userCount { value precision } }
        streaks(filter: $filter) { totalCount { value precision } nodes { user { externalId } length longest state
          brokenOn lostLength restorableUntil isPaused } } } }`,
      { slug, filter },
    )
  ).goal

const listed = async (slug: string, filter: Record<string, unknown> | null = null) => {
  const { nodes, totalCount } = (await overviewOf(slug, filter)).streaks
  expect(totalCount).toEqual(exactly(nodes.length))
  return nodes.map((node: { user: { externalId: string }; length: number }) => [
    node.user.externalId,
    node.length,
  ])
}

test('the streaks of a goal are listed by length, and those that were lost on a date', async () => {
  now = new Date('2026-04-01T10:00:00Z')
  await startGoal(
    'streak',
    { visit: 1 },
    'window: DAY, repeat: EACH_WINDOW, streak: { freezes: { initial: 0, max: 1 }, restoreDays: 2 },',
  )
  const days = ['ann ben cid dee', 'ann ben cid', 'ann ben cid', 'ann cid', 'ann cid dee']
  for (const [n, who] of days.entries()) {
    now = new Date(`2026-04-0${n + 1}T10:00:00Z`)
    for (const userId of who.split(' ')) await act(userId, 'visit')
    await settle()
  }
  const all = await listed('streak')
  expect(all.map(([, length]: [string, number]) => length)).toEqual([5, 5, 1, 0])
  expect(all.slice(2)).toEqual([
    ['dee', 1],
    ['ben', 0],
  ])
  const { streakLengths } = await overviewOf('streak')
  expect(streakLengths).toEqual([
    { from: 1, to: 1, userCount: exactly(1) },
    { from: 2, to: 6, userCount: exactly(2) },
    { from: 7, to: 13, userCount: exactly(0) },
    { from: 14, to: 29, userCount: exactly(0) },
    { from: 30, to: 99, userCount: exactly(0) },
    { from: 100, to: null, userCount: exactly(0) },
  ])
  expect(
    (await listed('streak', { lengthFrom: 2 })).map(([userId]: [string]) => userId).sort(),
  ).toEqual(['ann', 'cid'])
  expect(await listed('streak', { lengthFrom: 1, lengthTo: 4 })).toEqual([['dee', 1]])
  // The streak of dee broke on the 2nd, but has begun again.
  expect(await listed('streak', { brokenOn: '2026-04-02' })).toEqual([])
  const { streaks } = await overviewOf('streak', { brokenOn: '2026-04-04' })
  expect(streaks).toEqual({
    totalCount: exactly(1),
    nodes: [
      {
        user: { externalId: 'ben' },
        length: 0,
        longest: 3,
        state: 'BROKEN',
        brokenOn: '2026-04-04',
        lostLength: 3,
        restorableUntil: '2026-04-06',
        isPaused: false,
      },
    ],
  })
  now = new Date('2026-04-07T10:00:00Z')
  await settle()
  const later = await overviewOf('streak', { brokenOn: '2026-04-04' })
  expect(later.streaks.nodes).toMatchObject([{ lostLength: 3, restorableUntil: null }])
  expect(
    (await listed('streak', { brokenOn: '2026-04-06' })).map(([userId]: [string]) => userId).sort(),
  ).toEqual(['ann', 'cid', 'dee'])
  await run(`mutation { restoreStreak(input: { user: { externalId: "ann" }, goal: { slug: "streak" } }) { __typename }
    pauseStreak(input: { user: { externalId: "ann" }, goal: { slug: "streak" }, days: 2 }) { __typename } }`)
  expect((await overviewOf('streak', { lengthFrom: 1 })).streaks.nodes).toMatchObject([
    { user: { externalId: 'ann' }, length: 5, state: 'PAUSED', isPaused: true, lostLength: null },
  ])
})

test('a goal that is no streak has none, and a filter of dates takes dates', async () => {
  expect(await overviewOf('once')).toEqual({
    streakLengths: null,
    streaks: { totalCount: exactly(0), nodes: [] },
  })
  for (const brokenOn of ['yesterday', '2026-02-30', '0000-01-01']) {
    const { body } = await world.graphql(
      `query ($on: String) { goal(by: { slug: "streak" }) { streaks(filter: { brokenOn: $on }) { nodes { length } } } }`,
      { on: brokenOn },
    )
    expect(body.errors?.[0].extensions.code).toBe('INVALID_PARAMETERS')
  }
})

test('a public key sees nothing of other users', async () => {
  const { body } = await world.graphql(
    `{ goal(by: { slug: "many" }) { funnel { windowStart } closeUsers(first: 1) { checkedUserCount }
      streakLengths { from } streaks { nodes { length } } } }`,
    {},
    { public: world.keys.public },
  )
  expect(body.data.goal).toEqual({
    funnel: null,
    closeUsers: null,
    streakLengths: null,
    streaks: null,
  })
  expect(
    body.errors.map((error: { extensions: { code: string } }) => error.extensions.code),
  ).toEqual(Array(4).fill('MISSING_API_SECRET'))
})
