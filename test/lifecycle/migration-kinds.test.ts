/** Migrations of all kinds, from a folder of the test. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/kit/database/db.ts'
import { migrate } from '../../src/kit/database/migrate.ts'
import { createDatabase, type TestDatabase } from '../world.ts'

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

test('a failed migration leaves nothing behind, and the error names it', async () => {
  write('1_good', 'CREATE TABLE a (); CREATE TABLE b ()')
  write('2_bad', 'CREATE TABLE c (); INSERT INTO nowhere DEFAULT VALUES')
  const fault = 'Migration 2_bad failed and was rolled back: relation "nowhere" does not exist'
  await expect(run()).rejects.toThrow(fault)
  expect(await read(`SELECT to_regclass('a') AS a, to_regclass('c') AS c`)).toEqual([
    { a: 'a', c: null },
  ])
  write('2_bad', 'CREATE TABLE c ()')
  expect(await run()).toEqual(['2_bad'])
})

test('a migration outside a transaction can create an index during writes, and runs again after an interruption', async () => {
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
