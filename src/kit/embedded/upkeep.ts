/**
 * Maintains the embedded database, which has neither autovacuum nor a checkpointer: it vacuums and analyzes tables and
 * writes checkpoints. The work is done in short slices, because requests wait meanwhile.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from '../observability/log.ts'
import type { EmbeddedPool } from './embedded-pool.ts'

/** Decides which tables of the embedded database to vacuum or analyze now, and estimates the cost. */

/** The state of a table. Rows are counted since its last vacuum or analyze. */
export type Table = {
  name: string
  /** Live rows, as of the last time. */
  live: number
  dead: number
  inserted: number
  changed: number
  /** Pages of 8 KB: all, those that a vacuum skips, those of the indexes, and the number of the last time. */
  pages: number
  visiblePages: number
  indexPages: number
  knownPages: number
  /** Whether it was analyzed a moment ago. */
  isFresh: boolean
}

type Slice = {
  sql: string
  table: string
  costMs: number
  /** Dead rows that remain; undefined if all is done. */
  leaves?: number
}

/** The longest slice while there are requests. */
const sliceMs = 30
/** Measured costs of a page that a vacuum reads and changes, of an index page, and of a page sampled by ANALYZE. */
const pageMs = 0.045
const indexPageMs = 0.02
const samplePageMs = 0.02
/** ANALYZE samples this many rows, each from another page of a large table. */
const sampled = 3_000
/** The number of new pages after which a vacuum is due, so that it fits into a slice. */
const newPages = 400

/** The threshold formula of autovacuum. */
const isOver = (count: number, base: number, share: number, live: number) =>
  count > base + share * live

/** Whether an earlier process has left many rows that are not counted. */
const isGrown = ({ pages, knownPages }: Table) => pages > 1.2 * knownPages + 50

const vacuumOf = (table: Table, when: When): Slice | null => {
  const { name, live, dead, inserted, pages, visiblePages, indexPages } = table
  const share = when.last ? 0.02 : 0.2
  const unseen = Math.max(0, pages - visiblePages)
  const isFull = isOver(dead, 50, share, live)
  const isFresh = isOver(inserted, 1_000, share, live) || (inserted > 1_000 && unseen >= newPages)
  if (!isFull && !isFresh && !isGrown(table)) return null
  const heapMs = unseen * pageMs
  const costMs = heapMs + (dead > 0 ? indexPages * indexPageMs : 0)
  // With as many dead rows as live ones, a long pause is better than a table of twice the size.
  const isLate = isOver(dead, 1_000, 1, live)
  if (when.idle || isLate || costMs <= sliceMs)
    return { sql: `VACUUM ${name}`, table: name, costMs }
  if (!isFresh || heapMs > sliceMs) return null
  const sql = `VACUUM (INDEX_CLEANUP OFF, TRUNCATE OFF) ${name}`
  return { sql, table: name, costMs: heapMs, leaves: dead }
}

const analyzeOf = (table: Table, when: When): Slice | null => {
  const { name, live, changed, pages, isFresh } = table
  const isDue = !isFresh && isOver(changed, 50, when.last ? 0.02 : 0.1, live)
  if (!isDue && !isGrown(table)) return null
  const costMs = 2 + Math.min(pages, sampled) * samplePageMs
  // Statistics from half as many rows still give the current plans.
  const isLate = isOver(changed, 50, 1, live) || pages > 2 * table.knownPages
  return when.idle || isLate || costMs <= sliceMs
    ? { sql: `ANALYZE ${name}`, table: name, costMs }
    : null
}

export type When = {
  /** The database is hardly used. */
  idle: boolean
  /** The server is stopping. Smaller changes count, because the counters are lost. */
  last: boolean
}

/** The work to do now, the quickest first. */
export const chooseWork = (tables: Table[], when: When): Slice[] =>
  tables
    .flatMap((table) => [vacuumOf(table, when), analyzeOf(table, when)])
    .filter((slice) => slice !== null)
    .sort((a, b) => a.costMs - b.costMs)

/** The pauses between checks, and between slices. */
const lookMs = 1_000
const betweenMs = 100
/** The database is idle if statements take less than this share of the time. */
const idleShare = 0.1
/** A checkpoint is due when the write-ahead log has grown by this much. It takes 50 to 100 ms. */
const logBytes = 64 * 1024 * 1024
/** The longest time for the last work when the server stops. */
const lastMs = 2_000

/** Every this many checks, all tables are read: changes of an earlier process are not counted, only sizes show them. */
const looksAtAll = 60
/** Selects tables with changes, or all tables. */
const tablesQuery = `
  SELECT t.oid::regclass::text AS name, t.live, t.dead, t.inserted, t.changed,
    (pg_relation_size(t.oid) / 8192)::int AS pages, t.visible AS "visiblePages",
    (pg_indexes_size(t.oid) / 8192)::int AS "indexPages", t.known AS "knownPages",
    coalesce(t.analyzed > now() - interval '1 minute', false) AS "isFresh"
  FROM (
    SELECT oid, greatest(reltuples, 0)::float8 AS live, relallvisible AS visible, relpages AS known,
      pg_stat_get_dead_tuples(oid)::float8 AS dead,
      pg_stat_get_ins_since_vacuum(oid)::float8 AS inserted,
      pg_stat_get_mod_since_analyze(oid)::float8 AS changed,
      pg_stat_get_last_analyze_time(oid) AS analyzed
    FROM pg_class WHERE relkind = 'r' AND relpersistence = 'p'
  ) t
  WHERE t.dead + t.inserted + t.changed > 0 OR $1`

const logQuery = `
  SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::float8 AS bytes
  FROM pg_control_checkpoint()`

type Queries = Pick<pg.Pool, 'query' | 'connect'>

/** Writes a checkpoint once the log since the last one has this many bytes. */
const checkpoint = async (pool: Queries, log: Logger, atLeast: number) => {
  const { rows } = await pool.query<{ bytes: number }>({ text: logQuery })
  if ((rows[0]?.bytes ?? 0) < atLeast) return
  const startedAt = performance.now()
  await pool.query('CHECKPOINT')
  log.debug({ ms: performance.now() - startedAt }, 'wrote a checkpoint')
}

/** Runs a statement on its own connection, and returns how long it took. */
const runAlone = async (pool: Queries, sql: string) => {
  const client = await pool.connect()
  const startedAt = performance.now()
  try {
    await client.query(sql)
  } finally {
    client.release()
  }
  return performance.now() - startedAt
}

/** Starts maintenance. Returns the function that does the remaining work and stops it. */
export const startUpkeep = (database: EmbeddedPool, log: Logger): (() => Promise<void>) => {
  const pool: Queries = database
  const ending = new AbortController()
  const { signal } = ending
  /** Dead rows that a vacuum without indexes has left and PostgreSQL no longer counts. */
  const leftDead = new Map<string, number>()
  let looks = 0

  const look = async (idle: boolean, last: boolean) => {
    const { rows } = await pool.query<Table>({
      text: tablesQuery,
      values: [looks++ % looksAtAll === 0],
    })
    const tables = rows.map((table) => ({
      ...table,
      dead: table.dead + (leftDead.get(table.name) ?? 0),
    }))
    return chooseWork(tables, { idle, last })
  }

  /** @param until in milliseconds of `performance.now()` */
  const work = async ({ idle, last }: { idle: boolean; last: boolean }, until = Infinity) => {
    for (const { sql, table, costMs, leaves } of await look(idle, last)) {
      if (signal.aborted && !last) return
      if (performance.now() + costMs > until) continue
      const ms = await runAlone(pool, sql)
      if (leaves === undefined) leftDead.delete(table)
      else leftDead.set(table, leaves)
      log.debug({ sql, ms, costMs }, 'maintained a table')
      if (!last) await sleep(betweenMs, undefined, { signal }).catch(() => {})
    }
  }

  const run = async () => {
    let busyMs = database.busyMs
    let lookedAt = performance.now()
    while (!signal.aborted) {
      await sleep(lookMs, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      const now = performance.now()
      const idle = database.busyMs - busyMs < idleShare * (now - lookedAt)
      try {
        if (!database.keepsLog) await checkpoint(pool, log, logBytes)
        await work({ idle, last: false })
      } catch (err) {
        log.warn({ err }, 'maintenance of the embedded database failed')
      }
      busyMs = database.busyMs
      lookedAt = performance.now()
    }
  }
  const running = run()
  return async () => {
    ending.abort()
    await running
    await work({ idle: true, last: true }, performance.now() + lastMs)
  }
}
