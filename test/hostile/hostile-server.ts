/**
 * A server to be attacked: a separate process with a heap of 512 MB and the demo partner.
 *
 *     const server = hostileServer({ RATE_LIMIT: 'on' })
 *     test('a flood is refused', () =>
 *       attack(server, async () => {
 *         const answers = await Promise.all(times(40, () => server().graphql('{ games { name } }')))
 *         …
 *       }))
 *
 * `attack` fails when the process ends, or `/livez` takes 500 ms or more while the function runs. Keep
 * attacks short and count what you send: the machine is shared.
 */
import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Demo } from '../../src/demo/demo.ts'
import { readDemo, type ServerProcess, startProgram, startServer } from '../server-process.ts'
import { type Answer, createDatabase, type TestDatabase } from '../world.ts'

/** More than slow machines take. A successful attack takes seconds. */
const slowestMs = 500
/** Includes making and filling a database. */
const startTimeoutMs = 180_000
const masterKey = 'a-master-key-of-the-hostile-tests-only'
const probeFile = fileURLToPath(new URL('probe.ts', import.meta.url))

export type HostileServer = ServerProcess & {
  demo: Demo
  send(path: string, init?: RequestInit): Promise<Answer>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>
  /** By the demo partner's public TEST key, unless headers are given. */
  graphql(query: string, headers?: Record<string, string>): Promise<Answer>
  /** Sends these bytes to the port and returns everything received until the connection ends. */
  raw(text: string): Promise<string>
}

export const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i))

/**
 * How many times slower this machine is than the one on which the limits of CPU time were measured: by the CPU time of 10,000
 * hashes, the least of ten rounds, which took 20 ms there.
 */
export const slowness = (): number => {
  const kilobyte = Buffer.alloc(1024)
  const rounds = times(10, () => {
    const before = process.cpuUsage()
    times(10_000, () => createHash('sha256').update(kilobyte).digest())
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  })
  return Math.max(1, Math.min(...rounds) / 20)
}

const clientOf = (process: ServerProcess, demo: Demo): HostileServer => {
  const { base } = process
  const send = async (path: string, init?: RequestInit) => {
    const { status, headers, ...answer } = await fetch(base + path, init).then(
      async (response) => ({
        status: response.status,
        headers: response.headers,
        text: await response.text(),
      }),
    )
    const isJson = headers.get('content-type')?.includes('json')
    return {
      status,
      headers,
      ...answer,
      body: isJson && answer.text ? JSON.parse(answer.text) : undefined,
    }
  }
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  return {
    ...process,
    demo,
    send,
    post,
    graphql: (query, headers = { 'x-api-key': demo.keys.publicTest }) =>
      post('/graphql', { query }, headers),
    raw: async (text) => {
      const socket = connect(Number(new URL(base).port), '127.0.0.1')
      let answer = ''
      socket.on('data', (chunk) => {
        answer += chunk
      })
      socket.on('error', () => {})
      socket.end(text)
      await once(socket, 'close')
      return answer
    },
  }
}

const seed = async ({ dataDir, databaseUrl }: TestDatabase, settings: Record<string, string>) => {
  const { exited, output } = startProgram(
    { ...settings, DATA_DIR: dataDir, ...(databaseUrl && { DATABASE_URL: databaseUrl }) },
    'src/cli/seed.ts',
  )
  if ((await exited) !== 0) throw new Error(output())
}

/**
 * Starts a server before the tests of the file and ends it after them. Limits are off unless `env` sets
 * RATE_LIMIT; with NODE_ENV=production it has the demo partner, too.
 */
export const hostileServer = (env: Record<string, string> = {}): (() => HostileServer) => {
  let server: HostileServer
  let end = async () => {}
  beforeAll(async () => {
    const database = await createDatabase()
    end = database.drop
    const settings = { MASTER_KEY: masterKey, EMBEDDED: '1', ARENA_MATCHMAKER: 'off', ...env }
    // In production a start makes no demo partner.
    if (env.NODE_ENV === 'production') await seed(database, settings)
    const NODE_OPTIONS = '--max-old-space-size=512'
    const process = await startServer(database, { ...settings, NODE_OPTIONS })
    end = async () => {
      await process.kill('SIGKILL')
      await database.drop()
    }
    server = clientOf(process, readDemo(database))
    // The first of all requests compiles the code.
    for (let i = 0; i < 20; i++)
      await Promise.all(times(10, () => server.graphql('{ games { name } }')))
  }, startTimeoutMs)
  afterAll(() => end())
  return () => server
}

/** Polls `/livez` from a separate process. Returns the function that stops it and returns the longest wait in ms. */
const startProbe = async ({ base, pid }: Pick<HostileServer, 'base' | 'pid'>) => {
  const probe = fork(probeFile, [base, String(pid)], { execArgv: [] })
  await once(probe, 'message')
  return async (): Promise<number> => {
    const told = once(probe, 'message')
    probe.send('stop')
    const [slowest] = await told
    return typeof slowest === 'number' ? slowest : Number.POSITIVE_INFINITY
  }
}

/** Runs an attack; the server must outlive it and answer `/livez` quickly all the time. */
export const attack = async <T>(
  server: () => Pick<HostileServer, 'base' | 'pid' | 'isAlive' | 'output'>,
  run: () => Promise<T>,
): Promise<T> => {
  const { base, pid, isAlive, output } = server()
  const stop = await startProbe({ base, pid })
  try {
    return await run()
  } finally {
    const slowest = await stop()
    expect(isAlive(), `the process ended: ${output()}`).toBe(true)
    expect(slowest, 'the longest wait for /livez in milliseconds').toBeLessThan(slowestMs)
  }
}
