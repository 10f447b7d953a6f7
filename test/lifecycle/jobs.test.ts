import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jobs } from '../../src/all-jobs.ts'
import { lateJobs } from '../../src/core/job-watch.ts'
import { retentionJobs } from '../../src/kept-rows.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { createDatabase, createWorld, onPostgres, type TestDatabase, type World } from '../world.ts'

type Ready = { status: string; degraded: { part: string; reason: string }[] }

const waitFor = async (isSo: () => Promise<boolean>) => {
  for (let i = 0; i < 300 && !(await isSo()); i++) await sleep(100)
  expect(await isSo()).toBe(true)
}

describe.runIf(onPostgres)('a database user without the privilege to create the job schema', () => {
  const role = `tessera_test_${randomUUID().replaceAll('-', '')}`
  let database: TestDatabase
  let server: ServerProcess

  const administer = async (...statements: string[]) => {
    const client = new pg.Client({ connectionString: database.databaseUrl })
    await client.connect()
    for (const sql of statements) await client.query(sql)
    await client.end()
  }
  const ready = async () => {
    const answer = await fetch(`${server.base}/readyz?verbose`)
    return { code: answer.status, ...((await answer.json()) as Ready) }
  }

  beforeAll(async () => {
    database = await createDatabase(true, false)
    await administer(`CREATE ROLE ${role} LOGIN`, `GRANT ALL ON SCHEMA public TO ${role}`)
    const databaseUrl = database.databaseUrl?.replace('//postgres@', `//${role}@`)
    server = await startServer({ ...database, databaseUrl }, { LOG_LEVEL: 'info' })
  })
  afterAll(async () => {
    await server.kill('SIGKILL')
    await sleep(200)
    await administer(`DROP OWNED BY ${role}`, `DROP ROLE ${role}`)
    await database.drop()
  })

  test('is served, and the log says in one line what to grant', async () => {
    await waitFor(async () => (await ready()).degraded.length > 0)
    const name = new URL(database.databaseUrl ?? '').pathname.slice(1)
    const grant = `GRANT CREATE ON DATABASE ${name} TO ${role}`
    const reason = expect.stringMatching(/may not make or use the schema/)
    await expect
      .poll(ready)
      .toEqual({ code: 200, status: 'ok', degraded: [{ part: 'jobs', reason }] })
    await waitFor(async () => server.output().includes(grant)) // its output may follow its answer
    expect(server.output().split(grant)).toHaveLength(2)
    await administer(grant)
  })

  test('has jobs without a restart once it is granted, with a metric of each last success', async () => {
    await waitFor(async () => (await ready()).degraded.length === 0)
    await waitFor(async () => server.output().includes('works again'))
    const lastSuccess = /tessera_job_last_success_timestamp_seconds\{name="run-lotteries"\} (\S+)/
    await waitFor(async () => {
      const text = await (await fetch(`${server.base}/metrics`)).text()
      return Math.abs(Number(lastSuccess.exec(text)?.[1]) - Date.now() / 1000) < 60
    })
  })
})

describe('nodes that all run with JOBS=off', () => {
  let now = new Date()
  let world: World
  beforeAll(async () => {
    world = await createWorld({ clock: () => now })
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
