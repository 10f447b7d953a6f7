import { readdirSync } from 'node:fs'
import pg from 'pg'
import { expect, test } from 'vitest'
import { schemaDrift } from '../../prisma/drift.ts'
import { openDatabase } from '../../src/core/db.ts'
import { migrate, pendingMigrations } from '../../src/core/migrate.ts'
import { createDatabase, onPostgres } from '../world.ts'
import { startProcess } from './server-process.ts'

const names = readdirSync(new URL('../../prisma/migrations', import.meta.url), {
  withFileTypes: true,
})
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort()

test('the migrations lead to the Prisma schema; if not, run npm run migration:new', async () => {
  expect(await schemaDrift()).toBe('')
})

test('an empty database gets every migration, in order, once', async () => {
  const database = await createDatabase()
  const { pool, close } = await openDatabase(database)
  try {
    expect(await pendingMigrations(pool)).toEqual(names)
    expect(await migrate(pool)).toEqual(names)
    expect(await pendingMigrations(pool)).toEqual([])
    expect(await migrate(pool)).toEqual([])
  } finally {
    await close()
    await database.drop()
  }
})

test.runIf(onPostgres)('ten processes that start at once migrate once', async () => {
  const database = await createDatabase()
  const DATABASE_URL = database.databaseUrl as string
  try {
    const processes = Array.from({ length: 10 }, () =>
      startProcess({ DATABASE_URL }, 'prisma/migrate.ts'),
    )
    const codes = await Promise.all(processes.map(({ exited }) => exited))
    expect(codes, processes.map(({ output }) => output()).join('')).toEqual(codes.map(() => 0))
    const workers = processes.filter(({ output }) => output().includes('Applied'))
    expect(workers).toHaveLength(1)
    const client = new pg.Client({ connectionString: DATABASE_URL })
    await client.connect()
    const { rows } = await client.query(
      'SELECT migration_name AS name FROM _prisma_migrations ORDER BY 1',
    )
    await client.end()
    expect(rows.map(({ name }) => name)).toEqual(names)
  } finally {
    await database.drop()
  }
})
