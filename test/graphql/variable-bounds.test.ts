/**
 * The bounds of variables, by each way on which they come: POST, GET, an event stream, a WebSocket, a batch, a document
 * that is named by its hash, and the operations of REST. How the bounds count is in test/kit/variable-values.test.ts. No
 * input of the schema can be 16 levels deep; free-form JSON has a depth of its own.
 */
import { hash } from 'node:crypto'
import { type Client, createClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createWorld, type World } from '../world.ts'

let world: World
let client: Client
beforeAll(async () => {
  world = await createWorld()
  client = createClient({
    url: `${world.base.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: { 'x-api-secret': world.keys.secret },
  })
})
afterAll(async () => {
  await client?.dispose()
  await world?.end()
})

type Params = { query: string; variables: object }
/** Sends an operation. Returns the text of what is answered. */
type Way = (params: Params) => Promise<string>

const post = async (body: unknown, accept = 'application/json') => {
  const headers = { 'x-api-secret': world.keys.secret, accept }
  return (await world.call('POST', '/graphql', { headers, body })).text
}

const mutationWays: Record<string, Way> = {
  POST: (params) => post(params),
  'an event stream': (params) => post(params, 'text/event-stream'),
  'a WebSocket': async ({ query, variables }) => {
    try {
      for await (const result of client.iterate({ query, variables: { ...variables } }))
        return JSON.stringify(result)
    } catch (errors) {
      return JSON.stringify(errors)
    }
    return ''
  },
  'a batch': (params) => post([{ query: '{ games { name } }' }, params]),
  'a document that is named by its hash': async ({ query, variables }) => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: hash('sha256', query) } }
    await post({ query, extensions })
    return post({ extensions, variables })
  },
}

const ways: Record<string, Way> = {
  ...mutationWays,
  GET: async ({ query, variables }) => {
    const sent = new URLSearchParams({ query, variables: JSON.stringify(variables) })
    return (await world.get(`/graphql?${sent}`, world.keys.secret)).text
  },
}

const keys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]))

describe.each(Object.keys(ways))('by %s', (way) => {
  const ask = ways[way] as Way

  test('an object has at most 100 keys', async () => {
    const query = 'query Keys($v: UserBy!) { user(by: $v) { uuid } }'
    expect(await ask({ query, variables: { v: keys(100) } })).toContain('is not defined')
    expect(await ask({ query, variables: { v: keys(101) } })).toContain(
      'must have at most 100 keys',
    )
  })

  test('a list has at most 1,000 items', async () => {
    const query = 'query Items($v: [ID!]!) { nodes(ids: $v) { id } }'
    const items = (count: number) => Array.from({ length: count }, () => 1)
    expect(await ask({ query, variables: { v: items(1_000) } })).not.toContain('1000 items')
    expect(await ask({ query, variables: { v: items(1_001) } })).toContain(
      'must have at most 1000 items',
    )
  })
})

describe.each(Object.keys(mutationWays))('by %s', (way) => {
  const ask = ways[way] as Way

  test.each([
    ['at most 16 KB', { text: 'x'.repeat(16 * 1024 - 11) }, { text: 'x'.repeat(16 * 1024 - 10) }],
  ])('metadata has %s', async (limit, most, more) => {
    const query = `mutation Metadata($v: AwardPointsInput!) {
      awardPoints(input: $v) { __typename ... on Error { message } ... on ValidationError { errors { message } } } }`
    const input = { user: { externalId: 'ann' }, eventType: 'signup' }
    expect(await ask({ query, variables: { v: { ...input, metadata: most } } })).toContain(
      'AwardPointsPayload',
    )
    expect(await ask({ query, variables: { v: { ...input, metadata: more } } })).toContain(limit)
  })
})

describe('by a route of REST', () => {
  const send = async (path: string, body: object) => {
    const answer = await world.post(path, world.keys.secret, body)
    return [answer.status, answer.body.errors?.[0]?.message]
  }

  test('an object has at most 100 keys', async () => {
    const entry = { email: 'ann@example.com', lotterySlug: 'none' }
    expect(await send('/v1/lotteries/entries', { ...entry, lines: [keys(101)] })).toEqual([
      400,
      'lines.0 must have at most 100 keys',
    ])
  })

  test('a list has at most 1,000 items', async () => {
    const entry = { email: 'ann@example.com', lotterySlug: 'none' }
    const lines = Array.from({ length: 1_001 }, () => ({ main: [1] }))
    expect(await send('/v1/lotteries/entries', { ...entry, lines })).toEqual([
      400,
      'lines must have at most 1000 items',
    ])
  })

  test('metadata has at most 16 KB', async () => {
    const award = { userId: 'ann', eventType: 'signup' }
    const metadata = { text: 'x'.repeat(16 * 1024 - 10) }
    expect(await send('/v1/points/award', { ...award, metadata })).toEqual([
      400,
      'metadata must be at most 16 KB as JSON',
    ])
  })
})
