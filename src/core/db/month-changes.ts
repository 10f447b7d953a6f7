/** Makes and drops partitions of months. Whoever uses the table waits for a moment only: what does not get its lock is tried again. */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from '../log.ts'
import { inMigrationTurn } from './migration-turn.ts'
import {
  endOf,
  idsOf,
  type MonthlyTable,
  missingMonths,
  partitionName,
  readMonthlyTables,
} from './months.ts'
import { codeOf } from './outage.ts'

/** A change that waits for a lock blocks all users of the table, so it waits no longer than this. */
const limits = 'SET LOCAL lock_timeout = 200'
const mostTries = 5
const pauseMs = 1_000
/** The most rows that are moved while others wait. */
const mostMoved = 10_000
/** A larger rest is read before others wait, not while they do. */
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
  change: () => Promise<boolean>,
): Promise<boolean> => {
  for (let tries = 1; tries <= mostTries && !signal?.aborted; tries++) {
    try {
      return await change()
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

/**
 * Proves by a constraint that the rest has no ids of a month, so that nobody waits while all of it is read. For ids of
 * months to come only, because the constraint refuses them until the month is made.
 */
const proveFree = async (pool: pg.Pool, { rest, key }: MonthlyTable, month: string) => {
  const { from, to } = idsOf(month)
  const name = nameOfProof(rest, month)
  await inMigrationTurn(pool, (client) =>
    client.query(`${limits}; ALTER TABLE ${rest} DROP CONSTRAINT IF EXISTS ${name};
      ALTER TABLE ${rest} ADD CONSTRAINT ${name} CHECK (${key} < '${from}' OR ${key} >= '${to}') NOT VALID`),
  )
  try {
    await inMigrationTurn(pool, (client) =>
      client.query(`ALTER TABLE ${rest} VALIDATE CONSTRAINT ${name}`),
    )
  } catch (error) {
    const drop = `ALTER TABLE ${rest} DROP CONSTRAINT IF EXISTS ${name}`
    await inMigrationTurn(pool, (client) => client.query(drop))
    throw error
  }
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

/** Makes a month, unless the rest has too many rows of it. These are deleted row by row. */
const makeMonth = async (pool: pg.Pool, of: MonthlyTable, month: string, options: Options) => {
  const { table, key, rest, restBytes } = of
  const { from, to } = idsOf(month)
  const rows = await countUpTo(
    pool,
    `SELECT FROM ${rest} WHERE ${key} >= '${from}' AND ${key} < '${to}'`,
  )
  const isLarge = restBytes > (options.largeBytes ?? largeRest)
  if (rows > (isLarge ? 0 : mostMoved)) return false
  const what = `${table} of ${month}`
  if (isLarge) {
    const prove = () => proveFree(pool, of, month).then(() => true)
    if (!(await untilLocked(options, what, prove))) return false
  }
  return untilLocked(options, what, async () => (await makePartition(pool, of, month)) ?? false)
}

/**
 * Makes the partitions of the current month and of those ahead. A month of which the rest already has many rows is left
 * out, and the next one is made in time.
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
      if (await makeMonth(pool, table, month, options)) made.push(partitionName(table.table, month))
  return made
}

/**
 * Changes partitions if the user of the database owns the tables. If not, `tessera migrate` of the owner does it.
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

/** Rows that go with their month are not noted while their partner is copied to another cell. So months wait. */
const isMoving = async (pool: pg.Pool | pg.ClientBase) =>
  (await countUpTo(pool, `SELECT FROM partner WHERE move IN ('LEAVING', 'HELD', 'ARRIVING')`)) > 0

/** The rows of a partition that are kept although their month is over: statements that select the `ctid` of each. */
export type StillKept = (part: string, ids: { from: string; to: string }) => string

/**
 * Drops the months of a table that ended before a moment. Rows that are still kept move to the rest. If they are too
 * many, or a partner is on the move, the month stays.
 * @returns the names of the partitions
 */
export const dropMonths = async (
  pool: pg.Pool,
  name: string,
  { before, stillKept, ...options }: Options & { before: Date; stillKept: StillKept },
): Promise<string[]> => {
  const of = (await readMonthlyTables(pool)).find(({ table }) => table === name)
  const dropped: string[] = []
  for (const { name: part, month } of of?.months ?? []) {
    if (!of || endOf(month) > before || options.signal?.aborted) continue
    const kept = stillKept(part, idsOf(month))
    const isOld = async (on: pg.Pool | pg.ClientBase) =>
      (await countUpTo(on, `SELECT FROM (${kept}) k`, [before])) <= mostMoved
    const drop = async () => {
      if (!(await isOld(pool)) || (await isMoving(pool))) return false
      const isDropped = await inMigrationTurn(pool, async (client) => {
        await client.query(`${limits}; LOCK TABLE ONLY ${name} IN ACCESS EXCLUSIVE MODE`)
        if (!(await isOld(client)) || (await isMoving(client))) return false
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
