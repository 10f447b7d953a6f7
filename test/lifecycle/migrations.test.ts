import { cpSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { schemaDrift } from '../../scripts/drift.ts'
import { openDatabase } from '../../src/kit/database/db.ts'
import { migrate } from '../../src/kit/database/migrate.ts'
import { pendingMigrations } from '../../src/kit/database/migration-state.ts'
import { readTriggerFiles } from '../../src/kit/database/triggers.ts'
import { startProgram } from '../server-process.ts'
import { createDatabase, createWorld, onPostgres, type TestDatabase } from '../world.ts'

const triggers = readTriggerFiles().map(({ name }) => name)
const names = readdirSync(new URL('../../prisma/migrations', import.meta.url), {
  withFileTypes: true,
})
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort()

test('the migrations match the Prisma schema; if not, run npm run migration:new', async () => {
  expect(await schemaDrift()).toBe('')
})

test('an empty database gets every migration and trigger, in order, once', async () => {
  const database = await createDatabase(onPostgres, false)
  const dataDir = join(database.dataDir, 'new')
  const { pool, close } = await openDatabase({ ...database, dataDir })
  try {
    expect(await pendingMigrations(pool)).toEqual(names)
    expect(await migrate(pool)).toEqual([...names, ...triggers])
    expect(await pendingMigrations(pool)).toEqual([])
    expect(await migrate(pool)).toEqual([])
  } finally {
    await close()
    await database.drop()
  }
})

test('a new migration keeps the rows of a database in use, and its nodes go on', async () => {
  const world = await createWorld({ isAlone: true })
  const { direct } = world.server.database
  const users = async () =>
    (await direct.query({ text: 'SELECT to_jsonb(u) AS user FROM end_user u' })).rows.map(
      ({ user }) => user,
    )
  try {
    await world.givePoints('ann', 2)
    const [before] = await users()
    const folder = mkdtempSync(join(tmpdir(), 'tessera-migrations-'))
    cpSync(new URL('../../prisma/migrations', import.meta.url), folder, { recursive: true })
    mkdirSync(join(folder, '29990101000000_locale'))
    writeFileSync(
      join(folder, '29990101000000_locale', 'migration.sql'),
      `ALTER TABLE end_user ADD COLUMN locale text NOT NULL DEFAULT 'en'`,
    )
    expect(await migrate(direct, { folder })).toEqual(['29990101000000_locale'])
    expect(await users()).toEqual([{ ...before, locale: 'en' }])
    await world.givePoints('ann', 1)
    const [after] = await users()
    expect(after).toMatchObject({ id: before.id, entries: 3, locale: 'en' })
    expect(await migrate(direct)).toEqual([])
  } finally {
    await world.end()
  }
})

test('a database from before the first release is refused and left as it is', async () => {
  const database = await createDatabase()
  const { pool, close } = await openDatabase(database)
  const records = async () =>
    (await pool.query({ text: 'SELECT to_jsonb(m) FROM _prisma_migrations m' })).rows
  try {
    await pool.query({
      text: `UPDATE _prisma_migrations SET migration_name = '20261122200000_first'`,
    })
    const before = await records()
    await expect(migrate(pool)).rejects.toThrow(
      'The database was made by a version from before the first release',
    )
    expect(await records()).toEqual(before)
  } finally {
    await close()
    await database.drop()
  }
})

describe.runIf(onPostgres)('ten nodes that start at the same time on one database', () => {
  const count = 10
  let database: TestDatabase

  beforeEach(async () => {
    database = await createDatabase(onPostgres, false)
  })
  afterEach(() => database.drop())

  const applied = async () => {
    const { pool, close } = await openDatabase(database)
    const sql = 'SELECT migration_name AS name FROM _prisma_migrations ORDER BY 1'
    const { rows } = await pool.query({ text: sql })
    await close()
    return rows.map(({ name }) => name)
  }

  test('migrate once, in one process', async () => {
    const nodes = await Promise.all(Array.from({ length: count }, () => openDatabase(database)))
    try {
      const work = await Promise.all(nodes.map(({ pool }) => migrate(pool)))
      expect(work.flat().sort()).toEqual([...names, ...triggers].sort())
    } finally {
      await Promise.all(nodes.map(({ close }) => close()))
    }
    expect(await applied()).toEqual(names)
  })

  test('migrate once, as separate processes', async () => {
    const env = { DATABASE_URL: database.databaseUrl as string }
    const processes = Array.from({ length: count }, () => startProgram(env, 'src/cli/migrate.ts'))
    const codes = await Promise.all(processes.map(({ exited }) => exited))
    expect(codes, processes.map(({ output }) => output()).join('')).toEqual(codes.map(() => 0))
    const lines = processes.flatMap(({ output }) => output().split('\n'))
    const said = lines.filter((line) => line.startsWith('Applied '))
    expect(said.sort()).toEqual(
      [...names, `${triggers.length} functions and triggers`]
        .map((what) => `Applied ${what}`)
        .sort(),
    )
    expect(await applied()).toEqual(names)
  })
})
