/** Migrations that are slow, interrupted, blocked or blocking, or of another version. */
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { openDatabase } from '../../src/kit/database/db.ts'
import { migrate } from '../../src/kit/database/migrate.ts'
import { migrationNames, pendingMigrations } from '../../src/kit/database/migration-state.ts'
import { findChangedTriggers, readTriggerFiles } from '../../src/kit/database/triggers.ts'
import { version } from '../../src/kit/version.ts'
import { freePort, type Program, startProgram } from '../server-process.ts'
import { awake } from '../timing.ts'
import type { TestDatabase } from '../world.ts'
import { startCluster } from './cluster.ts'

const names = migrationNames()
const first = names[0] as string

let cluster: Awaited<ReturnType<typeof startCluster>>
let database: TestDatabase
let name: string
let port: number
const running: Program[] = []

beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster?.end())
let count = 0
beforeEach(async () => {
  name = `moved_${++count}`
  database = await cluster.createDatabase(name)
  port = await freePort()
})
afterEach(async () => {
  for (const program of running.splice(0)) await program.end('SIGKILL')
  await database.drop()
})

const run = (program?: string, env: Record<string, string> = {}) => {
  const started = startProgram(
    {
      DATABASE_URL: database.databaseUrl as string,
      DATA_DIR: database.dataDir,
      PORT: String(port),
      HOST: '127.0.0.1',
      ...env,
    },
    program,
  )
  running.push(started)
  return started
}

const runCommand = async (args = '', env: Record<string, string> = {}) => {
  const program = run(`src/cli/migrate.ts ${args}`.trim(), env)
  return { code: await program.exited, output: program.output() }
}

const withPool = async <T>(use: (pool: pg.Pool) => Promise<T>): Promise<T> => {
  const { pool, close } = await openDatabase(database)
  try {
    return await use(pool)
  } finally {
    await close()
  }
}
const migrateAll = () => withPool((pool) => migrate(pool))
const pending = () => withPool(pendingMigrations)

const get = async (path: string) => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

/** The first migration takes a quarter of a minute. */
const slowDown = () =>
  cluster.query(
    `CREATE FUNCTION slow_down() RETURNS event_trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_sleep(15); END $$;
    CREATE EVENT TRIGGER slow ON ddl_command_start WHEN TAG IN ('CREATE SEQUENCE')
      EXECUTE FUNCTION slow_down()`,
    name,
  )
const hurryUp = () => cluster.query('DROP EVENT TRIGGER slow; DROP FUNCTION slow_down()', name)

const underWay = async () =>
  (
    await cluster.query(`SELECT FROM pg_stat_activity WHERE datname = '${name}'
      AND state = 'active' AND wait_event = 'PgSleep'`)
  ).length
const untilUnderWay = async () => {
  while ((await underWay()) === 0) await sleep(50)
}
const endsWithin = async (ms: number) => {
  for (const end = Date.now() + ms; (await underWay()) > 0; await sleep(50))
    if (Date.now() > end) return false
  return true
}

test('a migrating server reports that it is alive and not ready, and stops at once on request', async () => {
  await slowDown()
  const server = run()
  await untilUnderWay()
  expect(await get('/livez')).toEqual({ status: 200, body: { status: 'ok', version } })
  expect(await get('/readyz')).toEqual({ status: 503, body: { status: 'migrating' } })
  expect(await get('/v1/leaderboard')).toMatchObject({
    status: 503,
    body: { errorCode: 'UNAVAILABLE' },
  })
  expect(await server.end('SIGTERM')).toBe(0)
  expect(await endsWithin(1_000)).toBe(true)
  expect(await pending()).toEqual(names)
})

test('a server killed during a migration leaves nothing behind', async () => {
  await slowDown()
  const killed = run()
  await untilUnderWay()
  await killed.end('SIGKILL')
  expect(await endsWithin(10_000)).toBe(true)
  expect(await pending()).toContain(first)
  await hurryUp()
  await run().until('Ctrl-C')
  expect(await pending()).toEqual([])
  expect((await get('/readyz')).status).toBe(200)
})

/** A folder of the migrations of this version and one more, which changes the table of events. */
const withNewMigration = () => {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-migrations-'))
  cpSync(new URL('../../prisma/migrations', import.meta.url), folder, { recursive: true })
  mkdirSync(join(folder, '29990101000000_new'))
  writeFileSync(
    join(folder, '29990101000000_new', 'migration.sql'),
    'ALTER TABLE event ADD COLUMN note text',
  )
  return folder
}

test("an analyst's open SELECT delays a migration, and writers only briefly", async () => {
  await migrateAll()
  const [analyst, writer] = [cluster.url(name), cluster.url(name)].map(
    (connectionString) => new pg.Client({ connectionString }),
  ) as [pg.Client, pg.Client]
  await Promise.all([analyst.connect(), writer.connect()])
  await analyst.query('BEGIN; SELECT count(*) FROM event')
  let migrating = true
  const warn = vi.fn()
  const log = { info: () => {}, warn }
  const migration = withPool((pool) => migrate(pool, { folder: withNewMigration(), log })).finally(
    () => {
      migrating = false
    },
  )
  const pauses: number[] = []
  const write = async () => {
    while (migrating) {
      const start = awake()
      await writer.query(`INSERT INTO event (id, partner_id, environment, type, data, occurred_at)
        VALUES (gen_random_uuid(), gen_random_uuid(), 'TEST', 'points.awarded', '{}', now())`)
      pauses.push(awake() - start)
      await sleep(20)
    }
  }
  const writing = write()
  await sleep(5_000)
  expect(migrating).toBe(true)
  await analyst.query('COMMIT')
  expect(await migration).toEqual(['29990101000000_new'])
  await writing
  expect(Math.max(...pauses)).toBeLessThan(3_000)
  expect(Math.max(...pauses)).toBeGreaterThan(500) // it did block others
  expect(warn.mock.calls[0]).toMatchObject([
    { step: 'Migration 29990101000000_new' },
    'waiting for a table that is in use',
  ])
  await Promise.all([analyst.end(), writer.end()])
})

test('a server killed before the triggers are applied applies them at its next start', async () => {
  await cluster.query(
    `CREATE FUNCTION slow_down() RETURNS event_trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_sleep(15); END $$;
    CREATE EVENT TRIGGER slow ON ddl_command_start WHEN TAG IN ('CREATE VIEW')
      EXECUTE FUNCTION slow_down()`,
    name,
  )
  const killed = run()
  await untilUnderWay()
  await killed.end('SIGKILL')
  expect(await endsWithin(10_000)).toBe(true)
  expect(await pending()).toEqual([])
  expect(await withPool((pool) => findChangedTriggers(pool))).toEqual(readTriggerFiles())
  await hurryUp()
  await run().until('Ctrl-C')
  expect(await withPool((pool) => findChangedTriggers(pool))).toEqual([])
})

test('a database of a newer version is served when it is compatible, and refused when it is not', async () => {
  await migrateAll()
  await cluster.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
      VALUES ('1', '', '29990101000000_future', now())`,
    name,
  )
  expect((await runCommand()).code).toBe(0)
  expect((await runCommand('--status')).output).toMatch(/29990101000000_future.*newer version/)
  await cluster.query(
    `UPDATE schema_compatibility SET compatible_from = '29990101000000_future'`,
    name,
  )
  const refused = run()
  expect(await refused.exited).toBe(1)
  expect(refused.output()).toContain('The database is newer than this version supports')
  expect(refused.output()).not.toMatch(/^ +at /m)
})

test('with MIGRATE=off a start waits until the database is migrated', async () => {
  const server = run(undefined, { MIGRATE: 'off' })
  await server.until('waiting for npm run migrate')
  expect(await get('/readyz')).toEqual({ status: 503, body: { status: 'migrating' } })
  expect((await runCommand()).code).toBe(0)
  await server.until('Ctrl-C')
  expect((await get('/readyz')).status).toBe(200)
})

test('the job tables are created by a migration, or in a schema created by an administrator', async () => {
  await cluster.query(
    `CREATE ROLE app_${name} LOGIN; GRANT ALL ON SCHEMA public TO app_${name};
    REVOKE CREATE ON DATABASE ${name} FROM PUBLIC`,
    name,
  )
  const url = new URL(cluster.url(name))
  url.username = `app_${name}`
  const env = { DATABASE_URL: url.href }
  const refused = await runCommand('', env)
  expect(refused.code).toBe(1)
  const command = /of the database: (.+)/.exec(refused.output)?.[1] as string
  await cluster.query(command, name)
  expect((await runCommand('', env)).code).toBe(0)
  expect(await cluster.query('SELECT FROM jobs.version', name)).toHaveLength(1)
  const server = run(undefined, { ...env, LOG_LEVEL: 'info' })
  await server.until('Ctrl-C')
  const done = `SELECT FROM jobs.job WHERE state = 'completed'`
  for (
    const end = Date.now() + 20_000;
    (await cluster.query(done, name)).length === 0;
    await sleep(100)
  )
    expect(Date.now()).toBeLessThan(end)
})
