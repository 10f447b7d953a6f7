/** Nodes behind a load balancer that are restarted or killed under load. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoKeys, type ServerProcess, startServer } from '../server-process.ts'
import { createDatabase, type TestDatabase } from '../world.ts'

const callers = 8
/** The interval at which the balancer polls `/readyz`. */
const lookMs = 100
/** The longest that it trusts what it has seen, for a machine that stalls; the nodes drain for longer. */
const trustMs = 300

let database: TestDatabase
/** The nodes by their place; a balancer keeps the place of a node that is gone. */
let nodes: ServerProcess[] = []

const env = { JOBS: 'off', DRAIN_DELAY_MS: '500' }

beforeAll(async () => {
  database = await createDatabase(true)
  const first = await startServer(database, env)
  nodes = [first, await startServer(database, env)]
})
afterAll(async () => {
  await Promise.all(nodes.filter((node) => node.isAlive()).map((node) => node.kill('SIGKILL')))
  await database?.drop()
})

/** Awards all the time, each at a node that was ready a moment ago, and counts the outcomes. */
const startBalancedLoad = () => {
  const secret = demoKeys(database).secretTest
  /** When each node that is ready was asked. */
  const ready = new Map(nodes.map((node) => [node, performance.now()]))
  const seen = { sent: 0, lost: 0, refused: [] as number[], acknowledged: [] as string[] }
  let isRunning = true

  const look = async () => {
    while (isRunning) {
      for (const node of nodes) {
        const selectionsAt = performance.now()
        const answer = await fetch(`${node.base}/readyz`).catch(() => null)
        if (answer?.ok) ready.set(node, selectionsAt)
        else ready.delete(node)
      }
      await sleep(lookMs)
    }
  }
  const call = async () => {
    for (let turn = 0; isRunning; turn++) {
      const trusted = performance.now() - trustMs
      const choice = nodes.filter((node) => (ready.get(node) ?? 0) > trusted)
      const node = choice[turn % choice.length]
      if (node) {
        seen.sent++
        const body = { userId: `user-${turn % 50}`, eventType: 'purchase', reference: randomUUID() }
        const answer = await node.award(secret, body)
        if (!answer) seen.lost++
        else if (answer.status === 200) seen.acknowledged.push(answer.ledgerId)
        else seen.refused.push(answer.status)
        // Like a load balancer that counts failures.
        if (!answer) ready.delete(node)
      }
      await sleep(5)
    }
  }
  const running = [look(), ...Array.from({ length: callers }, call)]
  return {
    stop: async () => {
      isRunning = false
      await Promise.all(running)
      return seen
    },
  }
}

/** How many of the acknowledged awards are in the ledger. */
const countWritten = async (ids: string[]) => {
  const client = new pg.Client({ connectionString: database.databaseUrl as string })
  await client.connect()
  const { rows } = await client.query(
    'SELECT count(*)::int AS count FROM ledger_entry WHERE id = ANY ($1::uuid[])',
    [ids],
  )
  await client.end()
  return rows[0].count
}

const restart = async (place: number, signal: 'SIGTERM' | 'SIGKILL') => {
  await nodes[place]?.kill(signal)
  nodes[place] = await startServer(database, env)
  await sleep(500)
}

test('a rolling restart loses no request', async () => {
  const load = startBalancedLoad()
  await sleep(500)
  for (const place of [0, 1]) await restart(place, 'SIGTERM')
  const { sent, lost, refused, acknowledged } = await load.stop()
  console.log(`rolling restart: ${lost} of ${sent} requests lost`)
  expect({ lost, refused }).toEqual({ lost: 0, refused: [] })
  expect(acknowledged.length).toBeGreaterThan(500)
  expect(await countWritten(acknowledged)).toBe(acknowledged.length)
})

test('kill -9 of a node loses only requests in progress, and nothing acknowledged', async () => {
  const load = startBalancedLoad()
  await sleep(500)
  for (const place of [0, 1]) await restart(place, 'SIGKILL')
  const { sent, lost, refused, acknowledged } = await load.stop()
  console.log(`kill -9: ${lost} of ${sent} requests lost`)
  expect(refused).toEqual([])
  // Each caller has one request under way.
  expect(lost).toBeLessThanOrEqual(2 * callers)
  expect(await countWritten(acknowledged)).toBe(acknowledged.length)
})
