import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { packStatistics } from '../../src/statistics/statistics.jobs.ts'
import { createWorld, type World } from '../world.ts'

let world: World
let now = new Date('2026-03-04T10:00:00Z') // a Wednesday
beforeAll(async () => {
  world = await createWorld({ clock: () => now })
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

const award = async (at: string, user: string) => {
  now = new Date(at)
  await world.givePoints(user, 1)
}

const track = (...activities: { user: string; at: string }[]) =>
  world.post('/v1/user-journeys/track', world.keys.public, {
    events: activities.map(({ user, at }) => ({
      externalId: user,
      category: 'CUSTOM',
      eventType: 'visit',
      occurredAt: at,
    })),
  })

const ask = async (query: string) => {
  const { body } = await world.graphql(query, {}, world.keys)
  return body
}

const activeUsers = async (interval: string, from: string, to: string): Promise<number[]> => {
  const { data, errors } = await ask(`{ analytics(metrics: [ACTIVE_USERS], interval: ${interval},
    from: "${from}T00:00:00Z", to: "${to}T00:00:00Z") { buckets { value } } }`)
  expect(errors).toBeUndefined()
  return data.analytics[0].buckets.map(({ value }: { value: number }) => value)
}

const cohorts = async (from: string, to: string) => {
  const { data, errors } = await ask(`{ retention(interval: WEEK, from: "${from}T00:00:00Z",
    to: "${to}T00:00:00Z") { startsAt userCount periods { activeUserCount retentionRate } } }`)
  expect(errors).toBeUndefined()
  return data.retention.map(
    ({ userCount, periods }: { userCount: number; periods: { activeUserCount: number }[] }) => ({
      userCount,
      active: periods.map(({ activeUserCount }) => activeUserCount),
    }),
  )
}

describe('active users', () => {
  beforeAll(async () => {
    await award('2026-03-04T10:00:00Z', 'ann')
    await award('2026-03-04T11:00:00Z', 'ann')
    await award('2026-03-04T12:00:00Z', 'bob')
    await award('2026-03-05T00:00:00Z', 'ann')
    await award('2026-03-10T09:00:00Z', 'ann')
    await award('2026-04-01T09:00:00Z', 'bob')
  })

  it('counts a user once in each day', async () => {
    expect(await activeUsers('DAY', '2026-03-04', '2026-03-07')).toEqual([2, 1, 0])
  })

  it('counts a user once in each week and month', async () => {
    expect(await activeUsers('WEEK', '2026-03-02', '2026-03-16')).toEqual([2, 1])
    expect(await activeUsers('MONTH', '2026-03-01', '2026-05-01')).toEqual([2, 1])
  })

  it('uses days of UTC with the dates of every time zone', async () => {
    const { data } =
      await ask(`{ analytics(metrics: [ACTIVE_USERS], interval: DAY, timeZone: "Asia/Tokyo",
      from: "2026-03-03T15:00:00Z", to: "2026-03-04T15:00:00Z") { buckets { startsAt value } } }`)
    expect(data.analytics[0].buckets).toEqual([{ startsAt: '2026-03-04T00:00:00.000Z', value: 2 }])
  })

  it('refuses to count them by hour', async () => {
    const { errors } = await ask(`{ analytics(metrics: [ACTIVE_USERS], interval: HOUR,
      from: "2026-03-04T00:00:00Z", to: "2026-03-05T00:00:00Z") { total } }`)
    expect(errors[0].extensions.code).toBe('INVALID_PARAMETERS')
    expect(errors[0].extensions.errors[0].message).toContain('must be DAY, WEEK or MONTH')
  })

  it('shows how many of each cohort came back', async () => {
    const [first, second] = await cohorts('2026-03-02', '2026-03-16')
    expect(first).toEqual({ userCount: 2, active: [2, 1, 0, 0, 1] })
    expect(second).toEqual({ userCount: 0, active: [0, 0, 0, 0] })
  })

  it('counts events that arrive late in the period in which they happened', async () => {
    now = new Date('2026-04-02T00:00:00Z')
    await track(
      { user: 'ann', at: '2026-03-06T08:00:00Z' },
      { user: 'ann', at: '2026-03-06T09:00:00Z' },
    )
    await track({ user: 'ann', at: '2026-03-05T12:00:00Z' })
    expect(await activeUsers('DAY', '2026-03-04', '2026-03-07')).toEqual([2, 1, 1])
    expect(await activeUsers('WEEK', '2026-03-02', '2026-03-16')).toEqual([2, 1])
  })

  it('moves a user to the cohort of a first event that arrives late', async () => {
    await track(
      { user: 'bob', at: '2026-02-24T08:00:00Z' },
      { user: 'bob', at: '2026-03-11T08:00:00Z' },
    )
    const [before, first] = await cohorts('2026-02-23', '2026-03-09')
    expect(before).toEqual({ userCount: 1, active: [1, 1, 1, 0, 0, 1] })
    expect(first).toEqual({ userCount: 1, active: [1, 1, 0, 0, 0] })
    expect(await activeUsers('MONTH', '2026-02-01', '2026-05-01')).toEqual([1, 2, 1])
  })
})

describe('an audit', () => {
  it('finds an active user that is counted twice', async () => {
    const { pool } = world.server.database
    const change = (by: number) =>
      pool.query(`UPDATE statistic SET q1 = q1 + ${by} WHERE ctid = (
        SELECT ctid FROM statistic WHERE metric = 'ACTIVE_USERS_WEEK' ORDER BY hour, key LIMIT 1)`)
    await change(1)
    expect(await audit(pool)).toBe(1)
    await change(-1)
  })
})

describe('the funnel of journeys', () => {
  it('counts moves between stages', async () => {
    const { data, errors } =
      await ask(`{ journeyFunnel(from: "2026-03-01T00:00:00Z", to: "2026-05-01T00:00:00Z") {
      stages { stage enteredCount leftCount userCount { value precision } } transitions { from to count } } }`)
    expect(errors).toBeUndefined()
    const { stages, transitions } = data.journeyFunnel
    expect(stages.map(({ stage }: { stage: string }) => stage)).toEqual([
      'NEW',
      'ACTIVE',
      'ENGAGED',
      'POWER_USER',
      'AT_RISK',
      'CHURNED',
    ])
    const { rows } = await world.server.database.pool.query(
      `SELECT upper(from_stage::text) AS "from", upper(to_stage::text) AS "to", count(*)::int AS count
      FROM stage_change GROUP BY 1, 2`,
    )
    const inOrder = (list: { from: string | null; to: string }[]) =>
      list.toSorted((a, b) => `${a.from} ${a.to}`.localeCompare(`${b.from} ${b.to}`))
    expect(rows.length).toBeGreaterThan(0)
    expect(inOrder(transitions)).toEqual(inOrder(rows))
    for (const { enteredCount, leftCount, userCount } of stages)
      expect(userCount).toEqual({ value: enteredCount - leftCount, precision: 'EXACT' })
    const users = stages.map(({ userCount }: { userCount: { value: number } }) => userCount.value)
    expect(users.reduce((sum: number, n: number) => sum + n)).toBe(2)
  })

  it('refuses a period that ends before it begins', async () => {
    for (const field of [
      'journeyFunnel(from: "2026-03-02T00:00:00Z", to: "2026-03-01T00:00:00Z") { transitions { count } }',
      'retention(interval: WEEK, from: "2026-03-02T00:00:00Z", to: "2026-03-01T00:00:00Z") { userCount }',
      'retention(interval: WEEK, from: "2024-03-02T00:00:00Z", to: "2026-03-01T00:00:00Z") { userCount }',
    ]) {
      const { errors } = await ask(`{ ${field} }`)
      expect(errors[0].extensions.code).toBe('INVALID_PARAMETERS')
    }
  })
})

it('active users, cohorts and the funnel are the same after hours are packed into days', async () => {
  const { changedAt } = await world.runtime.db.stageChange.findFirstOrThrow()
  /** The funnel of the hour of a change, or of `hours` hours later. */
  const funnel = async (hours: number) => {
    const from = new Date(changedAt.getTime() + hours * 3_600_000)
    const to = new Date(from.getTime() + 1)
    const { data } =
      await ask(`{ journeyFunnel(from: "${from.toISOString()}", to: "${to.toISOString()}") {
      transitions { from to count } stages { enteredCount leftCount } } }`)
    return data.journeyFunnel
  }
  const read = async () => [
    await activeUsers('DAY', '2026-03-01', '2026-05-01'),
    await activeUsers('WEEK', '2026-03-02', '2026-05-01'),
    await cohorts('2026-02-23', '2026-03-16'),
    await funnel(0),
    await funnel(1),
  ]
  const before = await read()
  expect(before[3].transitions.length).toBeGreaterThan(0)
  expect(before[4].transitions).toEqual([])
  now = new Date(now.getTime() + 86_400_000)
  await packStatistics(world.runtime)
  const { rows } = await world.server.database.pool.query({
    // The requests of this test are counted from time to time, and belong to the present hour.
    text: `SELECT (SELECT count(*)::int FROM statistic WHERE metric NOT IN ('API_REQUESTS', 'API_ERRORS')) AS hours,
      (SELECT count(*)::int FROM statistic_day) AS days`,
  })
  expect(rows[0].hours).toBe(0)
  expect(rows[0].days).toBeGreaterThan(0)
  expect(await read()).toEqual(before)
})
