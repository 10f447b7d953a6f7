import { Writable } from 'node:stream'
import { createClient } from 'graphql-ws'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createWorld, type World } from '../world.ts'

type Line = Record<string, unknown>

/** A log, and the lines with this message that it was given. */
const createLines = () => {
  const texts: string[] = []
  const out = new Writable({
    write: (chunk, _, done) => {
      texts.push(String(chunk))
      done()
    },
  })
  const linesOf = (message: string) =>
    texts.map((text) => JSON.parse(text) as Line).filter(({ msg }) => msg === message)
  return { log: pino({ level: 'info' }, out), texts, linesOf }
}

const lines = createLines()
let world: World
let keyIds: Record<'public' | 'secret', string>
beforeAll(async () => {
  const config = { accessLog: true, slowStatementMs: 0.001 }
  world = await createWorld({ config, log: lines.log })
  const idOf = async (kind: 'PUBLIC' | 'SECRET') => {
    const { partnerId, environment } = world.tenant
    const where = { partnerId, environment, kind }
    return (await world.runtime.db.apiKey.findFirstOrThrow({ where })).id
  }
  keyIds = { public: await idOf('PUBLIC'), secret: await idOf('SECRET') }
})
afterAll(() => world.end())
beforeEach(() => {
  lines.texts.length = 0
})

/** A line is written after its answer was sent. */
const linesOfRequests = (count: number) =>
  vi.waitFor(() => {
    const found = lines.linesOf('request')
    expect(found).toHaveLength(count)
    return found
  }, 10_000)

const post = (body: unknown, headers: Record<string, string> = {}) =>
  world.call('POST', '/graphql', { key: world.keys.secret, body, headers })

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`

describe('a line of the access log', () => {
  test('says what was called, by which key, and how it was answered', async () => {
    const { headers } = await world.post(
      '/v1/points/award',
      world.keys.secret,
      { userId: 'ann-of-the-lines', eventType: 'signup' },
      { traceparent },
    )
    const [line] = await linesOfRequests(1)
    expect(line).toEqual({
      level: 30,
      time: expect.any(Number),
      pid: expect.any(Number),
      hostname: expect.any(String),
      msg: 'request',
      method: 'POST',
      route: '/v1/points/award',
      status: 200,
      partnerId: world.partner.partnerId,
      environment: 'TEST',
      keyId: keyIds.secret,
      ms: expect.any(Number),
      traceId,
      requestId: headers.get('x-request-id'),
    })
    expect(line?.ms).toBeGreaterThan(0)
  })

  test('has the pattern of the path and the code of the error, but no user, key or query string', async () => {
    await world.get('/v1/users/bob-of-the-lines/plays?limit=secret-word', world.keys.public)
    await world.get('/v1/nothing/bob-of-the-lines')
    const [found, missing] = await linesOfRequests(2)
    expect(found).toMatchObject({ route: '/v1/users/:userId/plays', keyId: keyIds.public })
    expect(missing).toMatchObject({ status: 404, error: 'ROUTE_NOT_FOUND' })
    expect(missing).not.toHaveProperty('route')
    expect(missing).not.toHaveProperty('partnerId')
    const text = lines.texts.join('')
    for (const secret of ['bob-of-the-lines', 'secret-word', world.keys.public])
      expect(text).not.toContain(secret)
  })

  test('names a member by their partner only', async () => {
    const token = await world.signInAs('OWNER')
    await world.graphql('{ viewer { rights } }', undefined, { bearer: token })
    const [line] = await linesOfRequests(1)
    expect(line).toMatchObject({ partnerId: world.partner.partnerId, field: 'viewer' })
    const members = await world.runtime.db.member.findMany()
    for (const { id, email } of members)
      for (const personal of [id, email]) expect(JSON.stringify(line)).not.toContain(personal)
  })

  test.each(['', 'x', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, `${traceparent}x`])(
    'has no trace for the header %j',
    async (bad) => {
      await post({ query: '{ __typename }' }, { traceparent: bad })
      const [line] = await linesOfRequests(1)
      expect(line).not.toHaveProperty('traceId')
    },
  )
})

describe('an operation of GraphQL', () => {
  const query = 'query Mine { user(by: {externalId: "ann"}) { id balance } }'

  test('has its name, its field and its cost', async () => {
    const { body } = await post({ query })
    const [line] = await linesOfRequests(1)
    expect(line).toMatchObject({ route: '/graphql', status: 200, operation: 'Mine', field: 'user' })
    expect(line?.cost).toBe(body.extensions.cost.requested)
  })

  test('has no more of its name than 64 characters', async () => {
    await post({ query: query.replace('Mine', 'M'.repeat(255)) })
    const [line] = await linesOfRequests(1)
    expect(line?.operation).toBe('M'.repeat(64))
  })

  test('is named when it is refused for its cost', async () => {
    const plays = 'plays(first: 100) { nodes { uuid } }'
    const query = `query Wide { leaderboard(first: 100) { nodes { user { ... on User { ${plays} } } } } }`
    const { body } = await post({ query })
    expect(body.errors[0].extensions.code).toBe('DOCUMENT_TOO_COMPLEX')
    const [line] = await linesOfRequests(1)
    expect(line).toMatchObject({
      operation: 'Wide',
      field: 'leaderboard',
      error: 'DOCUMENT_TOO_COMPLEX',
    })
    expect(line?.cost).toBe(body.errors[0].extensions.cost)
  })

  test('shares its line with the others of its batch', async () => {
    const answers = (await post([{ query }, { query: '{ viewer { rights } }' }])).body
    const [line] = await linesOfRequests(1)
    expect(line).toMatchObject({ operation: 'Mine,', field: 'user,viewer' })
    const costs = answers.map(
      (answer: { extensions: { cost: { requested: number } } }) => answer.extensions.cost.requested,
    )
    expect(line?.cost).toBe(costs[0] + costs[1])
  })

  test('on a WebSocket has a line of its own', async () => {
    const client = createClient({
      url: `${world.base.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { 'X-API-Secret': world.keys.secret },
    })
    for await (const _ of client.iterate({ query }));
    const [line] = await linesOfRequests(1)
    expect(line).toMatchObject({
      method: 'WEBSOCKET',
      route: '/graphql',
      keyId: keyIds.secret,
      operation: 'Mine',
      field: 'user',
      cost: expect.any(Number),
    })
    expect(line).not.toHaveProperty('status')
    await client.dispose()
  })
})

test('a slow statement is logged by its name, without its parameters', async () => {
  const userId = 'carol-of-the-lines'
  await world.post('/v1/points/award', world.keys.secret, { userId, eventType: 'signup' })
  const slow = lines.linesOf('a statement was slow')
  expect(slow.map(({ statement }) => statement)).toContain('award_points')
  for (const { ms } of slow) expect(ms).toEqual(expect.any(Number))
  expect(lines.texts.join('')).not.toContain(userId)
})

test('nothing is logged of requests or statements if neither is asked for', async () => {
  const quiet = createLines()
  const config = { accessLog: false, slowStatementMs: 0 }
  const other = await createWorld({ config, log: quiet.log })
  await other.post('/v1/points/award', other.keys.secret, { userId: 'ann', eventType: 'signup' })
  await other.graphql('{ viewer { rights } }')
  await other.end()
  expect(quiet.linesOf('request')).toEqual([])
  expect(quiet.linesOf('a statement was slow')).toEqual([])
})
