/** A partner with a past: rows of former months, and the requests that are measured on top of them. */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { v7 as uuid } from 'uuid'
import { readConfig } from '../src/core/config.ts'
import { endOf, idsOf } from '../src/core/db/months.ts'
import { createLog } from '../src/core/log.ts'
import { externalId } from '../src/core/user-id.ts'
import { awardPoints } from '../src/points/points.ts'
import { setRewardRule } from '../src/points/reward-rule.ts'
import { startServer } from '../src/server.ts'
import { selectEvents } from '../src/webhooks/event-feed.sql.ts'
import { tempFolder } from './bench.ts'
import { atEnd } from './child.ts'
import { type Postgres, startPostgres } from './postgres.ts'

/** Rows per statement, so that progress is visible. */
const step = 1_000_000
/** Connections that write the past. */
const writers = 2
/** Awards per batch: they become one statement. */
export const batchOf = 32
const environment = 'TEST' as const

export const timed = async (run: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await run()
  return performance.now() - start
}

export const say = (text: string) =>
  console.error(`${new Date().toISOString().slice(11, 19)} ${text}`)

const now = new Date()
/** The month `by` months ago: `2026-09`. */
export const monthBefore = (by: number): string =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - by)).toISOString().slice(0, 7)

/** Evenly spaced rows of a month: their number, and the id and time of row `n` as SQL. */
const placed = (month: string, perSecond: number) => {
  const { from } = idsOf(month)
  const start = Date.parse(`${month}-01T00:00:00Z`)
  const count = Math.floor(((endOf(month).getTime() - start) / 1000) * perSecond)
  const ms = `(${start} + n::bigint * ${Math.floor(1000 / perSecond)})::bigint`
  const id = `(lpad(to_hex(${ms}), 12, '0') || '7' || substr(md5(n || '${from}'), 1, 19))::uuid`
  return { count, id, at: `to_timestamp(${ms} / 1000.0)` }
}

/** Writes rows of the past without triggers, which would count them again. */
const connectPast = async (connectionString: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {}) // the server goes away at the end of the run
  await client.connect()
  await client.query('SET session_replication_role = replica')
  return client
}

/** Settings that a steady server does not need, but that make writing the past faster. */
const whileFilling = {
  fsync: 'off',
  full_page_writes: 'off',
  max_wal_size: '6GB',
  autovacuum: 'off',
}

/** With ten awards a second, their rows of a month take 12 and 7 GB. */
const longTables = ['ledger_entry', 'user_activity']

/**
 * Prepares writing the past of a partner's sandbox: rows for users whose external ids begin with `prefix`.
 * @param folder an empty one, for the ledger and the timelines. Its contents are deleted at the end.
 */
export const preparePast = async (
  { url, client }: Pick<Postgres, 'url' | 'client'>,
  { partnerId, prefix, folder = '' }: { partnerId: string; prefix: string; folder?: string },
) => {
  const { rows: own } = await client.query<{ id: string }>(
    'SELECT id FROM end_user WHERE external_id LIKE $1',
    [`${prefix}%`],
  )
  await client.query('CREATE TABLE bench_user (id uuid, nth int)')
  await client.query(
    'INSERT INTO bench_user SELECT id, nth - 1 FROM unnest($1::uuid[]) WITH ORDINALITY u (id, nth)',
    [own.map(({ id }) => id)],
  )
  if (folder) {
    if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty`)
    atEnd(() => readdirSync(folder).map((name) => rmSync(join(folder, name), { recursive: true })))
    await client.query(`CREATE TABLESPACE year LOCATION '${folder}'`)
    for (const table of longTables) await client.query(`ALTER TABLE ${table} SET TABLESPACE year`)
    await client.query("SET temp_tablespaces = 'year'; SET default_tablespace = 'year'")
  }
  await client.query("SET maintenance_work_mem = '3GB'; SET max_parallel_maintenance_workers = 1")
  const past = await Promise.all(Array.from({ length: writers }, () => connectPast(url)))

  /** Inserts rows by all writers, a step at a time. `insert` makes the statement for a range of rows. */
  const fillWith = async (
    what: string,
    { count, insert }: { count: number; insert(from: number, to: number): string },
  ): Promise<void> => {
    let next = 0
    const write = async (client: pg.Client) => {
      while (next < count) {
        const from = next
        next += step
        await client.query(insert(from, Math.min(from + step, count) - 1))
        if (count > step) console.error(`${what}: ${(next / step).toFixed(0)} million`)
      }
    }
    await Promise.all(past.map(write))
  }

  let entries = 1_000_000
  /**
   * Writes ledger entries of a month. Every other reference begins with the time, like a UUIDv7; the others are at random, like
   * those of row 1.
   */
  const fillLedger = async (month: string, perSecond: number): Promise<void> => {
    const { count, id, at } = placed(month, perSecond)
    const reference = `'o-' || (('x' || substr(md5(n || '${month}'), 1, 14))::bit(56)::bigint >> 3)`
    const insert = (from: number, to: number) =>
      `INSERT INTO ledger_entry (id, partner_id, environment, user_id, entry_no, event_type, points,
          balance_after, account, reference, created_at)
        SELECT e.id, '${partnerId}', '${environment}', u.id, ${entries} + n, 'purchase', 50, n,
          'issuance', CASE WHEN n % 2 = 0 THEN e.id::text ELSE ${reference} END, at
        FROM (SELECT n, ${id} AS id, ${at} AS at FROM generate_series(${from}, ${to}) n OFFSET 0) e
        JOIN bench_user u ON u.nth = n % ${own.length}`
    await fillWith(`${month}, ledger entries`, { count, insert })
    entries += count
  }
  /**
   * The same entries in the timelines of their users. Every eighth is a journey event instead, like those of row 11: rows of one size
   * would leave room in each page that a shorter row still finds after a year.
   */
  const fillTimeline = (month: string, perSecond: number): Promise<void> => {
    const { count, id, at } = placed(month, perSecond)
    const insert = (from: number, to: number) =>
      `INSERT INTO user_activity (id, partner_id, environment, user_id, category, event_type, source_id, points, earned, reference,
          occurred_at)
        SELECT e.id, '${partnerId}', '${environment}', u.id, k.category::"ActivityCategory", k.event_type,
          CASE WHEN NOT is_tracked THEN e.id::text END, k.points, k.earned, CASE WHEN is_tracked THEN '${month}-' || n END, at
        FROM (SELECT n, (n + n / ${own.length}) % 8 = 0 AS is_tracked, ${id} AS id, ${at} AS at
          FROM generate_series(${from}, ${to}) n OFFSET 0) e
        JOIN (VALUES (false, 'POINTS', 'purchase', 50, 50), (true, 'CUSTOM', 'level_up', 5, NULL))
          k (is_tracked, category, event_type, points, earned) USING (is_tracked)
        JOIN bench_user u ON u.nth = n % ${own.length}`
    return fillWith(`${month}, timelines`, { count, insert })
  }
  const fillEvents = (month: string, perSecond: number): Promise<void> => {
    const { count, id, at } = placed(month, perSecond)
    const insert = (from: number, to: number) =>
      `INSERT INTO event (id, partner_id, environment, type, data, occurred_at)
        SELECT ${id}, '${partnerId}', '${environment}', 'points.awarded', json_build_object('userId', 'customer-' || n,
          'eventType', 'purchase', 'points', 50, 'balance', n, 'reference', md5(n::text)), ${at}
        FROM generate_series(${from}, ${to}) n`
    return fillWith(`${month}, events`, { count, insert })
  }

  const megabytes = async (table: string): Promise<number> => {
    const { rows } =
      await client.query(`SELECT sum(pg_total_relation_size(oid))::float8 / 1e6 AS mb FROM pg_class
      WHERE oid = '${table}'::regclass OR oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = '${table}'::regclass)`)
    return Math.round(rows[0].mb)
  }

  type Index = { name: string; of: string; text: string; isKey: boolean }
  const { rows: indexes } = await client.query<Index>(
    `SELECT c.relname AS name, i.indrelid::regclass::text AS of, pg_get_indexdef(i.indexrelid) AS text,
      i.indisprimary AS "isKey"
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid = ANY ($1::regclass[])`,
    [longTables],
  )
  /** Applies the settings for writing the past, or resets them. */
  const set = async (isFilling: boolean) => {
    for (const [name, value] of Object.entries(whileFilling))
      await client.query(`ALTER SYSTEM ${isFilling ? `SET ${name} = '${value}'` : `RESET ${name}`}`)
    await client.query('SELECT pg_reload_conf()')
  }
  /**
   * Writes the ledger entries of months, and timelines of the last of them, without indexes; then the indexes, as full
   * as those of a table that grew row by row. The next entry of each user comes after these.
   */
  const fillMonths = async (
    months: string[],
    { perSecond, timelines = months.length }: { perSecond: number; timelines?: number },
  ): Promise<void> => {
    await set(true)
    for (const { name, of, isKey } of indexes)
      await client.query(isKey ? `ALTER TABLE ${of} DROP CONSTRAINT ${name}` : `DROP INDEX ${name}`)
    for (const [n, month] of months.entries()) {
      await fillLedger(month, perSecond)
      if (n >= months.length - timelines) await fillTimeline(month, perSecond)
    }
    for (const { name, of, text, isKey } of indexes) {
      const grows = /reference|user_id/.test(name) ? ' WITH (fillfactor = 75)' : ''
      const took = await timed(() => client.query(text.replace(/( WHERE .*)?$/, `${grows}$1`)))
      if (isKey)
        await client.query(
          `ALTER TABLE ${of} ADD CONSTRAINT ${name} PRIMARY KEY USING INDEX ${name}`,
        )
      say(`${name}: ${(took / 1000).toFixed(0)} s`)
    }
    await past[0]?.query(
      `UPDATE end_user SET entries = ${entries} WHERE id IN (SELECT id FROM bench_user)`,
    )
    // Leaves room for awards before the next months.
    entries += 1_000_000
    await set(false)
    await client.query(
      `VACUUM (ANALYZE, INDEX_CLEANUP off) ${[...longTables, 'end_user'].join(', ')}`,
    )
    await client.query('CHECKPOINT')
    await sleep(60_000) // lets the file system settle, too
  }
  /**
   * Loads into memory what a server that has run for a while has there, if there is room: the index pages of random
   * references, and the last entries of each user.
   */
  const warm = async () => {
    await client.query('SET enable_seqscan = off; SET enable_bitmapscan = off; SET jit = off')
    await client.query(
      `SELECT count(*) FROM ledger_entry WHERE partner_id = $1 AND environment = '${environment}' AND event_type = 'purchase'
        AND reference >= 'o-' AND reference < 'o.'`,
      [partnerId],
    )
    await client.query('RESET enable_seqscan; RESET enable_bitmapscan; RESET jit')
    for (const [table, order] of [
      ['ledger_entry', 'entry_no DESC'],
      ['user_activity', 'occurred_at DESC, id DESC'],
    ])
      await client.query(`SELECT sum(points) FROM bench_user u, LATERAL (SELECT points FROM ${table}
        WHERE user_id = u.id ORDER BY ${order} LIMIT 20) e`)
  }
  return { own, fillLedger, fillTimeline, fillEvents, fillMonths, warm, megabytes }
}

/**
 * Starts a database and a server without jobs. Users `customer-0` to `customer-<users - 1>` have a first award.
 * @param settings of the database
 */
export const startWithPast = async (
  users: number,
  { settings, folder = '' }: { settings?: Record<string, string>; folder?: string } = {},
) => {
  const { url, version, client } = await startPostgres(settings)
  const config = readConfig({
    ...{ DATABASE_URL: url, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'error', JOBS: 'off' },
    ...{ ARENA_MATCHMAKER: 'off', DEMO_PAST: 'off', DATA_DIR: tempFolder() },
  })
  const server = await startServer(config, { log: createLog(config) })
  atEnd(() => server.stop())
  const { runtime, demo } = server
  const partnerId = demo?.partnerId as string
  await setRewardRule(runtime, { partnerId, environment, eventType: 'purchase', points: 50 })

  const award = (n: number, reference = uuid()) =>
    runtime.write(awardPoints, {
      ...{ partnerId, environment, externalId: externalId().parse(`customer-${n % users}`) },
      ...{ eventType: 'purchase', reference },
    })
  for (let n = 0; n < users; n += batchOf)
    await Promise.all(Array.from({ length: batchOf }, (_, k) => award(n + k)))
  const past = await preparePast({ url, client }, { partnerId, prefix: 'customer-', folder })
  const { own } = past

  const feedPage = () =>
    selectEvents(runtime.db, {
      ...{ partnerId, environment, after: null, types: null, take: 50 },
      upTo: 9_000_000_000_000_000_000n,
    })
  const ledgerPage = () =>
    runtime.db.ledgerEntry.findMany({
      where: { userId: own[Math.floor(Math.random() * own.length)]?.id },
      orderBy: { entryNo: 'desc' },
      take: 20,
    })
  const timelinePage = () =>
    runtime.db.userActivity.findMany({
      where: { userId: own[Math.floor(Math.random() * own.length)]?.id },
      orderBy: [{ occurredAt: 'desc' }, { id: 'desc' }],
      take: 20,
    })
  return { ...past, runtime, version, client, award, feedPage, ledgerPage, timelinePage }
}
