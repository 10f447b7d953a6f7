/** Migrations of all kinds, from a folder of the test. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/core/db/db.ts'
import { migrate } from '../../src/core/db/migrate.ts'
import { migrationNames } from '../../src/core/db/migration-state.ts'
import { createDatabase, onPostgres, type TestDatabase } from '../world.ts'

let testDatabase: TestDatabase
let database: Database
let folder: string

beforeEach(async () => {
  testDatabase = await createDatabase()
  folder = join(testDatabase.dataDir, 'migrations')
  database = await openDatabase({ ...testDatabase, dataDir: join(testDatabase.dataDir, 'new') })
})
afterEach(async () => {
  await database.close()
  await testDatabase.drop()
})

const write = (name: string, sql: string) => {
  mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, name, 'migration.sql'), sql)
}

const run = () => migrate(database.pool, { folder })
const read = async (text: string) => (await database.pool.query({ text })).rows

test('a migration that fails leaves nothing, and says which it was', async () => {
  write('1_good', 'CREATE TABLE a (); CREATE TABLE b ()')
  write('2_bad', 'CREATE TABLE c (); INSERT INTO nowhere DEFAULT VALUES')
  const fault =
    'Migration 2_bad failed, and nothing of it was applied: relation "nowhere" does not exist'
  await expect(run()).rejects.toThrow(fault)
  expect(await read(`SELECT to_regclass('a') AS a, to_regclass('c') AS c`)).toEqual([
    { a: 'a', c: null },
  ])
  write('2_bad', 'CREATE TABLE c ()')
  expect(await run()).toEqual(['2_bad'])
})

test('a migration outside a transaction can make an index while others write, and is run again when it was broken off', async () => {
  write('1_table', 'CREATE TABLE a (n int); INSERT INTO a VALUES (1), (1)')
  const index = `-- Outside a transaction
    DROP INDEX CONCURRENTLY IF EXISTS a_n;
    CREATE UNIQUE INDEX CONCURRENTLY a_n ON a (n);
    `
  write('2_index', index)
  await expect(run()).rejects.toThrow('2_index')
  await read('DELETE FROM a')
  expect(await run()).toEqual(['2_index'])
  expect(await read(`SELECT indisvalid FROM pg_index WHERE indexrelid = 'a_n'::regclass`)).toEqual([
    { indisvalid: true },
  ])
})

const feedPosition = migrationNames().find((name) => name.endsWith('_feed_position')) as string

test.runIf(onPostgres)(
  'events that another cluster had pushed out of sight come last once the feed has places',
  async () => {
    const before = migrationNames().filter((name) => name < feedPosition)
    await migrate(database.pool, { to: before.at(-1) as string })
    const [{ id: partner }] = await read(
      `INSERT INTO partner (id, slug, name) VALUES (gen_random_uuid(), 'a', 'A') RETURNING id`,
    )
    const insert = (type: string, txid: string) =>
      read(`INSERT INTO event (id, partner_id, environment, type, data, occurred_at, txid)
      VALUES (gen_random_uuid(), '${partner}', 'TEST', '${type}', '{}', now(), ${txid})`)
    const here = 'pg_current_xact_id()::text::bigint'
    await insert('restored.1', '4000000000')
    await insert('here.1', here)
    await insert('restored.2', '4000000001')
    await insert('here.2', here)
    await migrate(database.pool, { to: feedPosition })
    await insert('later', 'DEFAULT')
    expect(
      (await read('SELECT type FROM event ORDER BY txid, id')).map(({ type }) => type),
    ).toEqual(['restored.1', 'restored.2', 'here.1', 'here.2', 'later'])
  },
)
