/** A pooler between the nodes and PostgreSQL, in both of its modes. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { migrate } from '../../src/kit/database/migrate.ts'
import { findSessionState } from '../../src/kit/database/pooler.ts'
import { freePort, startProgram } from '../server-process.ts'
import { createReceiver } from '../webhooks/receiver.ts'
import { createWorld } from '../world.ts'
import { startCluster } from './cluster.ts'
import { watch } from './feed-reader.ts'
import { startLoad } from './load.ts'
import { canKeepNames, startPgBouncer } from './pgbouncer.ts'

let cluster: Awaited<ReturnType<typeof startCluster>>
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster?.end())

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const pooler = async (settings: Record<string, string | number>) => {
  const made = await startPgBouncer(cluster, settings)
  ends.push(made.end)
  return made
}

/** A folder with one migration that no database has yet. */
const newMigration = (name: string, sql: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-migrations-'))
  mkdirSync(join(folder, name))
  writeFileSync(join(folder, name, 'migration.sql'), sql)
  return folder
}

type Settings = Record<string, string | number>

const transaction = { pool_mode: 'transaction', default_pool_size: 6 }
const named = { ...transaction, max_prepared_statements: 200 }
const unnamed = canKeepNames ? { ...transaction, max_prepared_statements: 0 } : transaction

test.each<[string, Settings]>([
  ['session', { pool_mode: 'session', default_pool_size: 40 }],
  ['transaction', unnamed],
  ...(canKeepNames ? [['transaction, names kept,', named] as [string, Settings]] : []),
])('PgBouncer in %s mode, under load', async (_, settings) => {
  const direct = settings.pool_mode === 'transaction'
  const name = `pooled_${ends.length}_${Date.now()}`
  const { url } = await pooler(settings)
  const place = {
    ...(await cluster.createDatabase(name)),
    databaseUrl: url(name),
  }
  const databaseDirectUrl = direct ? cluster.url(name) : undefined
  const start = async () => {
    const config = { jobs: true, webhookAllowPrivate: true, databaseDirectUrl, databasePool: 10 }
    const node = await createWorld({ database: place, config })
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
  // News has a text. Events that a node finds by polling have none.
  const news = new Set<string | undefined>()
  second.runtime.pubsub.on('event', (text) => news.add(text))

  const load = startLoad([...nodes], keys)
  const sql = `-- Outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS by_day;
CREATE INDEX CONCURRENTLY by_day ON user_activity (occurred_at);`
  const applied = migrate(first.server.database.direct, {
    folder: newMigration('29990101000000_by_day', sql),
  })
  expect(await applied).toEqual(['29990101000000_by_day'])
  await start() // a third node, while the others work
  await load.more(300)
  await load.stop()
  expect(news).toContain(`${first.partner.partnerId}:TEST`)

  expect([...load.others]).toEqual([])
  const acknowledged = load.acknowledged.sort()
  for (const reader of readers) {
    await reader.until(acknowledged.length)
    expect(reader.ids().sort()).toEqual(acknowledged)
    await reader.end()
  }
  await receiver.until(acknowledged.length, 30_000)
  const delivered = receiver.received.map(({ headers }) => String(headers['x-webhook-id']))
  expect(delivered.sort()).toEqual(acknowledged)
  const done = `SELECT FROM jobs.job WHERE state = 'completed'`
  expect((await cluster.query(done, name)).length).toBeGreaterThan(0)
  expect(await second.server.runtime.degraded.list()).toEqual([])
  expect(await audit(first.server.database.pool)).toBe(0)
})

const startOn = async (env: Record<string, string>) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tessera-survival-'))
  const PORT = String(await freePort())
  const program = startProgram({ PORT, HOST: '127.0.0.1', DATA_DIR: dataDir, ...env })
  ends.push(() => program.end('SIGKILL'))
  return { code: await program.exited, output: program.output() }
}

test('transaction mode without a direct URL is refused with a solution', async () => {
  const { url } = await pooler({ pool_mode: 'transaction' })
  expect(await startOn({ DATABASE_URL: url() })).toEqual({
    code: 1,
    output:
      'DATABASE_URL leads to a pooler in transaction mode, which supports neither notifications nor migrations: set DATABASE_DIRECT_URL to the address of PostgreSQL itself.\n',
  })
})

test.each<[string, Settings]>([
  ['session', { pool_mode: 'session' }],
  ['nothing', unnamed],
  ['nothing', { ...unnamed, server_round_robin: 1, min_pool_size: 3 }],
  ['nothing', { ...unnamed, default_pool_size: 1 }],
  ...(canKeepNames
    ? ([
        ['names', named],
        ['names', { ...named, server_round_robin: 1, min_pool_size: 3 }],
      ] as [string, Settings][])
    : []),
])('what is kept is found: %s, with %j', async (kept, settings) => {
  const { url } = await pooler(settings)
  const pool = new pg.Pool({ connectionString: url(), max: 2 })
  expect(await findSessionState(pool).finally(() => pool.end())).toBe(kept)
})

test.each([
  ['leads through the pooler, too', (url: string) => url],
  ['is of another database', () => cluster.url('template1')],
])('a direct URL that %s is refused', async (_, directUrl) => {
  const { url } = await pooler({ pool_mode: 'transaction' })
  const { code, output } = await startOn({
    DATABASE_URL: url(),
    DATABASE_DIRECT_URL: directUrl(url()),
  })
  expect(code).toBe(1)
  expect(output).toContain('DATABASE_DIRECT_URL does not receive the notifications of DATABASE_URL')
  expect(output.split('\n')).toHaveLength(2)
})
