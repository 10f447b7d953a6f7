/**
 * Dates: each moment of a zone, and of a user with any history of zones, has exactly one, and they never run backwards.
 * Neighbours that were looked for: every zone that the database and Node know and all changes of their clocks from 2015 to
 * 2035, clocks that skip or repeat midnight, a skipped date, changes of zone over the date line in both directions, and
 * the deadlines of all kinds of windows.
 */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { trackUsers } from '../../src/journeys/identify.ts'
import { inTransaction } from '../../src/kit/database/db.ts'
import type { Tenant } from '../../src/kit/tenant.ts'
import { setDefaultTimeZone, setTimeZones } from '../../src/users/time-zone.ts'
import { createWorld, onPostgres, type World } from '../world.ts'

let world: World
let now = new Date()
beforeAll(async () => {
  world = await createWorld({ clock: () => now })
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

const query = async (text: string, values: unknown[] = []) =>
  (await world.server.database.pool.query({ text, values })).rows

/** The same without a time limit for the statement. */
const queryLong = async (text: string, values: unknown[]) => {
  if (!onPostgres) return query(text, values)
  const client = new pg.Client(world.server.database.pool.options.connectionString)
  await client.connect()
  try {
    return (await client.query(text, values)).rows
  } finally {
    await client.end()
  }
}

const isKnownToNode = (timeZone: string) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone }))
  } catch {
    return false
  }
}

/** The zones that a user can have. */
const zonesOfBoth = async (): Promise<string[]> =>
  (
    await query(`SELECT name FROM pg_timezone_names WHERE name IN ('UTC', 'GMT')
      OR upper(name) NOT IN (SELECT abbrev FROM pg_timezone_abbrevs) ORDER BY name`)
  )
    .map(({ name }) => name)
    .filter(isKnownToNode)

describe('a time zone', () => {
  it('has each date from 2015 to 2035 once, and each moment one, through all changes of its clock', async () => {
    const all = await zonesOfBoth()
    expect(all.length).toBeGreaterThan(400)
    // The embedded database is slower.
    const zones = onPostgres ? all : all.filter((_, n) => n % 10 === 0)
    const [found] = await queryLong(
      `WITH part AS MATERIALIZED (
        -- Four dates, and how far the clock is from UTC four days before, within and four days after.
        SELECT zone, at, timezone(zone, at) - timezone('UTC', at) AS shift,
          timezone(zone, at - interval '96 hours') - timezone('UTC', at - interval '96 hours') AS before,
          timezone(zone, at + interval '96 hours') - timezone('UTC', at + interval '96 hours') AS after
        FROM unnest($1::text[]) zone,
          generate_series(timestamptz '2015-01-03 00:00Z', '2036-01-01 00:00Z', '96 hours') at
      ), near AS MATERIALIZED (
        SELECT zone, day, start_of_date(zone, day) AS starts_at, start_of_date(zone, day + 1) AS ends_at
        FROM part, generate_series(-2, 1) n, LATERAL (SELECT timezone('UTC', at)::date + n AS day) d
        WHERE shift <> before OR shift <> after
      ), moment AS (
        SELECT zone, day, starts_at AS at FROM near
        UNION ALL SELECT zone, day, ends_at - interval '1 millisecond' FROM near
        UNION ALL SELECT zone, day, at FROM near,
          generate_series(starts_at, ends_at - interval '1 second', '30 minutes') at
        -- While no clock is changed, midnight follows from the time of the clock.
        UNION ALL SELECT zone, timezone('UTC', at)::date + n, at - shift + n * interval '24 hours' + more
        FROM part, (VALUES (-2, interval '0'), (1, interval '23:59:59.999')) v (n, more)
        WHERE shift = before AND shift = after
      )
      SELECT (SELECT count(*)::int FROM part) AS parts, (SELECT count(*)::int FROM near) AS near,
        (SELECT json_agg(l) FROM (SELECT * FROM near WHERE starts_at >= ends_at LIMIT 5) l) AS lost,
        (SELECT json_agg(w) FROM (SELECT * FROM moment WHERE date_in_zone(zone, at) <> day LIMIT 5) w) AS wrong`,
      [zones],
    )
    expect(found).toEqual({
      parts: zones.length * 1918,
      near: expect.any(Number),
      lost: null,
      wrong: null,
    })
    expect(found.near).toBeGreaterThan(onPostgres ? 20_000 : 2_000)
  }, 60_000)

  it('has the dates that Intl says, long ago', async () => {
    const zones = await zonesOfBoth()
    const hours = Array.from(
      { length: 40 },
      (_, n) => Date.UTC(2023, 0, 1, 7) + n * 401 * 3_600_000,
    )
    const rows = await query(
      `SELECT zone, array_agg(date_in_zone(zone, to_timestamp(at / 1000))::text ORDER BY at) AS dates
      FROM unnest($1::text[]) zone, unnest($2::bigint[]) at GROUP BY zone`,
      [zones, hours],
    )
    const other = rows.filter(({ zone, dates }) => {
      const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' })
      return dates.join() !== hours.map((at) => format.format(at)).join()
    })
    expect(other).toEqual([])
  })

  it.each([
    ['Europe/Berlin', '2026-07-01', '2026-06-30T22:00:00Z', 24],
    // The clock shows midnight twice.
    ['America/Havana', '2024-11-03', '2024-11-03T04:00:00Z', 25],
    ['Atlantic/Azores', '2024-10-27', '2024-10-27T00:00:00Z', 25],
    // It skips midnight.
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00Z', 23],
    ['Africa/Cairo', '2024-04-26', '2024-04-25T22:00:00Z', 23],
    // It is set back to the day before.
    ['Africa/Cairo', '2024-10-31', '2024-10-30T21:00:00Z', 25],
    ['Africa/Cairo', '2024-11-01', '2024-10-31T22:00:00Z', 24],
    ['Australia/Lord_Howe', '2024-04-07', '2024-04-06T13:00:00Z', 24.5],
    // One minute after midnight: the new date had begun.
    ['America/St_Johns', '2010-11-06', '2010-11-06T02:30:00Z', 24],
    ['America/St_Johns', '2010-11-07', '2010-11-07T02:30:00Z', 25],
    ['America/St_Johns', '2010-11-08', '2010-11-08T03:30:00Z', 24],
    // Two hours after midnight, by three.
    ['Antarctica/Casey', '2010-03-05', '2010-03-04T13:00:00Z', 27],
    // A date that nobody there has had.
    ['Pacific/Apia', '2011-12-29', '2011-12-29T10:00:00Z', 24],
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00Z', 0],
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00Z', 24],
  ])('%s has %s from %s on, for %s hours', async (zone, day, start, hours) => {
    const [found] = await query(
      `SELECT start_of_date($1, $2::date) AS start, start_of_date($1, $2::date + 1) AS "end",
        (SELECT json_agg(at) FROM generate_series(start_of_date($1, $2::date) - interval '1 day',
            start_of_date($1, $2::date + 1) + interval '1 day', '1 minute') at
          WHERE (date_in_zone($1, at) = $2::date)
            <> (at >= start_of_date($1, $2::date) AND at < start_of_date($1, $2::date + 1))) AS wrong`,
      [zone, day],
    )
    expect(found.start).toEqual(new Date(start))
    expect((Number(found.end) - Number(found.start)) / 3_600_000).toBe(hours)
    expect(found.wrong).toBe(null)
  })
})

describe('a window', () => {
  it.each([
    ['DAY', '2026-11-29', '2026-11-29', '2026-11-30'],
    // Sunday is the last day of a week.
    ['WEEK', '2026-11-29', '2026-11-23', '2026-11-30'],
    ['WEEK', '2026-11-30', '2026-11-30', '2026-12-07'],
    ['WEEK', '2027-01-03', '2026-12-28', '2027-01-04'],
    ['MONTH', '2024-02-29', '2024-02-01', '2024-03-01'],
    ['MONTH', '2026-12-31', '2026-12-01', '2027-01-01'],
    ['EVER', '2026-11-29', '1970-01-01', null],
    ['EVER', '1969-01-01', '1970-01-01', null],
  ])('%s with %s starts on %s, and the next one on %s', async (kind, day, start, next) => {
    const found = await query(
      `SELECT window_start($1, $2::date)::text AS start,
        next_window_start($1, window_start($1, $2::date))::text AS next`,
      [kind, day],
    )
    expect(found).toEqual([{ start, next }])
  })
})

/** A user of the history below, by the number of their case. */
const nameOf = (n: number) => `user-${n}`

const hourMs = 3_600_000
/** Clocks of these zones are changed soon after, some of them over midnight; Apia skips a date. */
const begin = Date.UTC(2011, 9, 28)
const zones = [
  ...['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Pacific/Apia', 'America/St_Johns'],
  ...['America/Havana', 'Europe/Berlin', 'Asia/Kathmandu', 'America/Sao_Paulo', 'Australia/Sydney'],
]

/** Hours after `begin`, and who gets which zone. */
const step = fc.record({
  hours: fc.integer({ min: 0, max: 70 * 24 }),
  minutes: fc.constantFrom(0, 1, 30, 55, 59),
  zone: fc.constantFrom(...zones),
  whose: fc.constantFrom('user', 'user', 'user', 'partner'),
  isUnset: fc.constantFrom(false, false, false, true),
})
const history = fc.record({
  created: fc.integer({ min: 0, max: 30 * 24 }),
  firstZone: fc.option(fc.constantFrom(...zones)),
  steps: fc.array(step, { maxLength: 7 }),
})

type History = typeof history extends fc.Arbitrary<infer H> ? H : never

/** Lives through a history, each in an environment of its own. */
const live = async (n: number, { created, firstZone, steps }: History) => {
  const partnerId = randomUUID()
  await world.runtime.db.partner.create({ data: { id: partnerId, slug: partnerId, name: 'P' } })
  const tenant: Tenant = { partnerId, environment: 'TEST' }
  const key = world.userKey(nameOf(n), tenant)
  const at = (hours: number, minutes = 0) => new Date(begin + hours * hourMs + minutes * 60_000)
  const events = [
    ...steps.map((step) => ({ at: at(step.hours, step.minutes), step })),
    { at: at(created), step: null },
  ].sort((a, b) => Number(a.at) - Number(b.at))
  for (const { at, step } of events) {
    now = at
    if (step?.whose === 'partner')
      await inTransaction(world.runtime, (work) =>
        setDefaultTimeZone(work, { ...tenant, timeZone: step.zone }),
      )
    else if (step)
      await setTimeZones(
        world.runtime,
        [{ ...key, timeZone: step.isUnset ? '' : step.zone, isTrusted: true }],
        now,
      )
    else await createIn(key, firstZone)
  }
}

const createIn = async (key: ReturnType<World['userKey']>, timeZone: string | null) => {
  const [profile] = await trackUsers(world.runtime, [{ ...key, timeZone, isTrusted: true }])
  if (profile instanceof Error) throw profile
}

describe('a user', () => {
  it('has one date at each moment, never an earlier one than before, through any history of zones', async () => {
    const samples = fc.sample(history, { numRuns: onPostgres ? 60 : 10, seed: 20_261_130 })
    for (const [n, sample] of samples.entries()) await live(n, sample)
    const [found] = await queryLong(
      `WITH moment AS MATERIALIZED (
        SELECT p.user_id, u.external_id, at, local_date(p.user_id, at) AS date,
          profile_local_date(p, d, at) AS same
        FROM user_profile p JOIN end_user u ON u.id = p.user_id
        LEFT JOIN LATERAL newest_time_zone(p.partner_id, p.environment) d ON true
        CROSS JOIN generate_series($1::timestamptz - interval '3 days', $1::timestamptz + interval '80 days', '20 minutes') at
        WHERE u.external_id LIKE 'user-%'
      ), after AS MATERIALIZED (
        SELECT *, lag(date) OVER (PARTITION BY user_id ORDER BY at) AS before FROM moment
      ), ended AS MATERIALIZED (
        SELECT user_id, external_id, kind, start, window_end_at(user_id, kind, start) AS end_at FROM (
          SELECT DISTINCT user_id, external_id, kind, window_start(kind, date) AS start
          FROM moment, unnest(ARRAY['DAY', 'WEEK', 'MONTH']) kind) w
      )
      SELECT (SELECT count(DISTINCT user_id)::int FROM moment) AS users,
        (SELECT json_agg(b) FROM (SELECT * FROM after WHERE date < before OR date IS NULL LIMIT 3) b) AS backwards,
        (SELECT json_agg(o) FROM (SELECT * FROM moment WHERE same IS DISTINCT FROM date LIMIT 3) o) AS others,
        (SELECT count(*)::int FROM after WHERE date > before + 1) AS skipped,
        (SELECT json_agg(e) FROM (SELECT * FROM ended
          WHERE window_start(kind, local_date(user_id, end_at - interval '1 millisecond')) > start
            OR window_start(kind, local_date(user_id, end_at)) <= start LIMIT 3) e) AS "wrongEnds",
        (SELECT count(*)::int FROM ended) AS windows`,
      [new Date(begin)],
    )
    expect(found).toEqual({
      users: samples.length,
      backwards: null,
      others: null,
      skipped: expect.any(Number),
      wrongEnds: null,
      windows: expect.any(Number),
    })
    expect(found.skipped).toBeGreaterThan(0)
    expect(found.windows).toBeGreaterThan(50 * samples.length)
  }, 120_000)

  it('has no deadline for a window that never ends', async () => {
    const [{ id }] = await query(`SELECT id FROM end_user WHERE external_id = 'user-0'`)
    expect(await query(`SELECT window_end_at($1, 'EVER', '1970-01-01') AS "endAt"`, [id])).toEqual([
      { endAt: null },
    ])
  })
})
