/**
 * Days of time zones, compared with what `Intl` says about every day of three years. Neighbours that were looked for:
 * every zone and every day of three years, abbreviations and offsets, names that only one of `Intl` and the database
 * knows, skipped days, and the statistics of one object.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Prisma } from '../../src/generated/prisma/client.ts'
import { bucketsOf } from '../../src/statistics/series.sql.ts'
import { resolveTimeZone } from '../../src/statistics/time-zone.ts'
import { createWorld, type World } from '../world.ts'

const dayMs = 86_400_000
/** Long past, so that the lists of zones agree, however old they are. */
const firstDay = Date.UTC(2022, 0, 1)
const lastDay = Date.UTC(2025, 0, 1)

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.end())

/** A time that a clock of the zone shows, as if it were in UTC, from one to the next change of its offset. */
type Piece = { from: number; to: number; offset: number }

const offsets = (zone: string) => {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
  return (at: number): number => {
    const [, sign, hours, minutes] = /GMT([+-])(\d+):(\d+)/.exec(format.format(at)) ?? []
    return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000
  }
}

const piecesOf = (zone: string): Piece[] => {
  const offsetAt = offsets(zone)
  const pieces: Piece[] = []
  let piece = { from: firstDay - 2 * dayMs, offset: offsetAt(firstDay - 2 * dayMs) }
  for (let day = firstDay - dayMs; day <= lastDay + 2 * dayMs; day += dayMs) {
    if (offsetAt(day) === piece.offset) continue
    let [before, after] = [day - dayMs, day]
    while (after - before > 60_000) {
      const middle = Math.floor((before + after) / 120_000) * 60_000
      if (offsetAt(middle) === piece.offset) before = middle
      else after = middle
    }
    pieces.push({ ...piece, to: after })
    piece = { from: after, offset: offsetAt(after) }
  }
  return [...pieces, { ...piece, to: Number.POSITIVE_INFINITY }]
}

/** The first moment at which a clock shows this day. */
const startOf = (day: number, pieces: Piece[]): number => {
  for (const { from, to, offset } of pieces) {
    const at = Math.max(from, day - offset)
    if (at < to && at + offset < day + dayMs) return at
  }
  throw new Error('a day without a start')
}

/** The starts of the buckets of each zone, in seconds. */
const startsInDatabase = async (zones: string[], unit: string, from: number, to: number) => {
  const requested = Prisma.sql`(SELECT (n - 1)::int AS n, zone AS time_zone, zone AS counted_in, ${unit}::text AS unit,
      ${new Date(from)}::timestamptz AS starts_at, ${new Date(to)}::timestamptz AS last_at
    FROM unnest(${zones}::text[]) WITH ORDINALITY z (zone, n)) q`
  const rows = await world.runtime.db.$queryRaw<{ n: number; starts: number[]; ends: number[] }[]>`
    WITH ${bucketsOf(requested, zones.length)}
    SELECT n, json_agg(extract(epoch FROM starts_at)::int ORDER BY starts_at) AS starts,
      json_agg(extract(epoch FROM ends_at)::int ORDER BY starts_at) AS ends
    FROM bucket GROUP BY n ORDER BY n`
  return rows
}

it('every day of three years starts when a clock of its zone first shows it, in every zone', async () => {
  const zones = Intl.supportedValuesOf('timeZone')
  const found = await startsInDatabase(zones, 'day', firstDay, lastDay)
  expect(found).toHaveLength(zones.length)
  const wrong = found.filter(({ n, starts, ends }) => {
    const pieces = piecesOf(zones[n] as string)
    const shown = pieces.find(({ to }) => to > firstDay)?.offset as number
    const first = Math.floor((firstDay + shown) / dayMs) * dayMs
    const expected = starts.map((_, i) => startOf(first + i * dayMs, pieces) / 1000)
    return (
      starts.length < (lastDay - firstDay) / dayMs ||
      starts.some((at, i) => at !== expected[i]) ||
      ends.slice(0, -1).some((at, i) => at !== starts[i + 1])
    )
  })
  expect(wrong.map(({ n }) => zones[n])).toEqual([])
})

it.each([
  ['Atlantic/Azores', 'day', '2024-10-27', '2024-10-27T00:00:00Z', 25],
  ['America/Havana', 'day', '2024-11-03', '2024-11-03T04:00:00Z', 25],
  // The clock skips midnight.
  ['America/Havana', 'day', '2024-03-10', '2024-03-10T05:00:00Z', 23],
  // The clock is put back to the day before.
  ['Africa/Cairo', 'day', '2024-10-31', '2024-10-30T21:00:00Z', 25],
  ['Australia/Lord_Howe', 'day', '2024-04-07', '2024-04-06T13:00:00Z', 24.5],
  ['America/Havana', 'week', '2024-10-28', '2024-10-28T04:00:00Z', 169],
  ['America/Havana', 'month', '2026-11-01', '2026-11-01T04:00:00Z', 721],
])('in %s the %s of %s starts at %s and has %s hours', async (zone, unit, day, start, hours) => {
  const noon = Date.parse(`${day}T12:00:00Z`)
  const [bucket] = await startsInDatabase([zone], unit, noon, noon)
  const [startsAt, endsAt] = [bucket?.starts[0] as number, bucket?.ends[0] as number]
  expect(new Date(startsAt * 1000)).toEqual(new Date(start))
  expect((endsAt - startsAt) / 3600).toBe(hours)
})

it('a day that a zone has skipped has no bucket', async () => {
  const [bucket] = await startsInDatabase(
    ['Pacific/Apia'],
    'day',
    Date.parse('2011-12-29T12:00:00Z'),
    Date.parse('2011-12-31T12:00:00Z'),
  )
  expect(bucket?.starts.map((at) => new Date(at * 1000).toISOString())).toEqual([
    '2011-12-29T10:00:00.000Z',
    '2011-12-30T10:00:00.000Z',
    '2011-12-31T10:00:00.000Z',
  ])
})

const days = (timeZone: string) =>
  world.graphql(
    `query ($zone: String) { analytics(metrics: [PLAYS], from: "2024-06-01T00:00:00Z", to: "2024-06-03T00:00:00Z", interval: DAY,
      timeZone: $zone) { buckets { startsAt } } }`,
    { zone: timeZone },
  )

describe('a time zone', () => {
  it('is accepted exactly when Intl and the database know it, and means what Intl says', async () => {
    const { rows } = await world.server.database.pool.query({
      text: 'SELECT name FROM pg_timezone_names',
    })
    const inDatabase = new Set(rows.map(({ name }) => name))
    const isKnown = (name: string) => {
      try {
        return inDatabase.has(name) && Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
      } catch {
        return false
      }
    }
    const names = [...inDatabase, ...Intl.supportedValuesOf('timeZone')]
    const resolved = await Promise.all(
      names.map((name) => resolveTimeZone(world.runtime, name).catch(() => null)),
    )
    const accepted = names.filter((_, n) => resolved[n] !== null)
    expect(accepted).toEqual(names.filter(isKnown))
    expect(accepted.length).toBeGreaterThan(500)
    for (const [n, zone] of resolved.entries())
      if (zone) {
        expect(inDatabase.has(zone)).toBe(true)
        const [requested, meant] = [offsets(names[n] as string), offsets(zone)]
        for (const at of [Date.UTC(2024, 0, 15), Date.UTC(2024, 6, 15)])
          expect(meant(at)).toBe(requested(at))
      }
  })

  it.each([
    'ACT',
    'AET',
    'AGT',
    'ART',
    'AST',
    'BET',
    'BST',
    'CAT',
    'CNT',
    'CST',
    'CTT',
    'EAT',
    'ECT',
    'IET',
    'IST',
    'JST',
    'MIT',
    'NET',
    'NST',
    'PLT',
    'PNT',
    'PRT',
    'PST',
    'SST',
    'VST',
    'US/Pacific-New',
    'SystemV/PST8PDT',
    'Europe/Atlantis',
    'posix/Europe/Paris',
    'localtime',
    ...[
      'Factory',
      '+02:00',
      'GMT+5',
      'UTC+2',
      'Z',
      '',
      ' ',
      'Europe/Paris ',
      'Europe//Paris',
      'a\0b',
    ],
  ])('%j is refused with a message', async (name) => {
    const { status, body } = await days(name)
    expect(status).toBeLessThan(500)
    expect(body.errors[0].extensions.code).toBe('INVALID_PARAMETERS')
    expect(body.errors[0].extensions.errors[0].path).toEqual(['timeZone'])
  })

  it.each([
    ['Europe/Paris', '2024-05-31T22:00:00.000Z'],
    ['europe/paris', '2024-05-31T22:00:00.000Z'],
    // PostgreSQL takes these for abbreviations without a summer time.
    ['CET', '2024-05-31T22:00:00.000Z'],
    ['EET', '2024-05-31T21:00:00.000Z'],
    ['Asia/Kolkata', '2024-05-31T18:30:00.000Z'],
    ['Etc/GMT+5', '2024-05-31T05:00:00.000Z'],
    ['GMT', '2024-06-01T00:00:00.000Z'],
  ])('%s starts its day at %s', async (name, start) => {
    const { body } = await days(name)
    expect(body.data.analytics[0].buckets[0].startsAt).toBe(start)
  })

  it('is checked for the statistics of one object, too', async () => {
    await world.givePoints('ann', 1)
    const { status, body } = await world.graphql(
      `{ user(by: { externalId: "ann" }) { statistics(metrics: [PLAYS], from: "2024-06-01T00:00:00Z", to: "2024-06-03T00:00:00Z",
        interval: DAY, timeZone: "IST") { total } } }`,
    )
    expect(status).toBeLessThan(500)
    expect(body.errors[0].extensions.code).toBe('INVALID_PARAMETERS')
  })
})
