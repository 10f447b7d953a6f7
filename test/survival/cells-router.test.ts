/** A router in front of two cells: each request arrives at the cell of its credential. */
import { createClient } from 'graphql-ws'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { recognize, signIn } from '../../src/accounts/sign-in.ts'
import { cookieIn, createMember, fromConsole, password } from '../console/browser.ts'
import { createDatabase, createWorld, type World } from '../world.ts'
import { hasNginx, startRouter } from './router.ts'

if (!hasNginx)
  console.warn('The router is not tested: there is no nginx (apt-get install nginx-light).')

describe.skipIf(!hasNginx)('the router', () => {
  let home: World
  let c2: World
  let router: Awaited<ReturnType<typeof startRouter>>
  const drops: (() => Promise<void>)[] = []

  const cellOn = async (cell: string | undefined) => {
    const database = await createDatabase(false)
    drops.push(database.drop)
    return createWorld({ database, config: { cell, trustProxy: 1 } })
  }
  beforeAll(async () => {
    home = await cellOn(undefined)
    c2 = await cellOn('c2')
    router = await startRouter({ home: home.base, c2: c2.base })
  })
  afterAll(async () => {
    await router?.end()
    for (const world of [home, c2]) await world?.end()
    for (const drop of drops) await drop()
  })

  const ask = (path: string, init: RequestInit & { headers: Record<string, string> }) =>
    fetch(`${router.base}${path}`, init)
  const postJson = (path: string, headers: Record<string, string>, body: unknown) =>
    ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const balanceIn = async (world: World, userId: string, key = world.keys.secret) =>
    (await world.get(`/v1/users/${userId}/balance`, key)).status

  test('sends keys to the cell that they name', async () => {
    for (const [world, other, name] of [
      [home, c2, 'ann'],
      [c2, home, 'bob'],
    ] as const) {
      const award = { userId: name, eventType: 'signup', reference: name }
      const answer = await postJson(
        '/v1/points/award',
        { 'x-api-secret': world.keys.secret },
        award,
      )
      expect(answer.status, await answer.text()).toBe(200)
      expect(await balanceIn(world, name)).toBe(200)
      expect(await balanceIn(other, name)).toBe(404)
      const games = await ask('/v1/games', { headers: { 'x-api-key': world.keys.public } })
      expect(games.status).toBe(200)
      const query = `{ user(by: {externalId: "${name}"}) { externalId } }`
      const byGraphql = await postJson('/graphql', { 'x-api-secret': world.keys.secret }, { query })
      expect(await byGraphql.json()).toMatchObject({ data: { user: { externalId: name } } })
    }
  })

  test('reads the cookie of the console, and the host of a cell', async () => {
    const { email } = await createMember(c2)
    const query = '{ viewer { member { email } } }'
    const signedIn = await c2.call('POST', '/console/session', {
      headers: fromConsole,
      body: { email, password },
    })
    const cookie = cookieIn(signedIn)
    expect(cookie).toMatch(/=cs_c2_/)
    const viewer = await postJson('/graphql', { ...fromConsole, cookie }, { query })
    expect(await viewer.json()).toMatchObject({ data: { viewer: { member: { email } } } })
    const atHost = async (host: string, path: string, body: unknown, token = '') => {
      const answer = await request(`${router.base}${path}`, {
        method: 'POST',
        headers: {
          ...fromConsole,
          host,
          'content-type': 'application/json',
          ...(token && { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify(body),
      })
      return { status: answer.statusCode, body: (await answer.body.json()) as unknown }
    }
    const member = { email, password }
    expect((await atHost('c2.example.com', '/console/session', member)).status).toBe(200)
    expect((await atHost('example.com', '/console/session', member)).status).toBe(401)
    const recognized = await recognize(c2.runtime, member, '127.0.0.1')
    const { accessToken, refreshToken } = await signIn(c2.runtime, recognized)
    expect(await atHost('c2.example.com', '/graphql', { query }, accessToken)).toMatchObject({
      body: { data: { viewer: { member: { email } } } },
    })
    const refresh = (host: string) => atHost(host, '/dashboard/auth/refresh', { refreshToken })
    expect(await refresh('example.com')).toMatchObject({
      status: 401,
      body: { errorCode: 'WRONG_CELL', cell: 'c2' },
    })
    expect((await refresh('c2.example.com')).status).toBe(200)
  })

  test('passes the whole address and refusals on', async () => {
    const unknown = await ask('/v1/games', {
      headers: { 'x-api-key': `pk_test_${'1'.repeat(43)}` },
    })
    expect(unknown.status).toBe(401)
    const nowhere = await ask('/v1/games', {
      headers: { 'x-api-key': `pk_test_c9_${'1'.repeat(43)}` },
    })
    expect(nowhere.status).toBe(401)
    expect(await nowhere.json()).toMatchObject({ errorCode: 'WRONG_CELL', cell: 'c9' })
    for (const path of ['/metrics', '/readyz'])
      expect((await ask(path, { headers: {} })).status).toBe(404)
    const large = await postJson(
      '/v1/points/award',
      { 'x-api-secret': c2.keys.secret },
      { userId: 'x'.repeat(300_000) },
    )
    expect(await large.json()).toMatchObject({ errorCode: 'BODY_TOO_LARGE' })
    expect((await ask('/console', { headers: {} })).status).toBe(200)
  })

  test('streams events as they come', async () => {
    const query = 'subscription { eventPublished { name } }'
    const stop = new AbortController()
    const stream = await ask('/graphql', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        'x-api-secret': c2.keys.secret,
      },
      body: JSON.stringify({ query }),
      signal: stop.signal,
    })
    expect(stream.status).toBe(200)
    const reader = (stream.body as ReadableStream<Uint8Array>).getReader()
    await c2.givePoints('cid', 1)
    let text = ''
    while (!text.includes('points.awarded')) {
      const { value, done } = await reader.read()
      if (done) throw new Error(`the stream ended: ${text}`)
      text += Buffer.from(value).toString()
    }
    stop.abort()
  })

  test('carries a WebSocket to the cell of ?cell=', async () => {
    const url = `${router.base.replace('http', 'ws')}/graphql`
    const connect = (path: string) => {
      const closed = Promise.withResolvers<unknown>()
      const client = createClient({
        url: `${url}${path}`,
        webSocketImpl: WebSocket,
        retryAttempts: 0,
        connectionParams: { 'X-API-Key': c2.keys.public },
        on: { closed: closed.resolve },
      })
      return {
        client,
        closed: closed.promise,
        results: client.iterate({ query: '{ games { name } }' }),
      }
    }
    const there = connect('?cell=c2')
    expect((await there.results.next()).value).toMatchObject({
      data: { games: expect.any(Array) },
    })
    await there.client.dispose()
    const elsewhere = connect('')
    await expect(elsewhere.results.next()).rejects.toMatchObject({ code: 4403 })
    expect(await elsewhere.closed).toMatchObject({ code: 4403, reason: 'Invalid API key' })
    await elsewhere.client.dispose()
  })
})
