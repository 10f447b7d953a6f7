import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { EmbeddedPool } from '../../src/kit/embedded/embedded-pool.ts'
import { demoKeys, startServer } from '../server-process.ts'
import { createDatabase, onPostgres, type TestDatabase } from '../world.ts'

let database: TestDatabase
let umask: number

beforeEach(async () => {
  umask = process.umask(0) // the most permissive one; programs inherit it
  database = await createDatabase()
})
afterEach(async () => {
  process.umask(umask)
  await database.drop()
})

const pathsIn = (folder: string) => [
  folder,
  ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
]

/** The folder and all in it that group or others may read, write or enter. */
const openPaths = (folder: string) => pathsIn(folder).filter((path) => statSync(path).mode & 0o077)

describe('DATA_DIR is readable only by its owner', () => {
  test.skipIf(onPostgres)('from the first file on, and while tables grow', async () => {
    const folder = join(database.dataDir, 'fresh')
    const pool: pg.Pool = await EmbeddedPool.open(folder)
    expect(openPaths(folder)).toEqual([])
    await pool.query('CREATE TABLE grown AS SELECT n FROM generate_series(1, 1000) n; CHECKPOINT')
    await pool.query('VACUUM FULL grown')
    expect(openPaths(folder)).toEqual([])
    await pool.end()
    expect(openPaths(folder)).toEqual([])
    expect(pathsIn(folder).length).toBeGreaterThan(900)
  })

  test('again after the next start if permissions were loosened, with a warning; other files are not changed', async () => {
    const foreign = join(database.dataDir, 'notes.txt')
    writeFileSync(foreign, '')
    for (const path of pathsIn(database.dataDir)) chmodSync(path, 0o755)
    const server = await startServer(database, { LOG_LEVEL: 'warn' })
    const [open, output] = [openPaths(database.dataDir), server.output()]
    const award = await server.award(demoKeys(database).secretTest, {
      userId: 'ann',
      eventType: 'signup',
    })
    await server.kill('SIGTERM')
    expect(open).toEqual([foreign])
    expect(openPaths(database.dataDir)).toEqual([foreign])
    expect(award).toMatchObject({ status: 200 })
    expect(output).toContain('other users could read DATA_DIR; its modes are repaired')
  })
})
