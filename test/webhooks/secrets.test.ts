import { Writable } from 'node:stream'
import type { GraphQLObjectType } from 'graphql'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { schema } from '../../src/schema.ts'
import { createWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.end())

test('a secret is shown once, and not stored in clear text anywhere', async () => {
  const lines: string[] = []
  const log = pino(
    { level: 'trace' },
    new Writable({
      write: (chunk, _, done) => {
        lines.push(String(chunk))
        done()
      },
    }),
  )
  // The server writes to this log from here on, too.
  Object.assign(world.runtime, { log })
  const call = (method: string, path: string, body?: unknown) =>
    world.call(method, `/v1/webhooks${path}`, { key: world.keys.secret, body })
  const data = async (method: string, path: string, body?: unknown) =>
    (await call(method, path, body)).body.data
  const { secret, id } = await data('POST', '', { url: 'https://8.8.8.8/hook', events: ['*'] })
  const { secret: newer } = await data('POST', `/${id}/rotate-secret`)
  const key = { 'idempotency-key': 'same' }
  const body = { url: 'https://8.8.4.4/hook', events: ['*'] }
  const kept = await world.post('/v1/webhooks', world.keys.secret, body, key)
  const secrets: string[] = [secret, newer, kept.body.data.secret]
  await world.givePoints('dora', 1)
  const { id: deliveryId } = await data('POST', `/${id}/test`)

  const answers = [
    await call('GET', `/${id}`),
    await call('GET', '?limit=100'),
    await call('PATCH', `/${id}`, { description: 'x' }),
    await call('GET', '/deliveries?limit=100'),
    await call('GET', `/deliveries/${deliveryId}`),
    await call('POST', `/deliveries/${deliveryId}/retry`),
    await call('POST', `/${id}/replay`, { from: '2020-01-01T00:00:00Z' }),
    await world.get('/v1/events?limit=100', world.keys.secret),
    await world.graphql(`{ webhookEndpoints { nodes { id uuid url description eventNames status } }
      webhookDeliveries { nodes { endpoint { url } attempts { responseBody error } } } }`),
    await world.graphql('{ events { nodes { payload } } }'),
    await call('DELETE', `/${id}`),
  ]
  /** Whether a text reveals a secret: itself, or its key without the prefix. */
  const tells = (text: string) =>
    secrets.some((secret) => text.includes(secret) || text.includes(secret.slice(6, -1)))
  for (const { text, status } of answers) {
    expect(status).toBe(200)
    expect(tells(text), text).toBe(false)
  }
  const fields = Object.keys((schema.getType('WebhookEndpoint') as GraphQLObjectType).getFields())
  expect(fields).toContain('url')
  expect(fields).not.toContain('secret')
  expect(tells(lines.join('\n'))).toBe(false)

  const { pool } = world.server.database
  const tables = await pool.query({
    text: `SELECT table_name AS name FROM information_schema.tables
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  })
  expect(tables.rows.length).toBeGreaterThan(10)
  for (const { name } of tables.rows) {
    const { rows } = await pool.query({ text: `SELECT to_jsonb(t)::text AS row FROM "${name}" t` })
    for (const { row } of rows) {
      // A bytea is shown in hexadecimal.
      const bytes = [...row.matchAll(/\\\\x([\da-f]+)/g)]
        .map(([, hex]: string[]) => Buffer.from(String(hex), 'hex').toString('latin1'))
        .join('\n')
      expect(tells(row) || tells(bytes), name).toBe(false)
    }
  }
})
