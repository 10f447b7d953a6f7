import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createClient } from 'graphql-ws'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { readConfig } from '../../src/kit/config/config.ts'
import { version } from '../../src/kit/version.ts'
import { createReceiver } from '../webhooks/receiver.ts'
import { createWorld, type World } from '../world.ts'
import { type Collector, createCollector, failed, type SentSpan, serverKind } from './spans.ts'

const lines: Record<string, unknown>[] = []
const out = new Writable({
  write: (chunk, _, done) => {
    lines.push(JSON.parse(String(chunk)))
    done()
  },
})

let collector: Collector
let world: World
beforeAll(async () => {
  collector = await createCollector()
  world = await createWorld({
    config: {
      traces: collector.traces(),
      accessLog: true,
      jobs: true,
      webhookAllowPrivate: true,
    },
    log: pino(out),
  })
})
afterAll(async () => {
  await world.end()
  await collector.end()
})

/** The header of a caller's span, which was sampled or not. */
const createParent = (flags = '01') => {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')]
  return { traceId, spanId, header: { traceparent: `00-${traceId}-${spanId}-${flags}` } }
}

const spansOf = (traceId: string) => collector.spans().filter((span) => span.traceId === traceId)

/** The spans of a trace, once its root has arrived, which ends last. */
const traceOf = async (traceId: string, root: string) => {
  await collector.spanOf((span) => span.traceId === traceId && span.name === root)
  return spansOf(traceId)
}

const named = (spans: SentSpan[], name: string): SentSpan => {
  const found = spans.filter((span) => span.name === name)
  expect(found, name).toHaveLength(1)
  return found[0] as SentSpan
}

/** Whether a span is a descendant of another. */
const isUnder = (span: SentSpan, above: SentSpan, spans: SentSpan[]): boolean => {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId)
  return parent !== undefined && (parent === above || isUnder(parent, above, spans))
}

const award = (userId: string, headers: Record<string, string> = {}) =>
  world.post('/v1/points/award', world.keys.secret, { userId, eventType: 'signup' }, headers)

test('the sender says what it is', async () => {
  await award('ann')
  await collector.spanOf(({ name }) => name === 'POST /v1/points/award')
  expect(collector.resource()).toMatchObject({
    'service.name': 'tessera',
    'service.version': version,
    'service.instance.id': expect.any(String),
  })
})

describe('a REST request', () => {
  test('continues the trace of its caller, down to the statements', async () => {
    const parent = createParent()
    const { headers } = await award('ann-of-the-traces', parent.header)
    const spans = await traceOf(parent.traceId, 'POST /v1/points/award')
    const request = named(spans, 'POST /v1/points/award')
    expect(request).toMatchObject({
      parentSpanId: parent.spanId,
      kind: serverKind,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/v1/points/award',
        'http.response.status_code': 200,
        'tessera.partner.id': world.partner.partnerId,
        'tessera.request.id': headers.get('x-request-id'),
      },
    })
    const operation = named(spans, 'mutation awardPoints')
    expect(operation.parentSpanId).toBe(request.spanId)
    const batch = named(spans, 'batch awardPoints')
    expect(batch.parentSpanId).toBe(operation.spanId)
    const statement = named(spans, 'award_points')
    expect(statement.parentSpanId).toBe(batch.spanId)
    for (const { startTimeUnixNano, endTimeUnixNano } of spans)
      expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano))
    expect(BigInt(statement.startTimeUnixNano)).toBeGreaterThanOrEqual(
      BigInt(batch.startTimeUnixNano) - 1_000_000n,
    )
    expect(JSON.stringify(spans)).not.toContain('ann-of-the-traces')
  })

  test('without a traceparent, or with a bad one, begins a trace', async () => {
    const none: Record<string, string> = {}
    for (const headers of [
      none,
      { traceparent: 'x' },
      { traceparent: `00-${'0'.repeat(32)}-1-01` },
    ]) {
      const id = randomBytes(8).toString('hex')
      await award('ann', { ...headers, 'x-request-id': id })
      const span = await collector.spanOf(
        ({ attributes }) => attributes['tessera.request.id'] === id,
      )
      expect(span.parentSpanId ?? '').toBe('')
    }
  })

  test('has the id of its trace in the access log', async () => {
    const parent = createParent()
    for (const [id, headers] of [
      ['own', {}],
      ['sent', parent.header],
    ] as const) {
      await award('ann', { ...headers, 'x-request-id': id })
      const line = await vi.waitFor(() => {
        const found = lines.find(({ requestId }) => requestId === id)
        if (!found) throw new Error('no line')
        return found
      }, 10_000)
      const span = await collector.spanOf((item) => item.attributes['tessera.request.id'] === id)
      expect(line.traceId).toBe(span.traceId)
      if (id === 'sent') expect(line.traceId).toBe(parent.traceId)
    }
  })

  test('of a trace that is not sampled sends no spans', async () => {
    const quiet = createParent('00')
    await award('ann', quiet.header)
    const loud = createParent()
    await award('ann', loud.header)
    await traceOf(loud.traceId, 'POST /v1/points/award')
    expect(spansOf(quiet.traceId)).toEqual([])
  })

  test('that is refused has its status, and is failed only if the server is at fault', async () => {
    const parent = createParent()
    await world.call('POST', '/v1/points/award', {
      key: 'sk_bad',
      body: {},
      headers: parent.header,
    })
    const [span] = await traceOf(parent.traceId, 'POST /v1/points/award')
    expect(span?.attributes['http.response.status_code']).toBe(401)
    expect(span?.status.code).not.toBe(failed)
  })

  test('probes have no spans', async () => {
    const parent = createParent()
    await world.call('GET', '/readyz', { headers: parent.header })
    await award('ann', parent.header)
    const spans = await traceOf(parent.traceId, 'POST /v1/points/award')
    expect(spans.map(({ name }) => name)).not.toContain('GET /readyz')
  })
})

test('requests that are written together share a batch, which links them', async () => {
  const parents = Array.from({ length: 12 }, () => createParent())
  await Promise.all(parents.map(({ header }, i) => award(`user-${i}`, header)))
  for (const { traceId } of parents) await traceOf(traceId, 'POST /v1/points/award')
  const ids = new Set(parents.map(({ traceId }) => traceId))
  const all = collector.spans().filter(({ traceId }) => ids.has(traceId))
  const batches = all.filter(({ name }) => name === 'batch awardPoints')
  expect(batches.length).toBeLessThan(12)
  const sizes = batches.map(({ attributes }) => Number(attributes['tessera.batch.size']))
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(12)
  for (const batch of batches)
    expect(batch.links).toHaveLength(Number(batch.attributes['tessera.batch.size']) - 1)
  // Each operation leads to its batch: as the parent of the span, or by a link in both directions.
  for (const operation of all.filter(({ name }) => name === 'mutation awardPoints')) {
    const own = batches.find(({ parentSpanId }) => parentSpanId === operation.spanId)
    const linked = batches.find(({ links }) =>
      links.some(({ spanId }) => spanId === operation.spanId),
    )
    expect([own, linked].filter(Boolean)).toHaveLength(1)
    if (linked) expect(operation.links.map(({ spanId }) => spanId)).toEqual([linked.spanId])
  }
})

describe('an operation of GraphQL', () => {
  const query = 'query Mine { user(by: {externalId: "bob-of-the-traces"}) { id } }'

  test('is a child of its request, and the parent of its statements', async () => {
    const parent = createParent()
    const key = world.keys.secret
    await world.call('POST', '/graphql', { key, body: { query }, headers: parent.header })
    const spans = await traceOf(parent.traceId, 'POST /graphql')
    const request = named(spans, 'POST /graphql')
    expect(request.parentSpanId).toBe(parent.spanId)
    const operation = named(spans, 'query user')
    expect(operation).toMatchObject({
      parentSpanId: request.spanId,
      attributes: { 'graphql.operation.name': 'Mine', 'graphql.operation.type': 'query' },
    })
    expect(operation.attributes['tessera.cost']).toBeGreaterThan(0)
    const statements = spans.filter(({ attributes }) => attributes['db.system.name'])
    for (const statement of statements)
      expect(isUnder(statement, request, spans), statement.name).toBe(true)
    expect(statements.some((statement) => isUnder(statement, operation, spans))).toBe(true)
    expect(JSON.stringify(spans)).not.toContain('bob-of-the-traces')
  })

  test('says which error it ended with', async () => {
    const parent = createParent()
    const body = { query: '{ webhookEndpoints(first: 1) { nodes { id } } }' }
    await world.call('POST', '/graphql', { key: world.keys.public, body, headers: parent.header })
    const spans = await traceOf(parent.traceId, 'POST /graphql')
    const operation = named(spans, 'query webhookEndpoints')
    expect(operation.status.code).toBe(failed)
    expect(operation.attributes['error.type']).toBe('MISSING_API_SECRET')
  })

  test('on a WebSocket is a trace of its own', async () => {
    const client = createClient({
      url: `${world.base.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { 'X-API-Secret': world.keys.secret },
    })
    for await (const _ of client.iterate({ query: query.replace('Mine', 'OnSocket') }));
    await client.dispose()
    const operation = await collector.spanOf(
      ({ attributes }) => attributes['graphql.operation.name'] === 'OnSocket',
    )
    const root = await collector.spanOf(({ spanId }) => spanId === operation.parentSpanId)
    expect(root).toMatchObject({ name: 'WEBSOCKET /graphql', kind: serverKind })
    expect(root.parentSpanId ?? '').toBe('')
  })
})

test('a job is a trace of its own, with its statements', async () => {
  const job = await collector.spanOf(({ name }) => name === 'job expire-offers')
  expect(job.parentSpanId ?? '').toBe('')
  const child = await collector.spanOf(({ parentSpanId }) => parentSpanId === job.spanId)
  expect(child.traceId).toBe(job.traceId)
})

test('a delivery continues the trace of the request that caused its event, and so may the receiver', async () => {
  const receiver = await createReceiver()
  const { url } = receiver
  await world.post('/v1/webhooks', world.keys.secret, { url, events: ['points.awarded'] })
  const parent = createParent()
  await award('ann', parent.header)
  const [got] = await receiver.until(1, 20_000)
  const [, traceId, spanId] = String(got?.headers.traceparent).split('-')
  const span = await collector.spanOf((item) => item.spanId === spanId)
  expect(span).toMatchObject({ traceId, name: 'webhook points.awarded' })
  expect(span.attributes['http.response.status_code']).toBe(200)
  expect(traceId).toBe(parent.traceId)
  const writer = await collector.spanOf((item) => item.spanId === span.parentSpanId)
  expect(writer.name).toBe('batch awardPoints')
  const recorded = await collector.spanOf(({ parentSpanId }) => parentSpanId === spanId)
  expect(recorded.name).toBe('batch recordAttempts')
  await receiver.end()
})

test('a collector that fails is reported, and the service goes on', async () => {
  let status = 400
  const failing = await createCollector(() => status)
  const other = await createWorld({ config: { traces: failing.traces() } })
  const degraded = async () =>
    (await other.get('/readyz?verbose')).body.degraded.map(({ part }: { part: string }) => part)
  const play = () =>
    other.post('/v1/points/award', other.keys.secret, { userId: 'ann', eventType: 'signup' })
  expect((await play()).status).toBe(200)
  await vi.waitFor(async () => expect(await degraded()).toContain('traces'), 20_000)
  status = 200
  await play()
  await vi.waitFor(async () => expect(await degraded()).not.toContain('traces'), 20_000)
  await other.end()
  await failing.end()
})

test('spans are protobuf unless JSON is asked for, carry the headers of the operator, and are sent at a stop', async () => {
  const requests: { headers: IncomingHttpHeaders; bytes: Buffer }[] = []
  const server = createServer(async (request, response) => {
    requests.push({ headers: request.headers, bytes: await buffer(request) })
    response.end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const { traces } = readConfig({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc',
    OTEL_SERVICE_NAME: 'points-of-acme',
    OTEL_BSP_SCHEDULE_DELAY: '600000',
  })
  const other = await createWorld({ config: { traces } })
  await other.get('/v1/leaderboard', other.keys.public)
  expect(requests).toEqual([])
  await other.end()
  const [{ headers, bytes } = { headers: {}, bytes: Buffer.of() }] = requests
  expect(headers['content-type']).toBe('application/x-protobuf')
  expect(headers.authorization).toBe('Bearer abc')
  for (const text of ['GET /v1/leaderboard', 'points-of-acme'])
    expect(bytes.includes(text)).toBe(true)
  server.close()
})

test('a sampler of the operator decides where no caller has', async () => {
  const off = await createCollector()
  const traces = off.traces({ OTEL_TRACES_SAMPLER: 'parentbased_always_off' })
  const other = await createWorld({ config: { traces } })
  const parent = createParent()
  await other.get('/v1/leaderboard', other.keys.public)
  await other.get('/v1/leaderboard', other.keys.public, parent.header)
  await other.end()
  expect(new Set(off.spans().map(({ traceId }) => traceId))).toEqual(new Set([parent.traceId]))
  await off.end()
})
