/** Mistakes of an operator: rights that are revoked, another master key, a stop while the server hangs. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { demoKeys, freePort, startProgram, startServer } from '../server-process.ts'
import { createWorld } from '../world.ts'
import { startCluster } from './cluster.ts'
import { award, expectHonest, startLoad, tell, watchReady } from './outage-load.ts'

let cluster: Awaited<ReturnType<typeof startCluster>>
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster?.end())

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  cluster.thaw()
  for (const end of ends.splice(0).reverse()) await end()
})

test('a database user without the privilege to write, and later without any', async () => {
  const place = await cluster.createDatabase('rights')
  await cluster.query('CREATE ROLE app LOGIN; ALTER DATABASE rights OWNER TO app')
  await cluster.query('ALTER SCHEMA public OWNER TO app', 'rights')
  const database = { ...place, databaseUrl: cluster.url('rights').replace('postgres@', 'app@') }
  const world = await createWorld({ database })
  ends.push(world.server.stop)
  const ready = watchReady(world)
  const load = startLoad({ base: world.base, secret: world.keys.secret }, 8)
  const takeAndGive = async (take: string[], give: string) => {
    const answered = load.count(200)
    while (load.count(200) <= answered + 16) await sleep(20)
    for (const statement of take) await cluster.query(statement, 'rights')
    expect(await ready.until(false)).toBeLessThan(2_000)
    await sleep(500)
    await cluster.query(give, 'rights')
    expect(await ready.until(true)).toBeLessThan(2_000)
  }
  await takeAndGive(
    ['REVOKE INSERT ON ledger_entry FROM app'],
    'GRANT INSERT ON ledger_entry TO app',
  )
  const endSessions = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app'`
  // Apart, because statements sent together commit together: the ended sessions could log in again before that.
  await takeAndGive(['ALTER ROLE app NOLOGIN', endSessions], 'ALTER ROLE app LOGIN')
  await sleep(300)
  const outcomes = await expectHonest(await load.stop(), world)
  expect(outcomes.acknowledged).toBeGreaterThan(16)
  expect(outcomes.refused).toBeGreaterThan(0)
  expect(await ready.stop()).toBeLessThan(1_000)
})

test('a server with another master key refuses to start, and the running one continues', async () => {
  const database = await cluster.createDatabase('sealed')
  const server = await startServer(database)
  ends.push(() => server.kill('SIGKILL'))
  const key = { base: server.base, secret: demoKeys(database).secretTest }
  const stranger = startProgram({
    PORT: String(await freePort()),
    HOST: '127.0.0.1',
    DATA_DIR: database.dataDir,
    DATABASE_URL: database.databaseUrl as string,
    MASTER_KEY: 'another key of at least 32 characters',
  })
  expect(await stranger.exited).toBe(1)
  expect(stranger.output()).toMatch(/MASTER_KEY/)
  expect(await award(key, 'goes-on')).toMatchObject({ status: 200 })
})

test('SIGTERM ends a server whose database hangs within ten seconds', async () => {
  const database = await cluster.createDatabase('hung')
  const server = await startServer(database, { JOBS: 'on' })
  ends.push(() => server.kill('SIGKILL'))
  const key = { base: server.base, secret: demoKeys(database).secretTest }
  expect(await award(key, 'before')).toMatchObject({ status: 200 })
  cluster.freeze()
  const underWay = award(key, 'under-way')
  await sleep(100)
  const from = performance.now()
  await server.kill('SIGTERM')
  expect(performance.now() - from).toBeLessThan(10_000)
  expect([0, 503]).toContain((await underWay).status)
  expect(await tell(`${server.base}/livez`)).toMatchObject({ status: 0 })
})
