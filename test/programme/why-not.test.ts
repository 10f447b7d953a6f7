/** Why a user does not complete a goal: each condition with its verdict, in a simulation and among the goals of the user. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { createWorld, type World } from '../world.ts'
import { goalsOf } from './goals.ts'

let world: World
let goals: ReturnType<typeof goalsOf>
let now = new Date('2026-03-04T10:00:00Z')

const ask = async (query: string, by?: object) => {
  const { body, text } = await world.graphql(query, {}, by as never)
  if (body.errors) throw new Error(text)
  return body.data
}
const track = (eventType: string, more = '') =>
  ask(`mutation {
    trackActivity(input: { user: { externalId: "vera" }, category: CUSTOM, eventType: "${eventType}" }) { __typename }
    ${more} }`)

/** Each condition on a user of a fact, with what there is of it. */
const conditionsOf = async (slug: string, at = now) => {
  const data = await ask(`{ goal(by: { slug: "${slug}" }) {
    simulatedFact(user: { externalId: "vera" }, fact: { fact: ACTIVITY, eventType: "visit" }, at: "${at.toISOString()}") {
      tasks { amount windowStart }
      conditions { kind isMet status joinedAt segment { name } goal { slug } completionCount maxCompletions }
    } } }`)
  const { tasks, conditions } = data.goal.simulatedFact
  const given = (item: object) =>
    Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null))
  return { tasks, conditions: conditions.map(given) }
}

const goalOfUser = async (slug: string, by?: object) => {
  const { user } = await ask(
    `{ user(by: { externalId: "vera" }) { goals { nodes {
      goal { slug } state isInSegment requires { goal { slug } isMet } } } } }`,
    by,
  )
  return user.goals.nodes.find((node: { goal: { slug: string } }) => node.goal.slug === slug)
}

beforeAll(async () => {
  world = await createWorld({ clock: () => now })
  goals = goalsOf(world)
  const visits = [{ facts: ['ACTIVITY' as const], eventTypes: ['visit'] }]
  const first = await goals.plant([{ facts: ['ACTIVITY'], eventTypes: ['first'] }], {
    slug: 'first',
  })
  const secret = await goals.plant([{ facts: ['ACTIVITY'], eventTypes: ['secret'] }], {
    slug: 'secret',
    isSecret: true,
  })
  await ask(`mutation { createSegment(input: { name: "vips", tag: "vip" }) { __typename } }`)
  const { id: segmentId } = await world.runtime.db.segment.findFirstOrThrow()
  await goals.plant(visits, { slug: 'locked', segmentId, requires: [secret, first] })
  await goals.plant(visits, {
    ...{ slug: 'daily', window: 'DAY', repeat: 'UNLIMITED', maxCompletions: 2 },
  })
  await goals.plant(visits, {
    ...{ slug: 'range', window: 'JOIN', joinMode: 'OPT_IN', timeLimitHours: 2 },
  })
  await goals.settle()
  await track('else')
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

test('a segment and required goals: what keeps a goal locked is said until it is met', async () => {
  const status = { kind: 'STATUS', isMet: true, status: 'ACTIVE' }
  const counted = { kind: 'COUNTED', isMet: true }
  const limit = { kind: 'MAX_COMPLETIONS', isMet: true, completionCount: 0, maxCompletions: 1 }
  const ofSegment = (isMet: boolean) => ({ kind: 'SEGMENT', isMet, segment: { name: 'vips' } })
  const ofGoal = (slug: string, isMet: boolean) => ({
    kind: 'REQUIRED_GOAL',
    isMet,
    goal: { slug },
  })
  const unmet = [status, counted, ofSegment(false), ofGoal('secret', false), ofGoal('first', false)]
  expect(await conditionsOf('locked')).toEqual({
    tasks: [{ amount: 1, windowStart: '1970-01-01' }],
    conditions: [...unmet, limit],
  })
  expect(await goalOfUser('locked')).toMatchObject({
    state: 'LOCKED',
    isInSegment: false,
    requires: [
      { goal: { slug: 'secret' }, isMet: false },
      { goal: { slug: 'first' }, isMet: false },
    ],
  })
  // A public key sees no goal that is secret.
  expect((await goalOfUser('locked', { public: world.keys.public, secret: '' })).requires).toEqual([
    { goal: { slug: 'first' }, isMet: false },
  ])
  await track(
    'first',
    `trackUser(input: { user: { externalId: "vera" }, tags: { vip: "yes" } }) { __typename }`,
  )
  await goals.settle()
  expect((await conditionsOf('locked')).conditions.slice(2, 5)).toEqual([
    ofSegment(true),
    ofGoal('secret', false),
    ofGoal('first', true),
  ])
  expect(await goalOfUser('locked')).toMatchObject({
    isInSegment: true,
    requires: [{ isMet: false }, { isMet: true }],
  })
  await track('secret')
  await goals.settle()
  expect(await goalOfUser('locked')).toMatchObject({ state: 'AVAILABLE' })
  await track('visit')
  await goals.settle()
  expect((await conditionsOf('locked')).conditions.at(-1)).toEqual({
    ...limit,
    isMet: false,
    completionCount: 1,
  })
  expect(await goalOfUser('daily')).toMatchObject({ isInSegment: null, requires: [] })
})

test('a segment by balance is looked at when the goal is decided', async () => {
  await ask(
    `mutation { createSegment(input: { name: "rich", balance: { min: 100 } }) { __typename } }`,
  )
  const { id: segmentId } = await world.runtime.db.segment.findFirstOrThrow({
    where: { name: 'rich' },
  })
  const tasks = [{ facts: ['ACTIVITY' as const], eventTypes: ['knock'] }]
  await goals.plant(tasks, { slug: 'for-the-rich', segmentId })
  await goals.settle()
  const adjust = (points: number) =>
    ask(`mutation { adjustPoints(input: { user: { externalId: "vera" }, points: ${points}, reason: "x" }) {
      __typename } }`)
  await adjust(99)
  await track('knock')
  await goals.settle()
  expect(await goalOfUser('for-the-rich')).toMatchObject({ state: 'LOCKED', isInSegment: false })
  await adjust(1)
  expect(await goalOfUser('for-the-rich')).toMatchObject({ isInSegment: true })
  await track('knock')
  await goals.settle()
  expect(await goalOfUser('for-the-rich')).toMatchObject({ state: 'COMPLETED' })
})

test('completions are those of the window of the fact', async () => {
  now = new Date('2026-03-05T10:00:00Z')
  await track('visit')
  await track('visit')
  await goals.settle()
  const limit = { kind: 'MAX_COMPLETIONS', maxCompletions: 2 }
  const last = async (at: Date) => (await conditionsOf('daily', at)).conditions.at(-1)
  expect(await last(now)).toEqual({ ...limit, isMet: false, completionCount: 2 })
  expect(await last(new Date('2026-03-04T12:00:00Z'))).toEqual({
    ...limit,
    isMet: true,
    completionCount: 1,
  })
})

test('taking part is a condition of a goal with opt-in, for as long as the range lasts', async () => {
  const joined = async (at = now) =>
    (await conditionsOf('range', at)).conditions.find(
      ({ kind }: { kind?: string }) => kind === 'JOINED',
    )
  expect(await joined()).toEqual({ kind: 'JOINED', isMet: false })
  const input = '{ user: { externalId: "vera" }, goal: { slug: "range" } }'
  await ask(`mutation { joinGoal(input: ${input}) { __typename } }`)
  const joinedAt = now.toISOString()
  expect(await joined()).toEqual({ kind: 'JOINED', isMet: true, joinedAt })
  now = new Date('2026-03-05T12:00:00Z')
  expect(await joined()).toEqual({ kind: 'JOINED', isMet: false, joinedAt })
})

test('the status of the goal is a condition, and nothing is written', async () => {
  const first = async (at = now) => (await conditionsOf('daily', at)).conditions.slice(0, 2)
  const before = await goals.query('SELECT * FROM fact_counter ORDER BY 1, 2, 3')
  const set = (columns: string) =>
    goals.query(`UPDATE goal SET ${columns} WHERE slug = 'daily' AND status <> 'DRAFT'`)
  await set(`status = 'PAUSED', is_counting = true`)
  expect(await first()).toEqual([
    { kind: 'STATUS', isMet: false, status: 'PAUSED' },
    { kind: 'COUNTED', isMet: false },
  ])
  await set(`status = 'ENDED', is_counting = false, ends_at = '2026-03-05T11:00:00Z'`)
  expect(await first()).toMatchObject([{ isMet: false, status: 'ENDED' }, { isMet: true }])
  // What happened before the end still counts.
  expect(await first(new Date('2026-03-05T10:30:00Z'))).toMatchObject([{ isMet: true }, {}])
  await set(`status = 'ACTIVE', ends_at = NULL, started_at = '2026-03-06T00:00:00Z'`)
  expect(await first()).toMatchObject([{ isMet: false, status: 'ACTIVE' }, {}])
  await set(`started_at = '2026-03-04T10:00:00Z'`)
  expect(await goals.query('SELECT * FROM fact_counter ORDER BY 1, 2, 3')).toEqual(before)
})

test('a draft is looked at as if it was started', async () => {
  const made =
    await ask(`mutation { createGoal(input: { slug: "sketch", name: "Sketch", window: EVER, repeat: ONCE, tasks: [
    { target: 1, measure: { facts: [ACTIVITY], eventTypes: ["visit"] } }] }) {
    ... on CreateGoalPayload { goal { status } } ... on ValidationError { errors { message path } } } }`)
  expect(made).toEqual({ createGoal: { goal: { status: 'DRAFT' } } })
  const data = await ask(`{ goal(by: { slug: "sketch" }) {
    simulatedFact(user: { externalId: "vera" }, fact: { fact: ACTIVITY, eventType: "visit" }) {
      asIfActive conditions { kind isMet } } } }`)
  expect(data.goal.simulatedFact).toEqual({
    asIfActive: true,
    conditions: [
      { kind: 'STATUS', isMet: true },
      { kind: 'COUNTED', isMet: true },
      { kind: 'MAX_COMPLETIONS', isMet: true },
    ],
  })
})
