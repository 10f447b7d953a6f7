import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, createWorld, type World } from '../world.ts'
import { rawCall } from './raw-request.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
  await world.givePoints('ann', 1)
})
afterAll(() => world.end())

const fieldsOf = ({ body }: Answer): string[] => body.errors.map(({ field }: never) => field)

describe('page and limit', () => {
  const lists = ['/v1/leaderboard', '/v1/users/ann/plays', '/v1/users/ann/history']
  const keyFor = (path: string) => world.keys[path.endsWith('history') ? 'secret' : 'public']
  const values = ['0', '-1', '1.5', '1e9', '', 'x', '%00', '%20', '1;2', 'NaN', '0x1']
  const queries = [
    ...values.flatMap((value) => [`page=${value}`, `limit=${value}`]),
    'page=99999999999',
    'page=2147483648',
    'page=1&page=2',
    'limit=1&limit=1',
    'page=0&limit=0',
  ]

  test.each(lists)('that are not numbers from 1 are 400 on %s', async (path) => {
    for (const query of queries) {
      const answer = await world.get(`${path}?${query}`, keyFor(path))
      expect(answer.body, query).toMatchObject({ code: 400, errorCode: 'INVALID_PARAMETERS' })
      const named = new Set(query.split('&').map((part) => part.split('=')[0]))
      expect(fieldsOf(answer), query).toEqual([...named])
      for (const { field, message } of answer.body.errors)
        expect(message).toBe(`${field} must be an integer from 1 to 2147483647`)
    }
  })

  test.each(lists)('have no upper limit: a page after the last is empty, on %s', async (path) => {
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
    const header = `x-api-secret: ${world.keys.secret}`
    for (const name of ['balance', 'history']) {
      const { status, body } = await rawCall(world.base, `GET /v1/users/${user}/${name}`, [header])
      expect(JSON.parse(body)).toMatchObject({ code, status: 'error' })
      expect(status).toBe(code)
    }
  })

  test('with an unknown query string gets the same answer as without it', async () => {
    for (const query of ['a[]=1', '__proto__=1', '?&&==', 'x'.repeat(5_000)])
      expect((await world.get(`/v1/leaderboard?${query}`, world.keys.public)).status).toBe(200)
  })
})

test('the error for an impossible query names the field', async () => {
  const ask = async (path: string, key: string | undefined = world.keys.secret) => {
    const answer = await world.get(path, key)
    expect(answer.status, path).toBe(400)
    return answer.body.errors
  }
  expect(await ask('/v1/arena/games?category=FOO&limit=0', undefined)).toEqual([
    expect.objectContaining({ field: 'limit' }),
    expect.objectContaining({
      message: expect.stringMatching(/^category must be one of .*PUZZLE/),
    }),
  ])
  expect(await ask('/v1/arena/games?search=a&search=b', undefined)).toMatchObject([
    { field: 'search', code: 'invalid', message: 'search is not valid' },
  ])
  const wrong = '/v1/webhooks/deliveries?status=BAD&from=2026-02-30&limit=x'
  expect((await ask(wrong)).map(({ field }: { field: string }) => field).sort()).toEqual([
    'from',
    'limit',
    'status',
  ])
})

test('repeated headers are refused', async () => {
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
  expect(await world.runtime.db.play.count()).toBe(0)
})
