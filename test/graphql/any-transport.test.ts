/** Queries and mutations over WebSocket and as event streams, as clients of one transport send them. */
import { type Client, createClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
  await world.givePoints('ann', 3)
})
afterAll(() => world.end())

type Result = {
  data?: Record<string, unknown> | null
  errors?: { message: string; extensions: Record<string, unknown> }[]
}
type Ask = (
  query: string,
  variables?: Record<string, unknown>,
  operationName?: string,
) => Promise<Result[]>

/** The results of an operation until it is complete. A refusal counts as a result, too. */
const bySocket =
  (client: Client): Ask =>
  async (query, variables = {}, operationName) => {
    const results: Result[] = []
    try {
      for await (const result of client.iterate({
        query,
        variables,
        ...(operationName !== undefined && { operationName }),
      }))
        results.push(result as Result)
    } catch (errors) {
      results.push({ errors: errors as never })
    }
    return results
  }

const byStream =
  (headers: Record<string, string>): Ask =>
  async (query, variables, operationName) => {
    const response = await fetch(`${world.base}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
      body: JSON.stringify({ query, variables, operationName }),
    })
    const text = await response.text()
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    expect(text).toMatch(/event: complete/)
    return [...text.matchAll(/^event: next\ndata: (.*)$/gm)].map(([, data]) =>
      JSON.parse(data ?? ''),
    )
  }

const connect = (params: Record<string, string>) =>
  createClient({
    url: `${world.base.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: params,
  })

const award = `mutation ($userId: String!) {
  awardPoints(input: { user: { externalId: $userId }, eventType: "signup" }) {
    __typename ... on Error { code }
  }
}`
const wide = `{ ${Array.from({ length: 16 }, (_, i) => `a${i}: games { name }`).join(' ')} }`

describe.each(['a WebSocket', 'an event stream'])('by %s', (transport) => {
  const clients: Client[] = []
  afterAll(async () => {
    for (const client of clients) await client.dispose()
  })
  const as = (headers: Record<string, string>): Ask => {
    if (transport === 'an event stream') return byStream(headers)
    const client = connect(headers)
    clients.push(client)
    return bySocket(client)
  }
  const backend = () => as({ 'x-api-secret': world.keys.secret })

  test('a query is answered once', async () => {
    const results = await backend()('{ games { name } }')
    expect(results).toHaveLength(1)
    expect(results[0]?.data?.games).toHaveLength(3)
    expect(results[0]?.errors).toBeUndefined()
  })

  test('a mutation is executed once', async () => {
    const userId = `by ${transport}`
    const results = await backend()(award, { userId })
    expect(results).toHaveLength(1)
    expect(results[0]?.data?.awardPoints).toMatchObject({ __typename: 'AwardPointsPayload' })
    const user = await world.runtime.db.endUser.findFirst({ where: { externalId: userId } })
    expect(await world.runtime.db.ledgerEntry.count({ where: { userId: user?.id ?? '' } })).toBe(1)
  })

  test('ten queries at once are all answered', async () => {
    const ask = backend()
    const all = await Promise.all(Array.from({ length: 10 }, () => ask('{ games { name } }')))
    for (const [result] of all) expect(result?.data?.games).toHaveLength(3)
  })

  test.each<[string, Record<string, unknown> | undefined, string]>([
    ['{', undefined, 'GRAPHQL_PARSE_FAILED'],
    ['{ nope }', undefined, 'GRAPHQL_VALIDATION_FAILED'],
    [wide, undefined, 'DOCUMENT_TOO_COMPLEX'],
    [award, { userId: 5 }, 'INVALID_PARAMETERS'],
    ['query A { __typename } query B { __typename }', undefined, 'OPERATION_RESOLUTION_FAILURE'],
    ['{ __schema { queryType { name } } }', undefined, 'INTROSPECTION_REFUSED'],
    // Refused before it is validated.
    ['{ ...F } fragment F on Query { __schema { nope } }', undefined, 'INTROSPECTION_REFUSED'],
  ])('%s with %j is refused with %s', async (query, variables, code) => {
    const [result] = await backend()(query, variables)
    expect(result?.data ?? null).toBeNull()
    expect(result?.errors?.[0]?.extensions).toEqual({ code })
  })

  test('an empty operation name is none', async () => {
    const [result] = await backend()('query A { games { name } }', {}, '')
    expect(result?.errors).toBeUndefined()
    expect(result?.data?.games).toHaveLength(3)
    const [unclear] = await backend()('query A { __typename } query B { __typename }', {}, '')
    expect(unclear?.errors?.[0]?.extensions?.code).toBe('OPERATION_RESOLUTION_FAILURE')
  })

  test('a field that requires a secret key is refused without one', async () => {
    const [result] = await as({ 'x-api-key': world.keys.public })('{ rewardRules { __typename } }')
    expect(result?.errors?.[0]?.extensions).toEqual({ code: 'MISSING_API_SECRET' })
  })
})
