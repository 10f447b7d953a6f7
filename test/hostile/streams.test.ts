/** Event streams that outlive the credential of their reader, or are never released. */
import { describe, expect, test } from 'vitest'
import { attack, hostileServer, times } from './hostile-server.ts'

const server = hostileServer({ JOBS: 'off' })

const watchAll = 'subscription { eventPublished { uuid } }'
const watchMatches = 'subscription { arenaLiveMatchesChanged { kind } }'

const open = (query: string, headers: Record<string, string>, signal?: AbortSignal) =>
  fetch(`${server().base}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
    body: JSON.stringify({ query }),
    ...(signal && { signal }),
  })

const signIn = async () => {
  const { body } = await server().post('/dashboard/auth/login', server().demo.admin)
  return { authorization: `Bearer ${body.data.accessToken}`, 'x-environment': 'TEST' }
}

/** Runs a mutation as a member and returns its payload. */
const change = async (headers: Record<string, string>, mutation: string) => {
  const { body } = await server().graphql(`mutation { result: ${mutation} }`, headers)
  expect(body.errors).toBeUndefined()
  return body.data.result
}

/** Milliseconds until a stream has ended. */
const endOf = async (response: Response) => {
  const startedAt = Date.now()
  await response.text().catch(() => {})
  return Date.now() - startedAt
}

describe('an event stream ends within five seconds of', () => {
  const newKey = (headers: Record<string, string>) =>
    change(
      headers,
      'createApiKey(input: { kind: SECRET }) { ... on CreateApiKeyPayload { key apiKey { id } } }',
    )

  test('revoking its key', () =>
    attack(server, async () => {
      const member = await signIn()
      const { key, apiKey } = await newKey(member)
      const stream = await open(watchAll, { 'x-api-secret': key })
      expect(stream.status).toBe(200)
      await change(member, `revokeApiKey(input: { apiKeyId: "${apiKey.id}" }) { __typename }`)
      expect(await endOf(stream)).toBeLessThan(5_000)
    }))

  test('ending its sign-in', () =>
    attack(server, async () => {
      const member = await signIn()
      const stream = await open(watchAll, member)
      expect(stream.status).toBe(200)
      await server().post('/dashboard/auth/logout', {}, member)
      expect(await endOf(stream)).toBeLessThan(5_000)
    }))
})

describe('an Idempotency-Key', () => {
  const key = { 'idempotency-key': 'once', 'x-api-key': '' }

  test('is refused with subscriptions and queries', () =>
    attack(server, async () => {
      const headers = { ...key, 'x-api-key': server().demo.keys.publicTest }
      for (const query of [watchMatches, '{ games { name } }'])
        for (const accept of ['text/event-stream', 'application/json'])
          for (const answer of await Promise.all(
            times(5, () => open(query, { ...headers, accept }, AbortSignal.timeout(3_000))),
          )) {
            expect(answer.status).toBe(400)
            expect(await answer.json()).toMatchObject({
              errors: [{ extensions: { code: 'IDEMPOTENCY_KEY_NOT_ALLOWED' } }],
            })
          }
      const get = `/graphql?query=${encodeURIComponent('{ games { name } }')}`
      expect((await server().send(get, { headers })).status).toBe(400)
    }))

  test('is refused if an operation of a batch is a query', async () => {
    const headers = { ...key, 'x-api-key': server().demo.keys.publicTest }
    const play =
      'mutation { playGame(input: { user: { externalId: "x" }, gameType: NEON_WHEEL }) { __typename } }'
    const { status } = await server().post(
      '/graphql',
      [{ query: play }, { query: '{ games { name } }' }],
      headers,
    )
    expect(status).toBe(400)
    expect((await server().post('/graphql', [{ query: play }], headers)).status).toBe(200)
  })
})
