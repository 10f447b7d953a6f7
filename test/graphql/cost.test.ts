/** The cost of an operation, how its answer reports it, and the limit. */
import { randomUUID } from 'node:crypto'
import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { encodeNodeId } from '../../src/kit/node-id.ts'
import type { ExternalId } from '../../src/kit/user-id.ts'
import { awardPoints } from '../../src/points/points.ts'
import { withinASecond } from '../timing.ts'
import { createWorld, type World } from '../world.ts'

/** The allowance of a public key with five requests a second. */
const points = 2_500

let world: World
let free: World
beforeAll(async () => {
  world = await createWorld({ config: { rateLimits: { secret: 20, public: 5, anonymous: 5 } } })
  free = await createWorld()
})
afterAll(async () => {
  await world.end()
  await free.end()
})

const freshKey = async () => (await world.createPartner()).test.public
const ask = (query: string, key: string, variables = {}) =>
  world.graphql(query, variables, { public: key })

const small = '{ games { name } }'
/** A connection, `nodes`, and two fields of each item. */
const page = (first: number) => `{ leaderboard(first: ${first}) { nodes { rank again: rank } } }`
const costOfPage = (first: number) => 2 + first * 2
/** More than half of the allowance. */
const pages = 7
const wide = `{ ${Array.from({ length: pages }, (_, n) => `p${n}: ${page(100).slice(2, -2)}`).join(' ')} }`

test('a small operation takes 100 points, a large one what its answer costs, and at least 100', async () => {
  const [first, second] = await withinASecond(async () => {
    const key = await freshKey()
    const cost = async (query: string) => (await ask(query, key)).body.extensions.cost
    return [await cost(small), await cost(page(100))]
  })
  expect(first).toEqual({
    requested: 100,
    actual: 100,
    operationLimit: 5_000,
    limit: points,
    remaining: points - 100,
    restoreRate: points,
  })
  // The leaderboard is empty.
  expect(second).toMatchObject({
    requested: costOfPage(100),
    actual: 100,
    remaining: points - 100 - 100,
  })
})

test('what an answer does not use is given back, what it has is paid', async () => {
  const { partnerId, test: keys } = await world.createPartner()
  const tenant = { partnerId, environment: 'TEST' } as const
  const awards = Array.from({ length: 60 }, (_, i) => ({
    ...tenant,
    externalId: `user-${i}` as ExternalId,
    eventType: 'signup',
  }))
  await awardPoints(world.runtime, awards)
  const cost = await withinASecond(
    async () => (await ask(page(100), keys.public)).body.extensions.cost,
  )
  // The list, and 60 nodes with two fields each; `nodes` counts once.
  const actual = 1 + 1 + 60 * 2
  expect(cost).toMatchObject({ requested: costOfPage(100), actual, remaining: points - actual })
})

test('a dry run says the cost and does nothing', async () => {
  const { body } = await free.call('POST', '/graphql', {
    headers: { 'x-api-secret': free.keys.secret, 'x-tessera-dry-run': '1' },
    body: {
      query: `mutation { awardPoints(input: { user: { externalId: "dry" }, eventType: "signup",
        reference: "dry" }) { __typename } }`,
    },
  })
  expect(body).toMatchObject({ data: null, extensions: { cost: { requested: 500 } } })
  expect(body.errors).toBeUndefined()
  const { body: after } = await free.graphql('{ user(by: { externalId: "dry" }) { balance } }')
  expect(after.data.user).toBeNull()
})

test('a dry run takes 100 points', async () => {
  const answers = await withinASecond(async () => {
    const key = await freshKey()
    const call = (headers: Record<string, string>) =>
      world.call('POST', '/graphql', {
        headers: { 'x-api-key': key, ...headers },
        body: { query: page(100) },
      })
    return [await call({ 'x-tessera-dry-run': '1' }), await call({})]
  })
  const costs = answers.map(({ body }) => body.extensions.cost)
  expect(costs.map(({ requested }) => requested)).toEqual([costOfPage(100), costOfPage(100)])
  expect(costs.map(({ remaining }) => remaining)).toEqual([points - 100, points - 200])
})

test('the cost of an operation depends on its variables', async () => {
  const query = 'query ($n: Int!) { leaderboard(first: $n) { nodes { rank again: rank } } }'
  for (const n of [50, 100]) {
    const { body } = await ask(query, await freshKey(), { n })
    expect(body.extensions.cost.requested).toBe(Math.max(100, Math.ceil(costOfPage(n))))
  }
})

test('the cost of an operation depends on the defaults of its variables', async () => {
  const query = 'query ($n: Int! = 100) { leaderboard(first: $n) { nodes { rank again: rank } } }'
  const { body } = await ask(query, await freshKey())
  expect(body.extensions.cost.requested).toBe(costOfPage(100))
})

test('the cost depends on how many ids a variable holds, and on the dates in variables', async () => {
  const cost = async (query: string, variables: Record<string, unknown>) =>
    (await free.graphql(query, variables)).body.extensions.cost.requested
  const nodes = 'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on User { uuid a: uuid b: uuid } } }'
  const ids = (n: number) => Array.from({ length: n }, () => encodeNodeId('User', randomUUID()))
  expect(await cost(nodes, { ids: ids(1) })).toBe(100)
  expect(await cost(nodes, { ids: ids(100) })).toBe(301)
  const days = `query ($from: DateTime!, $to: DateTime!) {
    analytics(metrics: [PLAYS], from: $from, to: $to, interval: HOUR) { total } }`
  const from = '2026-01-01T00:00:00Z'
  expect(await cost(days, { from, to: from })).toBe(100)
  expect(await cost(days, { from, to: '2026-06-01T00:00:00Z' })).toBeGreaterThan(140)
})

test('an operation that costs more than what is left is refused and not executed', async () => {
  const failing = wide.replace(/}$/, 'rewardRules { __typename } }')
  const [first, second] = await withinASecond(async () => {
    const key = await freshKey()
    return [await ask(failing, key), await ask(wide, key)] as const
  })
  // Nothing is given back after an error.
  expect(first.body.errors).toHaveLength(1)
  expect(first.body.extensions.cost.remaining).toBe(points - first.body.extensions.cost.requested)
  expect(second.status).toBe(429)
  expect(second.headers.get('retry-after')).toBe('1')
  expect(second.body.data).toBeUndefined()
  expect(second.body.errors[0].extensions).toMatchObject({ code: 'RATE_LIMITED', retryAfter: 1 })
  expect(second.body.extensions.cost).toMatchObject({
    requested: pages * costOfPage(100),
    remaining: 0,
  })
})

test('each refused operation of a batch says when to retry', async () => {
  const body = [{ query: wide }, { query: wide }, { query: wide }]
  const answers = await withinASecond(async () => {
    const key = await freshKey()
    return (await world.call('POST', '/graphql', { key, body })).body
  })
  type Fault = { extensions: { code: string; retryAfter?: number } }
  const faults = answers.flatMap(({ errors = [] }: { errors?: Fault[] }) => errors)
  const limited = faults.filter(({ extensions }: Fault) => extensions.code === 'RATE_LIMITED')
  expect(limited.length).toBeGreaterThan(0)
  for (const { extensions } of limited) expect(extensions.retryAfter).toBe(1)
})

test('answers with errors report their cost, too', async () => {
  for (const query of ['{', '{ nope }', '{ rewardRules { __typename } }']) {
    const { body } = await ask(query, await freshKey())
    expect(body.extensions.cost).toMatchObject({ requested: 100, remaining: points - 100 })
  }
})

test('each operation of a batch reports its own cost', async () => {
  const { body } = await world.call('POST', '/graphql', {
    key: await freshKey(),
    body: [{ query: small }, { query: page(100) }],
  })
  const costs = body.map((item: { extensions: { cost: object } }) => item.extensions.cost)
  expect(costs).toMatchObject([{ requested: 100 }, { requested: costOfPage(100) }])
})

test('without limits an answer reports the requested cost', async () => {
  const { body } = await free.graphql(small)
  expect(body.extensions.cost).toEqual({
    requested: 100,
    actual: 100,
    operationLimit: 5_000,
    limit: null,
    remaining: null,
    restoreRate: null,
  })
})

test('operations cost the same over a WebSocket as over HTTP', async () => {
  const client = createClient({
    url: `${world.base.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { 'x-api-key': await freshKey() },
  })
  const results: unknown[] = []
  for await (const result of client.iterate<unknown, { cost: unknown }>({ query: page(100) }))
    results.push(result.extensions?.cost)
  expect(results).toMatchObject([
    { requested: costOfPage(100), actual: 100, remaining: points - 100 },
  ])
  await client.dispose()
})

test('the error for a too expensive operation names its three most expensive fields', async () => {
  const plays = 'plays(first: 100) { nodes { uuid } }'
  const { body } = await free.graphql(
    `query ($n: Int!) { games { name } board: leaderboard(first: $n) { nodes { ...U } } }
     fragment U on LeaderboardEntry { rank user { ... on User { ${plays} } } }`,
    { n: 100 },
  )
  const [{ message, extensions }] = body.errors
  expect(extensions.code).toBe('DOCUMENT_TOO_COMPLEX')
  expect(extensions.limit).toBe(5_000)
  const paths = extensions.expensiveFields.map(({ path }: { path: string }) => path)
  expect(paths).toEqual(['board', 'board.nodes', 'board.nodes.user.plays'])
  const [board] = extensions.expensiveFields
  // The rest is `games` with its names.
  expect(board.cost).toBe(extensions.cost - 11)
  expect(message).toContain(`board (${board.cost})`)
  expect(body.extensions.cost.requested).toBe(extensions.cost)
})
