import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort, type Program, startProgram } from '../server-process.ts'
import { createDatabase, createWorld, onPostgres, type TestDatabase } from '../world.ts'

let database: TestDatabase
let server: Program
let base: string

/** NODE_ENV was forgotten; PUBLIC_URL shows that other machines can connect. */
const forgetful = () => ({
  HOST: '127.0.0.1',
  PUBLIC_URL: 'https://points.example.com',
  MASTER_KEY: 'k'.repeat(32),
  DATA_DIR: database.dataDir,
  ...(database.databaseUrl ? { DATABASE_URL: database.databaseUrl } : { EMBEDDED: '1' }),
})

beforeAll(async () => {
  database = await createDatabase(onPostgres, false)
  const port = await freePort()
  base = `http://127.0.0.1:${port}`
  server = startProgram({ ...forgetful(), PORT: String(port) })
  await server.until('Server listening')
})
afterAll(async () => {
  await server.end('SIGKILL')
  await database.drop()
})

test('a server reachable by others has no demo data, no GraphiQL and no introspection', async () => {
  expect((await fetch(`${base}/readyz`)).status).toBe(200)
  expect(existsSync(join(database.dataDir, 'demo.json'))).toBe(false)
  const page = await fetch(`${base}/graphql`, { headers: { accept: 'text/html' } })
  expect(await page.text()).not.toMatch(/graphiql/i)
  const requested = await fetch(`${base}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"query":"{ __schema { queryType { name } } }"}',
  })
  expect(((await requested.json()) as { data?: unknown }).data ?? null).toBeNull()
  expect((await fetch(`${base}/campaign/demo/summer-sale`)).status).toBe(404)
})

test('logs JSON lines only, with a warning about missing settings', async () => {
  expect(await server.end('SIGTERM')).toBe(0)
  const lines = server.output().trimEnd().split('\n')
  const messages = lines.map((line) => JSON.parse(line).msg as string)
  expect(messages.filter((text) => /is not set/.test(text))).toEqual([
    expect.stringMatching(/^TRUST_PROXY is not set/),
  ])
  expect(messages).toContain('stopping')
})

test('METRICS_PORT moves /metrics from the port of the API', async () => {
  const world = await createWorld({ config: { metricsPort: 0 } })
  expect((await world.get('/metrics')).status).toBe(404)
  await world.get('/v1/leaderboard', world.keys.public)
  const ask = (path: string, method = 'GET') =>
    fetch(`http://127.0.0.1:${world.server.metricsPort}${path}`, { method })
  const answer = await ask('/metrics')
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  expect(await answer.text()).toMatch(/tessera_http_request_seconds_count\{.*leaderboard.*\} 1/)
  expect((await ask('/v1/leaderboard')).status).toBe(404)
  expect((await ask('/metrics', 'POST')).status).toBe(404)
  await world.end()
  await expect(ask('/metrics')).rejects.toThrow()
})

test.each([
  [{ MASTER_KEY: '' }, 'MASTER_KEY: must be set in production'],
  [{ DATABASE_URL: 'postgresql://127.0.0.1:1/none' }, 'The database cannot be reached'],
])('why it cannot start is a line of the log, too: %j', async (env, message) => {
  const failed = startProgram({ ...forgetful(), NODE_ENV: 'production', PORT: '0', ...env })
  expect(await failed.exited).toBe(1)
  const lines = failed.output().trimEnd().split('\n')
  const last = JSON.parse(lines.at(-1) ?? '') as { level: number; msg: string }
  expect(last).toMatchObject({ level: 60, msg: expect.stringContaining(message) })
  for (const line of lines) JSON.parse(line)
})
