/** Reads on a real standby: what goes there, what a caller sees of their own writes, and what happens when it fails. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { awake } from '../timing.ts'
import { createWorld, type TestDatabase, type World } from '../world.ts'
import { createFolder, runProgram, startCluster } from './cluster.ts'

type Cluster = Awaited<ReturnType<typeof startCluster>>

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

let primary: Cluster
let standby: Cluster
let place: TestDatabase
beforeEach(async () => {
  primary = await startCluster()
  ends.push(primary.end)
  place = await primary.createDatabase('read')
  const data = createFolder()
  runProgram('pg_basebackup', ['-d', primary.url(), '-D', data, '-R', '-c', 'fast'])
  standby = await startCluster({ data })
  ends.push(standby.end)
})

const start = async (config: Parameters<typeof createWorld>[0] = {}) => {
  const node = await createWorld({
    database: place,
    config: {
      databaseReadUrl: standby.url('read'),
      readReplica: { maxLagMs: 60_000, alone: false },
      ...config.config,
    },
  })
  ends.push(node.server.stop)
  await until(node, [])
  return node
}

const partsOf = async (node: World) =>
  (await node.get('/readyz?verbose')).body.degraded.map(({ part }: { part: string }) => part)

const until = async (node: World, parts: string[]) => {
  const end = Date.now() + 20_000
  while (String(await partsOf(node)) !== String(parts)) {
    expect(Date.now(), String(await partsOf(node))).toBeLessThan(end)
    await sleep(50)
  }
}

const metric = async (node: World, series: string) => {
  const text = await node.runtime.metrics.registry.metrics()
  const line = text.split('\n').find((one) => one.startsWith(`${series} `))
  return Number(line?.slice(series.length + 1) ?? 0)
}
const onStandby = (node: World) => metric(node, 'tessera_queries_total{target="standby",reason=""}')

const award = (node: World, key = node.keys.secret, reference = randomUUID()) =>
  node.post('/v1/points/award', key, { userId: 'ann', eventType: 'signup', reference })
const balance = async (node: World, key = node.keys.secret) => {
  const answer = await node.get('/v1/users/ann/balance', key)
  expect(answer.status).toBe(200)
  return Number(answer.body.data.totalPoints)
}
const pause = () => standby.query('SELECT pg_wal_replay_pause()')
const resume = () => standby.query('SELECT pg_wal_replay_resume()')
/** Waits until the standby has replayed all that is written now. */
const untilReplayed = async () => {
  const [{ lsn }] = await primary.query('SELECT pg_current_wal_flush_lsn() AS lsn')
  const behind = `SELECT pg_wal_lsn_diff('${lsn}', pg_last_wal_replay_lsn()) > 0 AS is_behind`
  while ((await standby.query(behind))[0].is_behind) await sleep(20)
}
test('queries read the standby, and whoever wrote sees it at once', async () => {
  const node = await start()
  const other = await node.createPartner()
  expect((await award(node)).status).toBe(200)
  const before = await balance(node)
  expect(before).toBeGreaterThan(0)
  expect((await award(node, other.test.secret)).status).toBe(200)
  await balance(node, other.test.secret)

  // Replay is paused: new writes do not reach the standby.
  await pause()
  const user = await node.runtime.db.endUser.findFirstOrThrow({
    where: { partnerId: other.partnerId },
  })
  await node.runtime.db.endUser.update({ where: { id: user.id }, data: { displayName: 'Later' } })
  const nameOf = async (by: { secret: string }) =>
    (await node.graphql('{ user(by: { externalId: "ann" }) { displayName } }', {}, by)).body.data
      .user.displayName
  const seen = await onStandby(node)
  // The server does not know of this write, so the result shows which database answered.
  const stale = await node.runtime.readStandby(
    async ({ tx }, ids: string[]) =>
      Promise.all(ids.map((id) => tx.endUser.findUnique({ where: { id: id as never } }))),
    user.id as string,
  )
  expect(stale?.displayName).not.toBe('Later')

  // This partner writes: its reads wait, and then go to the primary.
  expect((await award(node)).status).toBe(200)
  expect(await balance(node)).toBe(before * 2)
  expect(await balance(node)).toBe(before * 2)
  expect(await onStandby(node)).toBe(seen)
  expect(
    await metric(node, 'tessera_queries_total{target="primary",reason="behind"}'),
  ).toBeGreaterThan(0)

  // Replay resumes while a read waits, so the standby answers it.
  expect((await award(node)).status).toBe(200)
  const reading = balance(node)
  await sleep(40)
  await resume()
  expect(await reading).toBe(before * 3)
  await untilReplayed()
  expect(await nameOf({ secret: other.test.secret })).toBe('Later')
  expect(await balance(node)).toBe(before * 3)
  expect(await onStandby(node)).toBeGreaterThan(seen)
  const used = await standby.query(
    `SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'tessera' AND query ~ '^(/\\*|SELECT)'`,
  )
  expect(used[0].n).toBeGreaterThan(0)
})

test('a standby that is down, behind or promoted fails no request', async () => {
  const node = await start({ config: { readReplica: { maxLagMs: 500, alone: false } } })
  const usable = () => metric(node, 'tessera_standby_usable')
  expect((await award(node)).status).toBe(200)
  const points = await balance(node)
  expect(await usable()).toBe(1)

  let isOver = false
  const statuses = new Set<number>()
  const read = async () => {
    while (!isOver) {
      statuses.add((await node.get('/v1/users/ann/balance', node.keys.secret)).status)
      await sleep(5)
    }
  }
  const reading = Promise.all([read(), read()])
  await standby.stop('immediate')
  await until(node, ['standby'])
  expect(await usable()).toBe(0)
  expect(await balance(node)).toBe(points)
  await standby.start()
  await until(node, [])

  standby.freeze()
  await until(node, ['standby'])
  standby.thaw()
  await until(node, [])

  await pause()
  expect((await award(node)).status).toBe(200)
  await until(node, ['standby'])
  expect(await balance(node)).toBe(points * 2)
  expect(await metric(node, 'tessera_standby_lag_seconds')).toBeGreaterThan(0.5)
  await resume()
  await until(node, [])

  await standby.query('SELECT pg_promote()')
  await until(node, ['standby'])
  expect(await balance(node)).toBe(points * 2)
  isOver = true
  await reading
  expect([...statuses]).toEqual([200])
  expect((await node.get('/readyz')).status).toBe(200)
})

test('a revoked key is refused and partners stay apart while replay stands still', async () => {
  const node = await start()
  const other = await node.createPartner()
  expect((await award(node)).status).toBe(200)
  await balance(node)
  const { body } = await node.graphql('{ user(by: { externalId: "ann" }) { id } }')
  const theirs = await node.graphql(
    'query ($id: ID!) { node(id: $id) { id } }',
    { id: body.data.user.id },
    { secret: other.test.secret },
  )
  expect(theirs.body.data.node).toBe(null)
  await pause()
  await node.runtime.db.apiKey.updateMany({
    where: { partnerId: node.partner.partnerId },
    data: { revokedAt: new Date() },
  })
  const revokedAt = awake()
  while ((await node.get('/v1/users/ann/balance', node.keys.secret)).status !== 403) {
    expect(awake() - revokedAt).toBeLessThan(5_000)
    await sleep(100)
  }
  await resume()
})

test('nodes with a Redis tell each other who has written', async () => {
  const config = { redisUrl: 'redis://127.0.0.1:6379' }
  const [one, two] = [await start({ config }), await start({ config })]
  const { secret } = one.keys
  expect((await award(one)).status).toBe(200)
  const points = await balance(two, secret)
  await pause()
  expect((await award(one)).status).toBe(200)
  expect(await balance(two, secret)).toBe(points * 2)
  await resume()
})

test('the standby serves reads alone if it may, and writes get 503', async () => {
  const node = await start({ config: { readReplica: { maxLagMs: 1_000, alone: true } } })
  expect((await award(node)).status).toBe(200)
  const points = await balance(node)
  await sleep(6_500) // the write is remembered for six seconds
  await primary.stop('immediate')
  while ((await node.get('/readyz')).body.status !== 'read-only') await sleep(50)
  expect((await node.get('/readyz')).status).toBe(200)
  await sleep(4_500) // longer than keys are cached
  expect(await balance(node)).toBe(points)
  const refused = await award(node)
  expect(refused.status).toBe(503)
  await primary.start()
  while ((await node.get('/readyz')).body.status !== 'ok') await sleep(50)
  expect((await award(node)).status).toBe(200)
  expect(await balance(node)).toBe(points * 2)
})
