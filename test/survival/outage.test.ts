/**
 * A database that stops, hangs, refuses writes or revokes rights, under load: reported truthfully, and recovered
 * from without help.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { audit } from '../../src/cli/audit/invariants.ts'
import { createWorld, type TestDatabase, type World } from '../world.ts'
import { startCluster } from './cluster.ts'
import { award as awardEvents, readOn, watch } from './feed-reader.ts'
import { award, expectHonest, expectOutage, startLoad, tell, watchReady } from './outage-load.ts'

let cluster: Awaited<ReturnType<typeof startCluster>>
let database: TestDatabase
let world: World
let secret: string
let at: { base: string; secret: string }

afterEach(async () => {
  cluster.thaw()
  if (
    !(await cluster.query('SELECT').then(
      () => true,
      () => false,
    ))
  )
    await cluster.start()
})
beforeAll(async () => {
  cluster = await startCluster()
  database = await cluster.createDatabase('outage')
  world = await createWorld({
    database,
    config: { rateLimits: { secret: 1e6, public: 20, anonymous: 20 } },
  })
  secret = world.keys.secret
  at = { base: world.base, secret }
})
afterAll(async () => {
  await world?.server.stop()
  await database?.drop()
  await cluster?.end()
})

const degraded = async () =>
  (await world.get('/readyz?verbose')).body.degraded.map(({ part }: { part: string }) => part)

const metric = async (name: string) => {
  const text = await world.server.runtime.metrics.registry.metrics()
  return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1])
}

/** A GraphQL client whose key is not cached yet; returns the code with which it is closed. */
const connect = (key: string) =>
  new Promise<number>((resolve) => {
    const socket = new WebSocket(
      `${world.base.replace('http', 'ws')}/graphql`,
      'graphql-transport-ws',
    )
    const init = { type: 'connection_init', payload: { 'X-API-Secret': key } }
    socket.on('open', () => socket.send(JSON.stringify(init)))
    socket.on('close', resolve)
  })

/** All faces, those that name their own failure, and keys that are not cached. */
const expectAllUnavailable = async () => {
  const { live } = world.partner
  const post = (path: string, headers: Record<string, string>, body: unknown) =>
    tell(world.base + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const known = { 'x-api-secret': secret }
  const browser = { 'x-api-key': world.keys.public }
  const answers = [
    ...(await Promise.all(
      Array.from({ length: 30 }, () =>
        tell(`${world.base}/v1/leaderboard`, { headers: { 'x-api-key': live.public } }),
      ),
    )),
    await post('/v1/user-journeys/events', browser, { userId: 'a', eventType: 'b' }),
    await post('/v1/user-journeys/users', browser, { userId: 'a' }),
    await tell(`${world.base}/v1/user-journeys/users/a/timeline`, { headers: browser }),
    await post('/graphql', known, { query: '{ games { gameType } }' }),
    await post('/graphql', { 'x-api-secret': live.secret }, { query: '{ games { gameType } }' }),
    await tell(`${world.base}/draws/${randomUUID()}`),
    await tell(`${world.base}/draws/${randomUUID()}/proof.json`),
  ]
  for (const answer of answers) {
    expect(answer, answer.text.slice(0, 300)).toMatchObject({ status: 503 })
    expect(answer.retryAfter).toMatch(/^\d+$/)
    expect(answer.message).not.toMatch(/unknown/)
    expect(answer.ms).toBeLessThan(6_000)
  }
  expect(await connect(live.secret)).toBe(1013)
}

test('stopped at once and started again under load', async () => {
  const ready = watchReady(world)
  const load = startLoad(at)
  await ready.until(true)
  while (load.count(200) <= 16) await sleep(20)
  await cluster.stop('immediate')
  expect(await ready.until(false)).toBeLessThan(2_000)
  await sleep(300)
  await expectAllUnavailable()
  expect(await degraded()).toContain('database')
  expect(await metric('tessera_database_breaker_open')).toBe(1)
  const key = { 'idempotency-key': randomUUID() }
  const refused = await award(at, 'keyed', key)
  expectOutage(refused)
  expect(refused.message).toMatch(/nothing was done/)
  await cluster.start()
  expect(await ready.until(true)).toBeLessThan(2_000)
  expect(await award(at, 'keyed', key)).toMatchObject({ status: 200 })
  expect(await degraded()).not.toContain('database')
  await sleep(300)
  const outcomes = await expectHonest(await load.stop(), world)
  expect(outcomes.acknowledged).toBeGreaterThan(16)
  expect(outcomes.refused).toBeGreaterThan(0)
  expect(await ready.stop()).toBeLessThan(1_000)
  expect(await audit(world.server.database.pool)).toBe(0)
})

test('frozen for 20 seconds under load', async () => {
  const seen = await watch(world, secret)
  const ready = watchReady(world)
  const load = startLoad(at)
  await sleep(500)
  cluster.freeze()
  const end = Date.now() + 20_000
  expect(await ready.until(false)).toBeLessThan(2_000)
  await sleep(4_000)
  await expectAllUnavailable()
  const before = load.count(503)
  await sleep(1_000)
  // Nobody queues: callers are refused as fast as they come.
  expect(load.count(503) - before).toBeGreaterThan(16)
  await sleep(end - Date.now())
  cluster.thaw()
  expect(await ready.until(true)).toBeLessThan(2_000)
  await sleep(500)
  const told = await load.stop()
  const slowest = Math.max(...[...told.values()].map(({ ms }) => ms))
  expect(slowest).toBeLessThan(8_000)
  const outcomes = await expectHonest(told, world)
  expect(outcomes.refused).toBeGreaterThan(16)
  expect(outcomes.unknown).toBeLessThanOrEqual(16)
  expect(await ready.stop()).toBeLessThan(1_000)
  // An existing subscriber gets later events.
  const [id] = await awardEvents(world, secret, 1)
  for (const end = Date.now() + 5_000; !seen.ids().includes(id as string) && Date.now() < end; )
    await sleep(50)
  expect(seen.ids()).toContain(id)
  const all = await readOn(world, secret)
  expect(seen.ids().filter((item) => !all.includes(item))).toEqual([])
  await seen.end()
})

test('a primary that accepts no writes for a while', async () => {
  const set = (to: string) =>
    cluster
      .query(`ALTER SYSTEM SET default_transaction_read_only = ${to}`)
      .then(() => cluster.query('SELECT pg_reload_conf()'))
  const ready = watchReady(world)
  const load = startLoad(at)
  await sleep(300)
  await set('on')
  expect(await ready.until(false)).toBeLessThan(2_000)
  expectOutage(await award(at, 'read-only'))
  const page = { headers: { 'x-api-key': world.keys.public } }
  expect(await tell(`${world.base}/v1/leaderboard`, page)).toMatchObject({ status: 200 })
  await sleep(500)
  await cluster.query('BEGIN READ WRITE; SET LOCAL transaction_read_only = off; SELECT 1; COMMIT')
  await set('off')
  expect(await ready.until(true)).toBeLessThan(2_000)
  await sleep(300)
  const outcomes = await expectHonest(await load.stop(), world)
  expect(outcomes).toMatchObject({ unknown: 0 })
  expect(outcomes.refused).toBeGreaterThan(0)
  expect(await ready.stop()).toBeLessThan(1_000)
})
