/** Credentials name the cell that made them, and another cell says where they belong. */
import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createSessionToken } from '../../src/accounts/console-session.ts'
import { recognize, signIn } from '../../src/accounts/sign-in.ts'
import { createMember, fromConsole, password } from '../console/browser.ts'
import { type Answer, createWorld, type World } from '../world.ts'

let home: World
let c2: World
beforeAll(async () => {
  home = await createWorld()
  c2 = await createWorld({ config: { cell: 'c2' } })
})
afterAll(async () => {
  await c2.end()
  await home.end()
})

/** The parts of an answer that a router reads. */
const sentTo = ({ status, headers }: Answer) => [status, headers.get('x-tessera-cell')]

describe('keys', () => {
  test('name their cell, and those of the cell without a name do not', async () => {
    expect(c2.keys.secret).toMatch(/^sk_test_c2_[0-9A-Za-z]{43}$/)
    expect(c2.partner.live.public).toMatch(/^pk_live_c2_[0-9A-Za-z]{43}$/)
    expect(home.keys.secret).toMatch(/^sk_test_[0-9A-Za-z]{43}$/)
    expect((await c2.get('/v1/games', c2.keys.public)).status).toBe(200)
  })

  test('of another cell are answered with its name, by REST and by GraphQL', async () => {
    const refused = await home.get('/v1/games', c2.keys.public)
    expect(sentTo(refused)).toEqual([421, 'c2'])
    expect(refused.body).toMatchObject({ code: 421, errorCode: 'WRONG_CELL', status: 'error' })
    expect(sentTo(await c2.get('/v1/games', home.keys.public))).toEqual([421, 'default'])
    // Fields that need no key are not answered either: the whole request belongs to the other cell.
    const query = '{ games { name } arena { games { nodes { name } } } }'
    for (const [world, by, cell] of [
      [home, c2.keys, 'c2'],
      [c2, home.keys, 'default'],
    ] as const) {
      const answer = await world.graphql(query, {}, by)
      expect(sentTo(answer)).toEqual([421, cell])
      expect(answer.body.errors[0].extensions.code).toBe('WRONG_CELL')
    }
  })

  test('that nobody made are invalid in the cell that they name', async () => {
    const madeUp = (cell: string) => `pk_test_${cell}${'1'.repeat(43)}`
    expect((await home.get('/v1/games', madeUp(''))).status).toBe(401)
    expect((await c2.get('/v1/games', madeUp('c2_'))).status).toBe(401)
    for (const odd of ['C2_', '2c_', 'c-2_', `${'c'.repeat(17)}_`, '_'])
      expect((await home.get('/v1/games', madeUp(odd))).status).toBe(401)
  })

  test('that a cell knows count there, whatever they name', async () => {
    const { hash } = await c2.runtime.db.apiKey.findFirstOrThrow({
      where: { lastFour: c2.keys.public.slice(-4), partnerId: c2.partner.partnerId },
    })
    await home.runtime.db.apiKey.updateMany({
      where: { partnerId: home.partner.partnerId, environment: 'LIVE', kind: 'PUBLIC' },
      data: { hash },
    })
    expect((await home.get('/v1/leaderboard', c2.keys.public)).status).toBe(200)
    // Only this test uses that key.
    expect((await home.get('/v1/leaderboard', home.partner.live.public)).status).toBe(401)
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

  test('work in their cell, and lead to it from another', async () => {
    for (const [own, other, cell] of [
      [c2, home, 'c2'],
      [home, c2, 'default'],
    ] as const) {
      const { accessToken: bearer, refreshToken, session } = await tokensIn(own)
      expect((await own.graphql(viewer, {}, { bearer })).status).toBe(200)
      expect((await withSession(own, session)).status).toBe(200)
      expect(sentTo(await other.graphql(viewer, {}, { bearer }))).toEqual([421, cell])
      expect(sentTo(await withSession(other, session))).toEqual([421, cell])
      expect(sentTo(await refresh(other, refreshToken))).toEqual([421, cell])
      // The refusal by the other cell has not used it up.
      expect((await refresh(own, refreshToken)).status).toBe(200)
    }
  })

  test('that are forged lead nowhere', async () => {
    const { refreshToken, session } = await tokensIn(c2)
    expect((await refresh(home, `${refreshToken}x`)).status).toBe(401)
    expect((await withSession(home, `${session}x`)).status).toBe(401)
  })
})

test('a WebSocket with a key of another cell is closed with the name of the cell', async () => {
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
  expect(await closed.promise).toMatchObject({ code: 4421, reason: 'c2' })
  await client.dispose()
})
