/** Nodes that are killed while they pay: each grant is paid once. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { openDatabase } from '../../src/kit/database/db.ts'
import { demoKeys, type ServerProcess, startServer } from '../server-process.ts'
import { createDatabase, onPostgres, type TestDatabase } from '../world.ts'

const kills = 3
const usersPerLife = 60
const points = 7

let database: TestDatabase
const servers = new Set<ServerProcess>()
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(async () => {
  await Promise.all([...servers].map((server) => server.kill('SIGKILL')))
  await database?.drop()
})

const start = async (dataDir = database.dataDir) => {
  const server = await startServer({ ...database, dataDir })
  servers.add(server)
  return server
}

const kill = async (server: ServerProcess, signal: 'SIGKILL' | 'SIGTERM') => {
  await server.kill(signal)
  servers.delete(server)
}

// biome-ignore lint/suspicious/noExplicitAny: answers of several shapes
const send = async (server: ServerProcess, path: string, body: object): Promise<any> => {
  const answer = await fetch(`${server.base}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-secret': demoKeys(database).secretTest },
    body: JSON.stringify(body),
  })
  return answer.json()
}

/**
 * Gives rewards whose hold ends soon, all at about the same time, so that the payer has many to pay. Returns how many were
 * acknowledged.
 */
const giveHeld = async (server: ServerProcess, reward: string) => {
  const heldUntil = new Date(Date.now() + 2_500).toISOString()
  const gifts = Array.from({ length: usersPerLife }, async () => {
    const path = `/v1/users/${randomUUID()}/grants`
    const { data } = await send(server, path, { reward, heldUntil, reference: randomUUID() })
    return data?.grantId as string | undefined
  })
  const ids = (await Promise.all(gifts)).filter((id) => id !== undefined)
  return { ids, heldUntil: Date.parse(heldUntil) }
}

const sleepUntil = (at: number) =>
  new Promise((resolve) => setTimeout(resolve, Math.max(0, at - Date.now())))

const createReward = async (server: ServerProcess) => {
  const name = `bonus-${randomUUID()}`
  const query = `mutation { createReward(input: { name: "${name}", kind: POINTS, points: ${points} }) { __typename } }`
  await send(server, '/graphql', { query })
  return name
}

const check = async (ids: string[]) => {
  const { pool, close } = await openDatabase(database)
  try {
    expect(await audit(pool)).toBe(0)
    const { rows } = await pool.query({
      text: `SELECT status::text, count(*)::int AS n, sum((SELECT sum(points) FROM ledger_entry
          WHERE source_id = g.id::text AND account = 'rewards'))::int AS points
        FROM reward_grant g WHERE id = ANY ($1::uuid[]) GROUP BY 1`,
      values: [ids],
    })
    expect(rows).toEqual([{ status: 'ISSUED', n: ids.length, points: points * ids.length }])
  } finally {
    await close()
  }
}

const untilPaid = async (server: ServerProcess, ids: string[]) => {
  const count = async () => {
    const query = '{ grants(filter: { statuses: [HELD, READY] }) { totalCount { value } } }'
    return (await send(server, '/graphql', { query })).data.grants.totalCount.value
  }
  await expect.poll(count, { timeout: 60_000, interval: 200 }).toBe(0)
  expect(ids.length).toBeGreaterThan(0)
}

test('a node that is killed while it pays has paid each grant once or not at all, and the next one pays the rest', async () => {
  const ids: string[] = []
  let server = await start()
  const reward = await createReward(server)
  for (let life = 0; life < kills; life++) {
    const given = await giveHeld(server, reward)
    ids.push(...given.ids)
    // At another moment of the payment each time.
    await sleepUntil(given.heldUntil + life * 400)
    await kill(server, 'SIGKILL')
    server = await start()
  }
  await untilPaid(server, ids)
  await kill(server, 'SIGTERM')
  await check(ids)
}, 300_000)

test.runIf(onPostgres)(
  'of two nodes that pay, one is killed, and each grant is paid once',
  async () => {
    const first = await start()
    const second = await start(mkdtempSync(join(database.dataDir, 'second-')))
    const reward = await createReward(first)
    const ids: string[] = []
    for (const server of [first, second]) ids.push(...(await giveHeld(server, reward)).ids)
    await new Promise((resolve) => setTimeout(resolve, 2_700))
    await kill(second, 'SIGKILL')
    await untilPaid(first, ids)
    await kill(first, 'SIGTERM')
    await check(ids)
  },
  180_000,
)
