import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findTodaysFlows } from '../../../src/arena/developer-games/acceptance.ts'
import { createArenaSessions, type OpenedSession } from '../../../src/arena/sessions/opening.ts'
import { joinArenaSessions, leaveArenaSessions } from '../../../src/arena/sessions/seat.ts'
import { arenaSessionJobs } from '../../../src/arena/sessions/session.jobs.ts'
import { audit } from '../../../src/cli/audit/invariants.ts'
import { retrying } from '../../../src/kit/database/db.ts'
import { type Answer, createWorld, type TestPartner, type World } from '../../world.ts'
import { type Arena, createArena } from '../arena-world.ts'

const noon = Date.UTC(2027, 2, 3, 12)
const dayMs = 24 * 3600_000
let now = noon
let world: World
let arena: Arena
let ours: TestPartner
let theirs: TestPartner
beforeAll(async () => {
  world = await createWorld({ clock: () => new Date(now) })
  ours = await world.createPartner()
  theirs = await world.createPartner()
})
beforeEach(async () => {
  now += dayMs - ((now - noon) % dayMs)
  arena = await createArena(world) // sign-ins of yesterday have ended
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

const publish = (more: object = {}) =>
  arena.publish({ entryFee: 10, developerRevenueShare: 0, resultPolicy: 'QUORUM', ...more })

/** A partner's points in and out of a game today. */
const flowOf = async (gameId: string, { partnerId }: TestPartner) => {
  const [flow] = await findTodaysFlows(world.runtime, [{ partnerId, gameId }])
  return [flow?.in, flow?.out]
}

/** A session with one of our users that waits for one more player. */
const openWith = async (gameId: string, partner = ours) =>
  (await arena.openSession(gameId, { userId: await arena.createUser(1, partner) }, partner)) as {
    id: string
    playerId: string
    sessionToken: string
  }

const joinAs = async (sessionId: string, partner = theirs) =>
  arena.join(sessionId, await arena.createUser(1, partner), partner)

const liveUser = (name: string, { partnerId }: TestPartner) =>
  world.userKey(name, { partnerId, environment: 'LIVE' })

const times = <T>(count: number, make: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, i) => make(i)))

const codes = (answers: Answer[]) =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status, body }) => body.errorCode ?? status)].map(
      ([code, group]) => [code, group.length],
    ),
  )

const expire = async () => {
  for (const job of arenaSessionJobs) await job.run(world.runtime)
}

describe('points that may flow', () => {
  test('are reserved when a player joins and released when one leaves', async () => {
    const game = await publish({ maxPlayers: 4, minPlayers: 2 })
    await arena.accept(game.id, [ours, theirs])
    const session = await openWith(game.id)
    expect(await flowOf(game.id, ours)).toEqual([0, 0])
    const seen: unknown[] = []
    const see = async () => seen.push([await flowOf(game.id, ours), await flowOf(game.id, theirs)])
    const [ann, ben] = [await arena.createUser(1, ours), await arena.createUser(1, theirs)]
    await arena.join(session.id, ben, theirs)
    await see()
    await arena.join(session.id, ann, ours)
    await arena.join(session.id, ann, ours)
    await see()
    await arena.leave(session.id, ann, ours)
    await see()
    await arena.leave(session.id, ben, theirs)
    await see()
    expect(seen).toEqual([
      [
        [10, 10],
        [10, 10],
      ],
      [
        [10, 20],
        [20, 10],
      ],
      [
        [10, 10],
        [10, 10],
      ],
      [
        [0, 0],
        [0, 0],
      ],
    ])
    expect((await joinAs(session.id, ours)).status).toBe(200)
  })

  test('are released when a session expires before or after its start', async () => {
    const game = await publish({ maxPlayers: 3, minPlayers: 2 })
    await arena.accept(game.id, [ours, theirs])
    const [waiting, begun] = [await openWith(game.id), await openWith(game.id)]
    for (const { id } of [waiting, begun]) expect((await joinAs(id)).status).toBe(200)
    expect((await arena.start(begun.id, ours)).status).toBe(200)
    expect(await flowOf(game.id, ours)).toEqual([20, 20])
    now += 15 * 60_000
    await expire()
    expect(await flowOf(game.id, ours)).toEqual([10, 10])
    now += 15 * 60_000
    await expire()
    expect(await flowOf(game.id, ours)).toEqual([0, 0])
    expect(await flowOf(game.id, theirs)).toEqual([0, 0])
  })

  test('are capped in each direction separately', async () => {
    const game = await publish()
    await arena.accept(game.id, [ours])
    const accept = (maxPointsInPerDay: number, maxPointsOutPerDay: number) =>
      arena.sendAs(theirs, 'POST', '/dashboard/arena-acceptances', {
        gameId: game.id,
        maxPointsInPerDay,
        maxPointsOutPerDay,
      })
    for (const [maxIn, maxOut, expected] of [
      [9, 10, 'POINT_CAP_REACHED'],
      [10, 9, 'POINT_CAP_REACHED'],
      [10, 10, undefined],
    ] as const) {
      expect((await accept(maxIn, maxOut)).status).toBe(200)
      const { body } = await joinAs((await openWith(game.id)).id)
      expect(body.errorCode).toBe(expected)
    }
  })

  test('count towards the day on which the session was created', async () => {
    const game = await publish()
    await arena.accept(game.id, [ours, theirs], 20)
    const midnight = now - (now % dayMs) + dayMs
    now = midnight - 60_000
    const sessions = [await openWith(game.id), await openWith(game.id), await openWith(game.id)]
    const [first, second, third] = sessions as [
      (typeof sessions)[0],
      (typeof sessions)[0],
      (typeof sessions)[0],
    ]
    expect((await joinAs(first.id)).status).toBe(200)
    now = midnight - 1
    expect((await joinAs(second.id)).status).toBe(200)
    expect((await joinAs(third.id)).body.errorCode).toBe('POINT_CAP_REACHED')
    now = midnight
    expect(await flowOf(game.id, ours)).toEqual([0, 0])
    expect((await joinAs(third.id)).body.errorCode).toBe('POINT_CAP_REACHED')
    for (const _ of [1, 2]) expect((await joinAs((await openWith(game.id)).id)).status).toBe(200)
    expect((await joinAs((await openWith(game.id)).id)).body.errorCode).toBe('POINT_CAP_REACHED')
    // Releases of yesterday's sessions count for yesterday.
    now = midnight + 29 * 60_000 + 59_999
    await expire()
    expect(await flowOf(game.id, ours)).toEqual([20, 20])
  })
})

describe('a partner who has accepted a game', () => {
  test('lowers a cap: nothing new is reserved, and existing reservations are settled', async () => {
    const game = await publish()
    await arena.accept(game.id, [ours, theirs], 30)
    const { sessionId, seats } = await arena.play(game.id, 2, [ours, theirs])
    const others = await times(2, () => arena.play(game.id, 2, [ours, theirs]))
    await arena.accept(game.id, [ours], 15)
    expect((await joinAs((await openWith(game.id)).id)).body.errorCode).toBe('POINT_CAP_REACHED')
    const settle = async ({ sessionId, seats }: (typeof others)[0]) => {
      for (const { sessionToken } of seats) {
        const body = { winnerId: seats[1].playerId }
        expect((await arena.report(sessionId, body, sessionToken)).status).toBe(200)
      }
    }
    await settle({ sessionId, seats })
    for (const other of others) await settle(other)
    // 30 points have flowed out under the old cap. Points can still flow in, up to the new one.
    expect(await flowOf(game.id, ours)).toEqual([0, 30])
    expect(await audit(world.server.database.pool)).toBe(0)
    expect((await joinAs((await openWith(game.id)).id)).body.errorCode).toBe('POINT_CAP_REACHED')
    await arena.accept(game.id, [ours, theirs], 40)
    expect((await joinAs((await openWith(game.id)).id)).status).toBe(200)
  })

  test('withdraws: seated players continue, and nobody else can join', async () => {
    const game = await publish({ maxPlayers: 3, minPlayers: 2 })
    await arena.accept(game.id, [ours, theirs])
    const ben = await arena.createUser(1, theirs)
    const session = await openWith(game.id)
    const seat = (await arena.join(session.id, ben, theirs)).body.data
    const path = `/dashboard/arena-acceptances/${game.id}`
    const withdrawn = await arena.sendAs(theirs, 'DELETE', path)
    expect(withdrawn.body.data).toMatchObject({ isInForce: false, pointsInToday: 10 })
    for (const partner of [ours, theirs])
      expect((await joinAs(session.id, partner)).body.errorCode).toBe('SESSION_OF_ONE_PARTNER')
    expect((await arena.join(session.id, ben, theirs)).body.data.playerId).toBe(seat.playerId)
    expect((await arena.start(session.id, ours)).status).toBe(200)
    for (const { sessionToken } of [session, seat])
      await arena.report(session.id, { winnerId: seat.playerId }, sessionToken)
    expect(await arena.balance(ben, theirs)).toBe(110)
    expect(await flowOf(game.id, theirs)).toEqual([10, 0])
    expect((await joinAs((await openWith(game.id)).id)).body.errorCode).toBe(
      'SESSION_OF_ONE_PARTNER',
    )
    await arena.accept(game.id, [theirs])
    expect((await joinAs((await openWith(game.id)).id)).status).toBe(200)
  })
})

describe('concurrently', () => {
  test('two hundred joins never exceed the cap', async () => {
    const game = await publish()
    await arena.accept(game.id, [ours], 2000)
    await arena.accept(game.id, [theirs], 500)
    const ann = await arena.createUser(20, ours)
    const users = await times(10, () => arena.createUser(2, theirs))
    const opened = await createArenaSessions(
      world.runtime,
      Array.from({ length: 200 }, () => ({
        ...liveUser(ann, ours),
        gameId: game.id,
      })),
    )
    const answers = await Promise.all(
      (opened as OpenedSession[]).map(({ session }, i) =>
        arena.join(session.id, users[i % 10] as string, theirs),
      ),
    )
    expect(codes(answers)).toEqual({ 200: 50, POINT_CAP_REACHED: 150 })
    expect(await flowOf(game.id, theirs)).toEqual([500, 500])
    expect(await flowOf(game.id, ours)).toEqual([500, 500])
    const balances = await Promise.all(users.map((userId) => arena.balance(userId, theirs)))
    expect(balances.reduce((sum, points) => sum + points, 0)).toBe(10 * 200 - 500)
  })

  test('without group commit, as on many nodes, joins of several games never exceed their caps', async () => {
    const games = await times(2, () => publish())
    for (const { id } of games) await arena.accept(id, [ours, theirs], 100)
    // Each list names sessions of both games and both partners in a different order.
    const lists = await times(30, async (i) => {
      const [maker, joiner] = i % 2 ? [ours, theirs] : [theirs, ours]
      const seats = await times(2, async (n) => ({
        ...liveUser(await arena.createUser(1, joiner), joiner),
        sessionId: (await openWith(games[(i + n) % 2]?.id, maker)).id,
      }))
      return seats
    })
    const results = await Promise.all(
      lists.map((list) => retrying(() => joinArenaSessions(world.runtime, list))),
    )
    expect(results.flat().filter((result) => !(result instanceof Error))).toHaveLength(20)
    for (const { id } of games)
      for (const partner of [ours, theirs]) expect(await flowOf(id, partner)).toEqual([100, 100])
    expect(await audit(world.server.database.pool)).toBe(0)
  })

  test('joins, leaves, results and withdrawals keep every invariant', async () => {
    const game = await publish({ maxPlayers: 3, minPlayers: 2 })
    await arena.accept(game.id, [ours, theirs], 200)
    const plays = await times(4, () => arena.play(game.id, 3, [ours, theirs, theirs]))
    const waiting = await times(10, () => openWith(game.id))
    const seats = await times(20, async (i) => {
      const partner = i % 3 ? theirs : ours
      return {
        ...liveUser(await arena.createUser(1, partner), partner),
        sessionId: waiting[i % 10]?.id as string,
      }
    })
    await Promise.all([
      ...seats.map((seat) => retrying(() => joinArenaSessions(world.runtime, [seat]))),
      ...seats.map((seat) => retrying(() => leaveArenaSessions(world.runtime, [seat]))),
      ...plays.flatMap(({ sessionId, seats }) =>
        seats.map(({ sessionToken }) =>
          arena.report(sessionId, { winnerId: seats[0].playerId }, sessionToken),
        ),
      ),
      arena.accept(game.id, [ours], 90),
      arena.sendAs(theirs, 'DELETE', `/dashboard/arena-acceptances/${game.id}`),
    ])
    for (const { sessionId } of plays)
      expect((await arena.read(sessionId)).status).toBe('COMPLETED')
    expect(await audit(world.server.database.pool)).toBe(0)
    now += 30 * 60_000
    await expire()
    expect(await flowOf(game.id, ours)).toEqual([80, 0])
    expect(await flowOf(game.id, theirs)).toEqual([0, 80])
  })
})

test('the database refuses points above a cap, and the audit finds points that no session moved', async () => {
  const game = await publish()
  await arena.accept(game.id, [ours, theirs], 10)
  expect((await joinAs((await openWith(game.id)).id)).status).toBe(200)
  const { arenaFlow } = world.runtime.db
  const where = { gameId: game.id, partnerId: ours.partnerId }
  await expect(arenaFlow.updateMany({ where, data: { pointsIn: 11 } })).rejects.toThrow()
  await arenaFlow.updateMany({ where, data: { pointsIn: 9 } })
  expect(await audit(world.server.database.pool)).toBe(1)
  await arenaFlow.updateMany({ where, data: { pointsIn: 10 } })
})
