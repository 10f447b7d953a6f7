/**
 * Tables that have a partition for each month of their ids, which begin with the time. Old rows are deleted day by day,
 * and a month that is over is dropped, which gives its space back to the disk. The default partition `…_rest` takes
 * every id without a month, so a write never fails.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { cachedFor } from '../clock.ts'
import type { Logger } from '../observability/log.ts'
import { exportGauge, type Metrics } from '../observability/metrics.ts'
import { inMigrationTurn } from './migration-state.ts'
import { codeOf } from './outage.ts'

/** Months that are made ahead of the current one. */
const wantedAhead = 2

type Partition = { name: string; month: string }
type MonthlyTable = {
  table: string
  /** The id column. The time in it decides the partition. */
  key: string
  rest: string
  restBytes: number
  /** In order. */
  months: Partition[]
}

/** The month of a moment, in UTC: `2026-11`. */
const monthOf = (at: Date): string => at.toISOString().slice(0, 7)
const startOf = (month: string): Date => new Date(`${month}-01T00:00:00Z`)
/** @param by how many months later */
const later = (month: string, by: number): string => {
  const start = startOf(month)
  return monthOf(new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + by)))
}

/** The smallest id of a time. */
const idFrom = (at: Date): string => {
  const hex = at.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** The smallest id of a month, and that of the next one. */
export const idsOf = (month: string): { from: string; to: string } => ({
  from: idFrom(startOf(month)),
  to: idFrom(startOf(later(month, 1))),
})

/** The end of a month, exclusive: all its ids are older. */
export const endOf = (month: string): Date => startOf(later(month, 1))

const partitionName = (table: string, month: string) => `${table}_${month.replace('-', '_')}`

const tablesOf = `
  SELECT p.relname AS table, substring(pg_get_partkeydef(p.oid) FROM '\\((\\w+)\\)') AS key, r.relname AS rest,
    pg_relation_size(r.oid)::float8 AS "restBytes", coalesce(json_agg(json_build_object('name', c.relname, 'month',
      replace(right(c.relname, 7), '_', '-')) ORDER BY c.relname) FILTER (WHERE c.oid <> r.oid), '[]') AS months
  FROM pg_partitioned_table t JOIN pg_class p ON p.oid = t.partrelid JOIN pg_class r ON r.oid = t.partdefid
    JOIN pg_inherits i ON i.inhparent = p.oid JOIN pg_class c ON c.oid = i.inhrelid
  WHERE p.relnamespace = 'public'::regnamespace GROUP BY p.oid, r.oid ORDER BY p.relname`

/** The tables with partitions, by name. */
export const readMonthlyTables = async (
  pool: Pick<pg.Pool | pg.ClientBase, 'query'>,
): Promise<MonthlyTable[]> => (await pool.query({ text: tablesOf })).rows

/** The current month and those ahead that a table lacks. */
export const missingMonths = ({ months }: MonthlyTable, now: Date): string[] => {
  const made = new Set(months.map(({ month }) => month))
  const wanted = Array.from({ length: wantedAhead + 1 }, (_, by) => later(monthOf(now), by))
  return wanted.filter((month) => !made.has(month))
}

/** How many months after the current one a table has: 0 if the next one is missing. */
const monthsAheadOf = ({ months }: MonthlyTable, now: Date): number => {
  const made = new Set(months.map(({ month }) => month))
  let ahead = 0
  while (made.has(later(monthOf(now), ahead + 1))) ahead++
  return ahead
}

/** The minimum over all tables. */
export const monthsAhead = (tables: MonthlyTable[], now: Date): number =>
  Math.min(...tables.map((table) => monthsAheadOf(table, now)))

/** A change that waits for a lock blocks all users of the table, so it waits no longer than this. */
const limits = 'SET LOCAL lock_timeout = 200'
const mostTries = 5
const pauseMs = 1_000
/** The most rows that are moved under an exclusive lock. */
const mostMoved = 10_000
/** A larger rest, in bytes, is scanned before the exclusive lock, not under it. */
const largeRest = 64_000_000

type Options = {
  log?: Pick<Logger, 'warn'> | undefined
  signal?: AbortSignal | undefined
  largeBytes?: number
}

/** Tries a change until it gets its locks. False if it does not. */
const untilLocked = async (
  { log, signal }: Options,
  what: string,
  change: () => Promise<boolean | undefined>,
): Promise<boolean> => {
  for (let tries = 1; tries <= mostTries && !signal?.aborted; tries++) {
    try {
      return (await change()) ?? false
    } catch (error) {
      if (codeOf(error) !== '55P03') throw error
    }
    await sleep(pauseMs, undefined, signal && { signal }).catch(() => {})
  }
  log?.warn({ step: what }, 'waiting for a table that is in use')
  return false
}

const countUpTo = async (pool: pg.Pool | pg.ClientBase, rows: string, values: unknown[] = []) => {
  const text = `SELECT count(*)::int AS count FROM (${rows} LIMIT ${mostMoved + 1}) r`
  return (await (pool as pg.Pool).query<{ count: number }>({ text, values })).rows[0]?.count ?? 0
}

const nameOfProof = (rest: string, month: string) => `${rest}_not_${month.replace('-', '_')}`

/** Drops the proof of a month. If it stayed without the partition, ids of the month would be refused. */
const dropProof = async (pool: pg.Pool, { rest }: MonthlyTable, month: string): Promise<true> => {
  const name = nameOfProof(rest, month)
  const isThere = await countUpTo(pool, `SELECT FROM pg_constraint WHERE conname = '${name}'`)
  if (isThere)
    await inMigrationTurn(pool, (client) =>
      client.query(`${limits}; ALTER TABLE ${rest} DROP CONSTRAINT IF EXISTS ${name}`),
    )
  return true
}

/**
 * Proves by a constraint that the rest has no ids of a month, so that attaching its partition does not scan the rest
 * under a lock. The constraint refuses ids of the month until its partition exists, so this is for future months.
 */
const proveFree = async (pool: pg.Pool, of: MonthlyTable, month: string): Promise<true> => {
  const { rest, key } = of
  const { from, to } = idsOf(month)
  const name = nameOfProof(rest, month)
  await dropProof(pool, of, month)
  await inMigrationTurn(pool, (client) =>
    client.query(`${limits};
      ALTER TABLE ${rest} ADD CONSTRAINT ${name} CHECK (${key} < '${from}' OR ${key} >= '${to}') NOT VALID`),
  )
  try {
    await inMigrationTurn(pool, (client) =>
      client.query(`ALTER TABLE ${rest} VALIDATE CONSTRAINT ${name}`),
    )
  } catch (error) {
    await dropProof(pool, of, month)
    throw error
  }
  return true
}

const makePartition = (pool: pg.Pool, of: MonthlyTable, month: string) =>
  inMigrationTurn(pool, async (client) => {
    const { table, key, rest } = of
    const part = partitionName(table, month)
    const { from, to } = idsOf(month)
    await client.query(`${limits}; LOCK TABLE ONLY ${table} IN SHARE UPDATE EXCLUSIVE MODE`)
    const text = `SELECT to_regclass($1) IS NOT NULL AS "isMade",
      (SELECT array_to_string(reloptions, ', ') FROM pg_class WHERE oid = $2::regclass) AS options`
    const [{ isMade, options }] = (await client.query({ text, values: [part, rest] })).rows
    if (isMade) return false
    await client.query(`LOCK TABLE ${rest} IN ACCESS EXCLUSIVE MODE;
      CREATE TABLE ${part} (LIKE ${rest} INCLUDING DEFAULTS)${options ? ` WITH (${options})` : ''};
      WITH moved AS (DELETE FROM ${rest} WHERE ${key} >= '${from}' AND ${key} < '${to}' RETURNING *)
        INSERT INTO ${part} SELECT * FROM moved;
      SELECT take_over_rights('${rest}', '${part}');
      ALTER TABLE ${table} ATTACH PARTITION ${part} FOR VALUES FROM ('${from}') TO ('${to}');
      ALTER TABLE ${rest} DROP CONSTRAINT IF EXISTS ${nameOfProof(rest, month)}`)
    return true
  })

/**
 * Creates the partition of a month unless the rest has too many rows of it, which are later deleted row by row. With a
 * large rest, the current month stays there, too: its rows would be refused while the rest is scanned.
 */
const makeMonth = async (
  pool: pg.Pool,
  of: MonthlyTable,
  { month, isCurrent }: { month: string; isCurrent: boolean },
  options: Options,
) => {
  const { table, key, rest, restBytes } = of
  const { from, to } = idsOf(month)
  const rows = await countUpTo(
    pool,
    `SELECT FROM ${rest} WHERE ${key} >= '${from}' AND ${key} < '${to}'`,
  )
  const isLarge = restBytes > (options.largeBytes ?? largeRest)
  if (rows > (isLarge ? 0 : mostMoved)) return false
  const what = `${table} of ${month}`
  const make = () => untilLocked(options, what, () => makePartition(pool, of, month))
  if (!isLarge) return make()
  const isProven =
    !isCurrent && (await untilLocked(options, what, () => proveFree(pool, of, month)))
  if (isProven && (await make())) return true
  await untilLocked(options, what, () => dropProof(pool, of, month))
  return false
}

/**
 * Creates the partitions of the current month and of those ahead. Skips a month of which the rest already has many
 * rows; the next one is created in time.
 * @returns the names of the partitions
 */
export const makeMonths = async (
  pool: pg.Pool,
  now: Date,
  options: Options = {},
): Promise<string[]> => {
  const made: string[] = []
  for (const table of await readMonthlyTables(pool))
    for (const month of missingMonths(table, now))
      if (await makeMonth(pool, table, { month, isCurrent: month === monthOf(now) }, options))
        made.push(partitionName(table.table, month))
  return made
}

/**
 * Changes partitions if the user of the database owns the tables. If not, the owner does it with `tessera migrate`.
 */
export const ifOwner = async (
  { log }: Options,
  change: () => Promise<string[]>,
): Promise<string[]> => {
  try {
    return await change()
  } catch (error) {
    if (codeOf(error) !== '42501') throw error
    log?.warn(
      { err: error },
      'partitions need the owner of the tables: run tessera migrate as such',
    )
    return []
  }
}

/** False once another node has dropped the partition. */
const isThere = async (pool: pg.Pool, table: string, part: string) =>
  (await readMonthlyTables(pool)).some(
    (of) => of.table === table && of.months.some((month) => month.name === part),
  )

/** Returns a SELECT of the `ctid` of each row to keep although its month is over. `$1` is `before` of `dropMonths`. */
export type RowsToKeep = (part: string, ids: { from: string; to: string }) => string

/**
 * Drops the months of a table that ended before a moment. Rows that are still kept move to the rest. If there are too
 * many of them, the month stays.
 * @returns the names of the partitions
 */
export const dropMonths = async (
  pool: pg.Pool,
  name: string,
  { before, stillKept, ...options }: Options & { before: Date; stillKept: RowsToKeep },
): Promise<string[]> => {
  const of = (await readMonthlyTables(pool)).find(({ table }) => table === name)
  const dropped: string[] = []
  for (const { name: part, month } of of?.months ?? []) {
    if (!of || endOf(month) > before || options.signal?.aborted) continue
    const kept = stillKept(part, idsOf(month))
    const isOld = async (on: pg.Pool | pg.ClientBase) =>
      (await countUpTo(on, `SELECT FROM (${kept}) k`, [before])) <= mostMoved
    const drop = async () => {
      if (!(await isOld(pool))) return false
      const isDropped = await inMigrationTurn(pool, async (client) => {
        await client.query(`${limits}; LOCK TABLE ONLY ${name} IN ACCESS EXCLUSIVE MODE`)
        if (!(await isOld(client))) return false
        await client.query(`ALTER TABLE ${name} DETACH PARTITION ${part}`)
        const text = `INSERT INTO ${of.rest} SELECT * FROM ${part} WHERE ctid = ANY (ARRAY(${kept}))`
        await client.query({ text, values: [before] })
        await client.query(`DROP TABLE ${part}`)
        return true
      })
      return isDropped ?? false
    }
    const dropOnce = () =>
      drop().catch(async (error) => {
        if (codeOf(error) === '42P01' && !(await isThere(pool, name, part))) return false
        throw error
      })
    if (await untilLocked(options, `dropping ${part}`, dropOnce)) dropped.push(part)
  }
  return dropped
}

/** The answer changes once a month. */
const keptMs = 60_000

export const measureMonths = ({ direct, metrics }: { direct: pg.Pool; metrics: Metrics }): void => {
  const look = cachedFor(keptMs, async () =>
    monthsAhead(await readMonthlyTables(direct), new Date()),
  )
  exportGauge(
    metrics.registry,
    {
      name: 'tessera_months_ahead',
      help: 'Months after the current one for which tables have partitions; 0 if the next one is missing',
    },
    async () => [[{}, await look()]],
  )
}
