import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reportArenaResults } from '../../../src/arena/sessions/result.ts'
import {
  joinArenaSessions,
  leaveArenaSessions,
  startArenaSessions,
} from '../../../src/arena/sessions/seat.ts'
import { arenaSessionJobs } from '../../../src/arena/sessions/session.jobs.ts'
import { audit } from '../../../src/cli/audit/invariants.ts'
import { retrying } from '../../../src/kit/database/db.ts'
import { type Answer, createWorld, type World } from '../../world.ts'
import { type Arena, createArena } from '../arena-world.ts'

let now = Date.now()
let world: World
let arena: Arena
beforeAll(async () => {
  world = await createWorld({ clock: () => new Date(now) })
  arena = await createArena(world)
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

const times = <T>(count: number, make: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, i) => make(i)))

const codes = (answers: Answer[]) =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status, body }) => body.errorCode ?? status)].map(
      ([code, group]) => [code, group.length],
    ),
  )

const runJobs = async () => {
  for (const job of arenaSessionJobs) await job.run(world.runtime)
}

test('a hundred users joining at once fill exactly the seats, and only those seated pay', async () => {
  const game = await arena.publish({ entryFee: 100, maxPlayers: 8 })
  const session = await arena.openSession(game.id)
  const users = await times(100, () => arena.createUser())
  const answers = await Promise.all(users.map((userId) => arena.join(session.id, userId)))
  expect(codes(answers)).toEqual({ 200: 8, SESSION_FULL: 92 })
  const seats = answers.filter(({ status }) => status === 200).map(({ body }) => body.data.slot)
  expect(seats.sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect(await arena.read(session.id)).toMatchObject({
    status: 'IN_PROGRESS',
    currentPlayers: 8,
    prizePool: 800,
  })
  const balances = await Promise.all(users.map((userId) => arena.balance(userId)))
  expect(balances.filter((points) => points === 0)).toHaveLength(8)
  expect(balances.filter((points) => points === 100)).toHaveLength(92)
})

test('one user joining a hundred times at once gets one seat and pays once', async () => {
  const game = await arena.publish({ entryFee: 100, maxPlayers: 8 })
  const session = await arena.openSession(game.id)
  const ann = await arena.createUser(2)
  const answers = await times(100, () => arena.join(session.id, ann))
  expect(codes(answers)).toEqual({ 200: 100 })
  expect(new Set(answers.map(({ body }) => body.data.sessionToken)).size).toBe(1)
  expect(await arena.read(session.id)).toMatchObject({ currentPlayers: 1, prizePool: 100 })
  expect(await arena.balance(ann)).toBe(100)
})

test('a user with points for one of many sessions joins one', async () => {
  const game = await arena.publish({ entryFee: 100, maxPlayers: 8 })
  const sessions = await times(20, () => arena.openSession(game.id))
  const ann = await arena.createUser()
  const answers = await Promise.all(sessions.map(({ id }) => arena.join(id, ann)))
  expect(codes(answers)).toEqual({ 200: 1, INSUFFICIENT_POINTS: 19 })
})

test('a seat that a user cannot pay for is free for the next', async () => {
  const game = await arena.publish({ entryFee: 200, maxPlayers: 2 })
  const session = await arena.openSession(game.id)
  const users = await times(50, (i) => arena.createUser(i % 5 === 0 ? 2 : 1))
  const answers = await Promise.all(users.map((userId) => arena.join(session.id, userId)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
})

describe('without group commit, as on many nodes', () => {
  test('forty users joining at once fill exactly the seats', async () => {
    const game = await arena.publish({ entryFee: 100, maxPlayers: 8 })
    const sessionId = (await arena.openSession(game.id)).id
    const { partnerId } = world.partner
    const users = await times(40, () => arena.createUser())
    const results = await Promise.all(
      users.map((userId) =>
        retrying(() =>
          joinArenaSessions(world.runtime, [
            { ...world.userKey(userId, { partnerId, environment: 'LIVE' }), sessionId },
          ]),
        ),
      ),
    )
    expect(results.flat().filter((result) => !(result instanceof Error))).toHaveLength(8)
    expect(await arena.read(sessionId)).toMatchObject({ currentPlayers: 8, prizePool: 800 })
  })

  test('reports of two winners in many sessions pay each session once', async () => {
    const game = await arena.publish({ entryFee: 500 })
    const plays = await times(4, () => arena.play(game.id))
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        retrying(() =>
          // Each names all sessions in a different order.
          reportArenaResults(
            world.runtime,
            plays.map((_, n) => {
              const { sessionId, seats } = plays[(n + i) % 4] as (typeof plays)[0]
              const { playerId, sessionToken } = seats[i % 2]
              return { sessionId, winnerId: playerId, token: sessionToken }
            }),
          ),
        ),
      ),
    )
    expect(results.flat().filter((result) => !(result instanceof Error))).toHaveLength(80)
    for (const { seats } of plays) {
      const balances = await Promise.all(seats.map(({ userId }) => arena.balance(userId)))
      expect(balances.sort()).toEqual([1200, 500])
    }
  })

  test('joins, leaves, starts and results keep every invariant', async () => {
    const game = await arena.publish({ entryFee: 100, minPlayers: 1, maxPlayers: 3 })
    const { partnerId } = world.partner
    for (let round = 0; round < 5; round++) {
      const sessionId = (await arena.openSession(game.id)).id
      const users = await times(4, () => arena.createUser())
      const first = (await arena.join(sessionId, users[0] as string)).body.data
      const seat = (userId: string) => [
        { ...world.userKey(userId, { partnerId, environment: 'LIVE' }), sessionId },
      ]
      const { runtime } = world
      const report = {
        sessionId,
        winnerId: first.playerId,
        token: first.sessionToken,
        config: runtime.config,
      }
      await Promise.all(
        [
          ...users.map((userId) => () => joinArenaSessions(runtime, seat(userId))),
          ...users.map((userId) => () => leaveArenaSessions(runtime, seat(userId))),
          () => startArenaSessions(runtime, [{ sessionId, partnerId }]),
          () => reportArenaResults(runtime, [report]),
          () => reportArenaResults(runtime, [report]),
        ].map((run) => retrying<unknown>(run)),
      )
      expect(await audit(world.server.database.pool)).toBe(0)
    }
  })
})

describe('concurrent reports', () => {
  test('pay once and get the same answer when a hundred are equal', async () => {
    const game = await arena.publish({ entryFee: 500, developerRevenueShare: 33 })
    const { sessionId, seats } = await arena.play(game.id)
    const [first, second] = seats
    const body = { winnerId: first.playerId, scores: { [first.playerId]: 5, [second.playerId]: 1 } }
    const answers = await times(100, (i) =>
      arena.report(sessionId, body, i % 2 ? first.sessionToken : second.sessionToken),
    )
    expect(codes(answers)).toEqual({ 200: 100 })
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.data)))).toEqual(
      new Set([
        JSON.stringify({
          sessionId,
          winnerId: first.playerId,
          prizePool: 1000,
          developerShare: 330,
          winnerPrize: 670,
        }),
      ]),
    )
    expect(await arena.balance(first.userId)).toBe(500 + 670)
    expect(await arena.balance(second.userId)).toBe(500)
  })

  test('pay one of two winners', async () => {
    const game = await arena.publish({ entryFee: 500 })
    const { sessionId, seats } = await arena.play(game.id)
    const answers = await times(100, (i) => {
      const seat = seats[i % 2]
      return arena.report(sessionId, { winnerId: seat?.playerId }, seat?.sessionToken)
    })
    expect(codes(answers)).toEqual({ 200: 50, RESULT_ALREADY_REPORTED: 50 })
    const { winnerId } = await arena.read(sessionId)
    for (const { userId, playerId } of seats)
      expect(await arena.balance(userId)).toBe(playerId === winnerId ? 500 + 700 : 500)
  })

  test('of many sessions pay each once', async () => {
    const game = await arena.publish({ entryFee: 500 })
    const before = (await world.get(`/v1/arena/games/id/${game.id}`)).body.data
    const plays = await times(10, () => arena.play(game.id))
    const answers = await Promise.all(
      plays.flatMap(({ sessionId, seats: [seat] }) =>
        Array.from({ length: 5 }, () =>
          arena.report(sessionId, { winnerId: seat.playerId }, seat.sessionToken),
        ),
      ),
    )
    expect(codes(answers)).toEqual({ 200: 50 })
    const after = (await world.get(`/v1/arena/games/id/${game.id}`)).body.data
    expect(after.totalSessions - before.totalSessions).toBe(10)
    expect(after.totalEarnings - before.totalEarnings).toBe(10 * 300)
  })
})

test('concurrent joins, leaves and starts lose no points', async () => {
  const game = await arena.publish({ entryFee: 100, minPlayers: 1, maxPlayers: 5 })
  const session = await arena.openSession(game.id)
  const users = await times(20, () => arena.createUser(3))
  await Promise.all(
    users.flatMap((userId, i) => [
      arena.join(session.id, userId),
      arena.leave(session.id, userId),
      ...(i === 10 ? [arena.start(session.id)] : []),
      arena.join(session.id, userId),
    ]),
  )
  const { currentPlayers, prizePool, players } = await arena.read(session.id)
  expect(prizePool).toBe(100 * currentPlayers)
  expect(players).toHaveLength(currentPlayers)
  const balances = await Promise.all(users.map((userId) => arena.balance(userId)))
  expect(balances.reduce((sum, points) => sum + points, 0)).toBe(20 * 300 - prizePool)
})

test('expiry refunds everybody once, during concurrent reports and joins', async () => {
  const game = await arena.publish({ entryFee: 500, maxPlayers: 3, estimatedDuration: 60 })
  const waiting = await arena.openSession(game.id)
  const ann = await arena.createUser(5)
  await arena.join(waiting.id, ann)
  const { sessionId, seats } = await arena.play(game.id, 3)
  now += 30 * 60_000
  const [first] = seats
  const answers = await Promise.all([
    ...Array.from({ length: 5 }, runJobs),
    ...Array.from({ length: 20 }, () =>
      arena.report(sessionId, { winnerId: first.playerId }, first.sessionToken),
    ),
    ...Array.from({ length: 20 }, async () => arena.join(waiting.id, await arena.createUser(5))),
    arena.leave(waiting.id, ann),
  ])
  expect(codes(answers.slice(5, 25) as Answer[])).toEqual({ SESSION_NOT_IN_PROGRESS: 20 })
  expect(codes(answers.slice(25, 45) as Answer[])).toEqual({ SESSION_NOT_OPEN: 20 })
  for (const id of [waiting.id, sessionId])
    expect(await arena.read(id)).toMatchObject({ status: 'EXPIRED', prizePool: 0, winnerId: null })
  expect(await arena.balance(ann)).toBe(500)
  for (const { userId } of seats) expect(await arena.balance(userId)).toBe(1000)
  const { rows } = await world.server.database.pool.query({
    text: `SELECT count(*)::int AS n FROM ledger_entry WHERE account = $1 AND event_type = 'session_refund'`,
    values: [`session:${sessionId}`],
  })
  expect(rows[0].n).toBe(3)
})
