/** The statuses of answers, by the specification of GraphQL over HTTP. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withinASecond } from '../timing.ts'
import { createWorld, type World } from '../world.ts'
import { query, type Sent, table, two } from './status-table.ts'

const json = 'application/json'
const response = 'application/graphql-response+json'

let world: World
/** Has limits of one request a second, which is five small operations. */
let strict: World
beforeAll(async () => {
  world = await createWorld()
  strict = await createWorld({ config: { rateLimits: { secret: 1, public: 1, anonymous: 1 } } })
  await world.givePoints('ann', 1)
})
afterAll(async () => {
  await world.end()
  await strict.end()
})

const ask = async ({ method = 'POST', path = '/graphql', body, headers }: Sent, accept: string) => {
  return world.call(method, path, {
    headers: { ...(headers ?? { 'x-api-key': world.keys.public }), accept },
    ...(body !== undefined && { body }),
  })
}

const expectGraphql = (answer: Awaited<ReturnType<typeof ask>>, accept: string) => {
  expect(answer.headers.get('content-type')).toBe(`${accept}; charset=utf-8`)
  const { errors } = answer.body
  expect(errors.length).toBeGreaterThan(0)
  for (const { message, extensions } of errors) {
    expect(message).toEqual(expect.any(String))
    expect(extensions.code).toMatch(/^[A-Z_]+$/)
    expect(extensions.http).toBeUndefined()
  }
}

describe.each([json, response])('as %s', (accept) => {
  test.each(table)('%s', async (_, sent, jsonStatus, responseStatus, code) => {
    const answer = await ask(sent, accept)
    expect(answer.status, answer.text).toBe(accept === json ? jsonStatus : responseStatus)
    if (code === undefined) {
      expect(answer.body.data).toBeTypeOf('object')
      expect(answer.body.errors).toBeUndefined()
      return
    }
    expectGraphql(answer, accept)
    expect(answer.body.errors[0].extensions.code).toBe(code)
    expect(answer.body.data).toBeUndefined()
    if (answer.status === 405) expect(answer.headers.get('allow')).toMatch(/POST/)
  })

  test('data with errors is a success', async () => {
    const { status, body } = await ask(query('{ games { name } node(id: "x") { id } }'), accept)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ games: expect.any(Array), node: null })
    expect(body.errors[0]).toMatchObject({
      path: ['node'],
      extensions: { code: 'INVALID_NODE_ID' },
    })
    expect(body.errors[0].extensions.http).toBeUndefined()
  })

  test('too many requests', async () => {
    const send = () =>
      strict.call('POST', '/graphql', {
        headers: { accept, 'x-api-key': strict.keys.public },
        body: { query: '{ games { name } }' },
      })
    const answers = await withinASecond(() => Promise.all(Array.from({ length: 8 }, send)))
    const over = answers.filter(({ status }) => status === 429)
    expect(over.length).toBeGreaterThan(0)
    for (const answer of over) {
      expectGraphql(answer, accept)
      expect(answer.body.errors[0].extensions.code).toBe('RATE_LIMITED')
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }
  })

  test.each(['credentials', 'a field'])('the database is unavailable to %s', async (who) => {
    const { runtime } = world
    const lost = Object.assign(new Error('Connection terminated'), { code: 'P1017' })
    const read = runtime.read
    runtime.read = async () => {
      throw lost
    }
    const key = who === 'credentials' ? `pk_test_${'1'.repeat(43)}` : world.keys.public
    try {
      const answer = await ask(
        {
          ...query('{ user(by: { externalId: "ann" }) { externalId } }'),
          headers: { 'x-api-key': key },
        },
        accept,
      )
      expect(answer.status, answer.text).toBe(503)
      expectGraphql(answer, accept)
      expect(answer.headers.get('retry-after')).toBe('2')
    } finally {
      runtime.read = read
    }
  })
})

describe('Accept', () => {
  test.each([
    ['*/*', json],
    ['application/*', json],
    [`${json};q=0.9, ${response}`, response],
    [`${response}, ${json};q=0.9`, response],
    [`${response};q=0.1, ${json}`, json],
    [`${response}, ${json}`, response],
    [`${json}, ${response}`, json],
    [`text/html, */*;q=0.1`, json],
    [`${json};q=0, */*`, response],
    ['APPLICATION/JSON; charset=utf-8', json],
    [`text/plain;q=nonsense, ${response}`, response],
  ])('%s is answered as %s', async (accept, type) => {
    const { headers, body } = await ask(query('{ games { name } }'), accept)
    expect(headers.get('content-type')).toBe(`${type}; charset=utf-8`)
    expect(body.data.games).toHaveLength(3)
  })

  test.each(['text/plain', 'text/html', `${json};q=0`, 'nonsense'])(
    '%s is refused before anything is done',
    async (accept) => {
      const plays = () => world.runtime.db.play.count()
      const before = await plays()
      const play =
        'mutation { playGame(input: { user: { externalId: "ann" }, gameType: NEON_WHEEL }) { __typename } }'
      const answer = await ask(query(play), accept)
      expect(answer.status).toBe(406)
      expectGraphql(answer, json)
      expect(answer.body.errors[0].extensions.code).toBe('NOT_ACCEPTABLE')
      expect(await plays()).toBe(before)
    },
  )
})

test('each operation of a batch gets its own answer', async () => {
  const good = { query: '{ games { name } }' }
  const batch = [good, { query: '{' }, null, 5, { query: '{ nope }' }, good, { query: two }]
  const { status, body } = await ask({ body: batch }, json)
  expect(status).toBe(200)
  const codes = body.map(
    (item: { errors?: { extensions: { code: string } }[] }) => item.errors?.[0]?.extensions.code,
  )
  expect(codes).toEqual([
    undefined,
    'GRAPHQL_PARSE_FAILED',
    'BAD_REQUEST',
    'BAD_REQUEST',
    'GRAPHQL_VALIDATION_FAILED',
    undefined,
    'OPERATION_RESOLUTION_FAILURE',
  ])
})

test('web pages can read every error', async () => {
  for (const sent of [{ body: '{' }, { method: 'PUT', body: {} }]) {
    const { headers } = await ask(sent, json)
    expect(headers.get('access-control-allow-origin')).toBe('*')
  }
})
