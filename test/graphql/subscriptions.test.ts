import { connect as connectTo } from 'node:net'
import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { untilListening } from '../listeners.ts'
import { awake } from '../timing.ts'
import { createWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.end())

const award = async (userId: string) =>
  (await world.post('/v1/points/award', world.keys.secret, { userId, eventType: 'signup' })).body
    .data

type Watched = {
  data: { eventPublished: { uuid: string; type: string; name: string; payload: never } }
}

/** A client as a dashboard would use it. */
const connect = (params: Record<string, unknown> | undefined) => {
  const closed = Promise.withResolvers<{ code: number; reason: string }>()
  const connected = Promise.withResolvers<void>()
  const client = createClient({
    url: `${world.base.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    lazy: false,
    onNonLazyError: () => {},
    ...(params && { connectionParams: params }),
    on: {
      connected: () => connected.resolve(),
      closed: (event) => closed.resolve(event as { code: number; reason: string }),
    },
  })
  return { client, closed: closed.promise, connected: connected.promise }
}

/** The first `count` results of a subscription. */
const take = async <T>(iterator: AsyncIterable<unknown>, count: number): Promise<T[]> => {
  const items: T[] = []
  for await (const item of iterator) if (items.push(item as T) === count) break
  return items
}

const watchAll = `subscription ($since: ID, $types: [String!]) {
  eventPublished(afterEventId: $since, names: $types) {
    uuid type name payload occurredAt data { ... on PointsAwardedEventData { user { externalId } } } } }`

/** Waits for what should not come. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 200))

describe('a WebSocket', () => {
  test('gets events in order as they happen, and those it missed', async () => {
    const { client, connected } = connect({ 'X-API-Secret': world.keys.secret })
    await connected
    const listening = untilListening(world, 'event')
    const watching = take<Watched>(client.iterate({ query: watchAll }), 3)
    await listening
    const awards = [await award('ann'), await award('ben'), await award('ann')]
    const seen = (await watching).map(({ data }) => data.eventPublished)
    expect(seen.map(({ uuid }) => uuid)).toEqual(awards.map(({ ledgerId }) => ledgerId))
    expect(seen[0]).toMatchObject({
      type: 'POINTS_AWARDED',
      name: 'points.awarded',
      payload: { userId: 'ann' },
      data: { user: { externalId: 'ann' } },
    })

    const since = seen[0]?.uuid
    const missed = await take<Watched>(client.iterate({ query: watchAll, variables: { since } }), 2)
    expect(missed.map(({ data }) => data.eventPublished.uuid)).toEqual(
      awards.slice(1).map(({ ledgerId }) => ledgerId),
    )
    await client.dispose()
  })

  test('of many readers, each sees every event of a hundred parallel awards once', async () => {
    const clients = Array.from({ length: 5 }, () => connect({ 'x-api-secret': world.keys.secret }))
    await Promise.all(clients.map(({ connected }) => connected))
    const listening = untilListening(world, 'event', clients.length)
    const readers = clients.map(({ client }) =>
      take<Watched>(
        client.iterate({ query: watchAll, variables: { types: ['points.awarded'] } }),
        100,
      ),
    )
    await listening
    const awards = await Promise.all(Array.from({ length: 100 }, (_, i) => award(`many-${i}`)))
    const expected = awards.map(({ ledgerId }) => ledgerId).sort()
    const lists = (await Promise.all(readers)).map((list) =>
      list.map(({ data }) => data.eventPublished.uuid),
    )
    for (const list of lists) {
      expect([...list].sort()).toEqual(expected)
      expect(list).toEqual(lists[0])
    }
    await Promise.all(clients.map(({ client }) => client.dispose()))
  })

  test('gets the kinds it requests, and an error for an unknown kind', async () => {
    const { client, connected } = connect({ 'x-api-secret': world.keys.secret })
    await connected
    const ask = (types: string[]) => client.iterate({ query: watchAll, variables: { types } })
    const listening = untilListening(world, 'event')
    const watching = take<Watched>(ask(['arena.*', 'points.*']), 1)
    await listening
    const { ledgerId } = await award('kind')
    expect((await watching)[0]?.data.eventPublished.uuid).toBe(ledgerId)
    const { value } = await ask(['nope']).next()
    expect(value.errors[0].extensions.code).toBe('INVALID_PARAMETERS')
    await client.dispose()
  })

  test('sees nothing of another partner or environment', async () => {
    const { client, connected } = connect({ 'x-api-secret': world.partner.live.secret })
    await connected
    const results: unknown[] = []
    const listening = untilListening(world, 'event')
    const stop = client.subscribe<Watched['data']>(
      { query: watchAll },
      { next: (result) => results.push(result), error: () => {}, complete: () => {} },
    )
    await listening
    await award('hidden')
    await settle()
    expect(results).toEqual([])
    stop()
    await client.dispose()
  })

  test('without a secret key gets an error; invalid arguments are refused', async () => {
    const { client, connected } = connect(undefined)
    await connected
    const first = async (query: string) => {
      try {
        return (await take<{ errors?: { message: string }[] }>(client.iterate({ query }), 1))[0]
          ?.errors
      } catch (error) {
        return error as { message: string }[]
      }
    }
    expect(await first(watchAll)).toMatchObject([
      { message: 'Missing X-API-Secret header', extensions: { code: 'MISSING_API_SECRET' } },
    ])
    expect(await first('subscription { nothing }')).toMatchObject([
      { message: expect.stringContaining('Cannot query field') },
    ])
    expect(await first('subscription {')).toMatchObject([{ message: expect.any(String) }])
    await client.dispose()
  })

  test('with an invalid key is closed with 4403, and with a revoked key within five seconds', async () => {
    const bad = connect({ 'x-api-secret': `sk_test_${'x'.repeat(43)}` })
    expect(await bad.closed).toMatchObject({ code: 4403, reason: 'Invalid API key' })

    const bearer = await world.signInAs('OWNER', (await world.createPartner()).partnerId)
    const mine = await world.graphql(
      'mutation { createApiKey(input: {kind: SECRET}) { ... on CreateApiKeyPayload { key apiKey { id } } } }',
      {},
      { bearer },
    )
    const { key, apiKey } = mine.body.data.createApiKey
    const { closed, connected } = connect({ 'x-api-secret': key })
    await connected
    const startedAt = Date.now()
    await world.graphql(
      'mutation ($id: ID!) { revokeApiKey(input: {apiKeyId: $id}) { __typename } }',
      { id: apiKey.id },
      { bearer },
    )
    expect(await closed).toMatchObject({ code: 4403, reason: 'API key has been revoked' })
    expect(Date.now() - startedAt).toBeLessThan(5_000)
  })

  test('of an operator is closed within five seconds after they lose that role', async () => {
    const { partnerId } = await world.createPartner()
    const bearer = await world.signInAs('OPERATOR', partnerId)
    const { closed, connected } = connect({ Authorization: `Bearer ${bearer}` })
    await connected
    const startedAt = awake()
    await world.runtime.db.member.updateMany({ where: { partnerId }, data: { isOperator: false } })
    expect(await closed).toMatchObject({ code: 4403, reason: 'Administrator role required' })
    expect(awake() - startedAt).toBeLessThan(5_000)
  })

  test('is accepted only at /graphql', async () => {
    const socket = new WebSocket(
      `${world.base.replace('http', 'ws')}/other`,
      'graphql-transport-ws',
    )
    const message = await new Promise((resolve) =>
      socket.once('error', ({ message }) => resolve(message)),
    )
    expect(message).toContain('404')
  })

  test.each(['//', '/nope', 'http://[', '/graphql/../x', '/\u00ff'])(
    'requested at %s ends only its connection, even if its client is gone',
    async (path) => {
      const { hostname, port } = new URL(world.base)
      const head = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
      for (let i = 0; i < 30; i++) {
        const socket = connectTo(Number(port), hostname)
        socket.on('error', () => {})
        socket.write([`GET ${path} HTTP/1.1`, 'Host: x', ...head, '', ''].join('\r\n'))
        await new Promise((resolve) => setTimeout(resolve, i % 3))
        socket.resetAndDestroy()
      }
      expect((await world.get('/livez')).status).toBe(200)
    },
  )
})

describe('server-sent events', () => {
  const open = (body: object, key: string | undefined, signal?: AbortSignal) =>
    fetch(`${world.base}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        ...(key && { 'x-api-secret': key }),
      },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    })

  test('have the same events', async () => {
    const leave = new AbortController()
    const listening = untilListening(world, 'event')
    const response = await open({ query: watchAll }, world.keys.secret, leave.signal)
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    await listening
    const { ledgerId } = await award('sse')
    let text = ''
    for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(part).toString()
      if (text.includes(ledgerId)) break
    }
    expect(text).toContain('event: next')
    leave.abort()
  })

  test('without a key have the error', async () => {
    const text = await (await open({ query: watchAll }, undefined)).text()
    expect(text).toContain('MISSING_API_SECRET')
  })
})

describe.each(['application', 'partner'] as const)('when the %s of a key is closed', (what) => {
  test('its WebSockets and event streams end within five seconds', async () => {
    const { partnerId, applicationId, test: keys } = await world.createPartner()
    const { closed, connected } = connect({ 'x-api-secret': keys.secret })
    await connected
    const listening = untilListening(world, 'event')
    const stream = await fetch(`${world.base}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        'x-api-secret': keys.secret,
      },
      body: JSON.stringify({ query: watchAll }),
    })
    const ended = stream.text().catch(() => 'broken off')
    await listening
    const startedAt = awake()
    const { db } = world.runtime
    if (what === 'partner')
      await db.partner.update({ where: { id: partnerId }, data: { closedAt: new Date() } })
    else await db.application.update({ where: { id: applicationId }, data: { status: 'INACTIVE' } })
    expect(await closed).toMatchObject({ code: 4403 })
    await ended
    expect(awake() - startedAt).toBeLessThan(5_000)
  })
})

test('a server that stops closes its sockets with 1001 and its streams', async () => {
  const other = await createWorld({ isAlone: true })
  const closed = new Promise<number>((resolve) => {
    const socket = new WebSocket(
      `${other.base.replace('http', 'ws')}/graphql`,
      'graphql-transport-ws',
    )
    socket.once('open', () => socket.send('{"type":"connection_init"}'))
    socket.once('close', resolve)
  })
  const listening = untilListening(other, 'event')
  const stream = await fetch(`${other.base}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      'x-api-secret': other.keys.secret,
    },
    body: JSON.stringify({ query: watchAll }),
  })
  const ended = stream.text().catch(() => 'broken off')
  await listening
  const startedAt = awake()
  const stopped = other.end()
  expect(await closed).toBe(1001)
  await ended
  expect(awake() - startedAt).toBeLessThan(10_000)
  await stopped
})
