/** Streaks of users by HTTP only, with a clock of the test. Each expected value was written by hand. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { decideGoals } from '../../src/programme/decider.ts'
import { settleDueGrants } from '../../src/programme/payer.ts'
import { settleDueStreaks } from '../../src/programme/streak-settling.ts'
import { pointsByHand } from '../points/by-hand.ts'
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
  const measure = `{ facts: [ACTIVITY, POINTS_AWARDED], eventTypes: ["${slug}"] }`
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
  (await streaks(userId)).find((item: { goal: { slug: string } }) => item.goal.slug === slug)

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
      'freezes: { initial: 1, max: 2 }, milestones: [{ length: 3, reward: { slug: "three-days" } }]',
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
  at('2026-03-07T10:00:00Z')
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

/** What a day brings, in the order of the table: the moment, what happens, and the streak then by its state, length and freezes. */
type Step = [
  at: string,
  what: (() => Promise<unknown>) | null,
  state: string | null,
  length: number,
  freezes: number,
]

test('forty days of a user who moves from Berlin to New York and to Auckland', async () => {
  at('2026-03-12T07:00:00Z')
  await startStreak('moves', 'freezes: { initial: 1, max: 2 }', 'onReversal: REVOKE,')
  const hand = pointsByHand(world)
  await run(`mutation { setRewardRule(input: { eventType: "moves", points: 10 }) { __typename } }`)
  const entries = new Map<string, string>()
  const moveTo = (timeZone: string) => async () => {
    const { status } = await world.post('/v1/user-journeys/users', world.keys.public, {
      externalId: 'bea',
      timeZone,
    })
    expect(status).toBe(200)
  }
  /** An award, which can be reversed. */
  const award = (name: string) => async () => {
    const body = { userId: 'bea', eventType: 'moves', reference: name }
    const { status, body: answer } = await world.post('/v1/points/award', world.keys.secret, body)
    expect(status).toBe(200)
    entries.set(name, answer.data.ledgerId)
  }
  const met = () => meet('moves', 'bea')
  const late = (moment: string) => () => meet('moves', 'bea', new Date(moment))
  const reverse = (name: string) => () => hand.reverse(entries.get(name) as string, 'bea')
  const call =
    (name: string, more = '') =>
    () =>
      run(`mutation { ${name}(input: { user: { externalId: "bea" }, goal: { slug: "moves" } ${more} }) {
      ... on Error { code message } } }`)

  await moveTo('Europe/Berlin')()
  const steps: Step[] = [
    ['03-12T11:00', met, 'ALIVE', 1, 1],
    ['03-13T11:00', met, 'ALIVE', 2, 1],
    ['03-14T11:00', met, 'ALIVE', 3, 1],
    // The 15th is missed. A freeze covers it at its end.
    ['03-15T16:00', null, 'ALIVE', 3, 1],
    ['03-15T18:00', null, 'AT_RISK', 3, 1],
    ['03-16T07:00', null, 'FROZEN', 3, 0],
    ['03-16T11:00', met, 'ALIVE', 4, 0],
    ['03-17T11:00', met, 'ALIVE', 5, 0],
    // What happened on the 18th arrives on the 19th.
    ['03-18T22:30', null, 'AT_RISK', 5, 0],
    ['03-18T23:30', null, 'BROKEN', 0, 0],
    ['03-19T08:00', late('2026-03-18T12:00:00Z'), 'ALIVE', 6, 0],
    ['03-19T11:00', met, 'ALIVE', 7, 0],
    ['03-20T11:00', met, 'ALIVE', 8, 0],
    ['03-21T11:00', call('pauseStreak', 'days: 3'), 'PAUSED', 8, 0],
    ['03-22T11:00', null, 'PAUSED', 8, 0],
    ['03-23T22:30', null, 'PAUSED', 8, 0],
    ['03-24T11:00', met, 'ALIVE', 9, 0],
    ['03-25T11:00', award('25th'), 'ALIVE', 10, 0],
    ['03-26T11:00', met, 'ALIVE', 11, 0],
    // Within grace. The run of the 26th begins with a freeze of its own.
    ['03-26T12:00', reverse('25th'), 'ALIVE', 1, 1],
    ['03-27T11:00', met, 'ALIVE', 2, 1],
    ['03-28T11:00', met, 'ALIVE', 3, 1],
    // The night has 23 hours: midnight is at 22:00 UTC now.
    ['03-29T21:30', met, 'ALIVE', 4, 1],
    ['03-30T21:30', met, 'ALIVE', 5, 1],
    ['03-31T11:00', met, 'ALIVE', 6, 1],
    ['04-01T11:00', met, 'ALIVE', 7, 1],
    ['04-01T18:00', moveTo('America/New_York'), 'ALIVE', 7, 1],
    // The 2nd begins at midnight in Berlin, and ends at midnight in New York.
    ['04-02T22:00', null, 'AT_RISK', 7, 1],
    ['04-03T03:30', met, 'ALIVE', 8, 1],
    ['04-03T16:00', met, 'ALIVE', 9, 1],
    ['04-04T00:00', moveTo('Pacific/Auckland'), 'ALIVE', 9, 1],
    // The 4th begins at midnight in New York, and ends seven hours later in Auckland.
    ['04-04T05:30', null, 'AT_RISK', 9, 1],
    ['04-04T10:30', met, 'ALIVE', 10, 1],
    // The 5th has 25 hours, until 12:00 UTC.
    ['04-05T11:30', met, 'ALIVE', 11, 1],
    ['04-05T23:00', met, 'ALIVE', 12, 1],
    ['04-06T23:00', award('7th'), 'ALIVE', 13, 1],
    ['04-07T23:00', met, 'ALIVE', 14, 1],
    ['04-08T23:00', met, 'ALIVE', 15, 1],
    ['04-09T23:00', met, 'ALIVE', 16, 1],
    ['04-10T23:00', met, 'ALIVE', 17, 1],
    ['04-11T23:00', met, 'ALIVE', 18, 1],
    // Long after grace: the freeze covers the 7th.
    ['04-12T00:00', reverse('7th'), 'ALIVE', 17, 0],
    ['04-12T23:00', met, 'ALIVE', 18, 0],
    ['04-13T23:00', met, 'ALIVE', 19, 0],
    // The 15th is missed.
    ['04-15T12:30', null, 'BROKEN', 0, 0],
    ['04-16T23:00', call('restoreStreak'), 'ALIVE', 19, 0],
    ['04-16T23:10', met, 'ALIVE', 20, 0],
    ['04-17T23:00', met, 'ALIVE', 21, 0],
    ['04-18T23:00', met, 'ALIVE', 22, 0],
    ['04-20T11:00', null, 'AT_RISK', 22, 0],
    ['04-20T11:59', met, 'ALIVE', 23, 0],
  ]
  for (const [moment, what, state, length, freezes] of steps) {
    at(`2026-${moment}:00Z`)
    await settle()
    await what?.()
    await settle()
    expect(await streakOf('moves', 'bea'), moment).toMatchObject({ state, length, freezes })
  }
  const announced = (await events('bea')).map(({ type, windowStart, reason, lostLength }) =>
    [type, windowStart?.slice(5), reason ?? lostLength]
      .filter((item) => item !== undefined)
      .join(' '),
  )
  expect(announced.reverse()).toEqual([
    'streak.at_risk 03-15',
    'streak.at_risk 03-18',
    'streak.broken 03-18 5',
    'streak.restored LATE_FACT',
    'streak.broken 03-25 9',
    'streak.at_risk 03-29',
    'streak.at_risk 03-30',
    'streak.at_risk 04-02',
    'streak.at_risk 04-04',
    'streak.at_risk 04-05',
    'streak.broken 04-15 19',
    'streak.restored RESTORED',
    'streak.at_risk 04-20',
  ])
})

test('a reversal revokes the milestone that is not reached any more, and its reward', async () => {
  at('2026-05-04T09:00:00Z')
  await run(`mutation {
    createReward(input: { name: "two-days", kind: POINTS, points: 7 }) { __typename }
    setRewardRule(input: { eventType: "pair", points: 1 }) { __typename } }`)
  const milestones = 'milestones: [{ length: 2, reward: { slug: "two-days" } }]'
  await startStreak('pair', milestones, 'onReversal: REVOKE,')
  const award = async (reference: string) => {
    const body = { userId: 'pia', eventType: 'pair', reference }
    const { body: answer } = await world.post('/v1/points/award', world.keys.secret, body)
    await settle()
    return answer.data.ledgerId as string
  }
  const grants = async () =>
    (
      await run(
        `{ user(by: { externalId: "pia" }) { balance grants(filter: { sources: [STREAK] },
          orderBy: { field: CREATED_AT, direction: ASC }) { nodes { status } } } }`,
      )
    ).user
  await award('first')
  at('2026-05-05T09:00:00Z')
  const second = await award('second')
  expect(await grants()).toEqual({ balance: 9, grants: { nodes: [{ status: 'ISSUED' }] } })
  await pointsByHand(world).reverse(second, 'pia')
  await settle()
  expect(await grants()).toEqual({ balance: 1, grants: { nodes: [{ status: 'REVOKED' }] } })
  await award('third')
  const both = [{ status: 'REVOKED' }, { status: 'ISSUED' }]
  expect(await grants()).toEqual({ balance: 9, grants: { nodes: both } })
})

test('facts of three days end alike in each order in which they arrive within grace', async () => {
  at('2026-05-04T08:00:00Z')
  await startStreak('orders', 'freezes: { initial: 1 }')
  at('2026-05-06T12:00:00Z')
  const moments = ['04T10:00', '05T10:00', '06T10:00', '04T11:00', '06T11:30']
  const ends = new Set<string>()
  for (let n = 0; n < 10; n++) {
    // Rotations, forwards and backwards: ten orders.
    const turned = [...moments.slice(n % 5), ...moments.slice(0, n % 5)]
    for (const moment of n < 5 ? turned : turned.reverse())
      await meet('orders', `user-${n}`, new Date(`2026-05-${moment}:00Z`))
    ends.add(JSON.stringify(await streakOf('orders', `user-${n}`)))
  }
  expect(ends.size).toBe(1)
  expect(JSON.parse([...ends][0] as string)).toMatchObject({
    length: 3,
    state: 'ALIVE',
    freezes: 1,
    longest: 3,
  })
})
