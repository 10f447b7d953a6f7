import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Answer, createWorld, type World } from '../world.ts'
import { rawCall } from './raw-request.ts'

let world: World

/** Rows of all tables but those that only remember requests. */
const countRows = async (): Promise<Record<string, number>> => {
  const { db } = world.runtime
  return {
    users: await db.endUser.count(),
    entries: await db.ledgerEntry.count(),
    plays: await db.play.count(),
    activities: await db.userActivity.count(),
    events: await db.event.count(),
    rules: await db.rewardRule.count(),
    mechanics: await db.gameMechanic.count(),
    keys: await db.apiKey.count(),
  }
}

let before: Record<string, number>

beforeAll(async () => {
  world = await createWorld()
  await world.givePoints('ann', 1)
})
beforeEach(async () => {
  before = await countRows()
})
afterAll(() => world.end())

const good = { userId: 'eve', eventType: 'signup' }

const award = (body: unknown, headers?: Record<string, string>) =>
  world.post('/v1/points/award', world.keys.secret, body, headers)

/** Refused with this code, in the envelope, and nothing was written. */
const expectRefused = async ({ status, body }: Answer, code: number, errorCode?: string) => {
  expect(body).toMatchObject({ code, status: 'error', ...(errorCode && { errorCode }) })
  expect(status).toBe(code)
  expect(await countRows()).toEqual(before)
}

const fieldsOf = ({ body }: Answer): string[] => body.errors.map(({ field }: never) => field)

describe('a body', () => {
  test.each([257 * 1024, 1024 * 1024])('of %i bytes is 413 before it is parsed', async (bytes) => {
    const notJson = `{"userId": ${'x'.repeat(bytes)}`
    await expectRefused(await award(notJson), 413, 'BODY_TOO_LARGE')
  })

  test('of 1 MB is refused by its announced length alone', async () => {
    const { status } = await rawCall(world.base, 'POST /v1/points/award', [
      `x-api-secret: ${world.keys.secret}`,
      'content-type: application/json',
      'content-length: 1048576',
    ])
    expect(status).toBe(413)
  })

  test.each([
    ['{"userId":', 'MALFORMED_JSON'],
    ["{'userId':'eve'}", 'MALFORMED_JSON'],
    ['{"userId":"eve","eventType":"signup"} x', 'MALFORMED_JSON'],
    ['{"userId":"eve\n","eventType":"signup"}', 'MALFORMED_JSON'],
    ['', 'VALIDATION_FAILED'],
    ['null', 'VALIDATION_FAILED'],
    ['true', 'VALIDATION_FAILED'],
    ['"eve"', 'VALIDATION_FAILED'],
    ['[]', 'VALIDATION_FAILED'],
    [JSON.stringify([good]), 'VALIDATION_FAILED'],
    ['['.repeat(100_000) + ']'.repeat(100_000), 'VALIDATION_FAILED'],
  ])('%.40s is 400 %s', async (text, errorCode) => {
    await expectRefused(await award(text), 400, errorCode)
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'a', ''])(
    'of content type %j is 415',
    async (type) => {
      const answer = await award(JSON.stringify(good), { 'content-type': type })
      await expectRefused(answer, 415, 'UNSUPPORTED_MEDIA_TYPE')
    },
  )

  test.each(['application/json; charset=utf-8', 'Application/JSON'])(
    'of content type %s is taken',
    async (type) => {
      expect((await award(JSON.stringify(good), { 'content-type': type })).status).toBe(200)
    },
  )
})

describe('a field', () => {
  const nul = 'a\0b'
  const lone = 'a\ud800b'
  const deep = JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`)

  test.each([
    [{ userId: nul }],
    [{ userId: lone }],
    [{ userId: '' }],
    [{ userId: 'u'.repeat(256) }],
    [{ userId: 'u'.repeat(10_240) }],
    [{ userId: 5 }],
    [{ userId: true }],
    [{ userId: null }],
    [{ userId: ['eve'] }],
    [{ userId: { $ne: '' } }],
    [{ eventType: nul }],
    [{ eventType: 1e400 }],
    [{ displayName: lone }],
    [{ displayName: 'x'.repeat(256) }],
    [{ email: 'not an address' }],
    [{ email: `a${'\0'}@x.example` }],
    [{ reference: 'r'.repeat(256) }],
    [{ reference: 7 }],
    [{ metadata: [] }],
    [{ metadata: 'x' }],
    [{ metadata: { [nul]: 1 } }],
    [{ metadata: { a: { b: [lone] } } }],
    [{ metadata: { text: 'x'.repeat(16 * 1024) } }],
    [{ metadata: deep }],
  ])('%.60j is 400 and named', async (field) => {
    const answer = await award({ ...good, ...field })
    await expectRefused(answer, 400, 'VALIDATION_FAILED')
    expect(fieldsOf(answer)).toEqual(Object.keys(field))
  })

  test('that is wrong does not hide the others', async () => {
    const answer = await award({ userId: 1, email: 'x', metadata: 3, reference: '' })
    await expectRefused(answer, 400)
    expect(fieldsOf(answer).sort()).toEqual([
      'email',
      'eventType',
      'metadata',
      'reference',
      'userId',
    ])
    const play = await world.post('/v1/games/play', world.keys.public, { gameType: 'CHESS' })
    expect(fieldsOf(play).sort()).toEqual(['gameType', 'userId'])
  })

  test('that is unknown is ignored, __proto__ and constructor too', async () => {
    const answer = await award(
      `{"userId":"eve","eventType":"signup","points":1000000,"__proto__":{"points":5},
        "constructor":{"prototype":{"points":5}},"metadata":{"__proto__":{"admin":true},"a":1}}`,
    )
    expect(answer.body.data.pointsAwarded).toBe(100)
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
    const { body } = await world.get('/v1/users/eve/history?limit=1', world.keys.secret)
    expect(body.data[0].metadata).toMatchObject({ a: 1 })
  })
})

describe('page and limit', () => {
  const lists = ['/v1/leaderboard', '/v1/users/ann/plays', '/v1/users/ann/history']
  const keyFor = (path: string) => world.keys[path.endsWith('history') ? 'secret' : 'public']
  const values = [
    '0',
    '-1',
    '1.5',
    '1e9',
    '99999999999',
    '',
    'x',
    '%00',
    '%20',
    '1;2',
    'NaN',
    '0x1',
  ]
  const queries = values.flatMap((value) => [`page=${value}`, `limit=${value}`])

  test.each(lists)('that are no numbers from 1 are 400 on %s', async (path) => {
    for (const query of [...queries, 'page=1&page=2', 'limit=1&limit=1', 'page=0&limit=0']) {
      const answer = await world.get(`${path}?${query}`, keyFor(path))
      expect(answer.body, query).toMatchObject({ code: 400, errorCode: 'INVALID_PARAMETERS' })
      const named = new Set(query.split('&').map((part) => part.split('=')[0]))
      expect(fieldsOf(answer), query).toEqual([...named])
    }
    expect(await countRows()).toEqual(before)
  })

  test.each(lists)('have no upper end: a page behind the last is empty, on %s', async (path) => {
    for (const page of [2, 1000, 21_474_837, 2_147_483_647]) {
      const { body } = await world.get(`${path}?page=${page}&limit=100`, keyFor(path))
      expect(body, `page ${page}`).toMatchObject({
        code: 200,
        data: [],
        meta: { page, limit: 100 },
      })
    }
    const { body } = await world.get(`${path}?limit=1000000`, keyFor(path))
    expect(body.meta.limit).toBe(100)
  })
})

describe('a path', () => {
  test.each([
    ['%00', 404],
    ['a%00b', 404],
    ['%ED%A0%80', 400],
    ['%ff', 400],
    ['%', 400],
    ['%E0%A4%A', 400],
    ['', 404],
    ['..', 404],
    ['..%2f..%2fetc', 404],
    ["'%20OR%201=1--", 404],
    ['a'.repeat(256), 404],
    ['a'.repeat(5_000), 400],
    ['%F0%9F%98%80'.repeat(300), 404],
  ])('with the user %.20s is %i', async (user, code) => {
    for (const [kind, name] of ['balance', 'history'].map((name) => ['secret', name] as const)) {
      const header = `x-api-secret: ${world.keys[kind]}`
      const { status, body } = await rawCall(world.base, `GET /v1/users/${user}/${name}`, [header])
      expect(JSON.parse(body)).toMatchObject({ code, status: 'error' })
      expect(status).toBe(code)
    }
  })

  test('with an odd query string is answered as without it', async () => {
    for (const query of ['%', '%ff', 'a[]=1', '__proto__=1', '?&&==', 'x'.repeat(5_000)])
      expect((await world.get(`/v1/leaderboard?${query}`, world.keys.public)).status).toBe(200)
  })
})

test('headers that come twice are refused, never taken for one of the two', async () => {
  const { public: key } = world.keys
  const twice = await rawCall(world.base, 'GET /v1/games', [`x-api-key: ${key}`, 'x-api-key: x'])
  expect(JSON.parse(twice.body)).toMatchObject({ code: 401, message: 'Invalid API key' })
  const idempotent = await rawCall(
    world.base,
    'POST /v1/games/play',
    [
      `x-api-key: ${key}`,
      'content-type: application/json',
      'idempotency-key: a',
      'idempotency-key: b',
    ],
    JSON.stringify({ userId: 'ann', gameType: 'NEON_WHEEL' }),
  )
  expect(JSON.parse(idempotent.body).code).toBe(400)
  expect(await countRows()).toEqual(before)
})
