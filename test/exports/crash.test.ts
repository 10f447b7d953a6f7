import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/kit/database/db.ts'
import { demoKeys, readDemo, type ServerProcess, startServer } from '../server-process.ts'
import { createDatabase, type TestDatabase } from '../world.ts'
import { plantEntries } from './many-rows.ts'

let database: TestDatabase
let server: ServerProcess | undefined

beforeAll(async () => {
  database = await createDatabase()
})
afterAll(async () => {
  await server?.kill('SIGKILL')
  await database?.drop()
})

const ask = async (query: string) => {
  const answer = await fetch(`${server?.base}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-secret': demoKeys(database).secretTest,
    },
    body: JSON.stringify({ query }),
  })
  const { data, errors } = (await answer.json()) as { data: never; errors?: unknown }
  if (errors) throw new Error(JSON.stringify(errors))
  return data
}

type Seen = { status: string; rowCount: number; url: string }

const until = async (id: string, isReached: (seen: Seen) => boolean): Promise<Seen> => {
  for (;;) {
    const { node } = (await ask(
      `{ node(id: "${id}") { ... on Export { status rowCount url } } }`,
    )) as { node: Seen }
    if (isReached(node)) return node
    await sleep(10)
  }
}

test('an export continues after its server was killed, and has each row once', async () => {
  server = await startServer(database)
  await server.kill('SIGTERM')
  const opened = await openDatabase(database)
  const { rows } = await opened.pool.query({ text: `SELECT id FROM partner WHERE slug = 'demo'` })
  const tenant = { partnerId: rows[0].id, environment: 'TEST' } as const
  await plantEntries(opened.pool, tenant, 30_000)
  const { rows: entries } = await opened.pool.query({
    text: `SELECT count(*)::int AS n FROM ledger_entry WHERE environment = 'TEST'`,
  })
  await opened.close()
  expect(readDemo(database)).toBeDefined()

  server = await startServer(database)
  const { startExport } = (await ask(`mutation {
    startExport(input: { kind: LEDGER, format: JSONL }) {
      ... on StartExportPayload { export { id } } } }`)) as {
    startExport: { export: { id: string } }
  }
  const { id } = startExport.export
  const { status } = await until(id, ({ rowCount }) => rowCount > 2_000)
  expect(status).toBe('RUNNING')
  await server.kill('SIGKILL')
  server = await startServer(database)
  const again = await until(id, () => true)
  expect(again.rowCount).toBeGreaterThan(2_000)
  const { url, rowCount } = await until(id, (seen) => seen.status !== 'RUNNING')
  expect(rowCount).toBe(entries[0].n)
  const file = await fetch(url.replace(/^https?:\/\/[^/]+/, server.base))
  const ids = (await file.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).id)
  expect([ids.length, new Set(ids).size]).toEqual([rowCount, rowCount])
}, 180_000)
