/** Clients with a normalized cache, against a running server. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries'
import { createClient, fetchExchange } from '@urql/core'
import { cacheExchange } from '@urql/exchange-graphcache'
import { type IntrospectionQuery, introspectionFromSchema } from 'graphql'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { cacheIntrospectionOf, possibleTypesOf } from '../../scripts/client-files.ts'
import { schema } from '../../src/schema.ts'
import { createWorld, type World } from '../world.ts'

let world: World
let url: string
let headers: Record<string, string>
/** Bodies of the requests that clients have sent. */
let sent: Record<string, unknown>[]

beforeAll(async () => {
  world = await createWorld()
  url = `${world.base}/graphql`
  headers = { 'x-api-key': world.keys.public, 'x-api-secret': world.keys.secret }
  await world.givePoints('ann', 1)
})
afterAll(() => world.end())

const counting = () => {
  sent = []
  return (input: RequestInfo | URL, init?: RequestInit) => {
    sent.push(init?.body ? JSON.parse(String(init.body)) : { url: String(input) })
    return fetch(input, init)
  }
}

const balance = '{ user(by: { externalId: "ann" }) { id balance } }'
const award = `mutation {
  awardPoints(input: { user: { externalId: "ann" }, eventType: "signup" }) {
    ... on AwardPointsPayload { user { id balance } }
    ... on Error { code }
  }
}`

type Balance = { user: { id: string; balance: number } }

test('urql shows the new balance after `awardPoints` without a refetch, and an optimistic one at once', async () => {
  const before = (await world.graphql(balance)).body.data.user
  const client = createClient({
    url,
    fetch: counting(),
    fetchOptions: { headers },
    preferGetMethod: false,
    exchanges: [
      cacheExchange({
        schema: introspectionFromSchema(schema, { oneOf: true }),
        optimistic: {
          awardPoints: () => ({
            __typename: 'AwardPointsPayload',
            user: { __typename: 'User', id: before.id, balance: before.balance + 99 },
          }),
        },
      }),
      fetchExchange,
    ],
  })
  const shown: number[] = []
  const first = Promise.withResolvers<void>()
  const { unsubscribe } = client.query<Balance>(balance, {}).subscribe(({ data }) => {
    if (data) shown.push(data.user.balance)
    first.resolve()
  })
  await first.promise
  const { error } = await client.mutation(award, {})
  expect(error).toBeUndefined()
  expect(shown).toEqual([before.balance, before.balance + 99, before.balance + 100])
  expect(sent).toHaveLength(2)
  unsubscribe()
})

test('Apollo keeps partial data next to errors', async () => {
  const client = new ApolloClient({
    cache: new InMemoryCache(),
    link: new HttpLink({ uri: url, headers: { 'x-api-key': world.keys.public } }),
  })
  const { data, error } = await client.query<{ games: object[]; node: null }>({
    query: gql`query ($id: ID!) { games { id name } node(id: $id) { id } }`,
    variables: { id: 'broken' },
    errorPolicy: 'all',
  })
  expect(data?.games).toHaveLength(3)
  expect(data?.node).toBeNull()
  expect(error?.message).toBe('The id was not issued by this API')
})

test("Apollo's persisted-query link sends the document once, and its hash from then on", async () => {
  const client = () =>
    new ApolloClient({
      cache: new InMemoryCache(),
      link: new PersistedQueryLink({
        sha256: (text: string) => createHash('sha256').update(text).digest('hex'),
      }).concat(new HttpLink({ uri: url, headers, fetch: counting() })),
    })
  const query = gql`query Persisted { games { id name description } }`
  const first = await client().query({ query })
  expect(sent.map((body) => 'query' in body)).toEqual([false, true])
  const again = await client().query({ query })
  expect(sent.map((body) => 'query' in body)).toEqual([false])
  expect(again.data).toEqual(first.data)
})

/** What a block of `docs/caches.md` exports. */
const exportOf = (file: string, name: string) => {
  const guide = readFileSync(new URL('../../docs/caches.md', import.meta.url), 'utf8')
  const [block = ''] = guide.split(`\`\`\`js ${file}\n`)[1]?.split('```') ?? []
  return runInNewContext(`${block.replaceAll('export const', 'const')}\n${name}`)
}

const journeyOf = (field: string) =>
  `{ user(by: { externalId: "ann" }) { id journey { ${field} } } viewer { environment } }`

test('Apollo puts the fields of several queries together, as the guide says', async () => {
  const client = new ApolloClient({
    cache: new InMemoryCache({ typePolicies: { ...exportOf('apollo.js', 'typePolicies') } }),
    link: new HttpLink({ uri: url, headers, fetch: counting() }),
  })
  for (const field of ['playCount', 'campaignCount'])
    await client.query({ query: gql(journeyOf(field)) })
  const query = gql(journeyOf('playCount campaignCount'))
  const { data } = await client.query({ query })
  expect(data).toMatchObject({ user: { journey: { playCount: 0, campaignCount: 0 } } })
  expect(sent).toHaveLength(2)
})

test('Apollo keeps a game once, whether its caller is the owner or not, as the guide says', () => {
  const cache = new InMemoryCache({
    possibleTypes: possibleTypesOf(schema),
    dataIdFromObject: exportOf('apollo.js', 'dataIdFromObject'),
    typePolicies: { ...exportOf('apollo.js', 'typePolicies') },
  })
  const query = gql`{ arena { game(by: { slug: "go" }) { id name } } }`
  const write = (__typename: string, name: string) =>
    cache.writeQuery({
      query,
      data: { arena: { __typename: 'Arena', game: { __typename, id: 'QXJlbmFHYW1lOjE=', name } } },
    })
  write('ArenaGameView', 'Go')
  write('ArenaGame', 'Go 2')
  const stored = cache.extract() as Record<string, { name?: string }>
  expect(Object.keys(stored).sort()).toEqual(['Arena:{}', 'QXJlbmFHYW1lOjE=', 'ROOT_QUERY'])
  expect(stored['QXJlbmFHYW1lOjE=']?.name).toBe('Go 2')
})

test('urql knows the types without a key, as the guide says', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const introspection = cacheIntrospectionOf(schema) as IntrospectionQuery
  const client = createClient({
    url,
    fetch: counting(),
    fetchOptions: { headers },
    preferGetMethod: false,
    exchanges: [
      cacheExchange({
        schema: introspection,
        globalIDs: true,
        keys: { ...exportOf('urql.js', 'keysOf')(introspection) },
      }),
      fetchExchange,
    ],
  })
  const { data, error } = await client.query(journeyOf('playCount'), {})
  expect(error).toBeUndefined()
  expect(data).toMatchObject({ user: { journey: { playCount: 0 } } })
  expect(warn).not.toHaveBeenCalled()
  warn.mockRestore()
})
