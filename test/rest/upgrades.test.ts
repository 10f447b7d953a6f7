/**
 * Requests that ask to continue in another protocol. Only WebSockets at `/graphql` do; all others are answered as
 * HTTP. Neighbours that were looked for: other names and lists of protocols, ordinary paths and methods, bodies one
 * after the other on one connection, WebSockets on other paths and by other methods, and handshakes that are
 * incomplete.
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createWorld, type World } from '../world.ts'
import { rawCall, rawRequest } from './raw-request.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
  await world.givePoints('ann', 1)
})
afterAll(() => world.end())

const h2c = [
  'connection: Upgrade, HTTP2-Settings',
  'upgrade: h2c',
  'http2-settings: AAMAAABkAAQAoAAAAAIAAAAA',
]

const requestOf = (line: string, headers: string[], body = '') =>
  [
    `${line} HTTP/1.1`,
    'host: localhost',
    ...headers,
    ...(body ? ['content-type: application/json', `content-length: ${body.length}`] : []),
    '',
    body,
  ].join('\r\n')

describe('a protocol that the server does not speak is ignored', () => {
  test.each(['h2c', 'foo', 'TLS/1.0, HTTP/2.0', 'websocket, h2c', 'h2c, websocket'])(
    '%s',
    async (protocol) => {
      const { status, body } = await rawRequest(
        world.base,
        requestOf('GET /v1/games', [
          'connection: Upgrade, close',
          `upgrade: ${protocol}`,
          `x-api-key: ${world.keys.public}`,
        ]),
      )
      expect(status).toBe(200)
      expect(JSON.parse(body).data).toHaveLength(3)
    },
  )

  test.each([
    ['GET /v1/games', 401],
    ['GET /v1/nope', 404],
    ['GET /livez', 200],
    ['GET /console', 200],
    ['GET /graphql?query={__typename}', 200],
    ['GET /graphql/nope', 404],
    ['OPTIONS /v1/games', 204],
    ['DELETE /v1/games', 405],
    ['HEAD /v1/games', 401],
  ])('on %s', async (line, status) => {
    const [connection, ...others] = h2c
    const answer = await rawRequest(
      world.base,
      requestOf(line, [`${connection}, close`, ...others]),
    )
    expect(answer.status).toBe(status)
    expect(answer.head).toMatch(/^x-request-id: /im)
  })

  test('with bodies, one after the other on a connection that stays open', async () => {
    const { hostname, port } = new URL(world.base)
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    const answers = () => text.split(/(?=HTTP\/1\.1 )/).filter(Boolean)
    const award = (reference: string) =>
      requestOf(
        'POST /v1/points/award',
        [...h2c, `x-api-secret: ${world.keys.secret}`],
        JSON.stringify({ userId: 'eve', eventType: 'signup', reference }),
      )
    const query = requestOf('POST /graphql', h2c, JSON.stringify({ query: '{ __typename }' }))
    const requests = [award('one'), query, award('two'), requestOf('GET /livez', h2c)]
    for (const [index, request] of requests.entries()) {
      socket.write(request)
      await expect.poll(answers).toHaveLength(index + 1)
      await expect.poll(() => answers()[index]).toMatch(/\r\n\r\n\{.*\}$/s)
    }
    expect(answers().map((answer) => answer.slice(9, 12))).toEqual(['200', '200', '200', '200'])
    socket.end()
    await once(socket, 'close')
    const { body } = await world.get('/v1/users/eve/balance', world.keys.secret)
    expect(body.data.totalPoints).toBe(200)
  })
})

describe('a WebSocket', () => {
  const webSocket = [
    'upgrade: websocket',
    'sec-websocket-version: 13',
    'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
    'sec-websocket-protocol: graphql-transport-ws',
  ]

  test.each(['websocket', 'WebSocket'])('opens at /graphql by the name %s', async (name) => {
    const socket = new WebSocket(
      `${world.base.replace('http', 'ws')}/graphql?x=1`,
      'graphql-transport-ws',
      { headers: { upgrade: name } },
    )
    await once(socket, 'open')
    socket.close()
    await once(socket, 'close')
  })

  test.each(['/v1/games', '/', '/graphql/more', '/nope'])(
    'on another path gets the answer of that path: %s',
    async (path) => {
      const answer = await rawRequest(
        world.base,
        requestOf(`GET ${path}`, ['connection: Upgrade, close', ...webSocket]),
      )
      const usual = await rawCall(world.base, `GET ${path}`)
      expect(answer.status).toBe(usual.status)
      expect(answer.body.length).toBeGreaterThan(50)
    },
  )

  test('by another method is an ordinary request', async () => {
    const body = JSON.stringify({ query: '{ __typename }' })
    const { status } = await rawRequest(
      world.base,
      requestOf('POST /graphql', ['connection: Upgrade, close', ...webSocket], body),
    )
    expect(status).toBe(200)
  })

  test.each([
    ['no key', 'sec-websocket-key', undefined, /key/i],
    ['an invalid key', 'sec-websocket-key', 'short', /key/i],
    ['no version', 'sec-websocket-version', undefined, /version/i],
    ['an unknown version', 'sec-websocket-version', '99', /version/i],
    ['an invalid protocol', 'sec-websocket-protocol', ',', /protocol/i],
  ])('with %s is refused in the shape of GraphQL', async (_, name, value, message) => {
    const others = webSocket.filter((line) => !line.startsWith(name))
    const { status, head, body } = await rawRequest(
      world.base,
      requestOf('GET /graphql', [
        'connection: Upgrade',
        ...others,
        ...(value === undefined ? [] : [`${name}: ${value}`]),
      ]),
    )
    expect(status).toBe(400)
    expect(head).toMatch(/^content-type: application\/json/im)
    expect(JSON.parse(body)).toEqual({
      errors: [{ message: expect.stringMatching(message), extensions: { code: 'BAD_REQUEST' } }],
    })
    if (name === 'sec-websocket-version') expect(head).toMatch(/^sec-websocket-version: 13/im)
  })
})
