import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../src/rest/routes.ts'
import { createWorld, type World } from '../world.ts'
import { rawCall, rawRequest } from './raw-request.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
  await world.givePoints('ann', 1)
})
afterAll(() => world.end())

/** Checks the shape that all errors share. */
const expectError = (text: string, code: number, errorCode?: string) =>
  expect(JSON.parse(text)).toMatchObject({
    message: expect.stringMatching(/^[A-Z]/),
    code,
    status: 'error',
    ...(errorCode && { errorCode }),
  })

describe('an unknown route', () => {
  test.each([
    ['GET', '/v1/nope'],
    ['GET', '/v1'],
    ['GET', '/v1/games/'],
    ['GET', '/V1/games'],
    ['GET', '/v1/users/ann/balance/more'],
    ['GET', '/.env'],
    ['GET', '/docs/../../package.json'],
  ])('is %s %s, and answers 404 in the envelope', async (method, path) => {
    const { body } = await rawCall(world.base, `${method} ${path}`)
    expectError(body, 404, 'ROUTE_NOT_FOUND')
  })

  test('is a page for browsers, outside of the API only', async () => {
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    const answer = async (path: string, init: RequestInit = {}) => {
      const { status, headers: sent } = await fetch(world.base + path, { headers, ...init })
      return [status, sent.get('content-type')]
    }
    const json = [404, 'application/json; charset=utf-8']
    for (const path of ['/nonsense', '/v2/games', '/docs/nonsense'])
      expect(await answer(path)).toEqual([404, 'text/html; charset=utf-8'])
    for (const path of [
      '/v1/nonsense',
      '/v1',
      '/dashboard/nonsense',
      '/admin',
      '/graphql/nonsense',
    ])
      expect((await answer(path)).slice(0, 1)).toEqual([404])
    expect(await answer('/v1/nonsense')).toEqual(json)
    expect(await answer('/nonsense', { headers: {} })).toEqual(json)
    expect(await answer('/nonsense', { method: 'POST' })).toEqual(json)
  })
})

describe('another method of a known route', () => {
  test.each([
    ['DELETE', '/v1/games', 'GET, HEAD'],
    ['PUT', '/v1/points/award', 'POST'],
    ['GET', '/v1/points/award', 'POST'],
    ['HEAD', '/v1/points/award', 'POST'],
    ['PATCH', '/v1/users/ann/balance', 'GET, HEAD'],
    ['DELETE', '/v1/campaigns/summer/events', 'POST'],
  ])('%s %s is 405 and says what is allowed: %s', async (method, path, allowed) => {
    const { status, headers, body } = await world.call(method as 'PUT', path, { body: undefined })
    expect([status, headers.get('allow')]).toEqual([405, allowed])
    if (method !== 'HEAD') expect(body.errorCode).toBe('METHOD_NOT_ALLOWED')
  })
})

describe('a request id', () => {
  test.each(['abc', 'a.b:c-d_9', 'x'.repeat(64)])('%s is accepted and echoed', async (id) => {
    const { headers, body } = await world.get('/v1/nope', undefined, { 'x-request-id': id })
    expect(headers.get('x-request-id')).toBe(id)
    expect(body.requestId).toBe(id)
  })

  test.each(['a b', 'x'.repeat(65), '<script>', 'a"b', 'ä', ''])(
    '%j is replaced by one of ours',
    async (id) => {
      const { headers } = await world.get('/v1/nope', undefined, { 'x-request-id': id })
      expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
    },
  )

  test('is on successful answers too, and differs between requests', async () => {
    const ids = await Promise.all(
      ['/v1/games', '/v1/leaderboard'].map(async (path) =>
        (await world.get(path, world.keys.public)).headers.get('x-request-id'),
      ),
    )
    expect(new Set(ids).size).toBe(2)
  })

  test('is on the answer to a path that cannot be decoded', async () => {
    const { head } = await rawCall(world.base, 'GET /v1/users/%ff/balance')
    expect(head).toMatch(/^x-request-id: \S+/im)
  })
})

test('an error is a problem document for clients that accept it', async () => {
  const accept = { accept: 'application/problem+json' }
  for (const answer of [
    await world.get('/v1/users/nobody/balance', world.keys.secret, accept),
    await world.get('/v1/nope', undefined, accept),
    await world.post('/v1/points/award', world.keys.secret, {}, accept),
  ]) {
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/)
    const { status, title, type, errorCode, requestId } = answer.body
    expect(status).toBe(answer.status)
    expect([title, type, errorCode, requestId]).not.toContain(undefined)
  }
})

test('HEAD gets the answer of GET without a body', async () => {
  const get = await world.get('/v1/games', world.keys.public)
  const ask = (headers: Record<string, string>) =>
    fetch(`${world.base}/v1/games`, { method: 'HEAD', headers })
  const head = await ask({ 'x-api-key': world.keys.public })
  expect(head.status).toBe(200)
  expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(get.text)))
  expect(await head.text()).toBe('')
  expect((await ask({})).status).toBe(401)
  expect((await fetch(`${world.base}/graphql`, { method: 'HEAD' })).status).toBe(405)
})

describe('CORS', () => {
  const example = (path: string) =>
    path.replace('{gameType}', 'NEON_WHEEL').replace('{userId}', 'ann')
  const ask = (path: string, method: string, header: string, origin = 'https://shop.example') =>
    world.call('OPTIONS', example(path), {
      headers: {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': header,
      },
    })
  const namesOf = (headers: Headers) =>
    [...headers.keys()].filter((name) => name.startsWith('access-control-'))
  const open = routes.filter(({ key }) => key === 'public')
  const closed = routes.filter(({ key }) => key === 'secret')

  test.each(open)('lets any page call $method $path, without cookies', async (route) => {
    const { method, path } = route
    for (const origin of ['https://shop.example', 'null']) {
      const { status, headers } = await ask(path, method, 'x-api-key,content-type', origin)
      expect(status).toBe(204)
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-allow-methods')).toContain(method)
      expect(headers.get('access-control-allow-headers')).toMatch(/\bx-api-key\b/)
      expect(headers.get('access-control-allow-headers')).not.toMatch(/x-api-secret/i)
      expect(headers.get('access-control-allow-credentials')).toBeNull()
    }
    // A page must be able to read why it was refused.
    const refused = await world.call(method, example(path), { headers: { origin: 'null' } })
    expect(refused.headers.get('access-control-allow-origin')).toBe('*')
    expect(refused.headers.get('access-control-expose-headers')).toMatch(/retry-after/)
  })

  test.each(closed)('lets no page call $method $path', async ({ method, path }) => {
    expect(namesOf((await ask(path, method, 'x-api-secret')).headers)).toEqual([])
    const answer = await world.call(method, example(path), {
      key: world.keys.secret,
      headers: { origin: 'https://shop.example' },
    })
    expect(namesOf(answer.headers)).toEqual([])
  })

  test.each(open)(
    'lets any page send HEAD where it may send GET: $method $path',
    async ({ path }) => {
      const gets = open.some((route) => route.path === path && route.method === 'GET')
      const { headers } = await ask(path, 'HEAD', 'x-api-key')
      expect(headers.get('access-control-allow-methods')?.includes('HEAD') ?? false).toBe(gets)
    },
  )

  test('lets no page send a secret key to GraphQL', async () => {
    const { headers } = await ask('/graphql', 'POST', 'x-api-secret')
    expect(headers.get('access-control-allow-headers') ?? '').not.toMatch(/x-api-secret/i)
  })
})

describe('invalid HTTP', () => {
  test.each([
    ['a method that does not exist', 'FOO /v1/games HTTP/1.1\r\nhost: x\r\n\r\n', 400],
    ['nonsense', 'hello\r\n\r\n', 400],
    ['a bad length', 'POST /v1/games/play HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n', 400],
    [
      'two lengths',
      'POST /v1/games/play HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
      400,
    ],
    ['20 KB of header', `GET / HTTP/1.1\r\nhost: x\r\nx-a: ${'b'.repeat(20_000)}\r\n\r\n`, 431],
    ['a 20 KB path', `GET /v1/users/${'a'.repeat(20_000)}/plays HTTP/1.1\r\nhost: x\r\n\r\n`, 431],
    ['no Host', 'GET /v1/games HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
    [
      'no Host of an unknown path',
      'POST /nope HTTP/1.1\r\nconnection: close\r\ncontent-length: 0\r\n\r\n',
      400,
    ],
    [
      'an expectation that is not met',
      'GET /v1/games HTTP/1.1\r\nhost: x\r\nconnection: close\r\nexpect: x\r\n\r\n',
      417,
    ],
    ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nhost: x\r\n\r\n', 404],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['a version that does not exist', 'GET / HTTP/9.9\r\nhost: x\r\n\r\n', 400],
    [
      'a method that no route has',
      'PROPFIND /v1/games HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
      404,
    ],
    [
      'a body in another transfer encoding',
      'POST /v1/games/play HTTP/1.1\r\nhost: x\r\ntransfer-encoding: gzip\r\n\r\n',
      400,
    ],
    [
      'a chunk without a length',
      'POST /v1/games/play HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n',
      400,
    ],
  ])('%s is refused in the envelope', async (_, text, code) => {
    const { status, body } = await rawRequest(world.base, text)
    expect(status).toBe(code)
    expectError(body, code)
  })
})

test('a Host is required of HTTP/1.1 alone, in the shape of GraphQL for GraphQL', async () => {
  const old = await rawRequest(world.base, 'GET /livez HTTP/1.0\r\n\r\n')
  expect(old.status).toBe(200)
  for (const header of ['', 'host: x\r\nexpect: x\r\n']) {
    const start = 'GET /graphql?query={__typename} HTTP/1.1\r\nconnection: close\r\n'
    const { body } = await rawRequest(world.base, `${start}${header}\r\n`)
    expect(JSON.parse(body).errors[0].extensions.code).toBe(
      header ? 'EXPECTATION_FAILED' : 'BAD_REQUEST',
    )
  }
})

test.each(['100-continue', '100-Continue'])(
  'a body is asked for on Expect: %s',
  async (expected) => {
    const body = JSON.stringify({ userId: 'ann', gameType: 'NEON_WHEEL' })
    const { head } = await rawCall(
      world.base,
      'POST /v1/games/play',
      [`x-api-key: ${world.keys.public}`, 'content-type: application/json', `expect: ${expected}`],
      body,
    )
    expect(head).toMatch(/^HTTP\/1\.1 100 Continue/)
  },
)

test('no answer reveals the software of the server', async () => {
  for (const path of ['/v1/games', '/v1/nope', '/graphql', '/', '/docs']) {
    const { headers } = await world.get(path, world.keys.public)
    expect(headers.get('x-powered-by') ?? headers.get('server')).toBeNull()
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
})
