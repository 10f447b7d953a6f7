/** Events from a page, a backend, or both: references of public keys are apart, and keys must fit each other. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { tokenCalls } from '../accounts/user-token-calls.ts'
import { createWorld, type Keys, onPostgres, type World } from '../world.ts'
import { factCalls, root, secretHeader, tokenHeader } from './fact-calls.ts'

let world: World
let call: ReturnType<typeof tokenCalls>
let { newUser, entriesOf, factsOf } = {} as ReturnType<typeof factCalls>
beforeAll(async () => {
  world = await createWorld()
  call = tokenCalls(world)
  ;({ newUser, entriesOf, factsOf } = factCalls(world))
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

describe('references of public keys', () => {
  const event = (externalId: string, metadata: object) => ({
    externalId,
    category: 'CUSTOM',
    eventType: 'order',
    reference: 'order-1',
    metadata,
  })
  const ways = {
    'POST /v1/user-journeys/events': async (userId: string, key: string, metadata: object) => {
      const { status, body } = await world.post(`${root}/events`, key, event(userId, metadata))
      expect(status).toBe(200)
      return body.data.id as string
    },
    'POST /v1/user-journeys/track': async (userId: string, key: string, metadata: object) => {
      const events = [event(userId, metadata)]
      const { status, body } = await world.post(`${root}/track`, key, { events })
      expect(status).toBe(200)
      return body.data.results[0].id as string
    },
    trackActivity: async (userId: string, key: string, metadata: object) => {
      const { externalId, ...rest } = event(userId, metadata)
      const by: Partial<Keys> = key.startsWith('pk') ? { public: key } : { secret: key }
      const { body } = await world.graphql(
        `mutation ($input: TrackActivityInput!) { trackActivity(input: $input) {
          ... on TrackActivityPayload { activity { uuid } } } }`,
        { input: { user: { externalId }, ...rest } },
        by,
      )
      return body.data.trackActivity.activity.uuid as string
    },
  }
  const orders = { 'the page first': true, 'the backend first': false }

  it.each(
    Object.keys(ways).flatMap((way) => Object.keys(orders).map((order) => [way, order] as const)),
  )('are apart from those of secret keys: %s, %s', async (way, order) => {
    const userId = await newUser(1)
    const { secret, public: page } = world.keys
    const keys = orders[order as keyof typeof orders] ? [page, secret] : [secret, page]
    const send = ways[way as keyof typeof ways]
    const ids: string[] = []
    for (const key of [...keys, ...keys]) ids.push(await send(userId, key, { by: key.slice(0, 2) }))
    expect(ids.slice(2)).toEqual(ids.slice(0, 2))
    expect(new Set(ids)).toHaveLength(2)
    const stored = (await entriesOf(userId)).filter(({ reference }) => reference === 'order-1')
    expect(stored.map(({ fact, metadata }) => [fact, metadata])).toEqual(
      expect.arrayContaining([
        ['ACTIVITY', { by: 'sk' }],
        [null, { by: 'pk' }],
      ]),
    )
    expect(stored).toHaveLength(2)
  })

  it('are apart within one list that both send at the same time', async () => {
    const userId = await newUser(1)
    const { secret, public: page } = world.keys
    const send = ways['POST /v1/user-journeys/events']
    const count = onPostgres ? 40 : 12
    const ids = await Promise.all(
      Array.from({ length: count }, (_, i) => send(userId, i % 2 ? page : secret, { i })),
    )
    expect(new Set(ids)).toHaveLength(2)
    expect(new Set(ids.filter((_, i) => i % 2))).toHaveLength(1)
    const stored = (await entriesOf(userId)).filter(({ reference }) => reference)
    expect(stored.map(({ fact }) => fact).sort()).toEqual(['ACTIVITY', null])
  })

  it('create a user once, whoever is first', async () => {
    const userId = `user-${randomUUID()}`
    const { secret, public: page } = world.keys
    const send = ways['POST /v1/user-journeys/track']
    await Promise.all([page, secret, page, secret].map((key) => send(userId, key, {})))
    expect((await entriesOf(userId)).map(({ fact }) => fact).sort()).toEqual(['ACTIVITY', null])
  })
})

describe('keys of an event', () => {
  const paths = ['events', 'track']
  const bodyOf = (path: string, externalId: string) => {
    const event = { externalId, category: 'CUSTOM', eventType: 'order', metadata: { a: 1 } }
    return path === 'events' ? event : { events: [event] }
  }
  const wrong = (key: string) => key.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))

  it.each(paths)('are a secret key, or both, on /%s; both are trusted', async (path) => {
    const { secret, public: page } = world.keys
    const userId = await newUser(1)
    const send = (key: string | undefined, headers = {}) =>
      world.post(`${root}/${path}`, key, bodyOf(path, userId), headers)
    for (const answer of [
      await send(secret),
      await send(page, secretHeader(secret)),
      await send(page, { ...secretHeader(secret), ...tokenHeader((await call.mint('x')).token) }),
    ])
      expect(answer.status).toBe(200)
    expect((await factsOf(userId)).map(([, fact]) => fact)).toEqual(Array(3).fill('ACTIVITY'))
    if (path === 'events') expect((await send(secret)).body.data.metadata).toEqual({ a: 1 })
  })

  it.each(paths)('must fit each other on /%s, and nothing is written otherwise', async (path) => {
    const other = await world.createPartner()
    const { secret, public: page } = world.keys
    const userId = `user-${randomUUID()}`
    const code = async (key: string | undefined, secretKey?: string) => {
      const headers = secretKey === undefined ? {} : secretHeader(secretKey)
      const { status, body } = await world.post(
        `${root}/${path}`,
        key,
        bodyOf(path, userId),
        headers,
      )
      return [status, body.errorCode]
    }
    expect(await code(undefined)).toEqual([401, 'MISSING_API_KEY'])
    expect(await code(undefined, wrong(secret))).toEqual([401, 'INVALID_API_KEY'])
    expect(await code(page, wrong(secret))).toEqual([401, 'INVALID_API_KEY'])
    expect(await code(wrong(page), secret)).toEqual([401, 'INVALID_API_KEY'])
    expect(await code(page, page)).toEqual([401, 'INVALID_API_KEY'])
    for (const foreign of [other.test.secret, world.partner.live.secret])
      expect(await code(page, foreign)).toEqual([400, 'CREDENTIALS_MISMATCH'])
    expect(await entriesOf(userId)).toEqual([])
    expect(await code(page)).toEqual([200, undefined])
    expect((await factsOf(userId)).map(([, fact]) => fact)).toEqual([null])
  })

  it('must fit each other in GraphQL, too', async () => {
    const other = await world.createPartner()
    const { secret, public: page } = world.keys
    const userId = `user-${randomUUID()}`
    const code = async (by: Partial<Keys>) => {
      const input = { user: { externalId: userId }, category: 'CUSTOM', eventType: 'x' }
      const query = `mutation ($input: TrackActivityInput!) { trackActivity(input: $input) { __typename } }`
      return (await world.graphql(query, { input }, by)).body.errors?.[0].extensions.code
    }
    expect(await code({ public: page, secret: wrong(secret) })).toBe('INVALID_API_KEY')
    for (const foreign of [other.test.secret, world.partner.live.secret])
      expect(await code({ public: page, secret: foreign })).toBe('CREDENTIALS_MISMATCH')
    expect(await entriesOf(userId)).toEqual([])
    expect(await code({ public: page, secret })).toBeUndefined()
    expect((await factsOf(userId)).map(([, fact]) => fact)).toEqual(['ACTIVITY'])
  })

  it('have idempotency keys apart: a page does not get the answer of a backend', async () => {
    const { secret, public: page } = world.keys
    const userId = await newUser(1)
    const headers = { 'idempotency-key': randomUUID() }
    const send = (key: string, more = {}) =>
      world.post(`${root}/events`, key, bodyOf('events', userId), { ...headers, ...more })
    const first = await send(page, secretHeader(secret))
    expect((await send(secret)).body).toEqual(first.body)
    expect((await send(page)).body.data.id).not.toBe(first.body.data.id)
  })
})
