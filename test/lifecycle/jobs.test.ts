import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { jobs } from '../../src/all-jobs.ts'
import { makeJobsSchema } from '../../src/kit/database/jobs-schema.ts'
import { lateJobs, startJobs } from '../../src/kit/jobs/jobs.ts'
import { retentionJobs } from '../../src/retention-rules.ts'
import { freePort, type ServerProcess, startProgram, startServer } from '../server-process.ts'
import { createDatabase, createWorld, onPostgres, type TestDatabase, type World } from '../world.ts'

type Ready = { status: string; degraded: { part: string; reason: string }[] }

const waitFor = async (isSo: () => Promise<boolean>) => {
  for (let i = 0; i < 300 && !(await isSo()); i++) await sleep(100)
  expect(await isSo()).toBe(true)
}

/** Neighbours that were looked for: each right that the job tables need, and the nodes that need none of them. */
describe.runIf(onPostgres)('a database user who lacks a right to the job tables', () => {
  const role = `tessera_test_${randomUUID().replaceAll('-', '')}`
  let database: TestDatabase
  let ofRole: TestDatabase
  const running: ServerProcess[] = []

  const administer = async (...statements: string[]) => {
    const client = new pg.Client({ connectionString: database.databaseUrl })
    await client.connect()
    for (const sql of statements) await client.query(sql)
    await client.end()
  }
  const start = async (env: Record<string, string> = {}) => {
    const server = await startServer(ofRole, { LOG_LEVEL: 'warn', ...env })
    running.push(server)
    return server
  }
  const stop = async (server: ServerProcess) => server.kill('SIGTERM')
  /** What a start that fails has printed. */
  const refusal = async (): Promise<string> => {
    const error = await start().catch((error) => error)
    expect(error).toBeInstanceOf(Error)
    return error.message
  }
  const succeededJobs = async () => {
    const pool = new pg.Pool({ connectionString: database.databaseUrl, max: 1 })
    const { rows } = await pool.query(`SELECT name FROM job_run WHERE name = 'run-lotteries'`)
    await pool.end()
    return rows.length
  }
  /** The tables of the queue, made by the administrator. */
  const makeTables = async () => {
    const pool = new pg.Pool({ connectionString: database.databaseUrl, max: 1 })
    await makeJobsSchema(pool)
    await pool.end()
  }
  beforeAll(async () => {
    database = await createDatabase(true, false)
    await administer(`CREATE ROLE ${role} LOGIN`, `GRANT ALL ON SCHEMA public TO ${role}`)
    ofRole = {
      ...database,
      databaseUrl: database.databaseUrl?.replace('//postgres@', `//${role}@`),
    }
  })
  beforeEach(async () => {
    const name = new URL(database.databaseUrl ?? '').pathname.slice(1)
    await administer(
      'DROP SCHEMA IF EXISTS jobs CASCADE',
      `REVOKE CREATE ON DATABASE ${name} FROM ${role}`,
      `DO $$ BEGIN IF to_regclass('job_run') IS NOT NULL THEN DELETE FROM job_run; END IF; END $$`,
    )
  })
  afterAll(async () => {
    for (const server of running) await server.kill('SIGKILL')
    // Connections of a killed server end a moment later.
    await vi.waitFor(() => administer(`DROP OWNED BY ${role}`, `DROP ROLE ${role}`), 30_000)
    await database.drop()
  })

  test('is served by a node with JOBS=off, because others run the jobs', async () => {
    const server = await start({ JOBS: 'off' })
    expect((await fetch(`${server.base}/readyz`)).status).toBe(200)
    await stop(server)
  })

  test.each<[string, () => Promise<unknown>, RegExp]>([
    ['to create the schema', async () => {}, /GRANT CREATE ON DATABASE \w+ TO \w+/],
    [
      'to create tables in it',
      () => administer('CREATE SCHEMA jobs'),
      /GRANT ALL ON SCHEMA jobs TO/,
    ],
    ['to enter it', makeTables, /GRANT USAGE ON SCHEMA jobs TO/],
    [
      'to write tables of another owner',
      async () => {
        await makeTables()
        await administer(
          `GRANT USAGE ON SCHEMA jobs TO ${role}`,
          `GRANT SELECT ON ALL TABLES IN SCHEMA jobs TO ${role}`,
        )
      },
      /GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA jobs TO/,
    ],
  ])(
    'stops a start that lacks the right %s; the sentence that it ends with is enough',
    async (_, prepare, grant) => {
      await prepare()
      const output = await refusal()
      expect(output).toMatch(grant)
      expect(output).not.toMatch(/\bat .*:\d+:\d+/)
      const [, statements = ''] = /administrator of the database: (GRANT .*)/.exec(output) ?? []
      await administer(statements)
      const server = await start()
      await expect.poll(succeededJobs, { timeout: 30_000 }).toBe(1)
      await stop(server)
    },
  )

  test('lets a start with MIGRATE=off wait: it is not ready until the right is there', async () => {
    const port = await freePort()
    const program = startProgram({
      PORT: String(port),
      HOST: '127.0.0.1',
      MIGRATE: 'off',
      DATA_DIR: database.dataDir,
      DATABASE_URL: ofRole.databaseUrl as string,
    })
    const ready = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(({ status }) => status, String)
    await program.until('GRANT CREATE ON DATABASE')
    expect(await ready()).toBe(503)
    await makeTables()
    await administer(
      `GRANT USAGE ON SCHEMA jobs TO ${role}`,
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA jobs TO ${role}`,
    )
    await expect.poll(ready, { timeout: 30_000 }).toBe(200)
    await program.end('SIGKILL')
  })
})

test('every job runs for the first time within five seconds of a start', async () => {
  const world = await createWorld({ isAlone: true })
  const begun = new Set<string>()
  const noted = jobs.map((job) => ({ ...job, run: async () => void begun.add(job.name) }))
  const stop = startJobs(world.runtime, world.server.database, noted)
  await expect
    .poll(() => jobs.filter(({ name }) => !begun.has(name)).map(({ name }) => name), {
      timeout: 5_000,
    })
    .toEqual([])
  await stop()
  await world.end()
})

describe('nodes that all run with JOBS=off', () => {
  let now = new Date()
  let world: World
  beforeAll(async () => {
    world = await createWorld({ clock: () => now, isAlone: true })
  })
  afterAll(() => world.end())

  const degraded = async (of = world) =>
    ((await of.get('/readyz?verbose')).body as Ready).degraded.map(({ reason }) => reason)

  test('report it after a while, until a node runs jobs', async () => {
    expect(await degraded()).toEqual([])
    now = new Date(now.getTime() + 3 * 3_600_000)
    await waitFor(async () => (await degraded()).length > 0)
    const [reason, ...others] = await degraded()
    expect(others).toEqual([])
    expect(reason).toMatch(/^No node runs .*\. Does every node have JOBS=off\?$/)
    for (const { name } of jobs) expect(reason).toContain(name)
    if (!onPostgres) return
    const worker = await createWorld({
      clock: () => now,
      database: world.database,
      config: { jobs: true },
    })
    await waitFor(async () => (await degraded()).length === 0)
    await worker.end()
  })
})

test('a node that stops ends the deletion of old rows after a statement, and the next one continues', async () => {
  const database = await createDatabase()
  const planting = await createWorld({ database })
  const many = 150_000
  await planting.server.database.pool.query({
    text: `INSERT INTO throttle (key, tries, since) SELECT 'old ' || n, 1, now() - interval '2 days'
      FROM generate_series(1, $1::int) n`,
    values: [many],
  })
  await planting.end()
  const left = (of: World) =>
    of.runtime.db.throttle.count({ where: { key: { startsWith: 'old ' } } })
  const stopped = await createWorld({ database, config: { jobs: true } })
  await waitFor(async () => (await left(stopped)) < many)
  await stopped.server.stop()
  const next = await createWorld({ database })
  const rest = await left(next)
  expect(rest).toBeGreaterThan(0)
  expect(rest % 5_000).toBe(0)
  for (const job of retentionJobs) await job.run(next.runtime)
  expect(await left(next)).toBe(0)
  await next.end()
  await database.drop()
}, 120_000)

test('a job is late when it has missed two runs and a minute since this node started', () => {
  const every = [
    { name: 'often', everySeconds: 2 },
    { name: 'seldom', everySeconds: 3600 },
  ]
  const since = new Date(0)
  const late = (seconds: number, successes: [string, Date][] = []) =>
    lateJobs(every, new Map(successes), { now: new Date(seconds * 1000), since })
  expect(late(64)).toEqual([])
  expect(late(65)).toEqual(['often'])
  expect(late(65, [['often', new Date(2_000)]])).toEqual([])
  expect(late(7261)).toEqual(['often', 'seldom'])
  expect(late(10_000, [['seldom', new Date(9_000_000)]])).toEqual(['often'])
})
