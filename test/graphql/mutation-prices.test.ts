/**
 * Mutations cost what their REST routes cost, whatever carries them, and more where their input says so. Neighbours
 * that were looked for: aliases in a batch, single operations, WebSockets and event streams; fragments, variables and
 * defaults; every mutation that has a route; and the routes of REST themselves.
 */
import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { withinASecond } from '../timing.ts'
import { type Answer, createWorld, type Keys, type World } from '../world.ts'

/** The documented requests a second. */
const documented = { secret: 100, public: 20, anonymous: 20 }

let world: World
let free: World
beforeAll(async () => {
  world = await createWorld({ config: { rateLimits: documented } })
  free = await createWorld()
})
afterAll(async () => {
  await world.end()
  await free.end()
})

/** Keys that nobody has used before: limits count by key. */
const freshKeys = async (): Promise<Keys> => (await world.createPartner()).test

const award = 'awardPoints(input: { user: { externalId: "ann" }, eventType: "signup" })'
const play = 'playGame(input: { user: { externalId: "ann" }, gameType: NEON_WHEEL })'

const aliased = (field: string, count: number) =>
  `mutation { ${Array.from({ length: count }, (_, i) => `m${i}: ${field} { __typename }`).join(' ')} }`

type Outcome = { data?: Record<string, unknown>; errors?: { extensions: { code: string } }[] }

/** The root fields that were executed. */
const doneIn = (answers: Outcome[]) =>
  answers.reduce((sum, { data }) => sum + Object.keys(data ?? {}).length, 0)

const codesOf = (answers: Outcome[]) => [
  ...new Set(answers.flatMap(({ errors = [] }) => errors.map(({ extensions }) => extensions.code))),
]

describe.each([
  ['awards', award, 'secret'],
  ['plays', play, 'public'],
] as const)('%s', (_, field, kind) => {
  const max = documented[kind]
  /** The mutations of whole documents with 15 aliases, which do not fit more than that often. */
  const most = Math.floor(max / 15) * 15

  test('by aliases in a batch are as many as the documented requests a second', async () => {
    const { body } = await withinASecond(async () =>
      world.call('POST', '/graphql', {
        key: (await freshKeys())[kind],
        body: Array.from({ length: 10 }, () => ({ query: aliased(field, 15) })),
      }),
    )
    expect(doneIn(body)).toBe(most)
    expect(codesOf(body)).toEqual(['RATE_LIMITED'])
  })

  test('by single operations are as many as the documented requests a second', async () => {
    const [answers, more] = await withinASecond(async () => {
      const key = (await freshKeys())[kind]
      const send = () => world.graphql(aliased(field, 1), {}, { [kind]: key })
      return [await Promise.all(Array.from({ length: max }, send)), await send()] as const
    })
    expect(doneIn(answers.map(({ body }: Answer) => body))).toBe(max)
    expect(more.status).toBe(429)
  })

  test('over a WebSocket are as many as the documented requests a second', async () => {
    const done = await withinASecond(async () => {
      const name = kind === 'secret' ? 'x-api-secret' : 'x-api-key'
      const client = createClient({
        url: `${world.base.replace('http', 'ws')}/graphql`,
        webSocketImpl: WebSocket,
        retryAttempts: 0,
        connectionParams: { [name]: (await freshKeys())[kind] },
      })
      const send = async (): Promise<Outcome> => {
        for await (const result of client.iterate({ query: aliased(field, 15) }))
          return result as Outcome
        return {}
      }
      const refused = (errors: Outcome['errors']): Outcome => ({ errors: errors ?? [] })
      const results = await Promise.all(Array.from({ length: 10 }, () => send().catch(refused)))
      await client.dispose()
      return doneIn(results)
    })
    expect(done).toBe(most)
  })

  test('as event streams are as many as the documented requests a second', async () => {
    const texts = await withinASecond(async () => {
      const name = kind === 'secret' ? 'x-api-secret' : 'x-api-key'
      const headers = {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        [name]: (await freshKeys())[kind],
      }
      const body = JSON.stringify({ query: aliased(field, 15) })
      const send = () => fetch(`${world.base}/graphql`, { method: 'POST', headers, body })
      const answers = await Promise.all(Array.from({ length: 10 }, send))
      return Promise.all(answers.map((answer) => answer.text()))
    })
    expect(texts.filter((text) => text.includes('"data"'))).toHaveLength(most / 15)
  })
})

const codes = (count: number) => `createCodeBatch(
  input: { campaign: { slug: "sale" }, codeCount: ${count}, points: 1 })`
const activity = '{ user: { externalId: "ann" }, category: CUSTOM, eventType: "click" }'
const activities = (count: number) =>
  `trackActivities(input: { activities: [${Array(count).fill(activity).join(' ')}] })`
const awards = (count: number) => {
  const item = '{ user: { externalId: "ann" }, eventType: "signup", reference: "r" }'
  return `awardPointsBatch(input: { awards: [${Array(count).fill(item).join(' ')}] })`
}
const activityValue = { user: { externalId: 'ann' }, category: 'CUSTOM', eventType: 'click' }

describe('the price of a mutation', () => {
  const costOf = async (query: string, variables = {}) =>
    (await free.graphql(query, variables)).body.extensions.cost.requested
  const mutation = (field: string) => `mutation { ${field} { __typename } }`

  test.each([
    ['awardPoints', award, 500],
    ['awardPointsBatch of 1', awards(1), 500],
    ['awardPointsBatch of 60', awards(60), 3_000],
    ['playGame', play, 500],
    ['createCodeBatch of 3 codes', codes(3), 500],
    ['createCodeBatch of 10,000 codes', codes(10_000), 50_000],
    ['createCodeBatch of more codes than there may be', codes(2_000_000_000), 500],
    ['trackActivities with 1', activities(1), 500],
    ['trackActivities with 60', activities(60), 1_200],
    ['eraseUser', 'eraseUser(input: { user: { externalId: "nobody" } })', 5_000],
    ['startExport', 'startExport(input: { kind: LEDGER, format: CSV })', 10_000],
    [
      'replayWebhookEvents',
      'replayWebhookEvents(input: { webhookEndpointId: "0190a0a0-0000-7000-8000-000000000000", from: "2026-01-01T00:00:00Z" })',
      10_000,
    ],
    [
      'sendArenaSessionMoves with 2 moves, which has no route',
      'sendArenaSessionMoves(input: { arenaSessionId: "0190a0a0-0000-7000-8000-000000000000", moves: [{ data: {} } { data: {} }] })',
      100,
    ],
  ])('%s', async (_, field, cost) => {
    expect(await costOf(mutation(field))).toBe(cost)
  })

  test('counts what is executed: fields of fragments and aliases, once for each name', async () => {
    const query = `mutation ($yes: Boolean!) {
      a: ${award} { __typename }
      a: ${award} { __typename }
      ...More
      ... on Mutation { c: ${award} { __typename } }
      d: ${award} @skip(if: $yes) { __typename }
      e: ${award} @include(if: $yes) { __typename }
      __typename
    }
    fragment More on Mutation { b: ${award} { __typename } }`
    expect(await costOf(query, { yes: true })).toBe(4 * 500)
    expect(await costOf(query, { yes: false })).toBe(4 * 500)
  })

  test('follows from variables, whole inputs, their defaults and lists of one', async () => {
    const input = { campaign: { slug: 'sale' }, codeCount: 1_000, points: 1 }
    const batch = (head: string, argument: string) =>
      `mutation ${head} { createCodeBatch(input: ${argument}) { __typename } }`
    const named = '{ campaign: { slug: "sale" }, codeCount: $n, points: 1 }'
    expect(await costOf(batch('($input: CreateCodeBatchInput!)', '$input'), { input })).toBe(5_000)
    expect(await costOf(batch('($n: Int!)', named), { n: 1_000 })).toBe(5_000)
    expect(await costOf(batch('($n: Int! = 1000)', named))).toBe(5_000)
    expect(await costOf(batch('($n: Int! = 1)', named), { n: 1_000 })).toBe(5_000)
    const track = `mutation ($of: [ActivityInput!]!) {
      trackActivities(input: { activities: $of }) { __typename } }`
    expect(await costOf(track, { of: Array(500).fill(activityValue) })).toBe(10_000)
    expect(await costOf(track, { of: activityValue })).toBe(500)
  })

  test('does not count towards the limit of a document', async () => {
    const { body } = await free.graphql(aliased(award, 15))
    expect(body.errors).toBeUndefined()
    expect(body.extensions.cost.requested).toBe(7_500)
  })

  test('is at least that of its REST route, for every mutation of the schema', async () => {
    const { schema } = await import('../../src/schema.ts')
    const fields = Object.values(schema.getMutationType()?.getFields() ?? {})
    expect(fields.length).toBeGreaterThan(100)
    const least = fields.map(({ name, extensions: { price } }) => [
      name,
      typeof price === 'function' ? price({}) : price,
    ])
    expect(least.filter(([, price]) => !(price >= 500))).toEqual([])
    const varied = fields.filter(({ extensions: { price } }) => price !== 500)
    for (const { description } of varied) expect(description).toMatch(/ Costs [\d,]+ points/)
    expect(varied.map(({ name }) => name)).toEqual([
      'adjustPointsOfUsers',
      'awardPointsBatch',
      'createCodeBatch',
      'createOffersForUsers',
      'eraseUser',
      'replayWebhookEvents',
      'restoreStreaks',
      'sendArenaSessionMoves',
      'startExport',
      'trackActivities',
    ])
  })
})

describe('an allowance', () => {
  test('is used up by one mutation that costs all of it', async () => {
    const [made, next] = await withinASecond(async () => {
      const { secret } = await freshKeys()
      const ask = (query: string) => world.graphql(query, {}, { secret })
      return [
        await ask(`mutation { ${codes(10_000)} { __typename } }`),
        await ask('{ __typename }'),
      ] as const
    })
    // It was executed, and found no campaign.
    expect(made.body.data).toEqual({ createCodeBatch: { __typename: 'NotFoundError' } })
    expect(made.body.extensions.cost).toMatchObject({ requested: 50_000, remaining: 0 })
    expect(next.status).toBe(429)
  })

  test('refuses several mutations that cost more than all of it, and names the dearest', async () => {
    const { secret } = await freshKeys()
    const query = `mutation { ${award} { __typename } a: ${codes(10_000)} { __typename } b: ${codes(9_000)} { __typename } }`
    const { status, body } = await world.graphql(query, {}, { secret })
    expect([status, body.data]).toEqual([200, undefined])
    expect(body.errors).toHaveLength(1)
    expect(body.errors[0].extensions.code).toBe('DOCUMENT_TOO_COMPLEX')
    expect(body.errors[0].message).toBe(
      'The mutations of the operation cost 95500 points, more than the 50000 of a second. Dearest: a (50000), b (45000), awardPoints (500)',
    )
  })

  test('that is used up is refused with the dearest mutations', async () => {
    const [, { body, status }] = await withinASecond(async () => {
      const { public: key } = await freshKeys()
      const send = () => world.graphql(aliased(play, 15), {}, { public: key })
      return [await send(), await send()] as const
    })
    expect(status).toBe(429)
    expect(body.errors[0].message).toBe(
      'The operation costs 7500 points, more than is left of 10000 in this second. Dearest: m0 (500), m1 (500), m2 (500)',
    )
  })
})

describe('a REST route', () => {
  test('of one mutation costs a request', async () => {
    const { headers } = await withinASecond(async () => {
      const { secret } = await freshKeys()
      return world.post('/v1/points/award', secret, { userId: 'ann', eventType: 'signup' })
    })
    expect(headers.get('ratelimit-remaining')).toBe('99')
  })

  test('costs more where its input says so: 500 tracked events are one second of a public key', async () => {
    const event = { externalId: 'ann', category: 'CUSTOM', eventType: 'click' }
    const [few, many, next] = await withinASecond(async () => {
      const [first, other] = [await freshKeys(), await freshKeys()]
      const track = (key: string, count: number) =>
        world.post('/v1/user-journeys/track', key, { events: Array(count).fill(event) })
      return [
        await track(first.public, 100),
        await track(other.public, 500),
        await track(other.public, 1),
      ] as const
    })
    expect([few.status, few.headers.get('ratelimit-remaining')]).toEqual([200, '16'])
    expect([many.status, many.headers.get('ratelimit-remaining')]).toEqual([200, '0'])
    expect(next.status).toBe(429)
    expect(next.body.errorCode).toBe('RATE_LIMITED')
  })

  test('costs more where its input says so: 500 awards are half a second of a secret key', async () => {
    const award = { userId: 'ann', eventType: 'signup' }
    const { status, headers } = await withinASecond(async () => {
      const { secret } = await freshKeys()
      const awards = Array.from({ length: 500 }, (_, n) => ({ ...award, reference: `r-${n}` }))
      return world.post('/v1/points/award/batch', secret, { awards })
    })
    expect([status, headers.get('ratelimit-remaining')]).toEqual([200, '50'])
  })

  test('takes what is left when it costs more, and nothing after it', async () => {
    const [batch, next] = await withinASecond(async () => {
      const { secret } = await freshKeys()
      for (let i = 0; i < 5; i++) await world.get('/v1/events', secret)
      const body = { slug: 'none', batchSize: 10_000, pointsValue: 1 }
      return [
        await world.post('/v1/campaigns/codes/generate', secret, body),
        await world.get('/v1/events', secret),
      ] as const
    })
    expect([batch.status, batch.headers.get('ratelimit-remaining')]).toEqual([404, '0'])
    expect(next.status).toBe(429)
  })

  test('is refused before anything is done, and leaves its Idempotency-Key free', async () => {
    const [{ partnerId }, answers] = await withinASecond(async () => {
      const partner = await world.createPartner()
      const track = (externalId: string) => {
        const event = { externalId, category: 'CUSTOM', eventType: 'click' }
        const headers = { 'idempotency-key': externalId }
        const body = { events: Array(500).fill(event) }
        return world.post('/v1/user-journeys/track', partner.test.public, body, headers)
      }
      return [partner, await Promise.all(['eve', 'mallory', 'oscar'].map(track))] as const
    })
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 429, 429])
    const where = { partnerId }
    expect(await world.runtime.db.endUser.count({ where })).toBe(1)
    expect(await world.runtime.db.idempotentRequest.count({ where })).toBe(1)
  })
})
