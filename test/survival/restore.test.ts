/** A database that moves keeps its order of events: nothing is lost and nothing comes twice. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { openDatabase } from '../../src/kit/database/db.ts'
import { migrate } from '../../src/kit/database/migrate.ts'
import { createReceiver } from '../webhooks/receiver.ts'
import { createDatabase, createWorld } from '../world.ts'
import { copyCluster, createFolder, runProgram, startCluster } from './cluster.ts'
import { award, readCursor, readOn, watch } from './feed-reader.ts'

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

const world = async (options: Parameters<typeof createWorld>[0]) => {
  const made = await createWorld(options)
  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= made.server.stop())
  ends.push(stop)
  return { ...made, stop }
}

/** A billion transactions ahead: at the beginning of a commit log file, which need not exist there. */
const farAhead = 1000 * 2 ** 20

const resetTransactionIds = async ({ stop, data, start }: Cluster) => {
  await stop()
  runProgram('pg_resetwal', ['-x', String(farAhead), '-D', data])
  await start()
}

const dumpAndRestore = async (from: Cluster, to: Cluster, database: string) => {
  const file = join(createFolder(), 'dump')
  runProgram('pg_dump', ['-Fc', '-f', file, from.url(database)])
  const target = await to.createDatabase(database)
  return {
    target,
    restore: () => runProgram('pg_restore', ['-d', to.url(database), file]),
  }
}

const jobsOn = (database: Awaited<ReturnType<Cluster['createDatabase']>>) =>
  world({ database, config: { jobs: true, webhookAllowPrivate: true } })

test.each([
  ['behind', false],
  ['ahead', true],
])('a restore into a cluster whose transaction ids are far %s', async (_, targetIsAhead) => {
  const [source, target] = await Promise.all([cluster(), cluster()])
  await resetTransactionIds(targetIsAhead ? target : source)
  const first = await world({
    database: await source.createDatabase('moved'),
    config: { webhookAllowPrivate: true },
  })
  const { secret } = first.keys
  const receiver = await createReceiver()
  ends.push(receiver.end)
  const hook = { url: receiver.url, events: ['points.awarded'] }
  expect((await first.post('/v1/webhooks', secret, hook)).status).toBe(200)

  const dumped = await award(first, secret, 40)
  const all = await readOn(first, secret)
  expect([...all].sort()).toEqual([...dumped].sort())
  const half = all[19] as string
  const { cursor } = await readCursor(first, secret, null, 20)
  const dump = await dumpAndRestore(source, target, 'moved')
  // Writes after the dump stay behind; a reader has seen them.
  await award(first, secret, 10)
  const ahead = await readCursor(first, secret, cursor)
  expect(ahead.ids).toHaveLength(30)
  await first.stop()
  dump.restore()

  const second = await jobsOn(dump.target)
  expect(await readOn(second, secret)).toEqual(all)
  const live = await watch(second, secret, half)
  const awarded = await award(second, secret, 12)
  await live.until(32)
  const now = await readOn(second, secret)
  expect(now.slice(0, 40)).toEqual(all)
  expect(now.slice(40).sort()).toEqual([...awarded].sort())
  expect(await readOn(second, secret, half)).toEqual(now.slice(20))
  expect((await readCursor(second, secret, cursor)).ids).toEqual(now.slice(20))
  expect(live.ids()).toEqual(now.slice(20))
  expect((await readCursor(second, secret, ahead.cursor)).ids).toEqual(now.slice(40))
  await live.end()

  await receiver.until(52)
  await sleep(300)
  const delivered = receiver.received.map(({ headers }) => String(headers['x-webhook-id']))
  expect(delivered.sort()).toEqual([...now].sort())
  expect(await audit(second.server.database.pool)).toBe(0)
})

/** Copies every row by SQL, like a tool that ignores sequences. */
const copyRows = async (from: pg.Pool, to: pg.Pool) => {
  const { rows: tables } = await to.query(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
      AND relname <> '_prisma_migrations'`,
  )
  const client = await to.connect()
  await client.query('SET session_replication_role = replica')
  for (const { name } of tables) {
    const { rows } = await from.query({
      text: `SELECT row_to_json(t)::text AS row FROM "${name}" t`,
    })
    const list = `[${rows.map(({ row }) => row).join(',')}]`
    const columns = `SELECT string_agg(quote_ident(attname), ',') AS list FROM pg_attribute
      WHERE attrelid = '"${name}"'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`
    const [{ list: names }] = (await client.query(columns)).rows
    await client.query(`DELETE FROM "${name}"`) // migrations have written some
    const insert = `INSERT INTO "${name}" (${names}) OVERRIDING SYSTEM VALUE
      SELECT ${names} FROM json_populate_recordset(NULL::"${name}", $1::json)`
    await client.query(insert, [list])
  }
  client.release(true)
}

test('a move from the embedded database to a server, row by row', async () => {
  const embedded = await createDatabase(false)
  ends.push(embedded.drop)
  const first = await world({ database: embedded })
  const { secret } = first.keys
  await award(first, secret, 30)
  const all = await readOn(first, secret)
  const { cursor } = await readCursor(first, secret, null, 10)
  const database = await (await cluster()).createDatabase('grown')
  const server = await openDatabase(database)
  await migrate(server.pool)
  await copyRows(first.server.database.pool, server.pool)
  await server.close()
  await first.stop()

  const second = await world({ database })
  expect(await readOn(second, secret)).toEqual(all)
  const awarded = await award(second, secret, 6)
  const { ids } = await readCursor(second, secret, cursor)
  expect(ids.slice(0, 20)).toEqual(all.slice(10))
  expect(ids.slice(20).sort()).toEqual(awarded.sort())
  expect(await audit(second.server.database.pool)).toBe(0)
})

test('a standby that was promoted without the last transactions of its primary', async () => {
  const primary = await cluster()
  const first = await world({ database: await primary.createDatabase('led') })
  const { secret } = first.keys
  await award(first, secret, 10)
  const standby = await cluster({ data: await copyCluster(primary.url()) })
  await standby.query(`ALTER SYSTEM SET primary_conninfo = ''`)
  await standby.query('SELECT pg_reload_conf()')
  const isCut = async () => (await standby.query('SELECT FROM pg_stat_wal_receiver')).length === 0
  while (!(await isCut())) await sleep(50)
  const all = await readOn(first, secret)
  // More than a sequence writes ahead.
  await award(first, secret, 40)
  const ahead = await readCursor(first, secret, null)
  expect(ahead.ids).toHaveLength(50)
  await first.stop()
  await primary.stop('immediate')
  await standby.query('SELECT pg_promote()')

  const { drop, dataDir } = await createDatabase(false)
  ends.push(drop)
  const second = await world({ database: { databaseUrl: standby.url('led'), dataDir, drop } })
  expect(await readOn(second, secret)).toEqual(all)
  const awarded = await award(second, secret, 5)
  expect((await readCursor(second, secret, ahead.cursor)).ids.sort()).toEqual(awarded.sort())
})
