/**
 * Bytes that are not UTF-8, in each place where a request has text. They would become U+FFFD: two users one wallet,
 * two references one award. Neighbours that were looked for: every route with a body, `/graphql` alone and in a batch,
 * the sign-in of the console, forms of campaign pages, WebSockets, paths, names and values of queries, each parameter
 * of a GraphQL query, pages, headers, other charsets and encodings.
 */
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { routes } from '../../src/rest/routes.ts'
import { createWorld, type World } from '../world.ts'
import { rawRequest } from './raw-request.ts'

let world: World
let credentials: Record<string, Record<string, string>>

beforeAll(async () => {
  world = await createWorld()
  const bearer = { authorization: `Bearer ${await world.signInAs('OPERATOR')}` }
  credentials = {
    public: { 'x-api-key': world.keys.public },
    secret: { 'x-api-secret': world.keys.secret },
    member: bearer,
    operator: bearer,
    anyone: {},
  }
})
afterAll(() => world.end())

type Sent = { method?: string; headers?: Record<string, string>; body?: Uint8Array | string }

const send = async (path: string, { method = 'POST', headers = {}, body = '' }: Sent) => {
  const response = await fetch(world.base + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(method !== 'GET' && { body: body as BodyInit }),
  })
  const text = await response.text()
  return { status: response.status, text, body: text.startsWith('{') ? JSON.parse(text) : null }
}

/** A request whose target has these bytes as they are. */
const sendRaw = async (target: string | Buffer, headers: Record<string, string> = {}) => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const { status, body } = await rawRequest(
    world.base,
    Buffer.concat([
      Buffer.from('GET '),
      Buffer.from(target),
      Buffer.from(` HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${lines.join('')}\r\n`),
    ]),
  )
  return { status, body: JSON.parse(body) }
}

const award = (userId: string, encoding: BufferEncoding) =>
  Buffer.from(JSON.stringify({ userId, eventType: 'signup', reference: userId }), encoding)

const secretJson = () => credentials.secret as Record<string, string>

const invalid: [string, Buffer][] = [
  ['Latin-1', Buffer.from([0xfc])],
  ['half a character', Buffer.from([0xc3])],
  ['a continuation without a start', Buffer.from([0x80])],
  ['a surrogate', Buffer.from([0xed, 0xa0, 0x80])],
  ['an overlong form', Buffer.from([0xc0, 0xaf])],
  ['beyond U+10FFFF', Buffer.from([0xf4, 0x90, 0x80, 0x80])],
]

describe('a body that is not UTF-8', () => {
  test.each(invalid)('is refused: %s', async (_, bytes) => {
    const body = Buffer.concat([
      Buffer.from('{"eventType":"signup","userId":"J'),
      bytes,
      Buffer.from('rgen"}'),
    ])
    const answer = await send('/v1/points/award', { headers: secretJson(), body })
    expect(answer).toMatchObject({
      status: 400,
      body: { errorCode: 'MALFORMED_JSON', message: 'The request body is not UTF-8' },
    })
    expect(await world.runtime.db.endUser.count({ where: world.tenant })).toBe(0)
  })

  test.each(routes.filter(({ method }) => method !== 'GET'))(
    'is refused by $method $path',
    async ({ method, path, key }) => {
      const answer = await send(path.replace(/\{\w+\}/g, 'x'), {
        method,
        headers: credentials[key] as Record<string, string>,
        body: award('J\u00fcrgen', 'latin1'),
      })
      expect(answer).toMatchObject({ status: 400, body: { errorCode: 'MALFORMED_JSON' } })
    },
  )

  test('is refused by /graphql, alone and in a batch', async () => {
    const item = { query: '{ __typename }', variables: { a: 'J\u00fcrgen' } }
    for (const sent of [item, [item, item]]) {
      const answer = await send('/graphql', { body: Buffer.from(JSON.stringify(sent), 'latin1') })
      expect(answer).toMatchObject({
        status: 400,
        body: { errors: [{ extensions: { code: 'MALFORMED_JSON' } }] },
      })
    }
  })

  test('is refused by the sign-in of the console', async () => {
    const headers = { 'x-tessera-console': '1', 'sec-fetch-site': 'same-origin' }
    const body = Buffer.from('{"email":"j\u00fcrgen@example.com","password":"x"}', 'latin1')
    expect(await send('/console/session', { headers, body })).toMatchObject({
      status: 400,
      body: { errorCode: 'MALFORMED_JSON' },
    })
  })

  test.each([
    ['bytes', Buffer.from('userId=J\u00fcrgen&code=x', 'latin1')],
    ['escapes', Buffer.from('userId=J%FCrgen&code=x')],
  ])('is refused by the form of a campaign: %s', async (_, body) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const { status, text } = await send('/campaign/a/b', { headers, body })
    expect([status, text]).toEqual([400, expect.stringContaining('not UTF-8')])
  })

  test('ends a WebSocket', async () => {
    const socket = new WebSocket(
      `${world.base.replace('http', 'ws')}/graphql`,
      'graphql-transport-ws',
    )
    await once(socket, 'open')
    const text = '{"type":"connection_init","payload":{"a":"\u00fc"}}'
    socket.send(Buffer.from(text, 'latin1'), { binary: false })
    expect((await once(socket, 'close'))[0]).toBe(1007)
  })

  test('with an Idempotency-Key does not use the key up', async () => {
    const headers = { ...secretJson(), 'idempotency-key': 'one' }
    const path = '/v1/points/award'
    expect((await send(path, { headers, body: award('K\u00fcrt', 'latin1') })).status).toBe(400)
    expect((await send(path, { headers, body: award('K\u00fcrt', 'utf8') })).status).toBe(200)
  })
})

describe('a body of another charset or encoding', () => {
  const path = '/v1/points/award'

  test.each(['utf-8', 'UTF-8', '"utf-8"', '"UTF-8"', 'utf8'])(
    'is accepted if it is UTF-8 after all: charset=%s',
    async (charset) => {
      const headers = { ...secretJson(), 'content-type': `application/json; charset=${charset}` }
      const body = Buffer.from(JSON.stringify({ userId: 'J\u00fcrgen', eventType: 'signup' }))
      expect((await send(path, { headers, body })).status).toBe(200)
    },
  )

  test('is accepted with a byte order mark, which RFC 8259 lets a parser ignore', async () => {
    const body = `\ufeff${JSON.stringify({ userId: 'bom', eventType: 'signup' })}`
    expect((await send(path, { headers: secretJson(), body })).status).toBe(200)
    const query = `\ufeff${JSON.stringify({ query: '{ __typename }' })}`
    expect((await send('/graphql', { body: query })).status).toBe(200)
  })

  test.each([
    'iso-8859-1',
    'latin1',
    '"windows-1252"',
    'utf-16',
    'utf-16le',
    'x; a=b',
    'utf-8; charset=latin1',
  ])('is 415: charset=%s', async (charset) => {
    const headers = { 'content-type': `application/json; charset=${charset}` }
    const body = award('eve', 'utf8')
    const answer = await send(path, { headers: { ...secretJson(), ...headers }, body })
    expect(answer).toMatchObject({
      status: 415,
      body: { errorCode: 'UNSUPPORTED_MEDIA_TYPE', message: expect.stringMatching(/UTF-8/) },
    })
    const query = JSON.stringify({ query: '{ __typename }' })
    expect(await send('/graphql', { headers, body: query })).toMatchObject({
      status: 415,
      body: { errors: [{ extensions: { code: 'UNSUPPORTED_MEDIA_TYPE' } }] },
    })
  })

  test.each(['gzip', 'br', 'deflate', 'gzip, identity', 'x'])(
    'is 415: Content-Encoding %s',
    async (encoding) => {
      const headers = { ...secretJson(), 'content-encoding': encoding }
      const answer = await send(path, { headers, body: award('eve', 'utf8') })
      expect(answer).toMatchObject({
        status: 415,
        body: { message: expect.stringMatching(/Content-Encoding/) },
      })
    },
  )

  test('is accepted with Content-Encoding identity', async () => {
    const headers = { ...secretJson(), 'content-encoding': 'Identity' }
    expect((await send(path, { headers, body: award('identity', 'utf8') })).status).toBe(200)
  })
})

describe('a URL that is not UTF-8', () => {
  test.each([
    ['/v1/users/J%FCrgen/balance', 'secret', ['userId']],
    ['/v1/users/%C3/history', 'secret', ['userId']],
    ['/v1/users/%ED%A0%80/plays', 'public', ['userId']],
    ['/v1/users/%/balance', 'secret', ['userId']],
    ['/v1/campaigns/%FF/participants/%FE', 'secret', ['slug', 'userId']],
    ['/v1/arena/games?search=%FC', 'anyone', ['search']],
    ['/v1/arena/games?limit=2&search=a%C3', 'anyone', ['search']],
    ['/v1/arena/games?search=100%', 'anyone', ['search']],
    ['/v1/arena/games?page=%FF&%66oo=%FF', 'anyone', ['page', 'foo']],
    ['/v1/arena/games?%FF=1', 'anyone', ['query']],
    ['/v1/users/%FF/history?page=%FF', 'secret', ['userId', 'page']],
    ['/v1/%FF', 'anyone', ['path']],
  ] as const)('is 400 and names the part: %s', async (target, key, fields) => {
    const { status, body } = await sendRaw(target, credentials[key])
    expect({ status, ...body }).toMatchObject({ status: 'error', errorCode: 'INVALID_PARAMETERS' })
    expect(status).toBe(400)
    expect(body.errors).toEqual(
      fields.map((field) => ({
        field,
        code: 'invalid',
        message: `${field} must be UTF-8, with percent-encoding`,
      })),
    )
  })

  test.each(['latin1', 'utf8'] as const)(
    'is 400 if it has bytes without escapes: %s',
    async (encoding) => {
      for (const target of ['/v1/users/J\u00fcrgen/balance', '/v1/arena/games?search=\u00fc'])
        expect(await sendRaw(Buffer.from(target, encoding), credentials.secret)).toMatchObject({
          status: 400,
          body: { code: 400, message: 'The URL must be UTF-8, with percent-encoding' },
        })
    },
  )

  test('is not answered without credentials', async () => {
    expect((await sendRaw('/v1/users/%FF/balance')).status).toBe(401)
  })

  test.each(['variables', 'query', 'operationName', 'extensions', 'documentId'])(
    'is 400 in %s of a GraphQL query, for event streams, too',
    async (name) => {
      const target = `/graphql?query={__typename}&${name}=%FF`
      for (const accept of ['application/json', 'text/event-stream'])
        expect(await sendRaw(target, { accept })).toMatchObject({
          status: 400,
          body: {
            errors: [{ extensions: { code: 'INVALID_PARAMETERS', errors: [{ path: [name] }] } }],
          },
        })
    },
  )

  test('is 400 on a page, as a page', async () => {
    const response = await fetch(`${world.base}/campaign/a/b?user=%FF`)
    expect(response.status).toBe(400)
    expect(response.headers.get('content-type')).toMatch(/^text\/html/)
  })
})

test('a header that is not ASCII is refused: keys, tokens and an Idempotency-Key', async () => {
  const sendWith = (headers: Record<string, string>) =>
    send('/v1/games/play', { headers, body: JSON.stringify({ userId: 'a' }) })
  const name = 'a\u00fc'
  expect((await sendWith({ 'x-api-key': name })).status).toBe(401)
  expect((await sendWith({ ...credentials.public, 'x-user-token': name })).status).toBe(401)
  expect(await sendWith({ ...credentials.public, 'idempotency-key': name })).toMatchObject({
    status: 400,
    body: { errorCode: 'IDEMPOTENCY_KEY_INVALID' },
  })
})
