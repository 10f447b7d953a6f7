/**
 * Awards before and after a year of awards: `node bench/ledger-year.ts 10` writes the ledger entries and the timelines of a month,
 * ten of each for every second, measures, writes those of eleven more months, and measures again. A year takes about 230 GB;
 * `node bench/ledger-year.ts 10 12 /mnt/space` puts both tables and their indexes into an empty folder of the user `postgres`.
 * `10 1 '' max_wal_size=16GB` measures after one month, with a setting of PostgreSQL. `BENCH_AMONG=10000 node bench/ledger-year.ts 1 12`
 * is a tenth of everything.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { v7 as uuid } from 'uuid'
import { runToEnd } from './child.ts'
import { randomReference, users } from './loads.ts'
import { monthBefore, say, startWithPast, timed } from './past.ts'
import { median } from './rounds.ts'

const perSecond = Number(process.argv[2] ?? 0.1)
/** Months up to the last whole one. */
const months = Number(process.argv[3] ?? 12)
const folder = process.argv[4]
const chosen = Object.fromEntries(process.argv.slice(5).map((setting) => setting.split('=')))
const tables = ['ledger_entry', 'user_activity']
const callers = 64
/** Of one round of awards. The first round of each kind is a warm-up. */
const seconds = 20
const rounds = 5
const pages = 1_000
/** Awards of which the changed pages are counted. */
const sample = 20_000

const p95 = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] as number

const main = async (): Promise<boolean> => {
  // With little in the write-ahead log, indexes are built faster. The memory has room for what awards to all users need.
  const settings = {
    ...{ wal_level: 'minimal', max_wal_senders: '0', shared_buffers: '4GB', max_wal_size: '8GB' },
    // Only checkpoints write pages, so a dirty page is one that was changed since the last of them.
    ...{ bgwriter_lru_maxpages: '0', checkpoint_timeout: '1h' },
    ...chosen,
  }
  const past = await startWithPast(users, { settings, folder })
  const { client } = past
  await client.query('CREATE EXTENSION pg_buffercache')
  /** Bytes of log so far, and pages of the indexes that were not in PostgreSQL's memory. */
  const counted = async () => {
    const { rows } = await client.query<{ log: number; reads: number }>(
      `SELECT (pg_current_wal_lsn() - '0/0')::float8 AS log, (SELECT sum(idx_blks_read)::float8
        FROM pg_statio_user_indexes WHERE relname = ANY ($1)) AS reads`,
      [tables],
    )
    return rows[0] as { log: number; reads: number }
  }
  /** A round of awards to users at random, as many callers at a time as in row 1: awards a second, median, p95, reads, log. */
  const awards = async (reference: () => string): Promise<number[]> => {
    const before = await counted()
    const took: number[] = []
    const until = performance.now() + seconds * 1000
    const caller = async () => {
      while (performance.now() < until)
        took.push(await timed(() => past.award(Math.floor(Math.random() * users), reference())))
    }
    await Promise.all(Array.from({ length: callers }, caller))
    await sleep(1_500) // PostgreSQL counts what a session read once a second
    const after = await counted()
    const [reads, log] = [after.reads - before.reads, after.log - before.log]
    return [
      took.length / seconds,
      median(took),
      p95(took),
      reads / took.length,
      log / took.length / 1000,
    ]
  }
  /** The hot set: megabytes of different pages that a number of awards to users at random changes. */
  const changed = async (reference: () => string): Promise<number> => {
    await client.query('CHECKPOINT')
    for (let n = 0; n < sample; n += callers)
      await Promise.all(
        Array.from({ length: callers }, () =>
          past.award(Math.floor(Math.random() * users), reference()),
        ),
      )
    const { rows } = await client.query<{ mb: number }>(
      `SELECT count(*) * 8192 / 1e6::float8 AS mb FROM pg_buffercache WHERE isdirty
        AND reldatabase = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    )
    return rows[0]?.mb ?? Number.NaN
  }
  const page = async (run: () => Promise<unknown>) => {
    const took: number[] = []
    for (let n = 0; n < pages; n++) took.push(await timed(run))
    return median(took)
  }

  console.log(`PostgreSQL ${past.version}, ${perSecond} awards a second\n`)
  console.log(
    '| Months | Ledger, GB | Timelines, GB | References | Awards/s | Median, ms | p95 | Index pages read for an award | Log of an award, kB | Pages changed by 20,000 awards, MB | Feed page, ms | Ledger page, ms | Timeline page, ms |',
  )
  console.log('|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|')
  const kinds = [
    { name: 'by time', reference: () => uuid() },
    { name: 'at random', reference: randomReference },
  ].map((kind) => ({ ...kind, rounds: [] as number[][] }))
  const measure = async (written: number) => {
    const sizes: string[] = []
    for (const table of tables) sizes.push(((await past.megabytes(table)) / 1000).toFixed(1))
    await past.warm()
    // One kind after the other: random references evict the pages of the other kind from memory.
    for (const kind of kinds)
      for (let round = 0; round <= rounds; round++) {
        const figures = [
          ...(await awards(kind.reference)),
          await changed(kind.reference),
          await page(past.feedPage),
          await page(past.ledgerPage),
          await page(past.timelinePage),
        ]
        say(`${written}, ${kind.name}: ${figures.map((figure) => figure.toFixed(2)).join(' ')}`)
        if (round > 0) kind.rounds.push(figures)
      }
    for (const kind of kinds) {
      const cells = kind.rounds.splice(0)
      const medians = [0, 1, 1, 2, 1, 0, 2, 2, 2].map((digits, i) =>
        median(cells.map((figures) => figures[i] as number)).toFixed(digits),
      )
      console.log(`| ${[written, ...sizes, kind.name, ...medians].join(' | ')} |`)
    }
  }
  const all = Array.from({ length: months }, (_, n) => monthBefore(months - n))
  await past.fillMonths(all.slice(0, 1), { perSecond })
  await measure(1)
  if (months > 1) {
    await past.fillMonths(all.slice(1), { perSecond })
    await measure(months)
  }
  return true
}

await runToEnd(main)
