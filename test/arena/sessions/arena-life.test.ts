import { afterAll, beforeAll, expect, test } from 'vitest'
import { audit } from '../../../src/cli/audit/invariants.ts'
import { createWorld, type World } from '../../world.ts'
import { type Arena, createArena } from '../arena-world.ts'

let world: World
let arena: Arena
beforeAll(async () => {
  world = await createWorld()
  arena = await createArena(world)
})
afterAll(() => world.end())

test('a game is submitted, reviewed, played and paid', async () => {
  const { send, developer, admin, review } = arena
  const submitted = await arena.submit({
    entryFee: 100,
    developerRevenueShare: 15,
    resultPolicy: 'QUORUM',
    version: '1.0',
  })
  expect(submitted).toMatchObject({ name: 'Space Race', slug: 'space-race', buildNo: 1 })
  expect(submitted.status).toBe('PENDING_REVIEW')
  const path = `/dashboard/arena-games/${submitted.id}`
  const bySlug = () => world.get('/v1/arena/games/space-race')
  expect(await bySlug()).toMatchObject({ status: 404, body: { message: 'Game not found' } })

  const rejected = await review(submitted.id, { status: 'REJECTED', reviewNotes: 'No sound.' })
  expect(rejected.body.data).toMatchObject({
    status: 'REJECTED',
    reviewNotes: 'No sound.',
    reviewedAt: expect.any(String),
  })
  expect((await send('GET', path, developer)).body.data.reviewNotes).toBe('No sound.')
  expect((await bySlug()).status).toBe(404)

  const buildUrl = 'https://games.example/space-race/2/'
  const rebuilt = await send('PATCH', `${path}/build`, developer, { buildUrl, version: '2.0' })
  expect(rebuilt.body.data).toMatchObject({ status: 'PENDING_REVIEW', reviewNotes: null, buildUrl })
  const pending = await send('GET', '/admin/arena-games?status=PENDING_REVIEW', admin)
  expect(pending.body.data.map(({ id }: { id: string }) => id)).toEqual([submitted.id])
  expect((await review(submitted.id, { status: 'APPROVED' })).body.data.status).toBe('APPROVED')
  expect((await bySlug()).body.data).toMatchObject({ id: submitted.id, buildUrl, version: '2.0' })
  const [second, first] = (await send('GET', path, developer)).body.data.builds
  expect(second).toMatchObject({ buildNo: 2, verdict: 'APPROVED', version: '2.0' })
  expect(first).toMatchObject({ buildNo: 1, verdict: 'REJECTED', reviewNotes: 'No sound.' })

  const other = await world.createPartner()
  await arena.accept(submitted.id, [world.partner, other])
  const [ann, ben] = [await arena.createUser(2), await arena.createUser(2, other)]
  const session = await arena.openSession(submitted.id, { userId: ann })
  expect(session).toMatchObject({ status: 'WAITING', currentPlayers: 1, prizePool: 100, slot: 1 })
  const open = await world.get(`/v1/arena/games/${submitted.id}/sessions/open`)
  expect(open.body.data).toEqual([
    {
      id: session.id,
      gameId: submitted.id,
      status: 'WAITING',
      entryFee: 100,
      prizePool: 100,
      currentPlayers: 1,
      maxPlayers: 2,
      expiresAt: expect.any(String),
      players: [{ id: session.playerId, slot: 1, type: 'HUMAN', score: null, isWinner: false }],
    },
  ])
  const joined = (await arena.join(session.id, ben, other)).body.data
  expect(joined).toMatchObject({ status: 'IN_PROGRESS', prizePool: 200, slot: 2 })
  expect(await arena.balance(ann)).toBe(100)

  const result = {
    winnerId: joined.playerId,
    scores: { [session.playerId]: 3, [joined.playerId]: 7 },
    resultsJson: JSON.stringify({ moves: 12, token: session.sessionToken }),
  }
  const voted = await arena.report(session.id, result, joined.sessionToken)
  expect(voted.body.data.awaitingReports).toBe(1)
  const reported = await arena.report(session.id, result)
  expect(reported.body).toEqual({
    message: 'Result reported successfully',
    code: 200,
    status: 'success',
    data: {
      sessionId: session.id,
      winnerId: joined.playerId,
      prizePool: 200,
      developerShare: 30,
      winnerPrize: 170,
    },
  })
  expect(await arena.balance(ann)).toBe(100)
  expect(await arena.balance(ben, other)).toBe(270)
  expect(await arena.read(session.id)).toMatchObject({
    status: 'COMPLETED',
    winnerId: joined.playerId,
    developerShare: 30,
    winnerPrize: 170,
    players: [
      { slot: 1, score: 3, isWinner: false },
      { slot: 2, score: 7, isWinner: true },
    ],
  })

  const earnings = await send('GET', '/dashboard/arena-earnings', developer)
  expect(earnings.body.data).toMatchObject([
    { sessionId: session.id, gameId: submitted.id, gameName: 'Space Race', points: 30 },
  ])
  expect(earnings.body.meta).toEqual({ page: 1, limit: 20, total: 1, totalPages: 1 })
  expect((await send('GET', '/dashboard/arena-earnings/total', developer)).body.data).toEqual({
    totalEarnings: 30,
    paidSessions: 1,
  })
  expect((await bySlug()).body.data).toMatchObject({
    totalSessions: 1,
    totalPlayers: 2,
    totalEarnings: 30,
  })
  const history = await world.get(`/v1/users/${ben}/history`, other.live.secret)
  expect(history.body.data.slice(0, 2)).toMatchObject([
    { eventType: 'session_prize', points: 170 },
    { eventType: 'session_entry', points: -100 },
  ])

  const events = await world.runtime.db.event.findMany({
    where: { type: { startsWith: 'arena.' } },
    orderBy: [{ occurredAt: 'asc' }, { id: 'asc' }],
  })
  expect(events.map(({ type }) => type)).toEqual([
    'arena.game_reviewed',
    'arena.game_reviewed',
    'arena.session_completed',
    'arena.session_completed',
  ])
  expect(events[0]?.data).toMatchObject({ status: 'REJECTED', reviewNotes: 'No sound.' })
  const own = events.find(
    ({ type, partnerId }) => type.endsWith('ed') && partnerId === other.partnerId,
  )
  expect(own?.data).toMatchObject({
    sessionId: session.id,
    winnerPrize: 170,
    players: [{ slot: 1 }, { slot: 2, userId: ben }],
  })
  expect(JSON.stringify(own?.data)).not.toContain(ann)

  const archived = await send('DELETE', path, developer)
  expect(archived.body.data.status).toBe('ARCHIVED')
  expect((await bySlug()).status).toBe(404)
  expect((await world.get('/v1/arena/games')).body.data).toEqual([])
  expect((await send('GET', path, developer)).body.data.totalEarnings).toBe(30)
  expect(await audit(world.server.database.pool)).toBe(0)
})
