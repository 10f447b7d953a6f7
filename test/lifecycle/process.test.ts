import { exec } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { version } from '../../src/kit/version.ts'
import { freePort, type Program, startProgram } from '../server-process.ts'
import { createDatabase, onPostgres, type TestDatabase } from '../world.ts'
import { isLocked } from './folder-lock.ts'

let database: TestDatabase
/** A folder that does not exist yet, as on a first start. */
let dataDir: string
let port: number
let server: Program

const environment = () => ({
  PORT: String(port),
  DATA_DIR: dataDir,
  RATE_LIMIT: 'off',
  ...(database.databaseUrl && { DATABASE_URL: database.databaseUrl }),
})

const demoFile = () => join(dataDir, 'demo.json')
const readDemo = () => JSON.parse(readFileSync(demoFile(), 'utf8'))

const start = async () => {
  server = startProgram(environment())
  await server.until('Ctrl-C')
}

const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
  return { status: response.status, text: await response.text() }
}

beforeAll(async () => {
  database = await createDatabase(onPostgres, false)
  dataDir = join(database.dataDir, 'new')
  port = await freePort()
  await start()
})
afterAll(async () => {
  await server.end('SIGKILL')
  await database.drop()
})

describe('the first start', () => {
  test('prints its URL and the keys of the TEST environment', () => {
    const { publicTest, secretTest, publicLive, secretLive } = readDemo().keys
    for (const text of ['', '/docs', '/graphql'].map((path) => `http://localhost:${port}${path}`))
      expect(server.output()).toContain(`${text}\n`)
    expect(server.output()).toContain(onPostgres ? 'PostgreSQL' : dataDir)
    expect(server.output()).toMatch(new RegExp(`X-API-Key +${publicTest}`))
    expect(server.output()).toMatch(new RegExp(`X-API-Secret +${secretTest}`))
    for (const hidden of [publicLive, secretLive]) expect(server.output()).not.toContain(hidden)
  })

  test('has games in the arena: three approved, one featured, one free, one for 100 points', async () => {
    const read = async (path: string) => JSON.parse((await get(path)).text).data
    const games: { name: string; entryFee: number; slug: string }[] = await read('/v1/arena/games')
    expect(games.map(({ entryFee }) => entryFee).sort()).toEqual([0, 100, 20])
    const featured = await read('/v1/arena/games/featured')
    expect(featured).toMatchObject([{ name: 'Four in a Row' }])
    for (const { slug } of games) {
      expect((await get(`/arena/games/${slug}`)).status).toBe(200)
      const { buildUrl } = await read(`/v1/arena/games/${slug}`)
      const { pathname, search } = new URL(buildUrl)
      expect((await get(pathname + search)).text).toContain('/sdk/arena-game.js')
    }
  })

  test('prints commands that work when pasted into a shell', async () => {
    const lines = server
      .output()
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line.startsWith('curl '))
    expect(lines).toHaveLength(3)
    for (const line of lines) {
      const { stdout } = await promisify(exec)(`${line} --silent`, { shell: '/bin/sh' })
      expect(JSON.parse(stdout), line).toMatchObject({ code: 200, status: 'success' })
    }
  })

  test('writes demo.json, readable only by its owner, with working keys', async () => {
    expect(statSync(demoFile()).mode & 0o777).toBe(0o600)
    const member = { email: expect.stringContaining('@'), password: expect.any(String) }
    expect(readDemo()).toEqual({
      partnerId: expect.stringMatching(/^[\da-f-]{36}$/),
      partnerSlug: 'demo',
      keys: {
        publicTest: expect.stringMatching(/^pk_test_/),
        secretTest: expect.stringMatching(/^sk_test_/),
        publicLive: expect.stringMatching(/^pk_live_/),
        secretLive: expect.stringMatching(/^sk_live_/),
      },
      developer: member,
      admin: member,
    })
    for (const kind of ['secretTest', 'secretLive']) {
      const headers = { 'x-api-secret': readDemo().keys[kind] }
      const { text } = await get('/v1/users/demo-user/balance', headers)
      expect(JSON.parse(text).data.totalPoints).toBe(1000)
    }
  })

  test('the live demo, whose public key is visible to everyone, requires tokens and masks data of the backend', async () => {
    const { keys } = readDemo()
    const path = '/v1/user-journeys/users/demo-user'
    const emailBy = async (headers: Record<string, string>) =>
      JSON.parse((await get(path, headers)).text).data.email
    expect(await emailBy({ 'x-api-key': keys.publicTest })).toBe('demo-user@example.com')
    const live = { 'x-api-key': keys.publicLive }
    expect((await get(path, live)).status).toBe(401)
    const signed = await fetch(`http://localhost:${port}/v1/users/demo-user/token`, {
      method: 'POST',
      headers: { 'x-api-secret': keys.secretLive },
    })
    const { token } = ((await signed.json()) as { data: { token: string } }).data
    expect(await emailBy({ ...live, 'x-user-token': token })).toBe('')
  })

  test('serves health checks and metrics', async () => {
    expect(await get('/livez')).toEqual({
      status: 200,
      text: `{"status":"ok","version":"${version}"}`,
    })
    expect(await get('/readyz')).toEqual({ status: 200, text: '{"status":"ok"}' })
    const { text } = await get('/metrics')
    expect(text).toMatch(/tessera_http_request_seconds_count\{.*route="\/v1\/points\/award".*\} 1/)
    for (const page of ['/', '/docs', '/openapi.json']) expect((await get(page)).status).toBe(200)
  })
})

test('a taken port is reported with a solution', async () => {
  const other = await createDatabase()
  const second = startProgram({
    PORT: String(port),
    DATA_DIR: other.dataDir,
    ...(other.databaseUrl && { DATABASE_URL: other.databaseUrl }),
  })
  expect(await second.exited).toBe(1)
  expect(second.output()).toContain(`Port ${port} is taken`)
  expect(second.output()).not.toMatch(/\bat .*:\d+:\d+/)
  expect(await isLocked(other.dataDir)).toBe(false)
  await other.drop()
})

test.concurrent.each([
  [{ NODE_ENV: 'production' }, ['MASTER_KEY: must be set in production']],
  [
    { HOST: '0.0.0.0' },
    ['MASTER_KEY: must be set in production', 'Other machines can reach this server'],
  ],
  [
    { PORT: 'http', DATABASE_URL: 'mysql://x/y' },
    ['PORT: must be a port', 'DATABASE_URL: must be a URL like postgresql:'],
  ],
])('bad variables are said so: %j', async (bad, messages) => {
  const second = startProgram({ ...environment(), ...(bad as Record<string, string>) })
  expect(await second.exited).toBe(1)
  for (const message of messages) expect(second.output()).toContain(message)
  expect(second.output()).not.toMatch(/\bat .*:\d+:\d+/)
})

describe('SIGTERM', () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const award = (key: string) =>
    new Promise<number | string>((resolve) => {
      const headers = { 'x-api-secret': key, 'content-type': 'application/json' }
      const sent = request({
        host: '127.0.0.1',
        port,
        agent,
        method: 'POST',
        path: '/v1/points/award',
        headers,
      })
      sent.on('error', ({ code }: NodeJS.ErrnoException) => resolve(String(code)))
      sent.on('response', (answer) => {
        answer.resume()
        answer.on('end', () => resolve(answer.statusCode ?? 0))
        answer.on('error', () => resolve('broken off'))
      })
      sent.end('{"userId":"load","eventType":"daily_login"}')
    })

  test('answers all requests that reach it, accepts no new ones, and exits with code 0', async () => {
    const { secretTest } = readDemo().keys
    const results: (number | string)[] = []
    let stopping = false
    const client = async () => {
      while (results.at(-1) !== 'ECONNREFUSED') {
        results.push(await award(secretTest))
        if (results.length === 200 && !stopping) {
          stopping = true
          void server.end('SIGTERM')
        }
      }
    }
    await Promise.all(Array.from({ length: 64 }, client))
    expect(await server.exited).toBe(0)
    agent.destroy()
    // No request gets an error and none is cut off; finally connections are refused.
    expect(new Set(results)).toEqual(new Set([200, 'ECONNREFUSED']))
    const answers = results.filter((result) => result === 200)
    expect(await isLocked(dataDir)).toBe(false)

    // Only requests answered with 200 took effect, and their effects are there after the next start.
    const keys = readDemo()
    await start()
    expect(readDemo()).toEqual(keys)
    const { text } = await get('/v1/users/load/balance', { 'x-api-secret': secretTest })
    expect(JSON.parse(text).data.totalPoints).toBe(10 * answers.length)
  })
})

test('after kill -9 the next start takes over the folder and has everything', async () => {
  const { secretTest } = readDemo().keys
  const balance = () => get('/v1/users/load/balance', { 'x-api-secret': secretTest })
  const before = await balance()
  expect(await server.end('SIGKILL')).toBeNull()
  expect(await isLocked(dataDir)).toBe(false)
  await start()
  expect(await balance()).toEqual(before)
  expect(server.output()).toContain(secretTest)
  expect(await server.end('SIGINT')).toBe(0)
})
