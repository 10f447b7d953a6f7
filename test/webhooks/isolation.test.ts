import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { type Answer, createWorld, type Keys, type World } from '../world.ts'

/** Part of every text of the others; partner A's TEST keys must never see it. */
const mark = `mark${randomUUID().slice(0, 8)}`
const nobody = '00000000-0000-7000-8000-000000000000'

type Foreign = {
  name: string
  keys: Keys
  endpointId: string
  deliveryId: string
  eventId: string
}

let world: World
let foreign: Foreign[]
let own: { endpointId: string; deliveryId: string; eventId: string }

/** Makes an endpoint, an event and its delivery. */
const fill = async (keys: Keys, text: string) => {
  const made = await world.post('/v1/webhooks', keys.secret, {
    url: `https://8.8.8.8/${text}`,
    events: ['*'],
    description: text,
  })
  const award = { userId: text, eventType: 'signup', reference: text }
  expect((await world.post('/v1/points/award', keys.secret, award)).status).toBe(200)
  const { body } = await world.get('/v1/webhooks/deliveries', keys.secret)
  const [delivery] = body.data
  expect(body.data).toHaveLength(1)
  return { endpointId: made.body.data.id, deliveryId: delivery.id, eventId: delivery.eventId }
}

beforeAll(async () => {
  world = await createWorld()
  const other = await world.createPartner()
  const others: [string, Keys][] = [
    ["another partner's TEST", other.test],
    ["another partner's LIVE", other.live],
    ['its own LIVE', world.partner.live],
  ]
  foreign = []
  for (const [name, keys] of others) foreign.push({ name, keys, ...(await fill(keys, mark)) })
  own = await fill(world.keys, 'mine')
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

/** Everything of webhooks and events that is not partner A's in TEST. */
const foreignRows = async () => {
  const { pool } = world.server.database
  const digest = async (table: string) =>
    (
      await pool.query({
        text: `SELECT md5(string_agg(t::text, '' ORDER BY t::text)) AS digest, count(*)::int AS n
          FROM ${table} t WHERE NOT (partner_id = $1::uuid AND environment = 'TEST')`,
        values: [world.partner.partnerId],
      })
    ).rows[0]
  const all = []
  for (const table of ['webhook_endpoint', 'webhook_delivery', 'event'])
    all.push(await digest(table))
  for (const { n } of all) expect(n).toBe(3)
  return all
}

/** An answer without the parts that differ between requests. */
const gist = ({ status, text }: Answer, sent: string) => [
  status,
  text.replace(/"requestId":"[^"]+"/, '').replaceAll(sent, '…'),
]

const calls: { method: string; path: (f: Foreign) => string; body?: object }[] = [
  { method: 'GET', path: (f) => `/webhooks/${f.endpointId}` },
  { method: 'PATCH', path: (f) => `/webhooks/${f.endpointId}`, body: { description: 'taken' } },
  { method: 'PATCH', path: (f) => `/webhooks/${f.endpointId}`, body: { status: 'DISABLED' } },
  { method: 'DELETE', path: (f) => `/webhooks/${f.endpointId}` },
  { method: 'POST', path: (f) => `/webhooks/${f.endpointId}/rotate-secret` },
  { method: 'POST', path: (f) => `/webhooks/${f.endpointId}/test` },
  {
    method: 'POST',
    path: (f) => `/webhooks/${f.endpointId}/replay`,
    body: { from: '2020-01-01T00:00:00Z' },
  },
  { method: 'GET', path: (f) => `/webhooks/deliveries/${f.deliveryId}` },
  { method: 'POST', path: (f) => `/webhooks/deliveries/${f.deliveryId}/retry` },
  { method: 'GET', path: (f) => `/webhooks/deliveries?endpointId=${f.endpointId}` },
  { method: 'GET', path: (f) => `/events?after=${f.eventId}` },
]

const unknown = { endpointId: nobody, deliveryId: nobody, eventId: nobody } as Foreign

describe("partner A's TEST key", () => {
  test.each(
    calls.map((call) => ({
      ...call,
      name: call.path({ endpointId: '{id}', deliveryId: '{id}', eventId: '{id}' } as Foreign),
    })),
  )('gets the answer of an unknown id by $method $name', async ({ method, path, body }) => {
    const before = await foreignRows()
    for (const { prefix, key } of [
      { prefix: '/v1', key: world.keys.secret },
      { prefix: '/dashboard', key: await world.signInAs('OPERATOR') },
    ]) {
      const call = (foreign: Foreign) =>
        world.call(method, `${prefix}${path(foreign)}`, { key, ...(body && { body }) })
      const expected = await call(unknown)
      if (!path(unknown).includes('?')) expect(expected.status).toBe(404)
      for (const item of foreign) {
        const answer = await call(item)
        expect(answer.text).not.toContain(mark)
        expect([item.name, ...gist(answer, '')]).toEqual([item.name, ...gist(expected, '')])
      }
    }
    expect(await foreignRows()).toEqual(before)
  })

  test('lists only its own, and counts only its own', async () => {
    for (const { prefix, key } of [
      { prefix: '/v1', key: world.keys.secret },
      { prefix: '/dashboard', key: await world.signInAs('OPERATOR') },
    ])
      for (const [path, id] of [
        ['/webhooks', own.endpointId],
        ['/webhooks/deliveries', own.deliveryId],
        ['/webhooks/deliveries?from=2020-01-01T00:00:00Z&status=PENDING', own.deliveryId],
        ['/webhooks/deliveries?event=points.awarded', own.deliveryId],
      ]) {
        const { body, text } = await world.get(`${prefix}${path}`, key)
        expect(text).not.toContain(mark)
        expect(body.data.map(({ id }: { id: string }) => id)).toEqual([id])
        expect(body.meta.total).toBe(1)
      }
    const events = await world.get('/v1/events?types=points.awarded', world.keys.secret)
    expect(events.text).not.toContain(mark)
    expect(events.body.data.map(({ id }: { id: string }) => id)).toEqual([own.eventId])
  })

  test('resends only its own events', async () => {
    const body = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' }
    const made = await world.post('/v1/webhooks', world.keys.secret, {
      url: 'https://8.8.8.8/new',
      events: ['*'],
    })
    const path = `/v1/webhooks/${made.body.data.id}`
    const replay = await world.post(`${path}/replay`, world.keys.secret, body)
    expect(replay.body.data.queued).toBe(1)
    const deliveries = await world.runtime.db.webhookDelivery.findMany({
      where: { endpointId: made.body.data.id },
    })
    expect(deliveries).toMatchObject([{ eventId: own.eventId, ...world.tenant }])
    await world.runtime.db.webhookDelivery.deleteMany({ where: { endpointId: made.body.data.id } })
    await world.call('DELETE', path, { key: world.keys.secret })
  })

  const queries = [
    'query ($endpointId: ID!) { webhookEndpoint(id: $endpointId) { id url } }',
    'query ($deliveryId: ID!) { webhookDelivery(id: $deliveryId) { uuid endpoint { url } } }',
    'query ($endpointId: ID!) { webhookDeliveries(filter: { webhookEndpointId: $endpointId }) { totalCount { value } nodes { uuid event { payload } } } }',
    'query ($eventId: ID!) { events(filter: { afterEventId: $eventId }) { totalCount { value } nodes { payload } } }',
    'mutation ($endpointId: ID!) { updateWebhookEndpoint(input: {webhookEndpointId: $endpointId, status: DISABLED}) { __typename } }',
    'mutation ($endpointId: ID!) { deleteWebhookEndpoint(input: {webhookEndpointId: $endpointId}) { __typename } }',
    'mutation ($endpointId: ID!) { rotateWebhookSecret(input: {webhookEndpointId: $endpointId}) { __typename ...on RotateWebhookSecretPayload { secret } } }',
    'mutation ($endpointId: ID!) { sendTestWebhook(input: {webhookEndpointId: $endpointId}) { __typename } }',
    'mutation ($endpointId: ID!) { replayWebhookEvents(input: {webhookEndpointId: $endpointId, from: "2020-01-01T00:00:00Z"}) { __typename ...on ReplayWebhookEventsPayload { queuedCount } } }',
    'mutation ($deliveryId: ID!) { retryWebhookDelivery(input: {webhookDeliveryId: $deliveryId}) { __typename } }',
  ]

  test.each(queries)('gets the answer of an unknown id by %s', async (document) => {
    const before = await foreignRows()
    const admin = { bearer: await world.signInAs('OPERATOR') }
    for (const by of [world.keys, admin]) {
      const ask = ({ endpointId, deliveryId, eventId }: Foreign) =>
        world.graphql(document, { endpointId, deliveryId, eventId }, by)
      const expected = await ask(unknown)
      for (const item of foreign) {
        const answer = await ask(item)
        expect(answer.text).not.toContain(mark)
        expect([item.name, ...gist(answer, '')]).toEqual([item.name, ...gist(expected, '')])
      }
    }
    expect(await foreignRows()).toEqual(before)
    // The owner gets another answer, so the test can fail.
    if (document.startsWith('query')) {
      const [{ endpointId, deliveryId, eventId, keys }] = foreign as [Foreign]
      const theirs = await world.graphql(document, { endpointId, deliveryId, eventId }, keys)
      expect(gist(theirs, '')).not.toEqual(
        gist(await world.graphql(document, { ...unknown }, keys), ''),
      )
    }
  })

  test('finds no foreign node by its global id, and not without a secret key', async () => {
    const document = 'query ($id: ID!) { node(id: $id) { id ...on WebhookEndpoint { url } } }'
    const globalId = (id: string) => Buffer.from(`WebhookEndpoint:${id}`).toString('base64url')
    for (const { endpointId, keys } of foreign) {
      const id = globalId(endpointId)
      expect((await world.graphql(document, { id })).body.data).toEqual({ node: null })
      expect((await world.graphql(document, { id }, keys)).text).toContain(mark)
    }
    const id = globalId(own.endpointId)
    expect((await world.graphql(document, { id })).body.data.node.id).toBe(id)
    const { text } = await world.graphql(document, { id }, { public: world.keys.public })
    expect(text).not.toContain('8.8.8.8')
  })

  test('cannot continue after a cursor of another partner', async () => {
    for (const [list, field] of [
      ['webhookEndpoints', 'url description'],
      ['webhookDeliveries', 'endpoint { url }'],
      ['events', 'payload'],
    ])
      for (const { keys } of foreign) {
        const first = `{ ${list}(first: 1) { pageInfo { endCursor } } }`
        const { body } = await world.graphql(first, {}, keys)
        const after = body.data[list as string].pageInfo.endCursor
        const next = `query ($after: String) { ${list}(first: 9, after: $after) { nodes { ${field} } } }`
        const { body: refused, text } = await world.graphql(next, { after })
        expect(refused.errors[0].extensions.code).toBe('INVALID_PARAMETERS')
        expect(text).not.toContain(mark)
      }
  })

  test('does not help a public key', async () => {
    for (const document of [
      '{ webhookEndpoints { totalCount { value } } }',
      '{ webhookDeliveries { totalCount { value } } }',
      '{ events { totalCount { value } } }',
      'mutation { createWebhookEndpoint(input: {url: "https://8.8.8.8/", eventNames: ["*"]}) { __typename } }',
    ]) {
      const { body, status } = await world.graphql(document, {}, { public: world.keys.public })
      expect([401, 403]).toContain(status)
      expect(body.data ?? null).toBeNull()
    }
  })
})
