/** A node of several processes: they share the work, one that dies is replaced, and a stop cuts nothing off. */
import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoKeys, type ServerProcess, startProgram, startServer } from '../server-process.ts'
import { createDatabase, type TestDatabase } from '../world.ts'

/** Limits are on, and so high that nothing reaches them. */
const env = {
  WORKERS: '2',
  LOG_LEVEL: 'info',
  ACCESS_LOG: 'on',
  RATE_LIMIT: 'secret=100000,public=100000,anonymous=100000',
}

let database: TestDatabase
let node: ServerProcess
let secret: string
let db: pg.Client
beforeAll(async () => {
  database = await createDatabase(true, false)
  node = await startServer(database, env)
  await untilServing(2)
  secret = demoKeys(database).secretTest
  db = new pg.Client({ connectionString: database.databaseUrl })
  await db.connect()
})
afterAll(async () => {
  await db.end()
  if (node.isAlive()) await node.kill('SIGKILL')
  await database.drop()
})

const balance = '/v1/users/demo-user/balance'

type Line = { msg?: string; pid: number; worker?: number; route?: string }

const lines = (): Line[] =>
  node
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line))

/** The processes of all workers that have ever served. */
const workers = () =>
  lines()
    .filter(({ msg }) => msg === 'a worker serves')
    .map(({ worker }) => worker as number)

const untilServing = async (count: number) => {
  while (workers().length < count) {
    if (!node.isAlive()) throw new Error(node.output())
    await sleep(20)
  }
}

/** A request on a new connection, or on one of an agent. Null if the connection breaks. */
const send = (
  path: string,
  { body, agent, headers = {} }: { body?: object; agent?: Agent; headers?: object } = {},
) =>
  new Promise<{ status: number; text: string; header: (name: string) => number } | string>(
    (resolve) => {
      const sent = request(`${node.base}${path}`, {
        agent: agent ?? false,
        method: body ? 'POST' : 'GET',
        headers: { 'x-api-secret': secret, 'content-type': 'application/json', ...headers },
      })
      sent.on('error', ({ code }: NodeJS.ErrnoException) => resolve(String(code)))
      sent.on('response', (answer) => {
        let text = ''
        answer.on('data', (chunk) => {
          text += chunk
        })
        const header = (name: string) => Number(answer.headers[name])
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text, header }))
        answer.on('error', () => resolve('broken off'))
      })
      sent.end(body && JSON.stringify(body))
    },
  )

/** The answers to awards so far: how many were sent to the node, and what each was. */
const answers: (number | string)[] = []
const awarded: string[] = []

const award = async (agent: Agent) => {
  const body = { userId: 'load', eventType: 'daily_login', reference: randomUUID() }
  const answer = await send('/v1/points/award', { body, agent })
  answers.push(typeof answer === 'string' ? answer : answer.status)
  if (typeof answer !== 'string' && answer.status === 200)
    awarded.push(JSON.parse(answer.text).data.ledgerId)
  return answers.at(-1)
}

/** Callers who award until they are told to stop. */
const startLoad = (callers: number) => {
  const agent = new Agent({ keepAlive: true, maxSockets: callers })
  let isRunning = true
  const calling = Array.from({ length: callers }, async () => {
    while (isRunning && (await award(agent)) !== 'ECONNREFUSED');
  })
  return async () => {
    isRunning = false
    await Promise.all(calling)
    agent.destroy()
  }
}

/** Waits until this many more awards were answered. */
const moreAwards = async (count: number) => {
  for (const goal = awarded.length + count; awarded.length < goal; ) await sleep(10)
}

const metric = async (line: RegExp): Promise<number> => {
  // Responses of `/metrics` are cached for a second.
  await sleep(1_100)
  const answer = await send('/metrics')
  const text = typeof answer === 'string' ? '' : answer.text
  return Number(line.exec(text)?.[1])
}

const countedAwards = () =>
  metric(/^tessera_http_request_seconds_count\{.*route="\/v1\/points\/award",status="200"\} (\d+)/m)

const isEntry = async (ids: string[]) => {
  const found = await db.query('SELECT count(*)::int AS n FROM ledger_entry WHERE id = ANY($1)', [
    ids,
  ])
  return found.rows[0].n
}

test('a start migrates and greets once, and two processes answer', async () => {
  const output = node.output()
  expect(output.match(/Tessera is ready/g)).toHaveLength(1)
  expect(output.match(/applied triggers/g)).toHaveLength(1)
  expect((await db.query('SELECT FROM partner')).rowCount).toBe(1)
  for (let i = 0; i < 8; i++) expect(await send(balance)).toMatchObject({ status: 200 })
  const served = lines().filter(({ route }) => route === '/v1/users/:userId/balance')
  expect(new Set(served.map(({ pid }) => pid))).toEqual(new Set(workers()))
  expect(workers()).not.toContain(node.pid)
  // Two workers with ten connections each, of which four are for batches.
  expect(await metric(/^tessera_database_connections_max\{pool="main"\} (\d+)/m)).toBe(12)
  expect(await metric(/^tessera_database_connections_max\{pool="batches"\} (\d+)/m)).toBe(8)
  expect(await metric(/^tessera_database_writable (\d+)/m)).toBe(1)
})

test('a rate limit counts the requests of all workers', async () => {
  const remaining = async () => {
    const answer = await send(balance)
    if (typeof answer === 'string') throw new Error(answer)
    return { left: answer.header('ratelimit-remaining'), limit: answer.header('ratelimit-limit') }
  }
  // A second may end between the two.
  for (let i = 0; ; i++) {
    const [one, other] = [await remaining(), await remaining()]
    expect(one.limit).toBe(100_000)
    if (other.left === one.left - 1) return
    expect(i, JSON.stringify([one, other])).toBeLessThan(5)
  }
})

test('while the primary process does not answer, workers count alone and requests are answered', async () => {
  // A new connection would need the primary process.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  expect(await send(balance, { agent })).toMatchObject({ status: 200 })
  process.kill(node.pid, 'SIGSTOP')
  try {
    expect(await send(balance, { agent })).toMatchObject({ status: 200 })
  } finally {
    process.kill(node.pid, 'SIGCONT')
  }
  agent.destroy()
})

test('what one worker writes is heard on streams of all', async () => {
  const query = 'subscription { eventPublished { uuid } }'
  const ending = new AbortController()
  const open = async () => {
    const response = await fetch(`${node.base}/graphql`, {
      method: 'POST',
      headers: {
        accept: 'text/event-stream',
        'content-type': 'application/json',
        'x-api-secret': secret,
      },
      body: JSON.stringify({ query }),
      signal: ending.signal,
    })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    return async () => {
      for (let text = ''; !text.includes('"uuid"'); ) text += (await reader?.read())?.value ?? ''
    }
  }
  const streams = await Promise.all(Array.from({ length: 4 }, open))
  await expect.poll(() => metric(/^tessera_event_streams (\d+)/m)).toBe(4)
  await award(new Agent())
  await Promise.all(streams.map((heard) => heard()))
  ending.abort()
})

test('after kill -9 of a worker the other serves, a new one comes, and all that was answered is there', async () => {
  const stop = startLoad(16)
  await moreAwards(200)
  const before = await countedAwards()
  expect(before).toBeGreaterThan(100)
  const [killed = 0] = workers()
  process.kill(killed, 'SIGKILL')
  while (lines().every(({ msg }) => !msg?.startsWith('a worker has ended'))) await sleep(5)
  await moreAwards(1)
  expect(await countedAwards()).toBeGreaterThan(before)
  await untilServing(3)
  await sleep(1_000)
  await stop()
  // Only callers connected to the killed process lost a request.
  const lost = answers.filter((answer) => answer !== 200)
  expect(lost.length).toBeLessThanOrEqual(16)
  expect(lost.filter((answer) => !['ECONNRESET', 'broken off'].includes(String(answer)))).toEqual(
    [],
  )
  expect(await isEntry(awarded)).toBe(awarded.length)
  for (let i = 0; i < 8; i++) await send(balance)
  const late = lines().slice(-8)
  expect(new Set(late.map(({ pid }) => pid))).toEqual(new Set(workers().slice(1)))
})

test('the metrics of all workers are added up', async () => {
  const before = await countedAwards()
  const answered = awarded.length
  const stop = startLoad(8)
  await sleep(1_000)
  await stop()
  await expect.poll(countedAwards).toBe(before + awarded.length - answered)
})

test('SIGTERM under load: every request that reached the node is answered, and then connections are refused', async () => {
  const from = answers.length
  const load = startLoad(64)
  await moreAwards(200)
  await node.kill('SIGTERM')
  await load()
  expect(await node.exited).toBe(0)
  expect(new Set(answers.slice(from))).toEqual(new Set([200, 'ECONNREFUSED']))
  expect(await isEntry(awarded)).toBe(awarded.length)
})

test('a node whose workers keep dying ends', async () => {
  node = await startServer(database, env)
  const killed = new Set<number>()
  while (node.isAlive()) {
    for (const pid of workers()) {
      if (killed.has(pid)) continue
      killed.add(pid)
      process.kill(pid, 'SIGKILL')
    }
    await sleep(5)
  }
  expect(killed.size).toBeGreaterThanOrEqual(5)
  expect(await node.exited).toBe(1)
  expect(node.output()).toContain('a worker was killed, and none is left')
})

test('a node that cannot start says so as a single process does', async () => {
  const start = async (workers: string) => {
    const program = startProgram({
      WORKERS: workers,
      PORT: new URL(node.base).port,
      DATA_DIR: database.dataDir,
      DATABASE_URL: 'postgresql://postgres@127.0.0.1:1/nothing',
    })
    return { code: await program.exited, output: program.output() }
  }
  const single = await start('1')
  expect(single).toMatchObject({
    code: 1,
    output: expect.stringContaining('The database cannot be reached'),
  })
  expect(await start('2')).toEqual(single)
})
