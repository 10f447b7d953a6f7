/** How much a database grows, from the rows of the last week, and when a disk is full. */
import type { Config } from '../kit/config/config.ts'
import type { Database } from '../kit/database/db.ts'
import { type Finding, good, notable } from './database-checks.ts'

/** A kind of rows that grows with use. */
type Growing = {
  what: string
  tables: string[]
  /** A query for the number of rows since `$1`, or of the newest `$2` of them, and the time of the oldest. */
  newest: string
  /** Bytes of a row with its indexes, used while there are too few rows to measure (docs/sizes.md). */
  typicalBytes: number
  /** Retention in days; 0 for no deletion. Undefined for rows that are always kept. */
  kept?: { setting: string; days(config: Config): number }
}

const week = 7
const dayMs = 86_400_000
/** Limit of the newest rows that are counted, so that a check of a large database is fast. */
const mostRows = 100_000
/** The size of a row is not measured with fewer rows. */
const leastRows = 10_000

const ordered = (table: string, time: string, order: string) =>
  `SELECT count(*) AS rows, min(at) AS oldest FROM (
    SELECT ${time} AS at FROM ${table} ORDER BY ${order} DESC LIMIT $2::int) r WHERE at > $1::timestamptz`

const growing: Growing[] = [
  {
    what: 'users',
    tables: [
      'end_user',
      'user_profile',
      'user_term',
      'user_time_zone',
      'user_block',
      'user_note',
      'stage_change',
    ],
    newest: `SELECT coalesce(sum(sums[cardinality(sums)]), 0)::bigint AS rows, min(starts_at) AS oldest
      FROM packed_statistic WHERE metric = 'NEW_USERS' AND starts_at > $1::timestamptz AND $2::int > 0`,
    typicalBytes: 1_200,
  },
  {
    what: 'ledger entries',
    tables: ['ledger_entry'],
    newest: ordered('ledger_entry', 'created_at', 'id'),
    typicalBytes: 450,
  },
  {
    what: 'lines of timelines',
    tables: ['user_activity', 'user_hour'],
    newest: ordered('user_activity', 'occurred_at', 'id'),
    typicalBytes: 400,
  },
  {
    what: 'plays',
    tables: ['play'],
    newest: ordered('play', 'played_at', 'id'),
    typicalBytes: 430,
  },
  {
    what: 'events',
    tables: ['event'],
    newest: ordered('event', 'occurred_at', 'occurred_at'),
    typicalBytes: 500,
    // Partitions are dropped with the last event of their month.
    kept: { setting: 'RETENTION_EVENT_DAYS', days: ({ retention }) => retention.eventDays + 31 },
  },
  {
    what: 'deliveries of webhooks',
    tables: ['webhook_delivery', 'webhook_attempt'],
    newest: `SELECT count(*) AS rows, min(at) AS oldest FROM (
      SELECT d.created_at AS at FROM webhook_endpoint e CROSS JOIN LATERAL (
        SELECT created_at FROM webhook_delivery WHERE endpoint_id = e.id AND created_at > $1::timestamptz
        ORDER BY created_at DESC LIMIT $2::int) d) r`,
    typicalBytes: 850,
    kept: { setting: 'RETENTION_DELIVERY_DAYS', days: ({ retention }) => retention.deliveryDays },
  },
  {
    what: 'events of matches',
    tables: ['arena_match_event'],
    newest: `SELECT coalesce(sum(seq), 0) AS rows, min(created_at) AS oldest FROM (
      SELECT seq, created_at FROM arena_match ORDER BY id DESC LIMIT $2::int / 10) m
      WHERE created_at > $1::timestamptz`,
    typicalBytes: 350,
    kept: {
      setting: 'RETENTION_MATCH_EVENT_DAYS',
      days: ({ retention }) => retention.matchEventDays,
    },
  },
  {
    what: 'entries of the audit log',
    tables: ['audit_entry'],
    newest: ordered('audit_entry', 'at', 'at'),
    typicalBytes: 1_000,
    kept: { setting: 'AUDIT_LOG_DAYS', days: ({ auditLogDays }) => auditLogDays },
  },
]

/** The size and the growth of a kind of rows. */
export type Growth = {
  what: string
  rowsPerDay: number
  bytesPerRow: number
  bytesPerDay: number
  /** Their size now. */
  bytes: number
  /** Undefined for rows that are always kept; 0 days if the setting keeps them. */
  kept: { setting: string; days: number } | undefined
}

type Sizes = { databaseBytes: number; growths: Growth[] }

const item = async <T>({ direct }: Database, text: string, values: unknown[]): Promise<T> =>
  (await direct.query({ text, values })).rows[0] as T

const readGrowth = async (
  database: Database,
  config: Config,
  { what, tables, newest, typicalBytes, kept }: Growing,
  now: Date,
): Promise<Growth> => {
  const since = new Date(now.getTime() - week * dayMs)
  type Newest = { rows: string; oldest: Date | null }
  const found = await item<Newest>(database, newest, [since, mostRows])
  // The first table has the rows; the others belong to them.
  const { bytes, count } = await item<{ bytes: string; count: number }>(
    database,
    `SELECT sum(pg_total_relation_size(c.oid)) AS bytes,
      (sum(greatest(c.reltuples, 0)) FILTER (WHERE n = 1))::float8 AS count
    FROM unnest($1::text[]) WITH ORDINALITY t(name, n)
    JOIN pg_class c ON c.oid = name::regclass
      OR c.oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = name::regclass)`,
    [tables],
  )
  const rows = Number(found.rows)
  const spanDays = (now.getTime() - (found.oldest ?? since).getTime()) / dayMs
  // Rows at the limit are only a part of the week, so their own span counts, however short.
  const days =
    rows >= mostRows ? Math.max(spanDays, 1 / 1_440) : Math.min(Math.max(spanDays, 1), week)
  const bytesPerRow = count >= leastRows ? Number(bytes) / count : typicalBytes
  return {
    what,
    bytesPerRow,
    bytes: Number(bytes),
    rowsPerDay: rows / days,
    bytesPerDay: (rows / days) * bytesPerRow,
    kept: kept && { setting: kept.setting, days: kept.days(config) },
  }
}

/** Reads the sizes of the tables and how they grow. Changes nothing. */
export const readSizes = async (
  database: Database,
  config: Config,
  now = new Date(),
): Promise<Sizes> => {
  const size = 'SELECT pg_database_size(current_database()) AS bytes'
  const { bytes } = await item<{ bytes: string }>(database, size, [])
  const growths: Growth[] = []
  for (const each of growing) growths.push(await readGrowth(database, config, each, now))
  return { databaseBytes: Number(bytes), growths }
}

/** Bytes of the rows once deletions equal additions; null for rows that are kept forever. */
const levelOf = ({ bytesPerDay, kept }: Growth): number | null =>
  kept && kept.days > 0 ? bytesPerDay * kept.days : null

/**
 * Days until this many free bytes are used up, if growth continues as in the last week; null for never. Rows with a
 * retention grow only until the first of them are deleted.
 */
export const daysUntilFull = ({ growths }: Sizes, freeBytes: number): number | null => {
  const used = (days: number) =>
    growths.reduce((sum, growth) => {
      const level = levelOf(growth)
      const added = growth.bytesPerDay * days
      return sum + (level === null ? added : Math.min(added, Math.max(0, level - growth.bytes)))
    }, 0)
  const longest = 36_500
  if (used(longest) < freeBytes) return null
  let [low, high] = [0, longest]
  while (high - low > 0.5) {
    const middle = (low + high) / 2
    if (used(middle) < freeBytes) low = middle
    else high = middle
  }
  return Math.floor(high)
}

/** Days per month in estimates. */
const monthDays = 30
/** A disk that is full sooner is reported. */
const soonDays = 60
/** Less growth per day is not reported in detail. */
const leastBytesPerDay = 1_000_000

/** `1.2 GB`. */
export const sizeText = (bytes: number): string => {
  const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB']
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  const value = bytes / 1_000 ** power
  return `${value.toFixed(power > 0 && value < 10 ? 1 : 0)} ${units[power]}`
}

const keptText = (growth: Growth): string => {
  const { kept } = growth
  if (!kept) return 'kept for ever'
  if (kept.days === 0) return `kept for ever; ${kept.setting} would delete old ones`
  return `${kept.days} days of it are ${sizeText(levelOf(growth) ?? 0)} (${kept.setting})`
}

const lineOf = (growth: Growth): string => {
  const { what, rowsPerDay, bytesPerRow, bytesPerDay } = growth
  const rows = Math.round(rowsPerDay).toLocaleString('en')
  return `  ${sizeText(bytesPerDay)} a day: ${rows} ${what} of ${Math.round(bytesPerRow)} bytes, ${keptText(growth)}`
}

const sumOf = (growths: Growth[]) => growths.reduce((sum, { bytesPerDay }) => sum + bytesPerDay, 0)

/** @param freeBytes of the disk; undefined if this machine does not see it */
export const growthFindings = (sizes: Sizes, freeBytes: number | undefined): Finding[] => {
  const { databaseBytes, growths } = sizes
  const perDay = sumOf(growths)
  const stays = sumOf(growths.filter((growth) => levelOf(growth) === null))
  const has = `The database has ${sizeText(databaseBytes)}`
  if (perDay < leastBytesPerDay) return [good(`${has} and hardly grows`)]
  const month = sizeText(stays * monthDays)
  const findings = [
    good(
      `${has}. Rows of the last week: ${sizeText(perDay)} a day, of which ${sizeText(stays)} a day (${month} a month) are not deleted`,
    ),
    ...growths
      .filter(({ bytesPerDay }) => bytesPerDay > perDay / 100)
      .sort((a, b) => b.bytesPerDay - a.bytesPerDay)
      .map((growth) => good(lineOf(growth))),
  ]
  if (freeBytes === undefined)
    return [
      ...findings,
      notable('The disk of the database is not seen from here: --disk GB says when it is full'),
    ]
  const days = daysUntilFull(sizes, freeBytes)
  const full =
    days === null ? 'are enough for a century' : `are full in ${days.toLocaleString('en')} days`
  const mark = days !== null && days < soonDays ? notable : good
  return [
    ...findings,
    mark(`${sizeText(Math.max(0, freeBytes))} of free space ${full} at this rate`),
  ]
}
