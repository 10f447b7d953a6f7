/** graphql-ws and graphql-sse run all kinds of operations. */
import { createClient as createSseClient } from 'graphql-sse'
import { createClient as createSocketClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { makeAgent, makeMatch, playAll } from '../arena/matches/arena.ts'
import { createWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.end())

type Params = { query: string; variables?: Record<string, unknown> }
type Result = { data?: Record<string, unknown> | null }
type Client = { iterate(params: Params): AsyncIterableIterator<unknown>; dispose(): unknown }

const clients: Record<string, () => Client> = {
  'graphql-ws': () =>
    createSocketClient({
      url: `${world.base.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { 'x-api-secret': world.keys.secret },
    }),
  'graphql-sse': () =>
    createSseClient({
      url: `${world.base}/graphql`,
      headers: { 'x-api-secret': world.keys.secret },
    }),
}

/** Results until the operation is complete, or `count` of them. */
const take = async (
  client: Client,
  params: Params,
  count = Number.POSITIVE_INFINITY,
  results: Result[] = [],
) => {
  for await (const result of client.iterate(params))
    if (results.push(result as Result) === count) break
  return results
}

describe.each(Object.keys(clients))('%s', (name) => {
  let client: Client
  beforeAll(() => {
    client = clients[name]?.() as Client
  })
  afterAll(() => client.dispose())

  test('runs a query, and a refused mutation', async () => {
    const [games] = await take(client, { query: '{ games { gameType } }' })
    expect(games?.data?.['games']).toHaveLength(3)
    const [refused] = await take(client, {
      query: `mutation { awardPoints(input: { user: { externalId: "ann" }, eventType: "nothing" }) {
        __typename ... on Error { code } } }`,
    })
    expect(refused?.data).toEqual({
      awardPoints: { __typename: 'NotFoundError', code: 'REWARD_RULE_NOT_FOUND' },
    })
  })

  test('follows a live match, and continues after a broken connection without a gap', async () => {
    const { runtime, partner } = world
    const agent = () => makeAgent(runtime, partner.partnerId, 'random')
    const { id } = await makeMatch(runtime, [await agent(), await agent()])
    const query = `subscription ($id: ID!, $afterSeq: Int) {
      arenaMatchEvents(arenaMatchId: $id, afterSeq: $afterSeq) { seq kind: __typename }
    }`
    type Event = { seq: number; kind: string }
    const watch = async (afterSeq?: number, count?: number, results?: Result[]) =>
      (await take(client, { query, variables: { id, afterSeq } }, count, results)).map(
        ({ data }) => data?.['arenaMatchEvents'] as Event,
      )
    const results: Result[] = []
    const watching = watch(undefined, 4, results)
    // A snapshot comes first, then what is played.
    await expect.poll(() => results.length).toBe(1)
    await playAll(runtime)
    const seen = await watching
    expect(seen[0]?.kind).toBe('ArenaMatchSnapshot')
    const rest = await watch(seen.at(-1)?.seq)
    expect(rest.at(-1)?.kind).toBe('ArenaMatchCompleted')
    const seqs = [...seen, ...rest].map(({ seq }) => seq)
    expect(seqs).toEqual(seqs.map((_, i) => (seqs[0] as number) + i))
  })
})
