import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { audit } from '../../../src/cli/audit/invariants.ts'
import { setRewardRule } from '../../../src/points/reward-rule.ts'
import { createWorld, type TestPartner, type World } from '../../world.ts'
import { type Arena, createArena } from '../arena-world.ts'
import { makeAgent } from '../matches/arena.ts'

let world: World
let arena: Arena
let developer: TestPartner
let ours: TestPartner
let theirs: TestPartner
beforeAll(async () => {
  world = await createWorld()
  arena = await createArena(world)
  developer = world.partner
  ours = await world.createPartner()
  theirs = await world.createPartner()
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

const serverReport = (sessionId: string, body: object, partner: TestPartner) =>
  world.post(`/v1/arena/games/sessions/${sessionId}/server-result`, partner.live.secret, body)

const flowOf = (gameId: string, { partnerId }: TestPartner) =>
  world.runtime.db.arenaFlow.findFirst({
    where: { gameId, partnerId },
    select: { pointsIn: true, pointsOut: true },
  })

const code = async (answer: Promise<{ status: number; body: { errorCode?: string } }>) => {
  const { status, body } = await answer
  return body.errorCode ?? status
}

const million = 1_000_000

/** A user with a million points minted by their partner. */
const mintFor = async (userId: string, { partnerId, live }: TestPartner) => {
  const rule = { partnerId, environment: 'LIVE', eventType: 'mint', points: million } as const
  await setRewardRule(world.runtime, rule)
  await world.givePoints(userId, 1, 'mint', live.secret)
  return userId
}

test('a partner cannot move a million minted points to an accomplice at another partner', async () => {
  const minter = await mintFor('minter', ours)
  const accomplice = await mintFor('accomplice', theirs)
  const stakes = { entryFee: million, developerRevenueShare: 0 }

  // The accomplice's partner has agreed to nothing.
  const game = await arena.publish(stakes)
  const session = await arena.openSession(game.id, { userId: minter }, ours)
  expect(await code(arena.join(session.id, accomplice, theirs))).toBe('SESSION_OF_ONE_PARTNER')
  await arena.leave(session.id, minter, ours)

  // It has agreed to almost a million.
  const shared = await arena.publish({ ...stakes, resultPolicy: 'QUORUM' })
  await arena.accept(shared.id, [ours], 2_147_483_647)
  await arena.accept(shared.id, [theirs], million - 1)
  for (const [first, second] of [
    [
      { userId: minter, partner: ours },
      { userId: accomplice, partner: theirs },
    ],
    [
      { userId: accomplice, partner: theirs },
      { userId: minter, partner: ours },
    ],
  ] as const) {
    const { id } = await arena.openSession(shared.id, { userId: first.userId }, first.partner)
    const joined = await arena.join(id, second.userId, second.partner)
    expect([joined.status, joined.body.errorCode]).toEqual([409, 'POINT_CAP_REACHED'])
    await arena.leave(id, first.userId, first.partner)
  }
  expect(await arena.balance(minter, ours)).toBe(million)
  expect(await arena.balance(accomplice, theirs)).toBe(million)
})

describe('a session with a prize pool is limited to one partner', () => {
  test.each([
    ['nobody has accepted the game', { resultPolicy: 'QUORUM' }, []],
    ['only the maker has', { resultPolicy: 'QUORUM' }, ['ours']],
    ['only the one who joins has', { resultPolicy: 'QUORUM' }, ['theirs']],
    ['only others have', { resultPolicy: 'SERVER' }, ['developer']],
    ['players report alone for themselves', { resultPolicy: 'TOKEN' }, []],
  ])('where %s', async (_, terms, names) => {
    const game = await arena.publish({ entryFee: 100, ...terms })
    const partners = { ours, theirs, developer } as Record<string, TestPartner>
    await arena.accept(
      game.id,
      names.map((name) => partners[name] as TestPartner),
    )
    const session = await arena.openSession(game.id, {}, ours)
    const [ann, ben] = [await arena.createUser(1, ours), await arena.createUser(1, theirs)]
    // This holds for an empty session too; otherwise another partner could take it over.
    expect(await code(arena.join(session.id, ben, theirs))).toBe('SESSION_OF_ONE_PARTNER')
    expect((await arena.join(session.id, ann, ours)).status).toBe(200)
    const refused = await arena.join(session.id, ben, theirs)
    expect([refused.status, refused.body.errorCode]).toEqual([403, 'SESSION_OF_ONE_PARTNER'])
    expect(await arena.balance(ben, theirs)).toBe(100)
    expect(await arena.read(session.id)).toMatchObject({ currentPlayers: 1, prizePool: 100 })
    expect((await arena.join(session.id, await arena.createUser(1, ours), ours)).status).toBe(200)
  })

  test('if the game has changed since it was accepted, until it is accepted again', async () => {
    const game = await arena.publish({ entryFee: 100, resultPolicy: 'QUORUM' })
    const path = `/dashboard/arena-games/${game.id}`
    const ben = await arena.createUser(10, theirs)
    for (const change of [
      { entryFee: 101 },
      { developerRevenueShare: 50 },
      { resultPolicy: 'SERVER' },
    ]) {
      await arena.accept(game.id, [ours, theirs])
      await arena.send('PATCH', path, arena.developer, change)
      const session = await arena.openSession(game.id, {}, ours)
      expect(await code(arena.join(session.id, ben, theirs))).toBe('SESSION_OF_ONE_PARTNER')
      await arena.accept(game.id, [ours, theirs])
      expect((await arena.join(session.id, ben, theirs)).status).toBe(200)
    }
  })

  test('unless it has no prize pool', async () => {
    for (const resultPolicy of ['OPEN', 'TOKEN', 'QUORUM', 'SERVER']) {
      const game = await arena.publish({ resultPolicy })
      const { sessionId } = await arena.play(game.id, 2, [ours, theirs])
      expect((await arena.read(sessionId)).status).toBe('IN_PROGRESS')
      expect(await flowOf(game.id, ours)).toBeNull()
    }
  })
})

describe('two partners share a prize pool', () => {
  test('under QUORUM, when players of both agree', async () => {
    const game = await arena.publish({
      entryFee: 100,
      developerRevenueShare: 10,
      resultPolicy: 'QUORUM',
      maxPlayers: 4,
    })
    await arena.accept(game.id, [ours, theirs])
    const { sessionId, seats } = await arena.play(game.id, 4, [ours, ours, ours, theirs])
    const [a, b, c, d] = seats
    expect(await flowOf(game.id, ours)).toEqual({ pointsIn: 100, pointsOut: 300 })
    expect(await flowOf(game.id, theirs)).toEqual({ pointsIn: 300, pointsOut: 100 })
    // Three of four players are a majority, but none of them is of the partner who would lose.
    const won = { winnerId: a.playerId }
    const awaited = []
    for (const seat of [a, b, c])
      awaited.push(
        (await arena.report(sessionId, won, seat.sessionToken)).body.data.awaitingReports,
      )
    expect(awaited).toEqual([2, 1, 1])
    expect((await arena.read(sessionId)).status).toBe('IN_PROGRESS')
    const { data } = (await arena.report(sessionId, won, d.sessionToken)).body
    expect(data).toMatchObject({ prizePool: 400, developerShare: 40, winnerPrize: 360 })
    expect(await arena.balance(a.userId, ours)).toBe(1000 - 100 + 360)
    expect(await arena.balance(d.userId, theirs)).toBe(900)
    // Our users paid 300 points and got 360 back; the other partner lost 100.
    expect(await flowOf(game.id, ours)).toEqual({ pointsIn: 60, pointsOut: 0 })
    expect(await flowOf(game.id, theirs)).toEqual({ pointsIn: 0, pointsOut: 100 })
  })

  test("when the developer's server reports, and nobody else", async () => {
    const game = await arena.publish({ entryFee: 100, resultPolicy: 'SERVER' })
    await arena.accept(game.id, [ours, theirs])
    const { sessionId, seats } = await arena.play(game.id, 2, [ours, theirs])
    const [a, b] = seats
    const won = { winnerId: b.playerId, scores: { [a.playerId]: 1, [b.playerId]: 2 } }
    for (const token of [undefined, a.sessionToken, b.sessionToken])
      expect(await code(arena.report(sessionId, won, token))).toBe('WRONG_REPORTER')
    for (const partner of [ours, theirs])
      expect(await code(serverReport(sessionId, won, partner))).toBe('WRONG_REPORTER')
    const url = `/v1/arena/games/sessions/${sessionId}/server-result`
    expect(await code(world.post(url, undefined, won))).toBe('MISSING_API_SECRET')
    expect(await code(world.post(url, developer.test.secret, won))).toBe('LIVE_ONLY')
    expect(await code(serverReport(sessionId, {}, developer))).toBe('VALIDATION_FAILED')
    expect(await code(serverReport(game.id, won, developer))).toBe('SESSION_NOT_FOUND')
    const stranger = { winnerId: developer.partnerId }
    expect(await code(serverReport(sessionId, stranger, developer))).toBe('VALIDATION_FAILED')
    expect((await arena.read(sessionId)).status).toBe('IN_PROGRESS')

    const first = await serverReport(sessionId, won, developer)
    expect(first.body.data).toEqual({
      sessionId,
      winnerId: b.playerId,
      prizePool: 200,
      developerShare: 60,
      winnerPrize: 140,
    })
    expect((await serverReport(sessionId, won, developer)).body).toEqual(first.body)
    const other = { winnerId: a.playerId }
    expect(await code(serverReport(sessionId, other, developer))).toBe('RESULT_ALREADY_REPORTED')
    expect(await arena.balance(b.userId, theirs)).toBe(1000 - 100 + 140)
    expect(await flowOf(game.id, ours)).toEqual({ pointsIn: 0, pointsOut: 100 })
    expect(await flowOf(game.id, theirs)).toEqual({ pointsIn: 40, pointsOut: 0 })
  })

  test("and the developer's server cannot report where players do", async () => {
    for (const resultPolicy of ['TOKEN', 'QUORUM']) {
      const game = await arena.publish({ entryFee: 100, resultPolicy })
      const { sessionId, seats } = await arena.play(game.id, 2, [developer])
      const won = { winnerId: seats[0].playerId }
      expect(await code(serverReport(sessionId, won, developer))).toBe('WRONG_REPORTER')
    }
  })

  test('and the share of a partner who is the developer does not count as a flow', async () => {
    const game = await arena.publish({
      entryFee: 100,
      developerRevenueShare: 30,
      resultPolicy: 'SERVER',
    })
    await arena.accept(game.id, [developer, theirs])
    const { sessionId, seats } = await arena.play(game.id, 2, [developer, theirs])
    await serverReport(sessionId, { winnerId: seats[1].playerId }, developer)
    expect(await flowOf(game.id, developer)).toEqual({ pointsIn: 0, pointsOut: 40 })
    expect(await flowOf(game.id, theirs)).toEqual({ pointsIn: 40, pointsOut: 0 })
  })

  test('and one wins less than they paid, because the rest goes to the developer', async () => {
    const game = await arena.publish({
      entryFee: 100,
      developerRevenueShare: 50,
      resultPolicy: 'SERVER',
      maxPlayers: 4,
    })
    await arena.accept(game.id, [ours, theirs])
    const { sessionId, seats } = await arena.play(game.id, 4, [ours, ours, ours, theirs])
    await serverReport(sessionId, { winnerId: seats[0].playerId }, developer)
    expect(await flowOf(game.id, ours)).toEqual({ pointsIn: 0, pointsOut: 100 })
    expect(await flowOf(game.id, theirs)).toEqual({ pointsIn: 0, pointsOut: 100 })
  })
})

test("a free session's QUORUM is more than half of all players, whoever they belong to", async () => {
  const game = await arena.publish({ resultPolicy: 'QUORUM', maxPlayers: 3 })
  const { sessionId, seats } = await arena.play(game.id, 3, [ours, ours, theirs])
  const won = { winnerId: seats[0].playerId }
  await arena.report(sessionId, won, seats[0].sessionToken)
  const second = await arena.report(sessionId, won, seats[1].sessionToken)
  expect(second.body.data).not.toHaveProperty('awaitingReports')
})

test('agents only join free sessions, so they move no points between partners', async () => {
  const terms = { resultPolicy: 'QUORUM', supportsAgents: true }
  const { id: agentId } = await makeAgent(world.runtime, theirs.partnerId, 'random')
  const seat = async (entryFee: number) => {
    const game = await arena.publish({ ...terms, entryFee })
    if (entryFee > 0) await arena.accept(game.id, [ours, theirs])
    const { id } = await arena.openSession(
      game.id,
      { userId: await arena.createUser(1, ours) },
      ours,
    )
    const url = `/v1/arena/games/sessions/${id}/join`
    return code(world.post(url, theirs.live.secret, { agentId }))
  }
  expect([await seat(0), await seat(100)]).toEqual([200, 'INSUFFICIENT_POINTS'])
})
