/** Requests and errors of API keys are counted by every node and added to the statistics together. */
import { createClient } from 'graphql-ws'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createApiKey } from '../../src/accounts/api-key.ts'
import { audit } from '../../src/cli/audit/invariants.ts'
import type { KeyCaller } from '../../src/kit/access/context.ts'
import { encodeNodeId } from '../../src/kit/node-id.ts'
import type { Runtime } from '../../src/kit/runtime.ts'
import { countRequest, writeRequestCounts } from '../../src/statistics/request-count.ts'
import { createDatabase, createWorld, onPostgres, type TestDatabase, type World } from '../world.ts'

const now = new Date('2026-05-01T12:20:00.000Z')
let database: TestDatabase
/** Two nodes on a server; the embedded database has one. */
let nodes: World[]
beforeAll(async () => {
  database = await createDatabase()
  nodes = []
  for (let n = 0; n < (onPostgres ? 2 : 1); n++)
    nodes.push(await createWorld({ database, clock: () => now }))
})
afterAll(async () => {
  expect(await audit(node(0).server.database.pool)).toBe(0)
  for (const node of nodes) await node.end()
  await database.drop()
})

const node = (n: number) => nodes[n % nodes.length] as World

type Key = { id: string; key: string }

/** Keys of a new partner. That of the reader is not checked. */
const createKeys = async ({ createPartner, runtime } = node(0)) => {
  const { partnerId, applicationId } = await createPartner()
  const make = async (kind: 'PUBLIC' | 'SECRET'): Promise<Key> => {
    const input = { partnerId, environment: 'TEST', applicationId, kind } as const
    const { apiKey, key } = await createApiKey(runtime, input)
    return { id: apiKey.id, key }
  }
  const [app, backend, reader] = [await make('PUBLIC'), await make('SECRET'), await make('SECRET')]
  return { partnerId, app, backend, reader }
}

const write = () => Promise.all(nodes.map(({ runtime }) => writeRequestCounts(runtime)))

const document = `query ($keys: [String!]!) {
  analytics(metrics: [API_REQUESTS, API_ERRORS], from: "2026-05-01T00:00:00Z", to: "2026-05-02T00:00:00Z",
    interval: DAY, filter: { dimension: API_KEY, values: $keys }) { metric total } }`

/** The requests of a key, and how many failed. */
const countsOf = async ({ key: secret }: Key, { id }: Key, { graphql } = node(0)) => {
  const { body } = await graphql(document, { keys: [encodeNodeId('ApiKey', id)] }, { secret })
  expect(body.errors).toBeUndefined()
  return body.data.analytics.map(({ total }: { total: number }) => total)
}

const isOk = '{ games { name } }'
const failsHalfway = '{ games { name } user(by: { externalId: "" }) { score } }'

describe('requests of a key are counted', () => {
  test('on every node, in REST and in GraphQL, and written together', async () => {
    const { app, backend, reader } = await createKeys()
    const play = { userId: 'nobody', gameType: 'NEON_WHEEL' }
    for (const n of [0, 1]) {
      const { get, post, graphql, call } = node(n)
      expect((await get('/v1/leaderboard', app.key)).status).toBe(200)
      expect((await post('/v1/games/play', app.key, {})).status).toBe(400)
      expect((await post('/v1/games/play', app.key, play)).status).toBe(404)
      expect((await graphql(isOk, {}, { public: app.key })).status).toBe(200)
      const half = await graphql(failsHalfway, {}, { public: app.key })
      expect([half.status, half.body.errors.length]).toEqual([200, 1])
      expect((await graphql('{', {}, { public: app.key })).body.errors).toHaveLength(1)
      // A refused mutation is no failed request: it is answered with data.
      const refused = await graphql(
        'mutation ($input: PlayGameInput!) { playGame(input: $input) { __typename } }',
        { input: { user: { externalId: 'nobody' }, gameType: 'NEON_WHEEL' } },
        { public: app.key },
      )
      expect(refused.body.errors).toBeUndefined()
      const batch = [{ query: isOk }, { query: failsHalfway }]
      const headers = { 'x-api-key': app.key }
      expect((await call('POST', '/graphql', { headers, body: batch })).body).toHaveLength(2)
      expect((await get('/v1/users/nobody/history', backend.key)).status).toBe(404)
    }
    expect(await countsOf(reader, app)).toEqual([0, 0])
    await write()
    expect(await countsOf(reader, app)).toEqual([16, 10])
    expect(await countsOf(reader, backend)).toEqual([2, 2])
    await write()
    expect(await countsOf(reader, app)).toEqual([16, 10])
  })

  test('on a WebSocket by operation', async () => {
    const { app, reader } = await createKeys()
    const client = createClient({
      url: `${node(0).base.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { 'x-api-key': app.key },
    })
    const run = async (query: string) => {
      for await (const item of client.iterate({ query })) return item
    }
    expect((await run(isOk))?.errors).toBeUndefined()
    expect((await run(failsHalfway))?.errors).toHaveLength(1)
    await expect(run('{ nope }')).rejects.toBeDefined()
    await write()
    expect(await countsOf(reader, app)).toEqual([3, 2])
    await client.dispose()
  })

  test('only with a valid key', async () => {
    const { partnerId, reader } = await createKeys()
    const { get, graphql, signInAs, server } = node(0)
    const bearer = await signInAs('OWNER', partnerId)
    expect((await graphql('{ viewer { __typename } }', {}, { bearer })).status).toBe(200)
    expect((await get('/v1/leaderboard', reader.key.replace('sk_', 'pk_'))).status).toBe(401)
    await write()
    const { rows } = await server.database.pool.query({
      text: `SELECT FROM statistic WHERE partner_id = $1 AND metric LIKE 'API%'`,
      values: [partnerId],
    })
    expect(rows).toEqual([])
  })

  test('grouped by key, each with its global id', async () => {
    const { app, reader } = await createKeys()
    await node(0).get('/v1/leaderboard', app.key)
    await write()
    const { body } = await node(0).graphql(
      `{ analytics(metrics: [API_REQUESTS], from: "2026-05-01T12:00:00Z", to: "2026-05-01T13:00:00Z",
        interval: HOUR, groupBy: API_KEY) { group total } }`,
      {},
      { secret: reader.key },
    )
    expect(body.data.analytics).toEqual([{ group: encodeNodeId('ApiKey', app.id), total: 1 }])
  })
})

describe('the count', () => {
  test('is written by one statement, and kept if that fails', async () => {
    const { app, backend, reader } = await createKeys()
    for (const key of [app.key, app.key]) await node(0).get('/v1/leaderboard', key)
    await node(0).get('/v1/users/nobody/history', backend.key)
    const { runtime } = node(0)
    let statements = 0
    const through = ($queryRaw: (...args: [never]) => Promise<unknown>) =>
      writeRequestCounts({ ...runtime, db: { $queryRaw } as never })
    await through(() => Promise.reject(new Error('no database')))
    await node(0).get('/v1/leaderboard', app.key)
    await through((...args) => {
      statements++
      return runtime.db.$queryRaw(...args)
    })
    expect(statements).toBe(1)
    expect(await countsOf(reader, app)).toEqual([3, 0])
    expect(await countsOf(reader, backend)).toEqual([1, 1])
  })

  test('is bounded, in memory and in each statement', async () => {
    const warnings: unknown[] = []
    const sizes: number[] = []
    const runtime = {
      clock: () => now,
      singletons: new Map(),
      log: { warn: (what: unknown) => warnings.push(what) },
      db: {
        $queryRaw: async (sql: { values: string[] }) =>
          void sizes.push(JSON.parse(sql.values[0] as string).length),
      },
    } as unknown as Runtime
    for (let n = 0; n <= 50_000; n++)
      countRequest(runtime, { kind: 'public', keyId: uuid() } as KeyCaller, false)
    await writeRequestCounts(runtime)
    expect(sizes).toEqual(Array(50).fill(1_000))
    expect(warnings).toEqual([{ missed: 1 }])
  })

  test('is written when a node stops', async () => {
    const own = await createDatabase()
    const first = await createWorld({ database: own, clock: () => now })
    const { app, reader } = await createKeys(first)
    await first.get('/v1/leaderboard', app.key)
    await first.end()
    const second = await createWorld({ database: own, clock: () => now })
    expect(await countsOf(reader, app, second)).toEqual([1, 0])
    await second.end()
    await own.drop()
  })
})
