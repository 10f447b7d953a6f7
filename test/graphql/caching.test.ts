/** Which answers a cache may keep. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorld, type World } from '../world.ts'

let world: World
let token: string
beforeAll(async () => {
  world = await createWorld({
    config: { rateLimits: { secret: 100, public: 100, anonymous: 100 } },
  })
  token = await world.signInAs('OWNER')
})
afterAll(() => world.end())

const path = `/graphql?${new URLSearchParams({ query: '{ arena { leaderboard(first: 5) { __typename } } }' })}`

test('public data is cached for a few seconds and revalidated by its ETag', async () => {
  const { status, headers, body } = await world.get(path)
  expect([status, body.errors]).toEqual([200, undefined])
  expect(headers.get('cache-control')).toMatch(/^public, max-age=\d+/)
  const vary = headers.get('vary')?.toLowerCase().split(', ') ?? []
  for (const name of ['origin', 'accept', 'authorization', 'x-api-key', 'x-api-secret'])
    expect(vary).toContain(name)
  expect(body.extensions.cost).toMatchObject({ requested: 100, remaining: null })

  const etag = headers.get('etag') ?? ''
  const again = await world.get(path, undefined, { 'if-none-match': `"x", ${etag}` })
  expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag])
  expect((await world.get(path, undefined, { 'if-none-match': '"x"' })).status).toBe(200)
})

test('an answer to a credential is kept by its client alone, and revalidated', async () => {
  const credentials: Record<string, string>[] = [
    { 'x-api-key': world.keys.public },
    { authorization: `Bearer ${token}` },
  ]
  for (const headers of credentials) {
    const first = await world.get(path, undefined, headers)
    expect(first.headers.get('cache-control')).toBe('private, no-cache')
    const etag = first.headers.get('etag') ?? ''
    const again = await world.get(path, undefined, { ...headers, 'if-none-match': etag })
    // What is left of the allowance differs, the data does not.
    expect([again.status, again.text]).toEqual([304, ''])
  }
})

describe('no cache stores', () => {
  const credentials = (): [string, Record<string, string>][] => [
    ['a bad key', { 'x-api-key': 'x' }],
    ['a bad secret', { 'x-api-secret': 'x' }],
    ['a bad sign-in', { authorization: 'Bearer x' }],
  ]
  test('an answer to a credential that is not valid', async () => {
    for (const [who, headers] of credentials()) {
      const answer = await world.get(path, undefined, headers)
      expect(answer.headers.get('cache-control'), who).toBe('no-store')
      expect(answer.headers.get('etag'), who).toBeNull()
    }
  })

  test.each([
    '{',
    '{ nope }',
    '{ rewardRules { __typename } }',
    '{ __typename node(id: "x") { id } }',
  ])('an answer with errors: %s', async (query) => {
    const { headers, body } = await world.get(`/graphql?${new URLSearchParams({ query })}`)
    expect(body.errors).not.toHaveLength(0)
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('an answer to POST', async () => {
    const { headers } = await world.graphql('{ arena { leaderboard { __typename } } }', {}, {})
    expect(headers.get('cache-control')).toBe('no-store')
  })
})
