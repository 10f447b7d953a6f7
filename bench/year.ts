/**
 * A year of events and ledger entries, month by month: `node bench/year.ts 10 0.1` writes ten events and 0.1 ledger entries for
 * each second of every month, and measures after each month what requests take, and how long it takes to drop the month
 * before the last one while others write. `10 10 3` does the last three months with ten of both.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { dropMonths, makeMonths } from '../src/core/db/month-changes.ts'
import { endOf } from '../src/core/db/months.ts'
import { eventsStillKept } from '../src/webhooks/old-event.sql.ts'
import { runToEnd } from './child.ts'
import { batchOf, monthBefore, startWithPast, timed } from './past.ts'
import { median } from './rounds.ts'

const eventsPerSecond = Number(process.argv[2] ?? 0.1)
const entriesPerSecond = Number(process.argv[3] ?? 0.1)
/** Months up to the last whole one. */
const months = Number(process.argv[4] ?? 12)
const users = 2_000
const repeats = 40

/** The median of many runs, in milliseconds. */
const often = async (run: () => Promise<unknown>) => {
  const took: number[] = []
  for (let n = 0; n < repeats; n++) took.push(await timed(run))
  return median(took)
}

const main = async (): Promise<boolean> => {
  const {
    runtime,
    version,
    client,
    award,
    fillEvents,
    fillLedger,
    feedPage,
    ledgerPage,
    megabytes,
  } = await startWithPast(users)
  const { direct } = runtime
  const batch = (from: number) =>
    Promise.all(Array.from({ length: batchOf }, (_, n) => award(from + n)))
  const fill = async (month: string) => {
    await fillEvents(month, eventsPerSecond)
    await fillLedger(month, entriesPerSecond)
    await client.query('VACUUM ANALYZE event')
    await client.query('VACUUM ANALYZE ledger_entry')
  }

  const countMonths = async (): Promise<number> => {
    const text = `SELECT count(*)::int AS n FROM pg_inherits WHERE inhparent = 'event'::regclass`
    return (await client.query(text)).rows[0].n
  }

  /**
   * Drops the months that ended before a moment, while four callers award. Measures when the month is gone for
   * everybody, when its files are deleted, and the longest award meanwhile.
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
      (await often(() => batch(batchOf * Math.floor(Math.random() * 60)))).toFixed(1),
      (await often(feedPage)).toFixed(2),
      (await often(ledgerPage)).toFixed(2),
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
