/**
 * Awards before and after a year of awards: `node bench/ledger-year.ts 10` writes the ledger entries and the timelines of a month,
 * ten of each for every second, measures, writes those of eleven more months, and measures again. A year takes about 230 GB;
 * `node bench/ledger-year.ts 10 12 /mnt/space` puts both tables and their indexes into an empty folder of the user `postgres`.
 * `10 1 '' max_wal_size=16GB` measures after one month, with a setting of PostgreSQL.
 */
import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { v7 as uuid } from 'uuid'
import { atEnd, runToEnd } from './child.ts'
import { monthBefore, startWithPast, timed } from './past.ts'
import { median } from './rounds.ts'

const perSecond = Number(process.argv[2] ?? 0.1)
/** Months up to the last whole one. */
const months = Number(process.argv[3] ?? 12)
const folder = process.argv[4]
const chosen = Object.fromEntries(process.argv.slice(5).map((setting) => setting.split('=')))
const tables = ['ledger_entry', 'user_activity']
const users = 100_000
const callers = 64
/** Of one round of awards. The first round of each kind is not counted. */
const seconds = 20
const rounds = 5
const pages = 1_000

/** What a steady server settles as it goes, and what would only slow down the writing of the past. */
const whileFilling = {
  fsync: 'off',
  full_page_writes: 'off',
  max_wal_size: '6GB',
  autovacuum: 'off',
}

const say = (text: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${text}`)
const p95 = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] as number

const main = async (): Promise<boolean> => {
  // With little in the write-ahead log, indexes are built faster. The memory has room for what awards to all users need.
  const settings = { wal_level: 'minimal', max_wal_senders: '0', shared_buffers: '4GB', ...chosen }
  if (folder) {
    // What is in it at the end is deleted.
    if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty`)
    atEnd(() => readdirSync(folder).map((name) => rmSync(join(folder, name), { recursive: true })))
  }
  const past = await startWithPast(users, settings)
  const { client } = past
  if (folder) {
    await client.query(`CREATE TABLESPACE year LOCATION '${folder}'`)
    for (const table of tables) await client.query(`ALTER TABLE ${table} SET TABLESPACE year`)
    await client.query("SET temp_tablespaces = 'year'; SET default_tablespace = 'year'")
  }
  await client.query("SET maintenance_work_mem = '3GB'; SET max_parallel_maintenance_workers = 1")
  type Index = { name: string; of: string; text: string; isKey: boolean }
  const { rows: indexes } = await client.query<Index>(
    `SELECT c.relname AS name, i.indrelid::regclass::text AS of, pg_get_indexdef(i.indexrelid) AS text,
      i.indisprimary AS "isKey"
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid = ANY ($1::regclass[])`,
    [tables],
  )

  /** Sets the database to what the past is written with, or back. */
  const set = async (isFilling: boolean) => {
    for (const [name, value] of Object.entries(whileFilling))
      await client.query(`ALTER SYSTEM ${isFilling ? `SET ${name} = '${value}'` : `RESET ${name}`}`)
    await client.query('SELECT pg_reload_conf()')
  }
  /** Writes the entries of months without indexes, then the indexes, as full as those of a table that grew row by row. */
  const fill = async (named: string[]) => {
    await set(true)
    for (const { name, of, isKey } of indexes)
      await client.query(isKey ? `ALTER TABLE ${of} DROP CONSTRAINT ${name}` : `DROP INDEX ${name}`)
    for (const month of named) {
      await past.fillLedger(month, perSecond)
      await past.fillTimeline(month, perSecond)
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
    await set(false)
    await client.query(`VACUUM (ANALYZE, INDEX_CLEANUP off) ${tables.join(', ')}`)
    await client.query('CHECKPOINT')
    await sleep(60_000) // the file system settles, too
  }

  /** Bytes of log so far, and pages of the indexes that were not in PostgreSQL's memory. */
  const counted = async () => {
    const { rows } = await client.query<{ log: number; reads: number }>(
      `SELECT (pg_current_wal_lsn() - '0/0')::float8 AS log, (SELECT sum(idx_blks_read)::float8
        FROM pg_statio_user_indexes WHERE relname = ANY ($1)) AS reads`,
      [tables],
    )
    return rows[0] as { log: number; reads: number }
  }
  /** Brings into memory what a server that has run for a while has there: the last entries of each user. */
  const warm = async () => {
    for (const [table, order] of [
      ['ledger_entry', 'entry_no DESC'],
      ['user_activity', 'occurred_at DESC, id DESC'],
    ])
      await client.query(`SELECT sum(points) FROM bench_user u, LATERAL (SELECT points FROM ${table}
        WHERE user_id = u.id ORDER BY ${order} LIMIT 20) e`)
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
  const page = async (run: () => Promise<unknown>) => {
    const took: number[] = []
    for (let n = 0; n < pages; n++) took.push(await timed(run))
    return median(took)
  }

  console.log(`PostgreSQL ${past.version}, ${perSecond} awards a second\n`)
  console.log(
    '| Months | Ledger, GB | Timelines, GB | References | Awards/s | Median, ms | p95 | Index pages read for an award | Log of an award, kB | Feed page, ms | Ledger page, ms | Timeline page, ms |',
  )
  console.log('|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|')
  const kinds = [
    { name: 'by time', reference: () => uuid() },
    { name: 'at random', reference: () => randomUUID() },
  ].map((kind) => ({ ...kind, rounds: [] as number[][] }))
  const measure = async (written: number) => {
    const sizes: string[] = []
    for (const table of tables) sizes.push(((await past.megabytes(table)) / 1000).toFixed(1))
    await warm()
    // Not in turns: references at random take the memory of the others.
    for (const kind of kinds)
      for (let round = 0; round <= rounds; round++) {
        const figures = [
          ...(await awards(kind.reference)),
          await page(past.feedPage),
          await page(past.ledgerPage),
          await page(past.timelinePage),
        ]
        say(`${written}, ${kind.name}: ${figures.map((figure) => figure.toFixed(2)).join(' ')}`)
        if (round > 0) kind.rounds.push(figures)
      }
    for (const kind of kinds) {
      const cells = kind.rounds.splice(0)
      const medians = [0, 1, 1, 2, 1, 2, 2, 2].map((digits, i) =>
        median(cells.map((figures) => figures[i] as number)).toFixed(digits),
      )
      console.log(`| ${[written, ...sizes, kind.name, ...medians].join(' | ')} |`)
    }
  }
  const all = Array.from({ length: months }, (_, n) => monthBefore(months - n))
  await fill(all.slice(0, 1))
  await measure(1)
  if (months > 1) {
    await fill(all.slice(1))
    await measure(months)
  }
  return true
}

await runToEnd(main)
