import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ErrorCode, errorTable } from '../../../src/kit/errors.ts'
import { documentFaults } from '../../rest/documented.ts'
import { withinASecond } from '../../timing.ts'
import { type Answer, createWorld, type TestPartner, type World } from '../../world.ts'
import { type Arena, createArena, gameInput } from '../arena-world.ts'

let world: World
let arena: Arena
let stranger: TestPartner
let strangerToken: string
let game: { id: string; slug: string }
let paid: { id: string }
let waiting: { id: string }
let playing: Awaited<ReturnType<Arena['play']>>
let userId: string
beforeAll(async () => {
  world = await createWorld()
  arena = await createArena(world)
  stranger = await world.createPartner()
  strangerToken = await world.signInAs('OWNER', stranger.partnerId)
  game = await arena.publish({ maxPlayers: 3 })
  paid = await arena.publish({ entryFee: 1000 })
  userId = await arena.createUser()
  waiting = await arena.openSession(game.id, { userId })
  playing = await arena.play((await arena.publish({ entryFee: 10 })).id)
})
afterAll(() => world.end())

/** The answer is the documented error, and the OpenAPI document lists it for this route. */
const expectError = (method: string, path: string, answer: Answer, code: ErrorCode) => {
  const { status, message } = errorTable[code]
  expect(answer.body, answer.text).toMatchObject({ errorCode: code, message, status: 'error' })
  expect([answer.status, answer.body.code]).toEqual([status, status])
  expect(documentFaults(method, path, answer, { strict: true })).toEqual([])
}

const unknown = randomUUID()

describe('the dashboard', () => {
  const routes = [
    ['GET', '/dashboard/arena-games'],
    ['POST', '/dashboard/arena-games'],
    ['GET', '/dashboard/arena-games/{id}'],
    ['PATCH', '/dashboard/arena-games/{id}'],
    ['PATCH', '/dashboard/arena-games/{id}/build'],
    ['DELETE', '/dashboard/arena-games/{id}'],
    ['GET', '/dashboard/arena-earnings'],
    ['GET', '/dashboard/arena-earnings/total'],
    ['GET', '/dashboard/members'],
    ['POST', '/dashboard/members'],
    ['PATCH', '/dashboard/members/{id}'],
    ['DELETE', '/dashboard/members/{id}'],
    ['POST', '/dashboard/auth/password'],
  ] as const
  const bodies: Record<string, object> = {
    PATCH: { buildUrl: 'https://games.example/' },
    POST: {},
  }

  test.each(routes)('%s %s without a token, or with a key, is 401', async (method, pattern) => {
    const path = pattern.replace('{id}', game.id)
    for (const key of [undefined, world.partner.live.secret, world.partner.live.public])
      expectError(
        method,
        path,
        await world.call(method, path, {
          ...(key && { key }),
          ...(method !== 'GET' && { body: {} }),
        }),
        'INVALID_BEARER_TOKEN',
      )
  })

  test.each(routes.filter(([, path]) => path.includes('arena-games/{id}')))(
    "%s %s of another partner's game, or of none, is the same 404",
    async (method, pattern) => {
      for (const id of [game.id, unknown, 'x', '%F0%9F%98%80', 'a%00b', "'", 'a'.repeat(300)]) {
        const path = pattern.replace('{id}', id)
        const body = bodies[method]
        const answer = await arena.send(method, path, strangerToken, body)
        expectError(method, path, answer, 'ARENA_GAME_NOT_FOUND')
      }
    },
  )

  test.each(routes.filter(([, path]) => path.includes('arena-games/{id}')))(
    "%s %s of another partner's game is 404 for an administrator, too",
    async (method, pattern) => {
      const path = pattern.replace('{id}', game.id)
      const admin = await world.signInAs('OPERATOR', stranger.partnerId)
      const answer = await arena.send(method, path, admin, bodies[method])
      expectError(method, path, answer, 'ARENA_GAME_NOT_FOUND')
      const whole = await arena.send('GET', `/admin/arena-games/${game.id}`, admin)
      expect(whole.body.data).toMatchObject({ id: game.id, status: 'APPROVED' })
    },
  )

  test.each([
    ...routes.filter(([method, path]) => method !== 'GET' && path.includes('arena-games')),
    ['POST', '/admin/arena-games/{id}/review'],
    ['POST', '/admin/arena-games/{id}/feature'],
    ['DELETE', '/admin/arena-games/{id}'],
  ] as const)('%s %s is not for TEST', async (method, pattern) => {
    const path = pattern.replace('{id}', game.id)
    const body = { ...gameInput, status: 'APPROVED', featured: true }
    const key = path.startsWith('/admin') ? arena.admin : arena.developer
    const headers = { 'x-environment': 'TEST' }
    expectError(method, path, await world.call(method, path, { key, headers, body }), 'LIVE_ONLY')
  })

  test("a developer's list has no games of others", async () => {
    const { body } = await arena.send('GET', '/dashboard/arena-games', strangerToken)
    expect([body.data, body.meta.total]).toEqual([[], 0])
    const earnings = await arena.send('GET', '/dashboard/arena-earnings/total', strangerToken)
    expect(earnings.body.data).toEqual({ totalEarnings: 0, paidSessions: 0 })
  })

  test.each([
    ['name', ''],
    ['name', '  '],
    ['name', 'a\0b'],
    ['name', 'x'.repeat(101)],
    ['name', 5],
    ['category', 'CHESS'],
    ['engine', 'UNREAL'],
    ['playerMode', null],
    ['minPlayers', 0],
    ['minPlayers', 1.5],
    ['minPlayers', 2 ** 31],
    ['minPlayers', '2'],
    ['maxPlayers', 1],
    ['maxPlayers', 257],
    ['entryFee', -1],
    ['entryFee', 2 ** 31 - 1],
    ['developerRevenueShare', 51],
    ['estimatedDuration', 0],
    ['supportsAgents', 'yes'],
    ['resultPolicy', 'TRUST'],
    ['buildUrl', 'http://games.example/'],
    ['buildUrl', 'javascript:alert(1)'],
    ['buildUrl', 'https://me:secret@games.example/'],
    ['buildUrl', 'http://localhost:0/graphql'],
    ['buildUrl', 'http://localhost:0/arena/builds/../../graphql'],
    ['buildUrl', 'data:text/html,x'],
    ['buildUrl', 'x'],
    ['thumbnailUrl', 'http://games.example/a.png'],
    ['coverImageUrl', 'file:///etc/passwd'],
    ['description', 'x'.repeat(5001)],
    ['rules', ['x']],
  ])('a game with the %s %j is refused, and the error names the field', async (field, value) => {
    const path = '/dashboard/arena-games'
    const answer = await arena.send('POST', path, arena.developer, { ...gameInput, [field]: value })
    expectError('POST', path, answer, 'VALIDATION_FAILED')
    expect(answer.body.errors.map((error: { field: string }) => error.field)).toEqual([field])
  })

  test('the error for an empty game names all required fields', async () => {
    const { body } = await arena.send('POST', '/dashboard/arena-games', arena.developer, {})
    expect(body.errors.map(({ field }: { field: string }) => field).sort()).toEqual(
      Object.keys(gameInput).sort(),
    )
  })

  test('an entry fee is refused for a game with the policy OPEN', async () => {
    const { id } = await arena.submit({ resultPolicy: 'OPEN' })
    const path = `/dashboard/arena-games/${id}`
    const answer = await arena.send('PATCH', path, arena.developer, { entryFee: 1 })
    expectError('PATCH', path, answer, 'VALIDATION_FAILED')
    expect(answer.body.errors[0].field).toBe('resultPolicy')
  })

  test.each(['?page=0', '?limit=-1', '?page=x', '?status=SOLD'])(
    'a list at %s is 400',
    async (query) => {
      const path = `/dashboard/arena-games${query}`
      expectError('GET', path, await arena.send('GET', path, arena.developer), 'INVALID_PARAMETERS')
    },
  )
})

describe('administration', () => {
  const routes = [
    ['GET', '/admin/arena-games'],
    ['GET', '/admin/arena-games/{id}'],
    ['POST', '/admin/arena-games/{id}/review'],
    ['POST', '/admin/arena-games/{id}/feature'],
    ['DELETE', '/admin/arena-games/{id}'],
  ] as const

  test.each(routes)('%s %s is 401 for nobody and 403 for a developer', async (method, pattern) => {
    const path = pattern.replace('{id}', game.id)
    const body = method === 'POST' ? { status: 'APPROVED', featured: true } : undefined
    expectError(method, path, await world.call(method, path, { body }), 'INVALID_BEARER_TOKEN')
    const answer = await arena.send(method, path, arena.developer, body)
    expectError(method, path, answer, 'ADMIN_REQUIRED')
    if (pattern.includes('{id}')) {
      const nothing = pattern.replace('{id}', unknown)
      const answer = await arena.send(method, nothing, arena.admin, body)
      expectError(method, nothing, answer, 'ARENA_GAME_NOT_FOUND')
    }
  })

  test('a review of a game that is not pending is 409', async () => {
    const path = `/admin/arena-games/${game.id}/review`
    const answer = await arena.review(game.id, { status: 'APPROVED' })
    expectError('POST', path, answer, 'GAME_NOT_PENDING')
  })

  test.each([
    [{}, ['status']],
    [{ status: 'PENDING_REVIEW' }, ['status']],
    [{ status: 'REJECTED' }, ['reviewNotes']],
    [{ status: 'REJECTED', reviewNotes: '' }, ['reviewNotes']],
    [{ status: 'REJECTED', reviewNotes: ' \n ' }, ['reviewNotes']],
    [{ status: 'APPROVED', reviewNotes: 5 }, ['reviewNotes']],
    [{ status: 'APPROVED', reviewNotes: 'x'.repeat(5001) }, ['reviewNotes']],
    [{ status: 'APPROVED', buildNo: 'x' }, ['buildNo']],
  ])('a review with %j is refused for %j', async (body, fields) => {
    const { id } = await arena.submit()
    const answer = await arena.review(id, body)
    expectError('POST', `/admin/arena-games/${id}/review`, answer, 'VALIDATION_FAILED')
    expect(answer.body.errors.map(({ field }: { field: string }) => field)).toEqual(fields)
  })
})

test('a game that is not public cannot be featured', async () => {
  const { id } = await arena.submit()
  const path = `/admin/arena-games/${id}/feature`
  const answer = await arena.send('POST', path, arena.admin, { featured: true })
  expectError('POST', path, answer, 'GAME_NOT_PUBLIC')
})

describe('sessions', () => {
  const path = (id: string, verb: string) => `/v1/arena/games/sessions/${id}/${verb}`
  const post = (url: string, key: string | undefined, body?: unknown) => world.post(url, key, body)

  test.each(['join', 'leave', 'start'])('%s needs a live secret key', async (verb) => {
    const url = path(waiting.id, verb)
    expectError('POST', url, await post(url, undefined, { userId }), 'MISSING_API_SECRET')
    expectError('POST', url, await post(url, world.partner.test.secret, { userId }), 'LIVE_ONLY')
    expectError(
      'POST',
      url,
      await world.post(url, undefined, { userId }, { 'x-api-secret': world.partner.live.public }),
      'INVALID_API_KEY',
    )
    expect((await arena.read(waiting.id)).currentPlayers).toBe(1)
  })

  test('a test key cannot create a session', async () => {
    const url = `/v1/arena/games/${game.id}/sessions`
    expectError('POST', url, await post(url, world.partner.test.secret, {}), 'LIVE_ONLY')
  })

  test.each(['join', 'leave', 'start', 'result'])(
    '%s of an unknown session is 404',
    async (verb) => {
      for (const id of [unknown, 'x', game.id, 'sessions', '%E2%80%AE', '%00', 'a'.repeat(300)]) {
        const url = path(id, verb)
        const key = verb === 'result' ? undefined : world.partner.live.secret
        const answer = await post(url, key, { userId, winnerId: 'x' })
        expectError('POST', url, answer, 'SESSION_NOT_FOUND')
      }
    },
  )

  test.each([
    ['join', {}],
    ['join', { userId: '' }],
    ['join', { userId: 5 }],
    ['join', { userId: ['x'] }],
    ['join', { userId: 'a\0' }],
    ['leave', { userId: 'x'.repeat(256) }],
    ['leave', []],
  ])('%s with %j is 400', async (verb, body) => {
    const url = path(waiting.id, verb)
    const answer = await post(url, world.partner.live.secret, body)
    expectError('POST', url, answer, 'VALIDATION_FAILED')
  })

  test("another partner's user with the same id is unknown", async () => {
    for (const [verb, code] of [
      ['join', 'USER_NOT_FOUND'],
      ['leave', 'PLAYER_NOT_FOUND'],
    ] as const) {
      const url = path(waiting.id, verb)
      expectError('POST', url, await post(url, stranger.live.secret, { userId }), code)
    }
    const url = path(waiting.id, 'start')
    expectError('POST', url, await post(url, stranger.live.secret), 'NOT_IN_SESSION')
    expectError('POST', url, await post(url, world.partner.live.secret), 'SESSION_NEEDS_PLAYERS')
  })

  test('a user without points is 402', async () => {
    const session = await arena.openSession(paid.id)
    const url = path(session.id, 'join')
    const answer = await post(url, world.partner.live.secret, { userId })
    expectError('POST', url, answer, 'INSUFFICIENT_POINTS')
  })

  test('a session that has begun cannot be joined, left or started again', async () => {
    const other = await arena.createUser()
    for (const [verb, body, code] of [
      ['join', { userId: other }, 'SESSION_FULL'],
      ['leave', { userId: playing.seats[0].userId }, 'SESSION_NOT_OPEN'],
      ['start', undefined, 'SESSION_NOT_OPEN'],
    ] as const) {
      const url = path(playing.sessionId, verb)
      expectError('POST', url, await post(url, world.partner.live.secret, body), code)
    }
  })

  test('errors 400, 403, 409 and 413 of results are documented', async () => {
    const url = path(playing.sessionId, 'result')
    const [a, b] = playing.seats
    expectError('POST', url, await post(url, undefined, {}), 'VALIDATION_FAILED')
    expectError('POST', url, await post(url, undefined, { winnerId: 'x' }), 'INVALID_SESSION_TOKEN')
    expectError('POST', url, await post(url, undefined, '{'), 'MALFORMED_JSON')
    const huge = { winnerId: 'x', resultsJson: 'x'.repeat(300_000) }
    expectError('POST', url, await post(url, undefined, huge), 'BODY_TOO_LARGE')
    const won = { winnerId: a.playerId, token: a.sessionToken }
    expect((await post(url, undefined, won)).status).toBe(200)
    const answer = await post(url, undefined, { ...won, winnerId: b.playerId })
    expectError('POST', url, answer, 'RESULT_ALREADY_REPORTED')
    const early = path(waiting.id, 'result')
    const { players } = await arena.read(waiting.id)
    expectError(
      'POST',
      early,
      await post(early, undefined, { winnerId: players[0].id }),
      'SESSION_NOT_IN_PROGRESS',
    )
  })

  test('pages of any origin may only read the arena and report results', async () => {
    const url = path(waiting.id, 'result')
    const requested = (url: string, method: string) =>
      world.call('OPTIONS', url, {
        headers: { origin: 'null', 'access-control-request-method': method },
      })
    const preflight = await requested(url, 'POST')
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    expect(preflight.headers.get('access-control-allow-headers')).toContain('x-session-token')
    for (const closed of [path(waiting.id, 'join'), '/dashboard/arena-games'])
      expect(
        (await requested(closed, 'POST')).headers.get('access-control-allow-origin'),
      ).toBeNull()
  })
})

test.each([
  ['/v1/arena/games?page=0', 'INVALID_PARAMETERS'],
  ['/v1/arena/games?limit=x', 'INVALID_PARAMETERS'],
  ['/v1/arena/games?category=CHESS', 'INVALID_PARAMETERS'],
  ['/v1/arena/games/nothing', 'ARENA_GAME_NOT_FOUND'],
  ['/v1/arena/games/a%00b', 'ARENA_GAME_NOT_FOUND'],
  ['/v1/arena/games/id/x', 'ARENA_GAME_NOT_FOUND'],
  [`/v1/arena/games/id/${unknown}`, 'ARENA_GAME_NOT_FOUND'],
  [`/v1/arena/games/${unknown}/sessions`, 'ARENA_GAME_NOT_FOUND'],
  ['/v1/arena/games/x/sessions/open', 'ARENA_GAME_NOT_FOUND'],
  [`/v1/arena/games/sessions/${unknown}`, 'SESSION_NOT_FOUND'],
] as const)('%s is %s', async (path, code) => {
  expectError('GET', path, await world.get(path), code)
})

test('too many requests from one address are 429, as documented for each route', async () => {
  const limited = await createWorld({
    config: { rateLimits: { secret: 2, public: 2, anonymous: 2 } },
  })
  const path = '/v1/arena/games'
  const answers = await withinASecond(() =>
    Promise.all(Array.from({ length: 6 }, () => limited.get(path))),
  )
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(4)
  for (const answer of refused) expectError('GET', path, answer, 'RATE_LIMITED')
  const token = await limited.signInAs('OWNER')
  const dashboard = '/dashboard/arena-games'
  const requested = await withinASecond(() =>
    Promise.all(Array.from({ length: 6 }, () => limited.get(dashboard, token))),
  )
  for (const answer of requested.filter(({ status }) => status === 429))
    expectError('GET', dashboard, answer, 'RATE_LIMITED')
  expect(requested.filter(({ status }) => status === 429)).toHaveLength(4)
  await limited.end()
})
