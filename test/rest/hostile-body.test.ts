import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Answer, createWorld, type World } from '../world.ts'
import { rawCall, rawRequest } from './raw-request.ts'

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

  test('of 1 MB is refused by its Content-Length', async () => {
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
    'of content type %s is accepted',
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
    [{ eventType: 1e300 }],
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

  test.each([
    [{ userId: nul }, 'userId must not contain NUL characters'],
    [{ userId: lone }, 'userId must not contain lone surrogates'],
    [{ userId: 'a\udc00b' }, 'userId must not contain lone surrogates'],
    [{ metadata: { [nul]: 1 } }, 'metadata must not contain NUL characters'],
    [{ metadata: { [lone]: 1 } }, 'metadata must not contain lone surrogates'],
    [{ metadata: { a: [lone] } }, 'metadata must not contain lone surrogates'],
  ])('says why the database cannot store it: %j', async (field, message) => {
    const { body } = await award({ ...good, ...field })
    expect(body.errors).toEqual([expect.objectContaining({ message })])
  })

  test('of free-form JSON may have any number of keys and items', async () => {
    const keys = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`k${i}`, i]))
    const metadata = { keys, items: Array.from({ length: 2_000 }, (_, i) => i) }
    const answer = await award({ userId: 'wide', eventType: 'signup', metadata })
    expect(answer.status, answer.text).toBe(200)
  })

  test('that is unknown may have any number of keys', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`k${i}`, i]))
    const answer = await award({ userId: 'odd', eventType: 'signup', unknown, ...unknown })
    expect(answer.status, answer.text).toBe(200)
  })

  test('that is invalid does not hide the others', async () => {
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

  test('that is unknown is ignored, including __proto__ and constructor', async () => {
    const answer = await award(
      `{"userId":"eve","eventType":"signup","points":1000000,"__proto__":{"points":5},
        "constructor":{"prototype":{"points":5}},"metadata":{"__proto__":{"admin":true},"a":1}}`,
    )
    expect(answer.body.data.pointsAwarded).toBe(100)
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
    const { body } = await world.get('/v1/users/eve/history?limit=1', world.keys.secret)
    expect(body.data[0].metadata).toMatchObject({ a: 1 })
  })

  test('that should be a list is not converted to one', async () => {
    const send = (path: string, body: object) => world.post(path, world.keys.secret, body)
    const url = 'https://example.com/hook'
    const single = await send('/v1/webhooks', { url, events: '*' })
    await expectRefused(single, 400)
    expect(fieldsOf(single)).toEqual(['events'])
    const entry = { email: 'ann@example.com', lotterySlug: 'none' }
    for (const lines of [{ main: [1] }, [{ main: 1 }]])
      expect((await send('/v1/lotteries/entries', { ...entry, lines })).status).toBe(400)
  })

  test('with a time that does not exist is refused, not adjusted', async () => {
    const event = { externalId: 'ann', category: 'CUSTOM', eventType: 'view' }
    const at = (occurredAt: string) =>
      world.post('/v1/user-journeys/events', world.keys.public, { ...event, occurredAt })
    for (const wrong of [
      '2026-02-30',
      '2026-02-29T10:00:00Z',
      '2026-13-01',
      '2026-04-31T00:00:00+02:00',
    ])
      await expectRefused(await at(wrong), 400)
    for (const [sent, stored] of [
      ['2024-02-29T10:00:00', '2024-02-29T10:00:00.000Z'],
      ['2024-03-01T00:30:00+01:00', '2024-02-29T23:30:00.000Z'],
      ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ])
      expect((await at(sent as string)).body.data.occurredAt).toBe(stored)
  })

  test('of free-form JSON with a number out of range is refused', async () => {
    await expectRefused(
      await award('{"userId":"eve","eventType":"signup","metadata":{"a":1e999}}'),
      400,
    )
  })
})

describe('a request without a body', () => {
  const types = [
    'text/plain;charset=UTF-8',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
  ]
  const withTypes = [undefined, 'application/json', 'application/json; charset=latin1', ...types]
  const empty = { 'content-length: 0': '', 'transfer-encoding: chunked': '0\r\n\r\n' }

  /** Sends it with this header and end, once for each type. */
  const sendAll = async (line: string, [header, end]: [string, string], headers: string[] = []) => {
    const answers = withTypes.map(async (type) => {
      const typed = type === undefined ? [] : [`content-type: ${type}`]
      const lines = ['host: localhost', 'connection: close', header, ...typed, ...headers]
      const head = [`${line} HTTP/1.1`, ...lines].join('\r\n')
      return rawRequest(world.base, `${head}\r\n\r\n${end}`)
    })
    return Promise.all(answers)
  }

  test.each(Object.entries(empty))(
    'is accepted if none is required, whatever its type: %s',
    async (...sent) => {
      const { public: key, secret } = world.keys
      const claim = 'POST /v1/user-journeys/users/ann/offers/x/claim'
      for (const { body } of await sendAll(claim, sent, [`x-api-key: ${key}`]))
        expect(JSON.parse(body).errorCode).toBe('OFFER_NOT_FOUND')
      for (const { body } of await sendAll('DELETE /v1/webhooks/x', sent, [
        `x-api-secret: ${secret}`,
      ]))
        expect(JSON.parse(body).errorCode).toBe('WEBHOOK_NOT_FOUND')
      for (const { body } of await sendAll('POST /v1/nope', sent))
        expect(JSON.parse(body).errorCode).toBe('ROUTE_NOT_FOUND')
    },
  )

  test.each(Object.entries(empty))(
    'lacks the fields of a body that is required: %s',
    async (...sent) => {
      const secret = [`x-api-secret: ${world.keys.secret}`]
      for (const { status, body } of await sendAll('POST /v1/points/award', sent, secret)) {
        expect(status).toBe(400)
        expect(JSON.parse(body).errors).toContainEqual(expect.objectContaining({ field: 'userId' }))
      }
      for (const { body } of await sendAll('POST /graphql', sent))
        expect(JSON.parse(body).errors[0].message).toBe('The body must be a JSON object')
    },
  )

  test('is told from one with a chunked body of another type, which is 415', async () => {
    const chunked: [string, string] = ['transfer-encoding: chunked', '1\r\nx\r\n0\r\n\r\n']
    const answers = await sendAll('POST /v1/points/award', chunked, [
      `x-api-secret: ${world.keys.secret}`,
    ])
    expect(answers.map(({ status }) => status)).toEqual([415, 400, 415, 415, 415, 415])
  })
})
