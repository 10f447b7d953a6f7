/** `tessera move`: everything that was issued before a move is valid after it, in both directions. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Proof, verifyPlay } from '../../packages/verifier/play.ts'
import { createFolder } from '../folder.ts'
import { startProgram } from '../server-process.ts'
import { createReceiver, signatureOf } from '../webhooks/receiver.ts'
import { createDatabase, createWorld, type TestDatabase, type World } from '../world.ts'
import { startCluster } from './cluster.ts'
import { award, readCursor, readOn } from './feed-reader.ts'

let cluster: Awaited<ReturnType<typeof startCluster>>
beforeAll(async () => {
  cluster = await startCluster()
  // The owner of a database, who is no superuser.
  await cluster.query('CREATE ROLE app LOGIN')
})
afterAll(() => cluster?.end())

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const onServer = async (name: string): Promise<TestDatabase> => {
  const made = await cluster.createDatabase(name)
  await cluster.query(`ALTER DATABASE ${name} OWNER TO app`)
  await cluster.query('ALTER SCHEMA public OWNER TO app', name)
  ends.push(made.drop)
  return { ...made, databaseUrl: cluster.url(name).replace('postgres@', 'app@') }
}
const embedded = async (isMigrated: boolean): Promise<TestDatabase> => {
  const made = await createDatabase(false, isMigrated)
  ends.push(made.drop)
  return isMigrated ? made : { ...made, dataDir: join(createFolder('move'), 'data') }
}
/** The settings that name both ends; a folder is an argument. */
const startMove = (from: TestDatabase, to: TestDatabase) => {
  const folder = to.databaseUrl ? [] : ['--to', to.dataDir]
  return startProgram(
    {
      DATA_DIR: from.dataDir,
      ...(from.databaseUrl && { DATABASE_URL: from.databaseUrl }),
      ...(to.databaseUrl && { TARGET_DATABASE_URL: to.databaseUrl }),
    },
    ['src/cli/move.ts', ...folder].join(' '),
  )
}
const move = async (from: TestDatabase, to: TestDatabase) => {
  const running = startMove(from, to)
  return { code: await running.exited, output: running.output() }
}

const serve = async (database: TestDatabase, jobs = false) => {
  const world = await createWorld({ database, config: { jobs, webhookAllowPrivate: true } })
  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= world.server.stop())
  ends.push(stop)
  return { ...world, stop }
}

const proofOf = async (world: World, key: string, playId: string): Promise<Proof> =>
  (await world.get(`/v1/plays/${playId}/proof`, key)).body.data
const seedsOf = async (world: World, key: string) =>
  (await world.get('/v1/users/user-0/play-seeds', key)).body.data

/** Kills a move before it commits. */
const killMove = async (from: TestDatabase, to: TestDatabase) => {
  const killed = startMove(from, to)
  await killed.until('Building indexes')
  await killed.end('SIGKILL')
}

const expectRefused = async (from: TestDatabase, to: TestDatabase, reason: string) =>
  expect(await move(from, to)).toMatchObject({
    code: 1,
    output: expect.stringContaining(reason),
  })

/** The keys of a demo go along to a folder, for their owner only. */
const demo = '{ "keys": {} }'
const writeDemo = ({ dataDir }: TestDatabase) =>
  writeFileSync(join(dataDir, 'demo.json'), demo, { mode: 0o600 })
const expectDemo = ({ dataDir }: TestDatabase) => {
  const copied = join(dataDir, 'demo.json')
  expect(readFileSync(copied, 'utf8')).toBe(demo)
  expect(statSync(copied).mode & 0o077).toBe(0)
}

// Long: what was issued before is compared at each of the three places.
test('a database moves to a server and back, after moves that were refused or killed', async () => {
  const [home, server, back] = [
    await embedded(true),
    await onServer('grown'),
    await embedded(false),
  ]
  const receiver = await createReceiver()
  ends.push(receiver.end)

  const first = await serve(home)
  const { secret, public: key } = first.keys
  const bearer = await first.signInAs('OWNER')
  const hook = { url: receiver.url, events: ['points.awarded'] }
  const signing: string = (await first.post('/v1/webhooks', secret, hook)).body.data.secret
  await award(first, secret, 30)
  const play = await first.post('/v1/games/play', key, { userId: 'user-0', gameType: 'NEON_WHEEL' })
  const { playId } = play.body.data
  const all = await readOn(first, secret)
  const { cursor } = await readCursor(first, secret, null, 10)
  const [proof, seeds] = [await proofOf(first, key, playId), await seedsOf(first, key)]
  expect(proof.playId).toBe(playId)
  const balance = await first.get('/v1/users/user-1/balance', secret)
  // The embedded database belongs to the process that serves it.
  await expectRefused(home, server, 'is in use by another server or command')
  await first.stop()

  await cluster.query('CREATE TABLE theirs (id int)', 'grown')
  await expectRefused(home, server, 'a table theirs')
  await cluster.query('DROP TABLE theirs', 'grown')
  await killMove(home, server)
  expect(await cluster.query('SELECT FROM partner', 'grown')).toEqual([])
  const there = await move(home, server)
  expect(there.code, there.output).toBe(0)
  expect(there.output).toMatch(/Moved [\d,]+ rows.*audit found nothing broken/)
  await expectRefused(home, server, 'name an empty database')
  const second = await serve(server, true)
  expect(await readOn(second, secret)).toEqual(all)
  expect((await readCursor(second, secret, cursor)).ids).toEqual(all.slice(10))
  expect(await proofOf(second, key, playId)).toEqual(proof)
  expect(await seedsOf(second, key)).toEqual(seeds)
  expect((await second.get('/v1/users/user-1/balance', secret)).body.data).toEqual(
    balance.body.data,
  )
  expect(balance.body.data.userId).toBe('user-1')
  const viewer = await second.graphql('{ viewer { member { email } } }', {}, { bearer })
  expect(viewer.body.data.viewer.member.email).toContain('@')
  // Deliveries that were due before the move are sent after it, signed with the earlier secret.
  await receiver.until(30, 20_000)
  expect(receiver.received).toHaveLength(30)
  for (const { headers, text } of receiver.received)
    expect(headers['x-webhook-signature']).toBe(signatureOf(signing, text))
  const awarded = await award(second, secret, 6)
  const { ids, cursor: later } = await readCursor(second, secret, cursor)
  expect(ids.slice(0, all.length - 10)).toEqual(all.slice(10))
  expect(ids.slice(all.length - 10).sort()).toEqual([...awarded].sort())

  await expectRefused(server, back, 'stop all nodes')
  expect(existsSync(join(back.dataDir, 'db'))).toBe(false)
  await second.stop()
  await expectRefused(server, home, 'has a database already')
  writeDemo(server)
  await killMove(server, back)
  expect(existsSync(join(back.dataDir, 'db'))).toBe(false)
  const again = await move(server, back)
  expect(again.code, again.output).toBe(0)
  expect(existsSync(join(back.dataDir, 'db.moved'))).toBe(false)
  expectDemo(back)

  const third = await serve(back)
  const now = await readOn(third, secret)
  expect(now.slice(0, all.length)).toEqual(all)
  expect(now.slice(all.length).sort()).toEqual([...awarded].sort())
  expect((await readCursor(third, secret, later)).ids).toEqual([])
  const last = await award(third, secret, 3)
  expect((await readCursor(third, secret, later)).ids.sort()).toEqual(last.sort())
  // The seed that was committed to before both moves is the one that is revealed.
  await third.post('/v1/users/user-0/play-seeds/rotate', key, {})
  const revealed = await proofOf(third, key, playId)
  expect(revealed.digest).toBe(proof.digest)
  expect(verifyPlay(revealed).every(({ ok }) => ok)).toBe(true)
})

test('a source without a database is refused', async () => {
  const [home, server] = [await embedded(true), await onServer('refused')]
  await expectRefused({ ...home, dataDir: createFolder('move') }, server, 'has no database')
})
