/** Other sites, neighbours and thieves try to use a session of the console. */
import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { forgetSignIns } from '../../src/accounts/known-sign-in.ts'
import { createWorld, type World } from '../world.ts'
import {
  ask,
  cookieIn,
  createMember,
  fromConsole,
  openSession,
  password,
  signIn,
  whoAmI,
} from './browser.ts'

const listed = 'https://dashboard.example'

let world: World
let session: Awaited<ReturnType<typeof openSession>>
beforeAll(async () => {
  world = await createWorld({ config: { corsOrigins: ['http://localhost:4000', listed] } })
  session = await openSession(world)
})
afterAll(() => world.end())

const isSignedIn = async (cookie = session.cookie) =>
  (await ask(world, cookie)).data?.viewer?.member !== undefined

/** Origins that are not the server's own, some of which look like it. */
const foreign = () => {
  const { host, port } = new URL(world.base)
  return [
    ...['https://evil.example', 'null', listed, `http://${host}.evil.example`],
    ...[
      `http://evil.example/${host}`,
      `http://localhost:${port}`,
      `http://127.0.0.1:${Number(port) + 1}`,
    ],
    ...[`http://x@evil.example:${port}`, '', 'file://', 'http://['],
  ]
}

describe('a page of another site', () => {
  test('cannot use the cookie without the header of the console', async () => {
    expect(await ask(world, session.cookie, {})).toMatchObject({
      status: 401,
      code: 'MISSING_API_KEY',
    })
    const query = new URLSearchParams({ query: whoAmI })
    const headers = { cookie: session.cookie }
    const byGet = await world.get(`/graphql?${query}`, undefined, headers)
    expect(byGet.status).toBe(401)
  })

  test('cannot use the cookie even with the header', async () => {
    for (const origin of foreign()) {
      const { code } = await ask(world, session.cookie, { ...fromConsole, origin })
      expect(code, origin).toBe('MISSING_API_KEY')
    }
    for (const site of ['cross-site', 'same-site', 'none']) {
      const { code } = await ask(world, session.cookie, { ...fromConsole, 'sec-fetch-site': site })
      expect(code, site).toBe('MISSING_API_KEY')
    }
    const own = { ...fromConsole, origin: world.base, 'sec-fetch-site': 'same-origin' }
    expect((await ask(world, session.cookie, own)).status).toBe(200)
  })

  test.each(['https://evil.example', listed])(
    'of %s may neither send the header nor read the answer',
    async (origin) => {
      const preflight = await world.call('OPTIONS', '/graphql', {
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'x-tessera-console',
        },
      })
      const { headers } = preflight
      expect(headers.get('access-control-allow-headers')).not.toContain('x-tessera-console')
      expect(headers.get('access-control-allow-credentials')).toBeNull()
      const answer = await world.call('POST', '/graphql', {
        headers: { ...fromConsole, cookie: session.cookie },
        body: { query: whoAmI },
      })
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    },
  )

  test.each([
    ['a form', 'application/x-www-form-urlencoded', 'query=mutation{signOut{__typename}}'],
    ['a form with JSON in it', 'text/plain', '{"query":"mutation{signOut{__typename}}"}'],
    ['a multipart form', 'multipart/form-data; boundary=x', '--x--'],
  ])('sends %s in vain', async (_, type, body) => {
    for (const path of ['/graphql', '/console/session'])
      for (const headers of [{}, fromConsole]) {
        const { status } = await world.call('POST', path, {
          headers: { ...headers, cookie: session.cookie, 'content-type': type },
          body,
        })
        expect([400, 415], `${path} ${status}`).toContain(status)
      }
    expect(await isSignedIn()).toBe(true)
  })

  test('cannot sign a visitor in, neither as themselves nor as somebody else', async () => {
    const { email, id } = await createMember(world)
    const attempts = [
      {},
      ...foreign().map((origin) => ({ ...fromConsole, origin })),
      { ...fromConsole, 'sec-fetch-site': 'cross-site' },
    ]
    for (const headers of attempts) {
      const answer = await signIn(world, { email, password }, headers)
      expect(answer.status, JSON.stringify(headers)).toBe(400)
      expect(answer.headers.getSetCookie()).toEqual([])
    }
    expect(await world.runtime.db.signIn.count({ where: { memberId: id } })).toBe(0)
  })

  test('cannot sign a visitor out', async () => {
    const { cookie } = session
    for (const headers of [
      { cookie },
      { ...fromConsole, cookie, origin: 'https://evil.example' },
    ]) {
      const answer = await world.call('DELETE', '/console/session', { headers })
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([400, []])
    }
    expect(await isSignedIn()).toBe(true)
  })

  test('opens a WebSocket without a caller', async () => {
    const whoOpens = async (headers: object, connectionParams: object = fromConsole) => {
      const client = createClient({
        url: `${world.base.replace('http', 'ws')}/graphql`,
        webSocketImpl: class extends WebSocket {
          constructor(url: string, protocols: string[]) {
            super(url, protocols, { headers: { cookie: session.cookie, ...headers } })
          }
        },
        connectionParams: { ...connectionParams },
        retryAttempts: 0,
      })
      const { value } = await client
        .iterate({ query: whoAmI })
        .next()
        .catch((errors) => ({ value: { errors } }))
      await client.dispose()
      return value.data?.viewer?.member?.email ?? value.errors[0].extensions.code
    }
    expect(await whoOpens({ origin: world.base })).toBe(session.email)
    expect(await whoOpens({})).toBe('MISSING_API_KEY')
    for (const origin of foreign())
      expect(await whoOpens({ origin }), origin).toBe('MISSING_API_KEY')
    // Connection parameters, which pages control, do not make up for it.
    const params = { ...fromConsole, origin: world.base, cookie: session.cookie }
    expect(await whoOpens({ origin: listed }, params)).toBe('MISSING_API_KEY')
    // Other pages of this server have no caller, with or without a stale cookie.
    expect(await whoOpens({ origin: world.base }, {})).toBe('MISSING_API_KEY')
    const stale = { origin: world.base, cookie: 'tessera-console=stale' }
    expect(await whoOpens(stale, {})).toBe('MISSING_API_KEY')
  })
})

describe('REST', () => {
  test.each([
    '/dashboard/auth/me',
    '/dashboard/members',
    '/admin/partners',
    '/v1/users/ann/balance',
    '/v1/leaderboard',
  ])('%s takes no cookie', async (path) => {
    const operator = await openSession(world)
    await world.runtime.db.member.update({ where: { id: operator.id }, data: { isOperator: true } })
    const headers = { ...fromConsole, cookie: operator.cookie, origin: world.base }
    expect((await world.call('GET', path, { headers })).status).toBe(401)
  })

  test('and GraphQL do not accept the token of a cookie as an access token, nor the reverse', async () => {
    const token = session.cookie.split('=')[1]
    const authorization = `Bearer ${token}`
    expect((await world.get('/dashboard/auth/me', undefined, { authorization })).status).toBe(401)
    const { code } = await ask(world, '', { ...fromConsole, authorization })
    expect(code).toBe('INVALID_BEARER_TOKEN')
    const { body } = await world.post('/dashboard/auth/login', undefined, {
      email: session.email,
      password,
    })
    for (const other of [body.data.accessToken, body.data.refreshToken])
      expect((await ask(world, `tessera-console=${other}`)).code).toBe('INVALID_BEARER_TOKEN')
    const refreshed = await world.post('/dashboard/auth/refresh', undefined, {
      refreshToken: token,
    })
    expect(refreshed.status).toBe(401)
  })
})

describe('a cookie', () => {
  test('that was changed is refused', async () => {
    const other = await openSession(world)
    const [name, token = ''] = session.cookie.split('=')
    const [, otherToken = ''] = other.cookie.split('=')
    const changed = [
      token.slice(0, -1),
      `${token}A`,
      token.replace('cs_', 'rt_'),
      `${token.split('.')[0]}.${otherToken.split('.')[1]}`,
      `${otherToken.split('.')[0]}.`,
      token.toUpperCase(),
      'x'.repeat(10_000),
      '%00',
    ]
    for (const text of changed)
      expect((await ask(world, `${name}=${text}`)).code, text).toBe('INVALID_BEARER_TOKEN')
    expect((await ask(world, `${name}=`)).code).toBe('MISSING_API_KEY')
    expect((await ask(world, `other-${name}=${token}`)).code).toBe('MISSING_API_KEY')
    expect(await isSignedIn(`a=b; ${session.cookie}; c=d`)).toBe(true)
  })

  test('is ignored if there is a key or a token, even an invalid one', async () => {
    const { live } = await world.createPartner()
    const query = '{ viewer { apiKey { kind } member { email } } }'
    const byKey = await ask(
      world,
      session.cookie,
      { ...fromConsole, 'x-api-secret': live.secret },
      query,
    )
    expect(byKey.data.viewer).toEqual({ apiKey: { kind: 'SECRET' }, member: null })
    const withKey = (headers: Record<string, string>) =>
      ask(world, session.cookie, { ...fromConsole, ...headers })
    expect((await withKey({ 'x-api-key': 'pk_test_wrong' })).code).toBe('INVALID_API_KEY')
    expect((await withKey({ authorization: 'Bearer wrong' })).code).toBe('INVALID_BEARER_TOKEN')
    const token = await world.signInAs('ANALYST')
    const { data } = await withKey({ authorization: `Bearer ${token}` })
    expect(data.viewer.member.email).not.toBe(session.email)
  })

  test('of another partner gives no access to this one', async () => {
    const { partnerId } = await world.createPartner()
    const other = await openSession(world, 'OWNER', partnerId)
    const query = `{ members { nodes { email } } node(id: "${Buffer.from(`Member:${session.id}`).toString('base64url')}") { id } }`
    const { data } = await ask(world, other.cookie, fromConsole, query)
    expect(data).toEqual({ members: { nodes: [{ email: other.email }] }, node: null })
    await world.runtime.db.partner.update({
      where: { id: partnerId },
      data: { closedAt: new Date() },
    })
    forgetSignIns(world.runtime, other.id)
    expect((await ask(world, other.cookie)).code).toBe('PARTNER_NOT_FOUND')
    const again = await signIn(world, { email: other.email, password })
    expect(again).toMatchObject({ status: 403, body: { errorCode: 'PARTNER_NOT_FOUND' } })
  })
})

describe('over https', () => {
  const own = 'https://tessera.example'
  let secure: World
  beforeAll(async () => {
    secure = await createWorld({ config: { publicUrl: own } })
  })
  afterAll(() => secure.end())

  test('a cookie is valid for this host and https only, and no neighbouring host can set one', async () => {
    const { email } = await createMember(secure)
    const headers = { ...fromConsole, origin: own }
    const answer = await signIn(secure, { email, password }, headers)
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-tessera-console=cs_[\w.-]+; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Strict; Secure$/,
      ),
    ])
    const cookie = cookieIn(answer)
    expect((await ask(secure, cookie, headers)).data.viewer.member.email).toBe(email)
    const planted = cookie.replace('__Host-', '')
    expect((await ask(secure, planted, headers)).code).toBe('MISSING_API_KEY')
  })

  test('a page served without https is treated as another site', async () => {
    const { cookie } = await openSession(secure)
    for (const origin of ['http://tessera.example', secure.base])
      expect((await ask(secure, cookie, { ...fromConsole, origin })).code, origin).toBe(
        'MISSING_API_KEY',
      )
    const behindProxy = { ...fromConsole, origin: secure.base.replace('http:', 'https:') }
    expect((await ask(secure, cookie, behindProxy)).status).toBe(200)
  })
})
