/** A server whose partner has a past: rows of former months, and the requests that are measured beside them. */
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
import { startPostgres } from './postgres.ts'

/** Rows of one statement, so that progress is seen. */
const step = 1_000_000
/** Connections that write the past. */
const writers = 2
/** Awards of one batch: they become one statement. */
export const batchOf = 32
const environment = 'TEST' as const

export const timed = async (run: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await run()
  return performance.now() - start
}

const now = new Date()
/** The month so many months ago: `2026-09`. */
export const monthBefore = (by: number): string =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - by)).toISOString().slice(0, 7)

/** So many rows a second of a month: their number, and the id and time of row `n` as SQL. */
const placed = (month: string, perSecond: number) => {
  const { from } = idsOf(month)
  const start = Date.parse(`${month}-01T00:00:00Z`)
  const count = Math.floor(((endOf(month).getTime() - start) / 1000) * perSecond)
  const ms = `(${start} + n::bigint * ${Math.floor(1000 / perSecond)})::bigint`
  const id = `(lpad(to_hex(${ms}), 12, '0') || '7' || substr(md5(n || '${from}'), 1, 19))::uuid`
  return { count, id, at: `to_timestamp(${ms} / 1000.0)` }
}

/** Writes rows of the past as they were, without what their triggers would count again. */
const connectPast = async (connectionString: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {}) // the server goes away at the end of the run
  await client.connect()
  await client.query('SET session_replication_role = replica')
  return client
}

/**
 * Starts a database and a server without jobs. Users `customer-0` to `customer-<users - 1>` have a first award.
 * @param settings of the database
 */
export const startWithPast = async (users: number, settings: Record<string, string> = {}) => {
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
  await client.query(`CREATE TABLE bench_user AS
    SELECT user_id AS id, row_number() OVER () - 1 AS nth FROM (SELECT DISTINCT user_id FROM ledger_entry) u`)
  const { rows: own } = await client.query<{ id: string }>('SELECT id FROM bench_user')
  const past = await Promise.all(Array.from({ length: writers }, () => connectPast(url)))

  /** Inserts rows by all writers, a step at a time. `insert` makes the statement for the rows from one to another. */
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
   * Writes ledger entries of a month. Every other reference begins with the time, like a UUIDv7; the others are at random,
   * like a UUIDv4.
   */
  const fillLedger = async (month: string, perSecond: number): Promise<void> => {
    const { count, id, at } = placed(month, perSecond)
    const insert = (from: number, to: number) =>
      `INSERT INTO ledger_entry (id, partner_id, environment, user_id, entry_no, event_type, points,
          balance_after, account, reference, created_at)
        SELECT e.id, '${partnerId}', '${environment}', u.id, ${entries} + n, 'purchase', 50, n,
          'issuance', CASE WHEN n % 2 = 0 THEN e.id ELSE md5(n || '${month}')::uuid END::text, at
        FROM (SELECT n, ${id} AS id, ${at} AS at FROM generate_series(${from}, ${to}) n OFFSET 0) e
        JOIN bench_user u ON u.nth = n % ${own.length}`
    await fillWith(`${month}, ledger entries`, { count, insert })
    entries += count
  }
  /** The same entries in the timelines of their users. */
  const fillTimeline = (month: string, perSecond: number): Promise<void> => {
    const { count, id, at } = placed(month, perSecond)
    const insert = (from: number, to: number) =>
      `INSERT INTO user_activity (id, partner_id, environment, user_id, category, event_type, source_id, points, earned, occurred_at)
        SELECT e.id, '${partnerId}', '${environment}', u.id, 'POINTS', 'purchase', e.id, 50, 50, at
        FROM (SELECT n, ${id} AS id, ${at} AS at FROM generate_series(${from}, ${to}) n OFFSET 0) e
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
  const megabytes = async (table: string): Promise<number> => {
    const { rows } =
      await client.query(`SELECT sum(pg_total_relation_size(oid))::float8 / 1e6 AS mb FROM pg_class
      WHERE oid = '${table}'::regclass OR oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = '${table}'::regclass)`)
    return Math.round(rows[0].mb)
  }
  return {
    ...{ runtime, version, client, award, fillLedger, fillTimeline, fillEvents },
    ...{ feedPage, ledgerPage, timelinePage, megabytes },
  }
}
