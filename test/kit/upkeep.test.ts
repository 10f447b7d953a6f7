/** The embedded database maintains itself: dead rows, statistics, and its write-ahead log. */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EmbeddedPool } from '../../src/kit/embedded/embedded-pool.ts'
import { chooseWork, startUpkeep, type Table, type When } from '../../src/kit/embedded/upkeep.ts'

const log = pino({ level: 'silent' })

describe('maintenance', () => {
  let embedded: EmbeddedPool
  let pool: Pick<pg.Pool, 'query'>
  let stop: () => Promise<void>
  beforeAll(async () => {
    embedded = await EmbeddedPool.open(undefined)
    pool = embedded
    await pool.query('CREATE TABLE item (id int PRIMARY KEY, n int, pad text)')
    await pool.query(
      "INSERT INTO item SELECT i, i, repeat('x', 400) FROM generate_series(1, 5000) i",
    )
    stop = startUpkeep(embedded, log)
  })
  afterAll(async () => {
    await stop()
    await embedded.end()
  })

  const ask = async (text: string) => (await pool.query({ text })).rows[0]
  const waitFor = async (text: string) => {
    for (let i = 0; i < 100; i++) {
      if ((await ask(`SELECT ${text} AS ok`)).ok) return
      await sleep(100)
    }
    throw new Error(`Never became true: ${text}`)
  }

  test('a new table gets statistics, and its pages become visible to index scans', async () => {
    await waitFor("(SELECT reltuples = 5000 FROM pg_class WHERE relname = 'item')")
    await waitFor("(SELECT relallvisible = relpages FROM pg_class WHERE relname = 'item')")
  })

  test('a table with repeated updates does not grow', async () => {
    const size = async () => Number((await ask("SELECT pg_total_relation_size('item') AS n")).n)
    const before = await size()
    for (let round = 0; round < 8; round++) {
      const vacuumed = "pg_stat_get_vacuum_count('item'::regclass)"
      const { count } = await ask(`SELECT ${vacuumed} AS count`)
      await pool.query('UPDATE item SET n = n + 1')
      await waitFor(`${vacuumed} > ${count}`)
    }
    expect(await size()).toBeLessThan(3.5 * before)
  })

  test('the write-ahead log is truncated', async () => {
    const begin = 'SELECT redo_lsn::text AS lsn FROM pg_control_checkpoint()'
    await pool.query('CHECKPOINT')
    const { lsn } = await ask(begin)
    await sleep(2_500)
    expect(await ask(begin)).toEqual({ lsn })
    await pool.query(
      'INSERT INTO item SELECT i, 0, repeat(md5(i::text), 60) FROM generate_series(10000, 60000) i',
    )
    await waitFor(`pg_wal_lsn_diff((${begin})::pg_lsn, '${lsn}') > 64 * 1024 * 1024`)
  })
})

const table = (change: Partial<Table>): Table => ({
  name: 't',
  live: 1_000,
  dead: 0,
  inserted: 0,
  changed: 0,
  pages: 100,
  visiblePages: 100,
  indexPages: 50,
  knownPages: change.pages ?? 100,
  isFresh: false,
  ...change,
})
const when = (change: Partial<When> = {}): When => ({
  idle: false,
  last: false,
  ...change,
})
const chosen = (change: Partial<Table>, state?: Partial<When>) =>
  chooseWork([table(change)], when(state)).map(({ sql }) => sql)

describe('maintenance is due', () => {
  test('not below the thresholds of autovacuum', () => {
    expect(chosen({ dead: 250, inserted: 1_200, changed: 150 })).toEqual([])
    expect(chosen({ dead: 251 })).toEqual(['VACUUM t'])
    expect(chosen({ inserted: 1_201 })).toEqual(['VACUUM t'])
    expect(chosen({ changed: 151 })).toEqual(['ANALYZE t'])
    expect(chosen({ changed: 5_000, isFresh: true })).toEqual([])
  })

  test('for fewer changes when the server stops, because it loses its counters', () => {
    expect(chosen({ dead: 80 })).toEqual([])
    expect(chosen({ dead: 80 }, { last: true })).toEqual(['VACUUM t'])
  })

  test('for a table that an earlier process has grown', () => {
    expect(chosen({ pages: 280, knownPages: 200 })).toEqual([])
    expect(chosen({ pages: 300, knownPages: 100 })).toHaveLength(2)
  })

  test('for a large table only when the database is idle, or the table has doubled', () => {
    const large = { live: 200_000, pages: 6_000, visiblePages: 0, indexPages: 6_000 }
    expect(chosen({ ...large, dead: 50_000 })).toEqual([])
    expect(chosen({ ...large, dead: 50_000 }, { idle: true })).toEqual(['VACUUM t'])
    expect(chosen({ ...large, dead: 250_000 })).toEqual(['VACUUM t'])
  })

  test('for statistics of a large table only when it is idle, or the table has doubled', () => {
    const large = { live: 1_000_000, pages: 20_000, visiblePages: 20_000 }
    expect(chosen({ ...large, changed: 200_000 })).toEqual([])
    expect(chosen({ ...large, changed: 200_000 }, { idle: true })).toEqual(['ANALYZE t'])
    expect(chosen({ ...large, changed: 1_100_000 })).toEqual(['ANALYZE t'])
  })

  test('for an insert-only table, a few hundred new pages at a time', () => {
    const large = { live: 1_000_000, pages: 20_400, visiblePages: 20_000, inserted: 10_000 }
    expect(chosen({ ...large, indexPages: 20_000 })).toEqual(['VACUUM t'])
    expect(chosen({ ...large, indexPages: 20_000, dead: 100 })).toEqual([
      'VACUUM (INDEX_CLEANUP OFF, TRUNCATE OFF) t',
    ])
    expect(chosen({ ...large, pages: 20_100 })).toEqual([])
  })
})
