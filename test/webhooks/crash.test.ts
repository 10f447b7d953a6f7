import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { openDatabase } from '../../src/kit/database/db.ts'
import { demoKeys, type ServerProcess, startServer } from '../server-process.ts'
import { createDatabase, onPostgres, type TestDatabase } from '../world.ts'
import { createReceiver, type Receiver, signatureOf } from './receiver.ts'

const kills = 4
const awardsPerSecond = 100
const lifeMs = 700
/** A process is not killed before this many awards were answered, which takes longer on a busy machine. */
const leastAwards = 25
const longestLifeMs = 20_000

const env = {
  WEBHOOK_ALLOW_PRIVATE: '1',
  WEBHOOK_RETRY_SCHEDULE: ['0', ...Array.from({ length: 19 }, () => '1')].join(','),
}

let database: TestDatabase
let receiver: Receiver
let server: ServerProcess | undefined

beforeAll(async () => {
  database = await createDatabase()
  // Three of ten answers are failures.
  receiver = await createReceiver((n) => (n % 10 < 3 ? 500 : 200))
})
afterAll(async () => {
  await server?.kill('SIGKILL')
  await receiver?.end()
  await database?.drop()
})

/** Awards at a steady rate for a time; returns the acknowledged ids. */
const awardFor = async (on: ServerProcess, key: string, durationMs: number, prefix: string) => {
  const acknowledged: string[] = []
  const under: Promise<void>[] = []
  const start = Date.now()
  const isOver = () => {
    const age = Date.now() - start
    return age >= longestLifeMs || (age >= durationMs && acknowledged.length >= leastAwards)
  }
  for (let i = 0; !isOver(); i++) {
    const award = on
      .award(key, { userId: `${prefix}-${i % 9}`, eventType: 'purchase' })
      .then((answer) => {
        if (answer?.status === 200) acknowledged.push(answer.ledgerId)
      })
    under.push(award)
    await new Promise((resolve) => setTimeout(resolve, 1000 / awardsPerSecond))
  }
  return { acknowledged, settled: () => Promise.all(under) }
}

/** Releases what a killed process was sending, while no server runs. It takes 25 seconds otherwise, as the test below shows. */
const endLeases = async () => {
  const { pool, close } = await openDatabase(database)
  const text = "UPDATE webhook_delivery SET next_attempt_at = now() WHERE status = 'PENDING'"
  await pool.query({ text, values: [] }).finally(close)
}

/** All events of the awards, from the database itself. */
const readEvents = async () => {
  const { pool, close } = await openDatabase(database)
  try {
    const { rows } = await pool.query({
      text: `SELECT e.id, d.status FROM event e LEFT JOIN webhook_delivery d ON d.event_id = e.id
        WHERE e.type = 'points.awarded' AND e.data->>'userId' LIKE 'life-%'`,
      values: [],
    })
    expect(await audit(pool)).toBe(0)
    return rows as { id: string; status: string | null }[]
  } finally {
    await close()
  }
}

test(`a server killed ${kills} times under load delivers every event that was committed`, async () => {
  server = await startServer(database, env)
  const key = demoKeys(database).secretTest
  const answer = await fetch(`${server.base}/v1/webhooks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-secret': key },
    body: JSON.stringify({ url: receiver.url, events: ['points.awarded'] }),
  })
  const { data } = (await answer.json()) as { data: { secret: string } }

  const acknowledged: string[] = []
  for (let life = 0; life < kills; life++) {
    const running = await awardFor(server, key, lifeMs, `life-${life}`)
    await server.kill('SIGKILL')
    await running.settled()
    acknowledged.push(...running.acknowledged)
    if (life === kills - 1) await endLeases()
    server = await startServer(database, env)
  }

  // None fails permanently.
  const waiting = async () => {
    const list = async (status: string) => {
      const page = await fetch(`${server?.base}/v1/webhooks/deliveries?status=${status}&limit=1`, {
        headers: { 'x-api-secret': key },
      })
      return ((await page.json()) as { meta: { total: number } }).meta.total
    }
    return { pending: await list('PENDING'), failed: await list('FAILED') }
  }
  const end = Date.now() + 120_000
  while ((await waiting()).pending > 0 && Date.now() < end)
    await new Promise((resolve) => setTimeout(resolve, 100))
  expect(await waiting()).toEqual({ pending: 0, failed: 0 })
  await server.kill('SIGTERM')
  server = undefined

  const events = await readEvents()
  const accepted = new Set(
    receiver.received
      .filter(({ status }) => status === 200)
      .map(({ headers }) => String(headers['x-webhook-id'])),
  )
  expect(acknowledged.length).toBeGreaterThan(kills * 20)
  expect(events.length).toBeGreaterThanOrEqual(acknowledged.length)
  const ids = new Set(events.map(({ id }) => id))
  expect(acknowledged.filter((id) => !ids.has(id))).toEqual([])
  expect(events.filter(({ id }) => !accepted.has(id))).toEqual([])
  expect(events.filter(({ status }) => status !== 'DELIVERED')).toEqual([])
  // Nothing that was rolled back was sent, and retries have the same bytes.
  expect([...accepted].filter((id) => !ids.has(id))).toEqual([])
  const texts = new Map<string, string>()
  for (const { headers, text } of receiver.received) {
    const id = String(headers['x-webhook-id'])
    expect(texts.get(id) ?? text).toBe(text)
    texts.set(id, text)
    expect(headers['x-webhook-signature']).toBe(signatureOf(data.secret, text))
  }
}, 600_000)

test.runIf(onPostgres)(
  'what a killed node was sending, another sends within 35 seconds',
  async () => {
    // The first request is never answered: it is under way when its node dies.
    const silent = await createReceiver((n) => (n === 1 ? { status: 200, delayMs: 600_000 } : 200))
    const first = await startServer(database, env)
    const dataDir = mkdtempSync(join(database.dataDir, 'second-'))
    const key = demoKeys(database).secretLive
    try {
      await fetch(`${first.base}/v1/webhooks`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-secret': key },
        body: JSON.stringify({ url: silent.url, events: ['points.awarded'] }),
      })
      await first.award(key, { userId: 'taken-over', eventType: 'signup' })
      await silent.until(1)
      server = await startServer({ ...database, dataDir }, env)
      await first.kill('SIGKILL')
      const killedAt = Date.now()
      await silent.until(2, 40_000)
      expect(silent.received[1]?.text).toBe(silent.received[0]?.text)
      expect((silent.received[1]?.at ?? Infinity) - killedAt).toBeLessThan(35_000)
    } finally {
      await silent.end()
    }
  },
  120_000,
)
