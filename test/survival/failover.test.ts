/** Several hosts in one URL: the one that accepts writes is used, and searched for again when it is gone. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { defaultLimits } from '../../src/kit/config/time-limits.ts'
import { openServerPool } from '../../src/kit/database/server-pool.ts'
import { awake } from '../timing.ts'
import { createReceiver } from '../webhooks/receiver.ts'
import { createWorld } from '../world.ts'
import { copyCluster, startCluster } from './cluster.ts'
import { watch } from './feed-reader.ts'
import { startLoad } from './load.ts'

type Cluster = Awaited<ReturnType<typeof startCluster>>

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const cluster = async (options?: Parameters<typeof startCluster>[0]) => {
  const made = await startCluster(options)
  ends.push(made.end)
  return made
}

const urlOf = (clusters: Cluster[], database = 'postgres') =>
  `postgresql://postgres@${clusters.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${database}`

/** A synchronous standby: it has each transaction before its commit is acknowledged. */
const followInStep = async (primary: Cluster) => {
  const standby = await cluster({ data: await copyCluster(primary.url()) })
  await primary.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`)
  await primary.query('SELECT pg_reload_conf()')
  const inStep = `SELECT FROM pg_stat_replication WHERE sync_state = 'sync'`
  while ((await primary.query(inStep)).length === 0) await sleep(50)
  return standby
}

// With synchronous replication, so that nothing acknowledged may be missing at the standby.
test('a standby is promoted under load after its primary was killed', async () => {
  const primary = await cluster()
  const place = await primary.createDatabase('led')
  const standby = await followInStep(primary)
  const databaseUrl = urlOf([standby, primary], 'led')
  const start = async () => {
    const config = { jobs: true, webhookAllowPrivate: true }
    const node = await createWorld({ database: { ...place, databaseUrl }, config })
    ends.push(node.end)
    return node
  }
  const nodes = [await start(), await start()] as const
  const [first, second] = nodes
  const { keys } = first
  const receiver = await createReceiver()
  ends.push(receiver.end)
  const hook = { url: receiver.url, events: ['points.awarded'] }
  expect((await first.post('/v1/webhooks', keys.secret, hook)).status).toBe(200)
  const readers = await Promise.all(nodes.map((node) => watch(node, keys.secret)))
  const load = startLoad([...nodes], keys)
  await load.more(100)

  await primary.stop('immediate')
  const stopped = awake()
  while ((await first.get('/readyz')).status !== 503) {
    expect(awake() - stopped).toBeLessThan(1_000)
    await sleep(20)
  }
  while (!load.statuses()[503]) await sleep(20)
  await standby.query('SELECT pg_promote()')
  const promoted = awake()
  await load.more(1)
  expect(awake() - promoted).toBeLessThan(2_000)
  for (const node of nodes)
    while ((await node.get('/readyz')).status !== 200) {
      expect(awake() - promoted).toBeLessThan(2_000)
      await sleep(20)
    }
  await load.more(200)
  await load.stop()

  expect(load.statuses()[503]).toBeGreaterThan(0)
  expect([...load.others].filter((text) => !text.startsWith('503'))).toEqual([])
  const kept = await standby.query('SELECT id FROM event', 'led')
  const ids = new Set(kept.map(({ id }) => id))
  expect(load.acknowledged.filter((id) => !ids.has(id))).toEqual([])
  const all = [...ids].sort()
  for (const reader of readers) {
    await reader.until(all.length)
    expect(reader.ids().sort()).toEqual(all)
    await reader.end()
  }
  expect([...(await receiver.untilEvents(all.length))].sort()).toEqual(all)
  for (let left = 100; left > 0 && (await second.server.runtime.degraded.list()).length > 0; left--)
    await sleep(100)
  expect(await second.server.runtime.degraded.list()).toEqual([])
  expect(await audit(first.server.database.pool)).toBe(0)
})

const open = async (url: string) => (await openServerPool(url, 4, defaultLimits)).pool

const portOf = async (pool: Awaited<ReturnType<typeof open>>) =>
  (await pool.query({ text: `SELECT current_setting('port')::int AS port` })).rows[0].port

test('a host that does not answer is skipped', async () => {
  const [hung, good] = await Promise.all([cluster(), cluster()])
  hung.freeze()
  const pool = await open(urlOf([hung, good]))
  ends.push(() => pool.end())
  const ports = await Promise.all([portOf(pool), portOf(pool), portOf(pool)])
  expect(ports).toEqual([good.port, good.port, good.port])
})

test('a connection to a host that became read-only is replaced', async () => {
  const [first, second] = await Promise.all([cluster(), cluster()])
  const pool = await open(urlOf([first, second]))
  ends.push(() => pool.end())
  expect(await portOf(pool)).toBe(first.port)
  await first.query('ALTER SYSTEM SET default_transaction_read_only = on')
  await first.query('SELECT pg_reload_conf()')
  const write = async () => {
    const client = await pool.connect()
    try {
      await client.query('BEGIN')
      await client.query('CREATE TABLE note ()')
      await client.query('COMMIT')
    } catch (error) {
      await client.query('ROLLBACK')
      throw error
    } finally {
      client.release()
    }
  }
  while ((await first.query('SHOW transaction_read_only'))[0].transaction_read_only === 'off')
    await sleep(10)
  await expect(write()).rejects.toMatchObject({ cause: { code: '25006' } })
  await write()
  expect(await second.query(`SELECT to_regclass('note') IS NOT NULL AS made`)).toEqual([
    { made: true },
  ])
})

test('an error reports that no host accepts writes', async () => {
  const primary = await cluster({ settings: { default_transaction_read_only: 'on' } })
  const opened = open(`${urlOf([primary])}?target_session_attrs=read-write`)
  await expect(opened).rejects.toMatchObject({ cause: { code: '25006' } })
})
