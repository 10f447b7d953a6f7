import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { readMigrationState } from '../../src/kit/database/migration-state.ts'
import { findChangedTriggers } from '../../src/kit/database/triggers.ts'
import { emptyDatabase } from '../../src/kit/embedded/embedded-pool.ts'
import { createDatabase, createWorld, type TestDatabase, type World } from '../world.ts'

const began = Date.now()
let database: TestDatabase
let world: World
afterEach(async () => {
  await world.end()
  await database.drop()
})

const start = async (prepare: (dataDir: string) => void = () => {}) => {
  const { drop, dataDir: outside } = await createDatabase(false)
  const dataDir = join(outside, 'new')
  database = { databaseUrl: undefined, dataDir, drop }
  prepare(dataDir)
  world = await createWorld({ database })
}

it('a first start copies the database that the build has made, readable by its owner only', async () => {
  expect(existsSync(join(emptyDatabase, 'db/PG_VERSION'))).toBe(true)
  await start()
  const { pool } = world.server.database
  const { applied, pending } = await readMigrationState(pool)
  expect(pending).toEqual([])
  expect(await findChangedTriggers(pool)).toEqual([])
  for (const { finishedAt } of applied) expect(finishedAt.getTime()).toBeLessThan(began)
  const folder = join(database.dataDir, 'db')
  const open = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => (statSync(join(folder, name)).mode & 0o077) !== 0,
  )
  expect(open).toEqual([])
})

it('a start completes what an interrupted first start has left', async () => {
  await start((dataDir) => {
    mkdirSync(join(dataDir, 'db.partial'), { recursive: true })
    writeFileSync(join(dataDir, 'db.partial/PG_VERSION'), '16')
  })
  expect(readdirSync(database.dataDir)).not.toContain('db.partial')
  await world.givePoints('ann', 1)
})
