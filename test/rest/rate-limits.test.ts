import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withinASecond } from '../timing.ts'
import { type Answer, createWorld, type Keys, type World } from '../world.ts'

const limits = { secret: 6, public: 3, anonymous: 3 }

let world: World

beforeAll(async () => {
  world = await createWorld({ config: { rateLimits: limits } })
})
afterAll(() => world.end())

/** Keys that nobody has used before: limits count by key. */
const freshKeys = async (): Promise<Keys> => (await world.createPartner()).test

const times = (count: number, call: () => Promise<Answer>) =>
  Promise.all(Array.from({ length: count }, call))

const refused = (answers: Answer[]) => answers.filter(({ status }) => status === 429)

const balance = (key: string) => world.get('/v1/users/nobody/balance', key)
const games = (key: string) => world.get('/v1/games', key)

describe.each([
  ['public', limits.public, games],
  ['secret', limits.secret, balance],
] as const)('a %s key', (kind, max, call) => {
  test(`has ${max} requests a second, then 429 in the envelope`, async () => {
    const answers = await withinASecond(async () => {
      const key = (await freshKeys())[kind]
      return times(max + 5, () => call(key))
    })
    expect(refused(answers)).toHaveLength(5)
    for (const { headers, body } of refused(answers)) {
      expect(body).toEqual({
        message: 'Too many requests',
        code: 429,
        status: 'error',
        errorCode: 'RATE_LIMITED',
        requestId: expect.any(String),
      })
      expect(headers.get('retry-after')).toBe('1')
      expect(headers.get('ratelimit-limit')).toBe(String(max))
      expect(headers.get('ratelimit-remaining')).toBe('0')
      expect(headers.get('ratelimit-reset')).toBe('1')
    }
  })

  test('shows what is left on a successful answer', async () => {
    const { headers } = await call((await freshKeys())[kind])
    expect(headers.get('ratelimit-limit')).toBe(String(max))
    expect(headers.get('ratelimit-remaining')).toBe(String(max - 1))
    expect(headers.get('ratelimit-reset')).toBe('1')
  })
})

test('a key that exceeds its limit does not affect another', async () => {
  const [greedy, modest] = [await freshKeys(), await freshKeys()]
  const [answers, answer] = await Promise.all([
    times(limits.public + 5, () => games(greedy.public)),
    games(modest.public),
  ])
  expect(refused(answers).length).toBeGreaterThan(0)
  expect(answer.status).toBe(200)
})

test('the limit of a key counts its requests to all routes', async () => {
  const answers = await withinASecond(async () => {
    const key = (await freshKeys()).public
    return Promise.all([
      times(limits.public, () => games(key)),
      times(limits.public, () => world.get('/v1/leaderboard', key)),
    ])
  })
  expect(refused(answers.flat())).toHaveLength(limits.public)
})

const operations = (count: number) =>
  Array.from({ length: count }, () => ({ query: '{ games { name } }' }))

const batch = (key: string, count: number) =>
  world.call('POST', '/graphql', { key, body: operations(count) })

test('GraphQL and REST share one allowance: ten small operations are two requests', async () => {
  const [{ status, headers, body }, single] = await withinASecond(async () => {
    const { public: key } = await freshKeys()
    return [await batch(key, 10), await times(3, () => games(key))] as const
  })
  expect([status, body.length]).toEqual([200, 10])
  expect(headers.get('ratelimit-remaining')).toBe('1')
  expect(refused(single)).toHaveLength(2)
})

test('a request is worth five small operations, in a batch and alone', async () => {
  const [many, single] = await withinASecond(async () => {
    const { public: key } = await freshKeys()
    const ask = () => world.graphql('{ games { name } }', {}, { public: key })
    return [await batch(key, 10), await times(7, ask)] as const
  })
  expect(many.status).toBe(200)
  const over = refused(single)
  expect(over).toHaveLength(2)
  for (const { body, headers } of over) {
    expect(body.errors[0].extensions).toEqual({ code: 'RATE_LIMITED', retryAfter: 1 })
    expect(headers.get('retry-after')).toBe('1')
  }
})

test('GraphQL without a valid key counts by address, whatever key is sent', async () => {
  let n = 0
  const madeUp = () => ({ public: `pk_test_${String(n++).padStart(43, '0')}` })
  const answers = await withinASecond(() =>
    times(5 * limits.anonymous + 5, () => world.graphql('{ x }', {}, madeUp())),
  )
  expect(refused(answers)).toHaveLength(5)
})

test('a refused request writes nothing and leaves its Idempotency-Key free', async () => {
  const [where, answers] = await withinASecond(async () => {
    const { partnerId, test: keys } = await world.createPartner()
    const award = (key: string) =>
      world.post(
        '/v1/points/award',
        keys.secret,
        { userId: `limited-${key}`, eventType: 'signup' },
        { 'idempotency-key': key },
      )
    let n = 0
    return [{ partnerId }, await times(limits.secret + 4, () => award(`k${n++}`))] as const
  })
  const { db } = world.runtime
  expect(await db.endUser.count({ where })).toBe(limits.secret)
  expect(await db.idempotentRequest.count({ where })).toBe(limits.secret)
  expect(refused(answers)).toHaveLength(4)
})

test('behind a proxy each client has its own limit, and only the proxy can name its address', async () => {
  const calls = async (trustProxy: string[] | undefined) => {
    const behind = await createWorld({ config: { rateLimits: limits, trustProxy } })
    try {
      const ask = (ip: string) =>
        behind.get('/v1/arena/games', undefined, { 'x-forwarded-for': `6.6.6.6, ${ip}` })
      const answers = await withinASecond(() =>
        Promise.all(
          Array.from({ length: 3 * limits.anonymous }, (_, i) => ask(`192.0.2.${i % 3}`)),
        ),
      )
      return refused(answers).length
    } finally {
      await behind.end()
    }
  }
  expect(await calls(['127.0.0.0/8'])).toBe(0)
  expect(await calls(undefined)).toBe(2 * limits.anonymous)
})
