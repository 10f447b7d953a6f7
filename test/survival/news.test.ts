/** Readers get every event, even if its writer is killed before it notifies anybody, or never does. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ServerProcess, startServer } from '../server-process.ts'
import { createWorld, type TestDatabase, type World } from '../world.ts'
import { startCluster } from './cluster.ts'
import { readOn, watch } from './feed-reader.ts'

/** The interval of polling is two seconds. The rest is for a busy machine. */
const longestMs = 6_000

let cluster: Awaited<ReturnType<typeof startCluster>>
let database: TestDatabase
let world: World
const others: ServerProcess[] = []

beforeAll(async () => {
  cluster = await startCluster()
  database = await cluster.createDatabase('news')
  world = await createWorld({ database })
})
afterAll(async () => {
  for (const node of others) if (node.isAlive()) await node.kill('SIGKILL')
  await world?.server.stop()
  await database?.drop()
  await cluster?.end()
})

test('a program that tells nobody is found by polling, in time', async () => {
  const { secret } = world.keys
  const client = new pg.Client({ connectionString: cluster.url('news') })
  await client.connect()
  await client.query('LISTEN tessera')
  const notified: string[] = []
  client.on('notification', ({ payload = '' }) => notified.push(payload))
  const live = await watch(world, secret)
  const { rows } = await client.query(`
    INSERT INTO event (id, partner_id, environment, type, data, occurred_at)
    VALUES (gen_random_uuid(), '${world.tenant.partnerId}', 'TEST', 'lottery.draw_completed', '{}', now())
    RETURNING id`)
  await live.until(1, longestMs)
  expect(live.ids()).toEqual([rows[0].id])
  // Its transaction did not notify.
  expect(notified).toEqual([])
  await live.end()
  await client.end()
})

test('a node that is killed while it writes leaves no event unseen, in order and once', async () => {
  const { secret } = world.keys
  const live = await watch(world, secret)
  const before = await readOn(world, secret)
  for (let round = 0; round < 3; round++) {
    const node = await startServer(database, { JOBS: 'off' })
    others.push(node)
    let awarded = 0
    const callers = Array.from({ length: 8 }, async () => {
      while (node.isAlive()) {
        const input = { userId: randomUUID(), eventType: 'purchase', reference: randomUUID() }
        if (!(await node.award(secret, input))) return
        awarded++
      }
    })
    // A busy machine has written nothing yet a second after a start.
    await expect.poll(() => awarded, { timeout: 30_000 }).toBeGreaterThan(50)
    await node.kill('SIGKILL')
    await Promise.all(callers)
  }
  // Long enough for the next round of polling, which might find an event again.
  await sleep(2_500)
  const written = (await readOn(world, secret)).slice(before.length)
  expect(written.length).toBeGreaterThan(0)
  await live.until(written.length, longestMs)
  expect(live.ids()).toEqual(written)
  await live.end()
})
