/** Credentials name the cell that made them, and another cell answers with that name. */
import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createSessionToken } from '../../src/accounts/console-session.ts'
import { recognize, signIn } from '../../src/accounts/sign-in.ts'
import { createUserToken } from '../../src/accounts/user-token.ts'
import { externalId } from '../../src/kit/user-id.ts'
import { createMember, fromConsole, password } from '../console/browser.ts'
import { createWorld, type World } from '../world.ts'

let home: World
let c2: World
/** A cell with a master key of its own, which cannot read the tokens of others. */
let c3: World
beforeAll(async () => {
  home = await createWorld()
  c2 = await createWorld({ config: { cell: 'c2' } })
  c3 = await createWorld({
    config: { cell: 'c3', masterKeys: [{ version: 1, text: 'k'.repeat(32) }] },
  })
})
afterAll(async () => {
  await c3.end()
  await c2.end()
  await home.end()
})

/** How REST refuses a credential of a cell. */
const inRest = (message: string, cell: string) => ({
  status: 401,
  body: { code: 401, status: 'error', message, errorCode: 'WRONG_CELL', cell },
})
/** How GraphQL does. */
const inGraphql = (message: string, cell: string) => ({
  status: 401,
  body: { errors: [{ message, extensions: { code: 'WRONG_CELL', cell } }] },
})

const invalidKey = 'Invalid API key'
const invalidToken = 'Missing or invalid bearer token'

/** Each cell, a cell that its credentials are sent to, and its name. */
const crossings = () =>
  [
    [c2, home, 'c2'],
    [home, c2, 'default'],
    [c3, home, 'c3'],
    [home, c3, 'default'],
  ] as const

describe('keys', () => {
  test('name their cell, and those of the cell without a name do not', async () => {
    expect(c2.keys.secret).toMatch(/^sk_test_c2_[0-9A-Za-z]{43}$/)
    expect(c2.partner.live.public).toMatch(/^pk_live_c2_[0-9A-Za-z]{43}$/)
    expect(home.keys.secret).toMatch(/^sk_test_[0-9A-Za-z]{43}$/)
    expect((await c2.get('/v1/games', c2.keys.public)).status).toBe(200)
  })

  test('of another cell are refused with its name, by REST and by GraphQL', async () => {
    for (const [own, other, cell] of crossings()) {
      const refused = inRest(invalidKey, cell)
      expect(await other.get('/v1/games', own.keys.public)).toMatchObject(refused)
      expect(await other.get('/v1/users/ann/balance', own.keys.secret)).toMatchObject(refused)
      const asProblem = await other.get('/v1/games', own.keys.public, {
        accept: 'application/problem+json',
      })
      expect(asProblem.body).toMatchObject({ title: invalidKey, errorCode: 'WRONG_CELL', cell })
      for (const by of [{ public: own.keys.public }, { secret: own.keys.secret }])
        expect(await other.graphql('{ games { name } }', {}, by)).toMatchObject(
          inGraphql(invalidKey, cell),
        )
    }
  })

  test('of another cell leave fields alone that need no key', async () => {
    const query = '{ arena { games { nodes { name } } } }'
    const { body } = await home.graphql(query, {}, { public: c2.keys.public })
    expect(body).toMatchObject({ data: { arena: { games: expect.any(Object) } } })
    expect(body.errors).toBeUndefined()
  })

  test('that nobody made are invalid in the cell that they name', async () => {
    const invented = (cell: string) => `pk_test_${cell}${'1'.repeat(43)}`
    const invalid = { status: 401, body: { errorCode: 'INVALID_API_KEY', message: invalidKey } }
    expect(await home.get('/v1/games', invented(''))).toMatchObject(invalid)
    expect(await c2.get('/v1/games', invented('c2_'))).toMatchObject(invalid)
    for (const odd of ['C2_', '2c_', 'c-2_', `${'c'.repeat(17)}_`, '_'])
      expect(await home.get('/v1/games', invented(odd))).toMatchObject(invalid)
  })

  test('that a cell knows count there, whatever they name', async () => {
    const { hash } = await c2.runtime.db.apiKey.findFirstOrThrow({
      where: { lastFour: c2.partner.live.public.slice(-4), partnerId: c2.partner.partnerId },
    })
    await home.runtime.db.apiKey.updateMany({
      where: { partnerId: home.partner.partnerId, environment: 'LIVE', kind: 'PUBLIC' },
      data: { hash },
    })
    expect((await home.get('/v1/leaderboard', c2.partner.live.public)).status).toBe(200)
    // Only this test uses that key.
    expect((await home.get('/v1/leaderboard', home.partner.live.public)).status).toBe(401)
  })
})

describe('tokens of users', () => {
  const tokenIn = async (world: World) => {
    const user = { externalId: externalId().parse('ann'), ttlSeconds: 60, scopes: [] }
    return (await createUserToken(world.runtime, world.tenant, user)).token
  }

  test('of another cell are refused with its name, by REST and by GraphQL', async () => {
    const message = 'Invalid or expired user token'
    for (const [own, other, cell] of crossings()) {
      const headers = { 'x-user-token': await tokenIn(own) }
      const byRest = await other.get('/v1/games', other.keys.public, headers)
      expect(byRest).toMatchObject(inRest(message, cell))
      const byGraphql = await other.call('POST', '/graphql', {
        key: other.keys.public,
        headers,
        body: { query: '{ games { name } }' },
      })
      expect(byGraphql).toMatchObject(inGraphql(message, cell))
      // With the key of their cell, the key is refused.
      const withKey = await other.get('/v1/games', own.keys.public, headers)
      expect(withKey).toMatchObject(inRest(invalidKey, cell))
    }
  })

  test('of no cell, and forged ones of this cell, are invalid', async () => {
    const invalid = { status: 401, body: { errorCode: 'INVALID_USER_TOKEN' } }
    for (const token of ['x', `${await tokenIn(home)}x`])
      expect(
        await home.get('/v1/games', home.keys.public, { 'x-user-token': token }),
      ).toMatchObject(invalid)
  })
})

describe('tokens of members', () => {
  const tokensIn = async (world: World) => {
    const { email } = await createMember(world)
    const member = await recognize(world.runtime, { email, password }, '127.0.0.1')
    const tokens = await signIn(world.runtime, member)
    const { id: signInId } = await world.runtime.db.signIn.findFirstOrThrow({
      where: { memberId: member.member.id },
    })
    return { ...tokens, session: createSessionToken(world.runtime, { signInId }) }
  }
  const viewer = '{ viewer { member { email } } }'
  const withSession = (world: World, session: string) =>
    world.call('POST', '/graphql', {
      headers: { ...fromConsole, cookie: `tessera-console=${session}` },
      body: { query: viewer },
    })
  const refresh = (world: World, refreshToken: string) =>
    world.post('/dashboard/auth/refresh', undefined, { refreshToken })

  test('work in their cell, and are refused with its name in another', async () => {
    for (const [own, other, cell] of crossings()) {
      const { accessToken: bearer, refreshToken, session } = await tokensIn(own)
      expect((await own.graphql(viewer, {}, { bearer })).status).toBe(200)
      expect((await withSession(own, session)).status).toBe(200)
      const refused = inGraphql(invalidToken, cell)
      expect(await other.graphql(viewer, {}, { bearer })).toMatchObject(refused)
      expect(await withSession(other, session)).toMatchObject(refused)
      const byRest = await other.call('GET', '/dashboard/auth/me', {
        headers: { authorization: `Bearer ${bearer}` },
      })
      expect(byRest).toMatchObject(inRest(invalidToken, cell))
      expect(await refresh(other, refreshToken)).toMatchObject(
        inRest('Invalid or expired refresh token', cell),
      )
      // The refusal by the other cell has not used it up.
      expect((await refresh(own, refreshToken)).status).toBe(200)
    }
  })

  test('that are forged are invalid in the cell that they name', async () => {
    const { accessToken, refreshToken, session } = await tokensIn(c2)
    const forged = await refresh(c2, `${refreshToken}x`)
    expect(forged).toMatchObject({ status: 401, body: { errorCode: 'INVALID_REFRESH_TOKEN' } })
    for (const answer of [
      await withSession(c2, `${session}x`),
      await c2.graphql(viewer, {}, { bearer: `${accessToken}x` }),
    ])
      expect(answer.body.errors[0].extensions).toMatchObject({ code: 'INVALID_BEARER_TOKEN' })
  })
})

test('a WebSocket with a key of another cell is refused like one with an invalid key', async () => {
  const closed = Promise.withResolvers<{ code: number; reason: string }>()
  const client = createClient({
    url: `${home.base.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    lazy: false,
    onNonLazyError: () => {},
    connectionParams: { 'X-API-Secret': c2.keys.secret },
    on: { closed: (event) => closed.resolve(event as { code: number; reason: string }) },
  })
  expect(await closed.promise).toMatchObject({ code: 4403, reason: invalidKey })
  await client.dispose()
})
