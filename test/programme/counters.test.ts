/**
 * Counters against a model: random facts of users in several time zones, reversals, late facts and changes of zones. What the
 * trigger counts, what a recount says and what the model says must be the same, in every window.
 * Neighbours that were looked for: each kind of window and each `of`, conditions and types, goals that start before, between and
 * after the facts, facts that are too late, reversals of facts that did not count, and two facts of one date.
 */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import type { CountFrom, GoalWindow } from '../../src/generated/prisma/enums.ts'
import { setTimeZones } from '../../src/users/time-zone.ts'
import { createWorld, onPostgres, type World } from '../world.ts'
import { goalsOf, type PlantedTask } from './goals.ts'

const hourMs = 3_600_000
const graceMs = 48 * hourMs
let world: World
let goals: ReturnType<typeof goalsOf>
let now = new Date()
beforeAll(async () => {
  world = await createWorld({ clock: () => now })
  goals = goalsOf(world)
})
afterAll(async () => {
  const broken: string[] = []
  await audit(world.server.database.pool, (name, count) => {
    if (count > 0) broken.push(name)
  })
  expect(broken).toEqual([])
  await world.end()
})

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'Pacific/Auckland']

type Entry = {
  id: string
  fact: string | null
  eventType: string
  points: number
  metadata: Record<string, unknown> | null
  occurredAt: Date
  recordedAt: Date
  isReversed: boolean
}
type Zone = { since: Date; zone: string | null; notBefore: string | null; createdAt: Date }

const dayIn = (zone: string, at: Date) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(at)

/**
 * The date of a moment by the history of zones of a user. What was before the creation of the user has the zone of then;
 * before the first zone, it is UTC.
 */
const dayOf = (history: Zone[], at: Date): string => {
  const zone = history.findLast(
    ({ since, createdAt }) => since <= (at > createdAt ? at : createdAt),
  )
  const day = dayIn(zone?.zone ?? 'UTC', at)
  const least = zone && zone.since <= at ? (zone.notBefore ?? '') : ''
  return [day, least].sort().at(-1) as string
}

const addDays = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 24 * hourMs).toISOString().slice(0, 10)

const startOf = (window: GoalWindow, day: string): string => {
  if (window === 'DAY') return day
  if (window === 'MONTH') return `${day.slice(0, 7)}-01`
  if (window === 'EVER') return '1970-01-01'
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
  return addDays(day, -weekday)
}

const nextOf = (window: GoalWindow, start: string): string | null => {
  if (window === 'DAY') return addDays(start, 1)
  if (window === 'WEEK') return addDays(start, 7)
  if (window === 'MONTH') return `${addDays(start, 31).slice(0, 7)}-01`
  return null
}

/** The first moment that is no longer in the window, by bisection: dates do not run backwards. */
const endOf = (history: Zone[], window: GoalWindow, start: string): number => {
  const next = nextOf(window, start)
  if (next === null) return Number.POSITIVE_INFINITY
  let [before, after] = [Date.parse(next) - 72 * hourMs, Date.parse(next) + 72 * hourMs]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (dayOf(history, new Date(middle)) >= next) after = middle
    else before = middle
  }
  return after
}

type Planned = {
  id: string
  window: GoalWindow
  countFrom: CountFrom
  startedAt: Date
  task: PlantedTask & { of: string }
}

const amountOf = ({ task }: Planned, entry: Entry): number => {
  if (entry.fact === null || !(task.facts as string[]).includes(entry.fact)) return 0
  const types = (task.eventTypes ?? []) as string[]
  if (types.length > 0 && !types.includes(entry.eventType)) return 0
  const conditions = (task.conditions ?? []) as { key: string; number: number }[]
  const meets = conditions.every(({ key, number }) => {
    const value = entry.metadata?.[key]
    return typeof value === 'number' && value >= number
  })
  if (!meets) return 0
  if (task.of === 'POINTS') return Math.max(entry.points, 0)
  if (task.of !== 'ATTRIBUTE') return 1
  const value = entry.metadata?.amount
  return typeof value === 'number' && value >= 0 ? Math.round(value * 1000) / 1000 : 0
}

/** The values of the windows of a user. */
const modelOf = (goal: Planned, entries: Entry[], history: Zone[]): Record<string, number> => {
  const values = new Map<string, number>()
  const days = new Map<string, Set<string>>()
  for (const entry of entries) {
    const amount = amountOf(goal, entry)
    if (amount === 0) continue
    const day = dayOf(history, entry.occurredAt)
    const start = startOf(goal.window, day)
    if (goal.countFrom === 'NOW' && entry.occurredAt < goal.startedAt) continue
    const first = startOf(goal.window, dayOf(history, goal.startedAt))
    if (goal.countFrom === 'START_OF_WINDOW' && start < first) continue
    if (entry.recordedAt.getTime() > endOf(history, goal.window, start) + graceMs) continue
    values.set(start, (values.get(start) ?? 0) + (entry.isReversed ? 0 : amount))
    if (!days.has(start)) days.set(start, new Set())
    if (!entry.isReversed) days.get(start)?.add(day)
  }
  return Object.fromEntries(
    [...values].map(([start, value]) => [
      start,
      goal.task.of === 'DAYS' ? (days.get(start)?.size ?? 0) : Math.round(value * 1000) / 1000,
    ]),
  )
}

const readEntries = async (userId: string): Promise<Entry[]> =>
  goals.query(
    `SELECT a.id, a.fact::text, a.event_type AS "eventType", coalesce(a.earned, a.points) AS points, a.metadata,
       a.occurred_at AS "occurredAt", a.recorded_at AS "recordedAt",
       EXISTS (SELECT FROM user_activity r WHERE r.reverses_id = a.id) AS "isReversed"
     FROM user_activity a JOIN end_user u ON u.id = a.user_id WHERE u.external_id = $1`,
    [userId],
  )

const readZones = async (userId: string): Promise<Zone[]> =>
  goals.query(
    `SELECT z.since, z.zone, z.not_before::text AS "notBefore", u.created_at AS "createdAt" FROM user_time_zone z
     JOIN end_user u ON u.id = z.user_id WHERE u.external_id = $1 ORDER BY z.since`,
    [userId],
  )

const tasks: (PlantedTask & { of: string })[] = [
  { facts: ['POINTS_AWARDED'], of: 'COUNT', target: 3 },
  { facts: ['POINTS_AWARDED', 'ACTIVITY'], of: 'POINTS', target: 100 },
  { facts: ['ACTIVITY'], of: 'ATTRIBUTE', attribute: 'amount', target: 10, eventTypes: ['order'] },
  { facts: ['ACTIVITY', 'POINTS_AWARDED'], of: 'DAYS', target: 2 },
  {
    facts: ['ACTIVITY'],
    of: 'COUNT',
    target: 2,
    conditions: [{ key: 'amount', test: 'AT_LEAST', number: 2 }],
  },
]

type Step =
  | { do: 'award'; user: number }
  | { do: 'track'; user: number; hoursAgo: number; amount: number; type: string }
  | { do: 'reverse'; user: number; pick: number }
  | { do: 'wait'; hours: number }
  | { do: 'move'; user: number; zone: string }
  | { do: 'goal'; window: GoalWindow; countFrom: CountFrom; task: number }

const user = fc.integer({ min: 0, max: 2 })
const goalStep = fc.record({
  do: fc.constant('goal' as const),
  window: fc.constantFrom<GoalWindow>('EVER', 'DAY', 'WEEK', 'MONTH'),
  countFrom: fc.constantFrom<CountFrom>('NOW', 'START_OF_WINDOW', 'EVER'),
  task: fc.integer({ min: 0, max: tasks.length - 1 }),
})
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('award' as const), user }) },
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant('track' as const),
        user,
        hoursAgo: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 30 * 24 })),
        amount: fc.constantFrom(0, 1.2345, 2, 7.5, -1),
        type: fc.constantFrom('order', 'visit'),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('reverse' as const), user, pick: fc.nat() }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('wait' as const),
        hours: fc.integer({ min: 1, max: 30 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('move' as const),
        user,
        zone: fc.constantFrom(...zones),
      }),
    },
    { weight: 2, arbitrary: goalStep },
  ),
  { minLength: 8, maxLength: 25 },
)

const track = `mutation ($input: TrackActivityInput!) { trackActivity(input: $input) { __typename } }`
const reverse = `mutation ($id: ID!) {
  reverseLedgerEntry(input: { ledgerEntryId: $id, reason: "test" }) { __typename } }`

/** Runs the steps. Returns the goals and the users. */
const run = async (list: Step[]) => {
  // Facts of this run are after the goals of the runs before.
  now = new Date(now.getTime() + 40 * 24 * hourMs)
  const users = [0, 1, 2].map((n) => ({ id: `model-${n}-${randomUUID()}`, awards: [] as string[] }))
  for (const [n, { id }] of users.entries()) {
    await world.givePoints(id, 1)
    const timeZone = zones[n] as string
    const zone = { ...world.userKey(id), timeZone, isTrusted: true }
    await setTimeZones(world.runtime, [zone], now)
  }
  const planned: Planned[] = []
  for (const step of list) {
    now = new Date(now.getTime() + 1000)
    if (step.do === 'wait') now = new Date(now.getTime() + step.hours * hourMs)
    else if (step.do === 'goal') {
      const task = tasks[step.task] as Planned['task']
      const { window, countFrom } = step
      const repeat = { repeat: 'EACH_WINDOW', window, countFrom } as const
      const id = await goals.plant([task], repeat, now)
      planned.push({ id, window, countFrom, startedAt: now, task })
      // Some goals count their users before the next facts, and some after them.
      if (step.task % 2 === 0) await goals.count()
    } else {
      const item = users[step.user] as (typeof users)[number]
      if (step.do === 'award') {
        const { body, text } = await world.post('/v1/points/award', world.keys.secret, {
          userId: item.id,
          eventType: 'signup',
        })
        if (!body.data) throw new Error(text)
        item.awards.push(body.data.ledgerId)
      } else if (step.do === 'track') {
        const occurredAt = new Date(now.getTime() - step.hoursAgo * hourMs).toISOString()
        const { amount, type: eventType } = step
        const entry = { category: 'CUSTOM', eventType, occurredAt, metadata: { amount } }
        const { text } = await world.graphql(track, {
          input: { user: { externalId: item.id }, ...entry },
        })
        if (!text.includes('Payload')) throw new Error(text)
      } else if (step.do === 'reverse') {
        const id = item.awards[step.pick % Math.max(1, item.awards.length)]
        if (id) await world.graphql(reverse, { id })
      } else {
        const zone = { ...world.userKey(item.id), timeZone: step.zone, isTrusted: true }
        await setTimeZones(world.runtime, [zone], now)
      }
    }
  }
  return { users, planned }
}

test('counters are what the model says, by the trigger and by a recount', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const { users, planned } = await run(list)
      await goals.count()
      for (const goal of planned) {
        const counters = await goals.counters(goal.id)
        for (const { id } of users) {
          const counted = Object.fromEntries(
            counters
              .filter(({ userId }) => userId === id)
              .map(({ windowStart, value }) => [windowStart, value]),
          )
          const model = modelOf(goal, await readEntries(id), await readZones(id))
          expect(counted, JSON.stringify({ goal, id })).toEqual(model)
        }
        await goals.query(
          'UPDATE goal SET is_counting = true, count_barrier = NULL WHERE id = $1',
          [goal.id],
        )
      }
      const before = await Promise.all(planned.map(({ id }) => goals.counters(id)))
      await goals.count()
      expect(await Promise.all(planned.map(({ id }) => goals.counters(id)))).toEqual(before)
      await goals.settle()
      // Goals of the next run have the tenant to themselves.
      for (const { id } of planned)
        await goals.query(
          'UPDATE measure_key SET is_open = false WHERE task_id IN (SELECT id FROM goal_task WHERE goal_id = $1)',
          [id],
        )
      for (const { id } of planned)
        await goals.query(`UPDATE goal SET status = 'ENDED', ends_at = $2 WHERE id = $1`, [
          id,
          new Date(now.getTime() + 60_000),
        ])
    }),
    { numRuns: onPostgres ? 25 : 10, endOnFailure: true },
  )
}, 300_000)
