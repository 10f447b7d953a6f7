import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { jobs } from '../../src/all-jobs.ts'
import { listStatements } from '../../src/kit/database/statement.ts'
import { version } from '../../src/kit/version.ts'
import { statementCounter } from '../count-statements.ts'
import { withinASecond } from '../timing.ts'
import { createWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ isAlone: true })
})
afterAll(() => world.end())

type Sample = { name: string; labels: Record<string, string>; value: number }

const sampleOf = (line: string): Sample => {
  const [, name = '', inner = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
  const labels = [...inner.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, text]) => [
    key,
    text,
  ])
  return { name, labels: Object.fromEntries(labels), value: Number(value) }
}

/** All values of a metric. Bypasses the cache of `/metrics`. */
const samples = async (name: string, of = world): Promise<Sample[]> => {
  const text = await of.runtime.metrics.registry.metrics()
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(sampleOf)
    .filter((sample) => sample.name === name)
}

const metric = async (name: string, labels: Record<string, string> = {}, of = world) => {
  const found = (await samples(name, of)).filter((item) =>
    Object.entries(labels).every(([key, text]) => item.labels[key] === text),
  )
  expect(found.length, `${name} ${JSON.stringify(labels)}`).toBeLessThanOrEqual(1)
  return found[0]?.value
}

const award = (userId = 'ann') =>
  world.post('/v1/points/award', world.keys.secret, { userId, eventType: 'signup' })

test('the version', async () => {
  expect(await metric('tessera_build_info', { version, node: process.version })).toBe(1)
  expect((await world.get('/livez')).body).toEqual({ status: 'ok', version })
})

describe('the database', () => {
  test('connections in use, idle and at most, and who waits for one', async () => {
    const { registry } = world.runtime.metrics
    // Reading all metrics takes connections, and reading one of these does not.
    const read = async (name: string, state?: string) => {
      const { values = [] } = (await registry.getSingleMetric(name)?.get()) ?? {}
      return values.find(({ labels }) => labels.pool === 'main' && labels.state === state)?.value
    }
    const usage = async () => ({
      used: await read('tessera_database_connections', 'used'),
      idle: await read('tessera_database_connections', 'idle'),
      waiting: await read('tessera_database_waiting'),
    })
    const max = (await read('tessera_database_connections_max')) as number
    const { used = max, idle = 0 } = await usage()
    expect(used + idle).toBeGreaterThan(0)
    expect(used + idle).toBeLessThanOrEqual(max)
    const { pool } = world.server.database
    const taken = await Promise.all(Array.from({ length: max - used }, () => pool.connect()))
    const late = Array.from({ length: 3 }, () => pool.connect())
    const full = await usage()
    for (const client of taken) client.release()
    for (const client of late) (await client).release()
    expect(full).toEqual({ used: max, idle: 0, waiting: 3 })
    expect((await usage()).waiting).toBe(0)
  })

  test('statements by the names that they are declared by', async () => {
    await award()
    await world.post('/v1/webhooks', world.keys.secret, {
      url: 'https://8.8.8.8/',
      events: ['arena.*'],
    })
    const name = 'tessera_statement_seconds_count'
    expect(await metric(name, { statement: 'award_points' })).toBeGreaterThan(0)
    expect(await metric(name, { statement: 'COMMIT' })).toBeGreaterThan(0)
    const known = [...listStatements().keys(), 'BEGIN', 'COMMIT', 'ROLLBACK', 'SELECT', 'INSERT']
    const labels = (await samples(name)).map(({ labels }) => labels.statement)
    expect(labels.filter((label) => !known.includes(String(label))).sort()).toEqual(
      labels
        .filter((label) => ['UPDATE', 'DELETE', 'job_queue', 'other'].includes(String(label)))
        .sort(),
    )
  })

  test('whether it is writable, on the embedded database, too', async () => {
    expect(await metric('tessera_database_writable')).toBe(1)
    expect(await metric('tessera_database_breaker_open')).toBe(0)
  })
})

test('calls that wait to be written together', async () => {
  await award()
  const { runtime } = world
  const { write } = runtime
  const blocked = Promise.withResolvers<void>()
  const slowly = async (_: unknown, items: number[]) => {
    await blocked.promise
    return items
  }
  const calls = [write(slowly, 0)]
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  calls.push(write(slowly, 1), write(slowly, 2))
  expect(await metric('tessera_batch_waiting', { operation: 'slowly' })).toBe(2)
  blocked.resolve()
  await Promise.all(calls)
  expect(await metric('tessera_batch_waiting', { operation: 'slowly' })).toBe(0)
})

describe('operations of GraphQL', () => {
  const count = (kind: string, field: string) =>
    metric('tessera_graphql_operation_seconds_count', { kind, field })
  const errors = (field: string, code: string) =>
    metric('tessera_graphql_errors_total', { field, code })

  test('are counted by the field they ask for, whatever a client calls them', async () => {
    for (const name of ['Mine', 'Yours', 'Theirs'])
      await world.graphql(`query ${name} { my${name}: user(by: {externalId: "ann"}) { id } }`)
    expect(await count('query', 'user')).toBe(3)
    await world.graphql('{ viewer { rights } user(by: {externalId: "ann"}) { id } }')
    expect(await count('query', 'several')).toBe(1)
    const all = await samples('tessera_graphql_operation_seconds_count')
    expect(JSON.stringify(all)).not.toContain('Yours')
  })

  test('have their errors counted by code', async () => {
    const answer = await world.graphql(
      '{ webhookEndpoints(first: 1) { nodes { id } } }',
      undefined,
      {
        public: world.keys.public,
      },
    )
    const [{ extensions }] = answer.body.errors
    expect(await errors('webhookEndpoints', extensions.code)).toBe(1)
    expect(await count('query', 'webhookEndpoints')).toBe(1)
  })

  test('that are none are counted, too', async () => {
    await world.graphql('{ nothing }')
    await world.graphql('{')
    expect(await errors('none', 'GRAPHQL_VALIDATION_FAILED')).toBe(1)
    expect(await errors('none', 'GRAPHQL_PARSE_FAILED')).toBe(1)
  })

  test('are counted on WebSockets, and the open ones are shown with their operations', async () => {
    const client = createClient({
      url: `${world.base.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { 'X-API-Secret': world.keys.secret },
    })
    const query = 'subscription { eventPublished { uuid } }'
    const before = (await count('query', 'user')) ?? 0
    const results = client.iterate({ query })
    const first = results.next()
    await expect.poll(() => metric('tessera_websocket_operations')).toBe(1)
    expect(await metric('tessera_websockets')).toBe(1)
    await expect.poll(() => count('subscription', 'eventPublished')).toBe(1)
    let hasCome = false
    void first.then(() => {
      hasCome = true
    })
    // The subscription may be counted before it follows events.
    const awarded = () => award().then(() => hasCome)
    await expect.poll(awarded).toBe(true)
    for await (const _ of client.iterate({ query: '{ user(by: {externalId: "ann"}) { id } }' }));
    expect(await count('query', 'user')).toBe(before + 1)
    await results.return?.()
    await client.dispose()
    await expect.poll(() => metric('tessera_websockets')).toBe(0)
    expect(await metric('tessera_websocket_operations')).toBe(0)
  })

  test('as event streams are counted while they are open', async () => {
    const ending = new AbortController()
    const response = await fetch(`${world.base}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        'x-api-secret': world.keys.secret,
      },
      body: JSON.stringify({ query: 'subscription { eventPublished { uuid } }' }),
      signal: ending.signal,
    })
    expect(response.status).toBe(200)
    expect(await metric('tessera_event_streams')).toBe(1)
    ending.abort()
    await expect.poll(() => metric('tessera_event_streams')).toBe(0)
  })
})

test('answers with errors, by code', async () => {
  const before = (await metric('tessera_http_errors_total', { code: 'ROUTE_NOT_FOUND' })) ?? 0
  await fetch(`${world.base}/v1/nothing`)
  expect(await metric('tessera_http_errors_total', { code: 'ROUTE_NOT_FOUND' })).toBe(before + 1)
})

test('refusals by limits', async () => {
  const limited = await createWorld({
    config: {
      rateLimits: { secret: 1_000, public: 1_000, anonymous: 2 },
      connectionLimits: { address: 1, key: 1 },
    },
  })
  await withinASecond(() =>
    Promise.all(Array.from({ length: 4 }, () => fetch(`${limited.base}/schema.graphql`))),
  )
  const hits = (limit: string) => metric('tessera_limit_hits_total', { limit }, limited)
  expect(await hits('requests')).toBeGreaterThan(0)
  const { runtime } = limited
  expect(await hits('connections')).toBeUndefined()
  const openSocket = () =>
    new Promise<number>((resolve) => {
      const socket = new WebSocket(
        `${limited.base.replace('http', 'ws')}/graphql`,
        'graphql-transport-ws',
      )
      socket.on('open', () => resolve(101))
      socket.on('unexpected-response', (_, { statusCode }) => resolve(statusCode ?? 0))
    })
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  expect([await openSocket(), await openSocket()]).toEqual([101, 429])
  expect(await hits('connections')).toBe(1)
  expect(runtime.config.connectionLimits?.address).toBe(1)
  await limited.end()
})

test('Redis, whose connections are shown only if there is a REDIS_URL', async () => {
  expect(await samples('tessera_redis_connected')).toEqual([])
  const redisUrl = 'redis://127.0.0.1:1'
  const without = await createWorld({
    config: { redisUrl, rateLimits: { secret: 9, public: 9, anonymous: 9 } },
  })
  const found = await samples('tessera_redis_connected', without)
  expect(found.map(({ labels, value }) => [labels.connection, value]).sort()).toEqual([
    ['limits', 0],
    ['publish', 0],
    ['subscribe', 0],
  ])
  await without.end()
})

describe('webhooks', () => {
  test('how many deliveries wait, and how long the first is due that nothing but a node keeps waiting', async () => {
    expect(await metric('tessera_webhook_pending')).toBe(0)
    expect(await metric('tessera_webhook_oldest_due_seconds')).toBe(0)
    const endpoint = async (url: string) => {
      const body = { url, events: ['points.*'] }
      return (await world.post('/v1/webhooks', world.keys.secret, body)).body.data.id as string
    }
    await endpoint('https://8.8.8.8/a')
    const paused = await endpoint('https://8.8.8.8/b')
    const failing = await endpoint('https://8.8.8.8/c')
    await award()
    await award()
    const { db } = world.runtime
    await db.webhookDelivery.updateMany({ data: { nextAttemptAt: new Date(Date.now() - 90_000) } })
    await db.webhookDelivery.updateMany({
      where: { endpointId: { in: [paused, failing] } },
      data: { nextAttemptAt: new Date(Date.now() - 900_000) },
    })
    await db.webhookEndpoint.update({ where: { id: paused }, data: { status: 'DISABLED' } })
    await db.webhookEndpoint.update({ where: { id: failing }, data: { failingSince: new Date() } })
    await new Promise((resolve) => setTimeout(resolve, 600))
    expect(await metric('tessera_webhook_pending')).toBe(6)
    const due = await metric('tessera_webhook_oldest_due_seconds')
    expect(due).toBeGreaterThan(89)
    expect(due).toBeLessThan(120)
  })
})

test('jobs: each is late or not, however many nodes have JOBS=off', async () => {
  const late = await samples('tessera_job_late')
  expect(late.map(({ labels }) => labels.name).sort()).toEqual(jobs.map(({ name }) => name).sort())
  expect(late.every(({ value }) => value === 0)).toBe(true)
})

test('what is degraded', async () => {
  expect(await samples('tessera_degraded')).toEqual([])
  world.runtime.degraded.set('notifications', 'broken for a test')
  expect(await metric('tessera_degraded', { part: 'notifications' })).toBe(1)
  world.runtime.degraded.set('notifications', null)
  expect(await samples('tessera_degraded')).toEqual([])
})

test('reading them takes the same few statements, however much there is', async () => {
  const { registry } = world.runtime.metrics
  const count = statementCounter(world)
  const read = async () => {
    await new Promise((resolve) => setTimeout(resolve, 600))
    await registry.metrics()
  }
  // Background work of earlier awards may still be running.
  const expectFew = () => expect.poll(() => count(read)).toBeLessThanOrEqual(3)
  await expectFew()
  for (let i = 0; i < 20; i++) {
    await world.createPartner()
    await award(`user-${i}`)
  }
  await expectFew()
})
