import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { audit } from '../../../src/cli/audit/invariants.ts'
import { createWorld, type World } from '../../world.ts'
import { type Arena, createArena } from '../arena-world.ts'

let now = Date.now()
let world: World
let arena: Arena
let paid: string
let free: string
beforeAll(async () => {
  world = await createWorld({ clock: () => new Date(now) })
  arena = await createArena(world)
  paid = (await arena.publish({ entryFee: 500 })).id
  free = (await arena.publish()).id
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

const code = async (answer: ReturnType<Arena['report']>) => (await answer).body.errorCode

describe('a paid session', () => {
  test('refuses a report without a token, with a token of another session or with a tampered one', async () => {
    const { sessionId, seats } = await arena.play(paid)
    const other = await arena.play(paid)
    const [seat, loser] = seats
    const body = { winnerId: seat.playerId }
    const token: string = seat.sessionToken
    const flipped = `${token.slice(0, -2)}${token.at(-2) === 'A' ? 'B' : 'A'}${token.at(-1)}`
    const borrowed = token.replace(seat.playerId, loser.playerId)
    for (const bad of [
      undefined,
      'x',
      `${token}x`,
      flipped,
      borrowed,
      other.seats[0]?.sessionToken,
    ])
      expect(await arena.report(sessionId, body, bad)).toMatchObject({
        status: 403,
        body: { errorCode: 'INVALID_SESSION_TOKEN', message: 'Missing or invalid session token' },
      })
    for (const resultsJson of ['{"token":"x"}', '{"token":5}', '[]', 'null', '"x"'])
      expect(await code(arena.report(sessionId, { ...body, resultsJson }))).toBe(
        'INVALID_SESSION_TOKEN',
      )
    expect((await arena.read(sessionId)).status).toBe('IN_PROGRESS')
    expect(await arena.balance(seat.userId)).toBe(500)
    expect((await arena.report(sessionId, body, token)).status).toBe(200)
  })

  test('accepts the token in the header, in resultsJson or in the body', async () => {
    for (const send of [
      (id: string, body: object, token: string) => arena.report(id, body, token),
      (id: string, body: object, token: string) =>
        arena.report(id, { ...body, resultsJson: JSON.stringify({ token }) }),
      (id: string, body: object, token: string) => arena.report(id, { ...body, token }),
    ]) {
      const { sessionId, seats } = await arena.play(paid)
      const [seat] = seats
      expect((await send(sessionId, { winnerId: seat.playerId }, seat.sessionToken)).status).toBe(
        200,
      )
    }
    const reports = await world.runtime.db.arenaReport.findMany()
    expect(JSON.stringify(reports)).not.toContain('st_')
  })

  test('refuses the token of a player who has left', async () => {
    const game = await arena.publish({ entryFee: 500, minPlayers: 1, maxPlayers: 3 })
    const session = await arena.openSession(game.id)
    const [ann, ben] = [await arena.createUser(5), await arena.createUser(5)]
    const left = (await arena.join(session.id, ann)).body.data
    const stays = (await arena.join(session.id, ben)).body.data
    expect((await arena.leave(session.id, ann)).body.data).toMatchObject({ prizePool: 500 })
    expect(await arena.balance(ann)).toBe(500)
    await arena.start(session.id)
    const body = { winnerId: stays.playerId }
    expect(await code(arena.report(session.id, body, left.sessionToken))).toBe(
      'INVALID_SESSION_TOKEN',
    )
    expect((await arena.report(session.id, body, stays.sessionToken)).status).toBe(200)
  })

  test('pays nothing before it begins or after it expires', async () => {
    const session = await arena.openSession(paid)
    const ann = await arena.createUser(5)
    const seat = (await arena.join(session.id, ann)).body.data
    const body = { winnerId: seat.playerId }
    expect(await code(arena.report(session.id, body, seat.sessionToken))).toBe(
      'SESSION_NOT_IN_PROGRESS',
    )
    const { sessionId, seats } = await arena.play(paid)
    now += 30 * 60_000
    const late = arena.report(sessionId, { winnerId: seats[0].playerId }, seats[0].sessionToken)
    expect(await code(late)).toBe('SESSION_NOT_IN_PROGRESS')
    expect(await arena.balance(seats[0].userId)).toBe(500)
  })

  test('gives the same answer to a repeated result, and 409 to a different one', async () => {
    const { sessionId, seats } = await arena.play(paid)
    const [a, b] = seats
    const body = { winnerId: a.playerId, scores: { [a.playerId]: 2, [b.playerId]: 1 } }
    const first = await arena.report(sessionId, body, a.sessionToken)
    const again = { ...body, scores: { [b.playerId]: 1, [a.playerId]: 2 }, resultsJson: '{}' }
    expect((await arena.report(sessionId, again, b.sessionToken)).body).toEqual(first.body)
    for (const other of [
      { ...body, winnerId: b.playerId },
      { ...body, scores: { [a.playerId]: 3, [b.playerId]: 1 } },
      { ...body, scores: { [a.playerId]: 2 } },
    ])
      expect(await arena.report(sessionId, other, b.sessionToken)).toMatchObject({
        status: 409,
        body: { message: 'Another result has already been reported' },
      })
  })
})

describe('a free session', () => {
  test('accepts a result from anybody, with the UUID of a partner who has one player', async () => {
    const other = await world.createPartner()
    const { sessionId, seats } = await arena.play(free, 2, [world.partner, other])
    const body = { winnerId: other.partnerId, scores: { [world.partner.partnerId]: 1 } }
    const { data } = (await arena.report(sessionId, body)).body
    expect(data).toEqual({
      sessionId,
      winnerId: other.partnerId,
      prizePool: 0,
      developerShare: 0,
      winnerPrize: 0,
    })
    expect((await arena.read(sessionId)).winnerId).toBe(seats[1].playerId)
  })

  test('refuses the UUID of a partner who has two players', async () => {
    const { sessionId } = await arena.play(free)
    const { status, body } = await arena.report(sessionId, { winnerId: world.partner.partnerId })
    expect([status, body.errors[0].field]).toEqual([400, 'winnerId'])
  })

  test('names all invalid fields of a report', async () => {
    const { sessionId } = await arena.play(free)
    const stranger = randomUUID()
    const { status, body } = await arena.report(sessionId, {
      winnerId: stranger,
      scores: { [stranger]: 1 },
    })
    expect(status).toBe(400)
    expect(body.errors.map(({ field }: { field: string }) => field)).toEqual([
      'winnerId',
      `scores.${stranger}`,
    ])
  })

  test.each([
    ['no body', undefined],
    ['an empty body', {}],
    ['a list', []],
    ['scores that are no integers', { winnerId: 'x', scores: { x: 1.5 } }],
    ['scores that are too large', { winnerId: 'x', scores: { x: 2 ** 31 } }],
    ['scores as text', { winnerId: 'x', scores: 'x' }],
    ['scores as a list', { winnerId: 'x', scores: [1] }],
    ['results that are no JSON', { winnerId: 'x', resultsJson: '{' }],
    ['results that are no text', { winnerId: 'x', resultsJson: {} }],
    ['huge results', { winnerId: 'x', resultsJson: JSON.stringify('x'.repeat(65_535)) }],
    ['a winner with NUL', { winnerId: 'a\0b' }],
    ['half a surrogate pair in the results', { winnerId: 'x', resultsJson: '"\ud800"' }],
    ['very deep scores', { winnerId: 'x', scores: { x: [[[[1]]]] } }],
  ])('refuses %s with 400', async (_, body) => {
    const { sessionId } = await arena.play(free)
    expect((await arena.report(sessionId, body)).status).toBe(400)
    expect((await arena.read(sessionId)).status).toBe('IN_PROGRESS')
  })

  test('keeps 64 KB of results, however they are nested or escaped', async () => {
    for (const resultsJson of [
      JSON.stringify('x'.repeat(65_534)),
      `${'['.repeat(30_000)}${']'.repeat(30_000)}`,
      `{"token":"x","a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
      '"\\u0000\\ud800"',
    ]) {
      const { sessionId, seats } = await arena.play(free)
      const body = { winnerId: seats[0].playerId, resultsJson }
      expect((await arena.report(sessionId, body)).status).toBe(200)
    }
  })
})

describe('under QUORUM', () => {
  test('more than half of the players must agree before anything is paid', async () => {
    const game = await arena.publish({ entryFee: 500, resultPolicy: 'QUORUM', maxPlayers: 3 })
    const { sessionId, seats } = await arena.play(game.id, 3)
    const [a, b, c] = seats
    const result = (seat: typeof a) => ({ winnerId: seat.playerId, scores: {} })
    const first = await arena.report(sessionId, result(a), a.sessionToken)
    expect(first.body.data).toEqual({
      sessionId,
      winnerId: a.playerId,
      prizePool: 1500,
      developerShare: 0,
      winnerPrize: 0,
      awaitingReports: 1,
    })
    // One vote each: repeating it adds nothing, and it cannot be changed.
    expect((await arena.report(sessionId, result(a), a.sessionToken)).body).toEqual(first.body)
    expect(await code(arena.report(sessionId, result(b), a.sessionToken))).toBe(
      'RESULT_ALREADY_REPORTED',
    )
    const second = await arena.report(sessionId, result(b), b.sessionToken)
    expect(second.body.data.awaitingReports).toBe(1)
    expect((await arena.read(sessionId)).status).toBe('IN_PROGRESS')
    const third = await arena.report(sessionId, result(b), c.sessionToken)
    expect(third.body.data).toMatchObject({ winnerPrize: 1050, developerShare: 450 })
    expect(third.body.data).not.toHaveProperty('awaitingReports')
    expect(await arena.balance(b.userId)).toBe(500 + 1050)
    expect(await arena.balance(a.userId)).toBe(500)
  })

  test('reports of all players at the same time pay once', async () => {
    const game = await arena.publish({ entryFee: 500, resultPolicy: 'QUORUM', maxPlayers: 5 })
    const { sessionId, seats } = await arena.play(game.id, 5)
    const body = { winnerId: seats[0].playerId }
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        arena.report(sessionId, body, seats[i % 5]?.sessionToken),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(50)
    expect(await arena.balance(seats[0].userId)).toBe(500 + 1750)
  })
})

test('an unknown session is 404, whatever the form of its id', async () => {
  for (const id of [randomUUID(), 'x', '%00', encodeURIComponent('…'), 'a'.repeat(255)]) {
    const answer = await arena.report(id, { winnerId: 'x' })
    expect([answer.status, (await world.get(`/v1/arena/games/sessions/${id}`)).status]).toEqual([
      404, 404,
    ])
  }
})

test('an Idempotency-Key works without credentials', async () => {
  const { sessionId, seats } = await arena.play(free)
  const send = () =>
    world.post(
      `/v1/arena/games/sessions/${sessionId}/result`,
      undefined,
      { winnerId: seats[0].playerId },
      { 'idempotency-key': sessionId },
    )
  const first = await send()
  const second = await send()
  expect(second.text).toBe(first.text)
  expect(second.headers.get('idempotent-replayed')).toBe('true')
})
