/**
 * A year of events and ledger entries, month by month: `node bench/year.ts 10 0.1` writes ten events and 0.1 ledger entries for
 * each second of every month, and measures after each month what requests take, and how long it takes to drop the month
 * before the last one while others write. `10 10 3` does the last three months with ten of both.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { v7 as uuid } from 'uuid'
import { readConfig } from '../src/core/config.ts'
import { dropMonths, makeMonths } from '../src/core/db/month-changes.ts'
import { endOf, idsOf } from '../src/core/db/months.ts'
import { createLog } from '../src/core/log.ts'
import { externalId } from '../src/core/user-id.ts'
import { awardPoints } from '../src/points/points.ts'
import { setRewardRule } from '../src/points/reward-rule.ts'
import { startServer } from '../src/server.ts'
import { selectEvents } from '../src/webhooks/event-feed.sql.ts'
import { eventsStillKept } from '../src/webhooks/old-event.sql.ts'
import { tempFolder } from './bench.ts'
import { atEnd, runToEnd } from './child.ts'
import { startPostgres } from './postgres.ts'

const eventsPerSecond = Number(process.argv[2] ?? 0.1)
const entriesPerSecond = Number(process.argv[3] ?? 0.1)
/** Events of one statement, so that progress is seen. */
const step = 1_000_000
/** Connections that write the past. */
const writers = 2
const users = 2_000
/** Months up to the last whole one. */
const months = Number(process.argv[4] ?? 12)
const repeats = 40
const environment = 'TEST' as const

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] as number
const timed = async (run: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await run()
  return performance.now() - start
}
/** The median of many runs, in milliseconds. */
const often = async (run: () => Promise<unknown>) => {
  const took: number[] = []
  for (let n = 0; n < repeats; n++) took.push(await timed(run))
  return median(took)
}

const now = new Date()
const monthBefore = (by: number) =>
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

const main = async (): Promise<boolean> => {
  const { url, version, client } = await startPostgres()
  const config = readConfig({
    ...{ DATABASE_URL: url, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'error', JOBS: 'off' },
    ...{ ARENA_MATCHMAKER: 'off', DEMO_PAST: 'off', DATA_DIR: tempFolder() },
  })
  const server = await startServer(config, { log: createLog(config) })
  atEnd(() => server.stop())
  const { runtime, demo } = server
  const partnerId = demo?.partnerId as string
  const { direct } = runtime
  await setRewardRule(runtime, { partnerId, environment, eventType: 'purchase', points: 50 })
  const award = (n: number) =>
    runtime.write(awardPoints, {
      ...{ partnerId, environment, externalId: externalId().parse(`customer-${n % users}`) },
      ...{ eventType: 'purchase', reference: uuid() },
    })
  const batch = (from: number) => Promise.all(Array.from({ length: 32 }, (_, n) => award(from + n)))
  for (let n = 0; n < users; n += 32) await batch(n)
  const own = (await client.query(`SELECT user_id AS id FROM ledger_entry GROUP BY 1 ORDER BY 1`))
    .rows
  await client.query(`CREATE TABLE bench_user AS
    SELECT user_id AS id, row_number() OVER () - 1 AS nth FROM (SELECT DISTINCT user_id FROM ledger_entry) u`)
  const past = await Promise.all(Array.from({ length: writers }, () => connectPast(url)))

  /** Inserts rows of a month by all writers, a step at a time. `insert` makes the statement for the rows from one to another. */
  const fillWith = async (
    what: string,
    { count, insert }: { count: number; insert(from: number, to: number): string },
  ) => {
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
  const fillEvents = (month: string) => {
    const { count, id, at } = placed(month, eventsPerSecond)
    const insert = (from: number, to: number) =>
      `INSERT INTO event (id, partner_id, environment, type, data, occurred_at)
        SELECT ${id}, '${partnerId}', '${environment}', 'points.awarded', json_build_object('userId', 'customer-' || n,
          'eventType', 'purchase', 'points', 50, 'balance', n, 'reference', md5(n::text)), ${at}
        FROM generate_series(${from}, ${to}) n`
    return fillWith(`${month}, events`, { count, insert })
  }
  let entries = 1_000_000
  const fillLedger = async (month: string) => {
    const { count, id, at } = placed(month, entriesPerSecond)
    const insert = (from: number, to: number) =>
      `INSERT INTO ledger_entry (id, partner_id, environment, user_id, entry_no, event_type, points,
          balance_after, account, reference, created_at)
        SELECT ${id}, '${partnerId}', '${environment}', u.id, ${entries} + n, 'purchase', 50, n,
          'issuance', md5(n || '${month}'), ${at}
        FROM generate_series(${from}, ${to}) n JOIN bench_user u ON u.nth = n % ${own.length}`
    await fillWith(`${month}, ledger entries`, { count, insert })
    entries += count
  }
  const fill = async (month: string) => {
    await fillEvents(month)
    await fillLedger(month)
    await client.query('VACUUM ANALYZE event')
    await client.query('VACUUM ANALYZE ledger_entry')
  }

  const megabytes = async (table: string) => {
    const { rows } =
      await client.query(`SELECT sum(pg_total_relation_size(oid))::float8 / 1e6 AS mb FROM pg_class
      WHERE oid = '${table}'::regclass OR oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = '${table}'::regclass)`)
    return Math.round(rows[0].mb)
  }

  const feed = () =>
    selectEvents(runtime.db, {
      ...{ partnerId, environment, after: null, types: null, take: 50 },
      upTo: 9_000_000_000_000_000_000n,
    })
  const ledger = () =>
    runtime.db.ledgerEntry.findMany({
      where: { userId: own[Math.floor(Math.random() * own.length)].id },
      orderBy: { entryNo: 'desc' },
      take: 20,
    })

  const countMonths = async (): Promise<number> => {
    const text = `SELECT count(*)::int AS n FROM pg_inherits WHERE inhparent = 'event'::regclass`
    return (await client.query(text)).rows[0].n
  }

  /**
   * Drops the months that ended before a moment, while four callers award: when it is gone for everybody, when its files are
   * deleted, and the longest award meanwhile.
   */
  const dropBusy = async (before: Date) => {
    let [isBusy, longest] = [true, 0]
    const all = await countMonths()
    const goneAfter = timed(async () => {
      while (isBusy && (await countMonths()) === all) await sleep(2)
    })
    const writing = Array.from({ length: 4 }, async (_, n) => {
      while (isBusy) longest = Math.max(longest, await timed(() => award(n)))
    })
    let dropped: string[] = []
    const ms = await timed(async () => {
      dropped = await dropMonths(direct, 'event', { before, stillKept: eventsStillKept })
    })
    isBusy = false
    await Promise.all(writing)
    const figures = [await goneAfter, ms, longest].map((figure) => figure.toFixed(0))
    return dropped.length > 0 ? figures.join(' / ') : '—'
  }

  console.log(
    `PostgreSQL ${version}, ${eventsPerSecond} events and ${entriesPerSecond} ledger entries a second\n`,
  )
  console.log(
    '| Month | 32 awards, ms | Feed page, ms | Ledger page, ms | Events, MB | Ledger, MB | Gone / deleted / longest award, ms |',
  )
  console.log('|---|---:|---:|---:|---:|---:|---:|')
  for (let by = months; by >= 1; by--) {
    const month = monthBefore(by)
    await makeMonths(direct, new Date(`${month}-15T00:00:00Z`))
    await fill(month)
    const cells = [
      (await often(() => batch(32 * Math.floor(Math.random() * 60)))).toFixed(1),
      (await often(feed)).toFixed(2),
      (await often(ledger)).toFixed(2),
      await megabytes('event'),
      await megabytes('ledger_entry'),
      // Thirty days after the month before.
      await dropBusy(endOf(monthBefore(by + 1))),
    ]
    console.log(`| ${[month, ...cells].join(' | ')} |`)
  }
  return true
}

await runToEnd(main)
