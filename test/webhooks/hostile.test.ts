import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { type Answer, createWorld, type World } from '../world.ts'

let world: World
let endpointId: string
let deliveryId: string
let member: string

const good = { url: 'https://8.8.8.8/hook', events: ['*'] }

beforeAll(async () => {
  world = await createWorld()
  const made = await world.post('/v1/webhooks', world.keys.secret, good)
  endpointId = made.body.data.id
  await world.givePoints('ann', 3)
  const { body } = await world.get('/v1/webhooks/deliveries', world.keys.secret)
  deliveryId = body.data[0].id
  member = await world.signInAs('OWNER')
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

/** Both prefixes, each with its credential. */
const both = async (method: string, path: string, body?: unknown): Promise<Answer[]> => {
  const more = body === undefined ? {} : { body }
  return [
    await world.call(method, `/v1/webhooks${path}`, { key: world.keys.secret, ...more }),
    await world.call(method, `/dashboard/webhooks${path}`, { key: member, ...more }),
  ]
}

const gist = (text: string) => text.replace(/"requestId":"[^"]+"/, '')

/** Refused in the envelope, the same under both prefixes, without details of the implementation. */
const expectRefused = (answers: Answer[], statuses = [400]) => {
  for (const { status, body, text } of answers) {
    expect(statuses, text.slice(0, 500)).toContain(status)
    expect(body).toMatchObject({ code: status, status: 'error', message: expect.any(String) })
    expect(text.length).toBeLessThan(256 * 1024)
    expect(text).not.toMatch(/prisma|postgres|\bat \S+:\d+:\d+|node_modules/i)
  }
  expect(new Set(answers.map(({ text }) => gist(text))).size).toBe(1)
}

const nul = 'a\0b'
const lone = 'a\ud800b'
const long = 'x'.repeat(10_240)
const notText = [5, true, {}, [], ['x'], { $ne: '' }, nul, lone, long, '']

const bodies: Record<string, unknown>[] = [
  ...[null, ...notText].map((url) => ({ ...good, url })),
  { ...good, url: `https://8.8.8.8/${long}` },
  { ...good, url: `https://8.8.8.8/${nul}` },
  { ...good, url: `https://8.8.8.8/${lone}` },
  ...[null, 5, true, {}, '', [], [null], [5], [['*']], [{}], [nul], [lone], [long]].map(
    (events) => ({ ...good, events }),
  ),
  ...[
    'points.Awarded',
    'points',
    'points.',
    '.*',
    '**',
    '*.*',
    'test',
    'test.*',
    ' *',
    'nope.*',
  ].map((event) => ({ ...good, events: ['*', event] })),
  { ...good, events: Array.from({ length: 1_000 }, () => '*') },
  { ...good, events: Array.from({ length: 1_000 }, (_, i) => `unknown.${i}`) },
  { ...good, events: Array.from({ length: 60_000 }, () => '') },
  ...[5, true, {}, [], nul, lone, long, ''].map((description) => ({ ...good, description })),
]

describe('a hostile body', () => {
  test.each(bodies)('of a new endpoint is 400: %.80j', async (body) => {
    expectRefused(await both('POST', '', body))
  })

  test.each(bodies)('of a change is 400, or changes nothing: %.80j', async (body) => {
    const read = async () => (await both('GET', `/${endpointId}`)).map(({ body }) => body.data)
    const before = await read()
    const answers = await both('PATCH', `/${endpointId}`, body)
    // A null leaves the field unchanged.
    if (body.url === null || body.events === null)
      for (const { status } of answers) expect(status).toBe(200)
    else expectRefused(answers)
    expect((await read()).map((now) => ({ ...now, updatedAt: 0 }))).toEqual(
      before.map((then) => ({ ...then, updatedAt: 0 })),
    )
  })

  test.each([[[]], [null], ['x'], [5], ['{'], ['[1,'], [[good]]])(
    'that is not an object is 400: %j',
    async (body) => {
      const json = typeof body === 'string' && /^[{[]/.test(body) ? body : JSON.stringify(body)
      expectRefused(await both('POST', '', json))
      if (body !== null) expectRefused(await both('PATCH', `/${endpointId}`, json))
    },
  )

  test.each([5, true, {}, [], nul, lone, long, '', 'active', 'DELETED', ['ACTIVE']])(
    'with a bad status is 400: %.60j',
    async (status) => {
      expectRefused(await both('PATCH', `/${endpointId}`, { status }))
    },
  )

  test('cannot override the endpoint, the partner or the time', async () => {
    const other = await world.createPartner()
    const { body } = await world.post('/v1/webhooks', other.test.secret, good)
    const extra = {
      endpointId: body.data.id,
      id: body.data.id,
      partnerId: other.partnerId,
      environment: 'LIVE',
      createdAt: '2000-01-01T00:00:00Z',
      secret: 'whsec_mine',
      failingSince: '2000-01-01T00:00:00Z',
      __proto__: { status: 'DISABLED' },
    }
    const made = await world.post('/v1/webhooks', world.keys.secret, { ...good, ...extra })
    expect(made.body.data.id).not.toBe(body.data.id)
    expect(made.body.data.secret).not.toBe('whsec_mine')
    const rows = await world.runtime.db.webhookEndpoint.findMany({
      where: { id: made.body.data.id },
    })
    expect(rows).toMatchObject([{ ...world.tenant, status: 'ACTIVE', failingSince: null }])
    const answers = await both('PATCH', `/${endpointId}`, { ...extra, description: 'mine' })
    for (const answer of answers)
      expect(answer.body.data).toMatchObject({ id: endpointId, description: 'mine' })
    const foreign = await world.get(`/v1/webhooks/${body.data.id}`, other.test.secret)
    expect(foreign.body.data.description).toBeNull()
  })

  test('never fails where none is expected', async () => {
    for (const body of [[], 'x', { endpointId: 5 }, { deliveryId: nul }, null, long])
      for (const path of [`/${endpointId}/test`, `/deliveries/${deliveryId}/retry`])
        for (const { status, body: answer } of await both('POST', path, JSON.stringify(body))) {
          expect([200, 400]).toContain(status)
          expect(answer.status).toBe(status === 200 ? 'success' : 'error')
        }
  })
})

const badIds = [
  'x',
  '1',
  '-1',
  'null',
  'undefined',
  '%00',
  'a%00b',
  '%ED%A0%80',
  "'%20OR%201=1%20--",
  '..%2f..%2fetc',
  'x'.repeat(300),
  '00000000-0000-7000-8000-00000000000',
  '00000000-0000-7000-8000-0000000000000',
  '{00000000-0000-7000-8000-000000000000}',
  '00000000000070008000000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '00000000-0000-0000-0000-000000000000',
]

describe('an invalid id', () => {
  test.each(badIds)('%.60s is not found', async (id) => {
    const statuses = [404, 400, 414]
    for (const [method, path, body] of [
      ['GET', ''],
      ['PATCH', '', { description: 'x' }],
      ['DELETE', ''],
      ['POST', '/rotate-secret'],
      ['POST', '/test'],
      ['POST', '/replay', { from: '2026-01-01T00:00:00Z' }],
    ] as const)
      expectRefused(await both(method, `/${id}${path}`, body), statuses)
    expectRefused(await both('GET', `/deliveries/${id}`), statuses)
    expectRefused(await both('POST', `/deliveries/${id}/retry`), statuses)
    const events = await world.get(`/v1/events?after=${id}`, world.keys.secret)
    expectRefused([events], statuses)
  })
})

const badNumbers = ['0', '-1', '1.5', 'x', '', '%00', '1e9', '99999999999999999999', 'NaN']
const badDates = [
  'x',
  '%00',
  'soon%205',
  '12',
  '-000001-01-01T00:00:00Z',
  '-271821-04-20T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '%2B010000-01-01T00:00:00Z',
  '%2B275760-09-13T00:00:00Z',
  '%2B300000-01-01T00:00:00Z',
  '9999-12-31T23:59:59-23:59',
  '0001-01-01T00:00:00%2B23:59',
  '2026-13-01T00:00:00Z',
  '2026-01-01T25:00:00Z',
  '2026-01-01T00:00:00Z&from=2026-01-01T00:00:00Z',
]

describe('a query', () => {
  test.each(badNumbers)('with limit=%s or page=%s is refused', async (number) => {
    for (const name of ['limit', 'page'])
      for (const path of ['', '/deliveries'])
        expectRefused(await both('GET', `${path}?${name}=${number}`))
    expectRefused([await world.get(`/v1/events?limit=${number}`, world.keys.secret)])
  })

  test.each(badDates)('with from=%s is refused', async (date) => {
    expectRefused(await both('GET', `/deliveries?from=${date}`))
    expectRefused(await both('GET', `/deliveries?to=${date.replace('&from', '&to')}`))
  })

  test.each(['0001-01-01', '1969-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'])(
    'from %s is answered',
    async (date) => {
      for (const name of ['from', 'to'])
        for (const { status } of await both('GET', `/deliveries?${name}=${date}`))
          expect(status).toBe(200)
    },
  )

  test.each(['x', '%00', 'a%00b', '%ED%A0%80', 'x'.repeat(5_000), "'--", ','])(
    'for the event %.40s is empty or refused',
    async (event) => {
      const answers = [
        ...(await both('GET', `/deliveries?event=${event}`)),
        await world.get(`/v1/events?types=${event}`, world.keys.secret),
        await world.get(`/v1/events?types=points.awarded,${event}&types=x`, world.keys.secret),
      ]
      for (const { status, body, text } of answers) {
        expect([200, 400, 414], text).toContain(status)
        expect(body.status).toBe(status === 200 ? 'success' : 'error')
      }
    },
  )

  test('for a page far beyond the end is empty', async () => {
    for (const page of [1_000, 101_000, 2_147_483_647])
      for (const path of ['', '/deliveries'])
        for (const { status, body } of await both('GET', `${path}?page=${page}&limit=100`))
          expect([status, body.data]).toEqual([200, []])
  })
})

describe('GraphQL', () => {
  const cursor = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const uuid = '00000000-0000-7000-8000-000000000000'
  const at = '2026-01-01T00:00:00.000Z'

  test.each([
    [[1, 2]],
    [['1', [uuid]]],
    [[['1'], uuid]],
    [[1, uuid]],
    [['1', uuid.toUpperCase()]],
    [[{}, uuid]],
    [['999999999999999999', uuid]],
    [['-1', uuid]],
    [['0x1', uuid]],
    [[nul, nul]],
    [['+275760-09-13T00:00:00.000Z', uuid]],
    [['0000-01-01T00:00:00.000Z', uuid]],
    [['-000001-01-01T00:00:00.000Z', uuid]],
    [[at, 'x']],
    [[at, uuid, 1]],
    [uuid],
    ['x'],
    [nul],
    [lone],
    [null],
    [{}],
  ])('a cursor that was made up is refused: %j', async (value) => {
    for (const list of ['events', 'webhookDeliveries', 'webhookEndpoints']) {
      const { status, body, text } = await world.graphql(
        `query ($after: String) { ${list}(after: $after, first: 2) { totalCount { value } edges { cursor } } }`,
        { after: cursor(value) },
      )
      expect(status, text).toBe(400)
      expect(body.errors[0].extensions.code).toBe('INVALID_PARAMETERS')
    }
  })

  test('a valid cursor continues the list', async () => {
    for (const [list, count] of [
      ['events', 3],
      ['webhookDeliveries', 3],
    ] as const) {
      const seen = new Set<string>()
      let after: string | null = null
      do {
        const page: Answer = await world.graphql(
          `query ($after: String) { ${list}(after: $after, first: 1) {
            nodes { id } pageInfo { hasNextPage endCursor } } }`,
          { after },
        )
        const { nodes, pageInfo } = page.body.data[list]
        for (const { id } of nodes) seen.add(id)
        after = pageInfo.hasNextPage ? pageInfo.endCursor : null
      } while (after)
      expect(seen.size).toBeGreaterThanOrEqual(count)
    }
  })

  test.each([nul, lone, long, '', 'x'])('invalid text is refused: %.20j', async (value) => {
    const answers = await Promise.all(
      [
        'query ($value: ID!) { webhookEndpoint(id: $value) { id } }',
        'query ($value: ID!) { webhookDelivery(id: $value) { id } }',
        'query ($value: ID!) { webhookDeliveries(filter: { webhookEndpointId: $value }) { totalCount { value } } }',
        'query ($value: String!) { webhookDeliveries(filter: { names: [$value] }) { totalCount { value } } }',
        'query ($value: String!) { events(filter: { names: [$value] }) { totalCount { value } } }',
        'query ($value: ID!) { events(filter: { afterEventId: $value }) { totalCount { value } } }',
        'mutation ($value: ID!) { deleteWebhookEndpoint(input: {webhookEndpointId: $value}) { __typename } }',
        'mutation ($value: ID!) { sendTestWebhook(input: {webhookEndpointId: $value}) { __typename } }',
        'mutation ($value: ID!) { retryWebhookDelivery(input: {webhookDeliveryId: $value}) { __typename } }',
        'mutation ($value: URL!) { createWebhookEndpoint(input: {url: $value, eventNames: ["*"]}) { __typename } }',
        'mutation ($value: String!) { createWebhookEndpoint(input: {url: "https://8.8.8.8/hook", eventNames: [$value]}) { __typename } }',
      ].map((document) => world.graphql(document, { value })),
    )
    for (const { status, body, text } of answers) {
      expect([200, 400, 404], text).toContain(status)
      expect(body.errors === undefined).toBe(status === 200)
    }
  })
})
