import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorld, type World } from '../world.ts'

const own = 'https://tessera.example'
const listed = 'https://dashboard.example'

let world: World
let token: string
beforeAll(async () => {
  world = await createWorld({ config: { corsOrigins: [own, listed] } })
  token = await world.signInAs('OWNER')
})
afterAll(() => world.end())

const preflight = async (origin: string, header: string) => {
  const { status, headers } = await world.call('OPTIONS', '/graphql', {
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': header,
    },
  })
  expect(status).toBe(204)
  expect(headers.get('vary')).toBe('Origin')
  expect(headers.get('access-control-allow-credentials')).toBeNull()
  expect(Number(headers.get('access-control-max-age'))).toBeGreaterThanOrEqual(3600)
  const allowed = headers.get('access-control-allow-headers')?.split(', ') ?? []
  return { origin: headers.get('access-control-allow-origin'), allows: allowed.includes(header) }
}

const readableBy = async (origin: string, headers: Record<string, string>) => {
  const body = { query: '{ __typename }' }
  const answer = await world.call('POST', '/graphql', { headers: { origin, ...headers }, body })
  expect(answer.body.data.__typename).toBe('Query')
  const exposed = answer.headers.get('access-control-expose-headers')?.split(', ') ?? []
  for (const name of ['retry-after', 'ratelimit-limit', 'ratelimit-remaining', 'x-request-id'])
    expect(exposed).toContain(name)
  expect(answer.headers.get('vary')).toBe('Origin')
  return answer.headers.get('access-control-allow-origin')
}

describe.each(['https://shop.example', 'null', 'https://tessera.example.evil.example'])(
  'a page of %s',
  (origin) => {
    test('may use a public key', async () => {
      expect(await preflight(origin, 'x-api-key')).toEqual({ origin: '*', allows: true })
      expect(await readableBy(origin, { 'x-api-key': world.keys.public })).toBe('*')
    })

    test.each(['idempotency-key', 'x-environment', 'traceparent'])('may send %s', async (name) =>
      expect(await preflight(origin, name)).toEqual({ origin: '*', allows: true }),
    )

    test.each(['authorization', 'x-api-secret'])('may not send %s', async (name) =>
      expect(await preflight(origin, name)).toEqual({ origin: '*', allows: false }),
    )

    test('may not read the answer to a member', async () => {
      expect(await readableBy(origin, { authorization: `Bearer ${token}` })).toBeNull()
    })
  },
)

describe.each([own, listed])('a page of the listed origin %s', (origin) => {
  test('may use a sign-in, and no secret key', async () => {
    expect(await preflight(origin, 'authorization')).toEqual({ origin, allows: true })
    expect(await preflight(origin, 'x-environment')).toEqual({ origin, allows: true })
    expect(await preflight(origin, 'x-api-secret')).toEqual({ origin, allows: false })
    expect(await readableBy(origin, { authorization: `Bearer ${token}` })).toBe(origin)
  })
})
