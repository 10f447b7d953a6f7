/** Checks the plans of all statements of the last runs of the tests on both databases. */
import { execFileSync } from 'node:child_process'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../world.ts'
import { type Grown, growTables } from './grown.ts'
import { scannedTables } from './plans.ts'
import { isPrepared, readStatements } from './statements.ts'

/** Statements that may read a whole table, each with the reason. */
const exceptions: Record<string, string> = {
  claim_matches: 'few matches are under way; the index on what is due serves many',
  count_old_tokens: 'a command of operators',
  expire_offers: 'a sweep in slices, not on the way of a request',
}

describe('no prepared statement scans a growing table', () => {
  const statements = readStatements()
    .filter(isPrepared)
    .filter(({ name }) => !(name in exceptions))
  let database: TestDatabase
  let client: pg.Client
  let grown: Grown

  const offenders = async () => {
    const found = new Set<string>()
    for (const { name, text } of statements)
      for (const table of await scannedTables(client, text))
        if (grown.tables.includes(table)) found.add(`${name} reads ${table}`)
    return [...found].sort()
  }

  beforeAll(async () => {
    database = await createDatabase(true)
    execFileSync(process.execPath, ['src/cli/migrate.ts'], {
      env: { ...process.env, NODE_ENV: 'test', DATABASE_URL: database.databaseUrl },
    })
    client = new pg.Client(database.databaseUrl as string)
    await client.connect()
    await client.query('SET plan_cache_mode = force_generic_plan')
    grown = await growTables(client)
  })
  afterAll(async () => {
    await client?.end()
    await database?.drop()
  })

  test('the statements of a run are recorded: `npm test` has run before', () => {
    const names = statements.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['award_points', 'play_games', 'find_users']))
  })

  test('in a new database', async () => {
    expect(await offenders()).toEqual([])
  })

  test('in a large one without statistics', async () => {
    await grown.grow(4_000)
    expect(await offenders()).toEqual([])
  })

  test('with fresh statistics', async () => {
    await client.query('ANALYZE')
    expect(await offenders()).toEqual([])
  })

  test('with stale statistics', async () => {
    await grown.grow(12_000)
    expect(await offenders()).toEqual([])
  })
})
