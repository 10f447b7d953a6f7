/** What mutations of sessions answer in GraphQL: the users with their balances, the winner, and the results. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '../../world.ts'
import { type Arena, createArena } from '../arena-world.ts'
import { makeAgent } from '../matches/arena.ts'

let world: World
let arena: Arena

beforeAll(async () => {
  world = await createWorld()
  arena = await createArena(world)
})
afterAll(() => world.end())

const seat = `arenaSession { id gameId gameUuid playerCount hasPublicMoves game { id } }
  player { id uuid user { externalId } } user { externalId balance } sessionToken playUrl`

const send = async (document: string, input: object, secret?: string) => {
  const { body, text } = await world.graphql(document, { input }, secret ? { secret } : {})
  if (!body.data?.result) throw new Error(text)
  return body.data.result
}

const create = (input: object) =>
  send(
    `mutation ($input: CreateArenaSessionInput!) { result: createArenaSession(input: $input) {
      ... on CreateArenaSessionPayload { ${seat} } ... on Error { code } } }`,
    input,
    world.partner.live.secret,
  )
const join = (input: object) =>
  send(
    `mutation ($input: JoinArenaSessionInput!) { result: joinArenaSession(input: $input) {
      ... on JoinArenaSessionPayload { ${seat} } ... on Error { code } } }`,
    input,
    world.partner.live.secret,
  )
const leave = (input: object) =>
  send(
    `mutation ($input: LeaveArenaSessionInput!) { result: leaveArenaSession(input: $input) {
      ... on LeaveArenaSessionPayload { arenaSession { playerCount } user { externalId balance } }
      ... on Error { code } } }`,
    input,
    world.partner.live.secret,
  )
const report = (input: object) =>
  send(
    `mutation ($input: ReportArenaResultInput!) { result: reportArenaResult(input: $input) {
      ... on ReportArenaResultPayload {
        arenaSession { status results winner { id } } winner { id isWinner } awaitedReportCount }
      ... on Error { code message } ... on ValidationError { errors { path message } } } }`,
    input,
  )

test('who takes or leaves a seat is answered with the new balance', async () => {
  const game = await arena.publish({ entryFee: 30, maxPlayers: 3 })
  const [ann, ben] = [await arena.createUser(1), await arena.createUser(1)]
  const made = await create({
    arenaGame: { id: game.id },
    player: { user: { externalId: ann } },
    hasPublicMoves: true,
  })
  expect(made).toMatchObject({
    arenaSession: { gameUuid: game.id, playerCount: 1, hasPublicMoves: true },
    player: { user: { externalId: ann } },
    user: { externalId: ann, balance: 70 },
    sessionToken: expect.any(String),
  })
  expect(made.arenaSession.game.id).toBe(made.arenaSession.gameId)
  const arenaSessionId = made.arenaSession.id
  const player = { user: { externalId: ben } }
  for (const _ of [1, 2])
    expect(await join({ arenaSessionId, player })).toMatchObject({
      arenaSession: { playerCount: 2 },
      user: { externalId: ben, balance: 70 },
      sessionToken: expect.any(String),
    })
  expect(await leave({ arenaSessionId, player })).toEqual({
    arenaSession: { playerCount: 1 },
    user: { externalId: ben, balance: 100 },
  })
})

test('a session without a player has no seat, and an agent is no user', async () => {
  const game = await arena.publish({ supportsAgents: true })
  const empty = await create({ arenaGame: { id: game.id } })
  expect(empty).toMatchObject({
    arenaSession: { playerCount: 0, hasPublicMoves: false },
    player: null,
    user: null,
    sessionToken: null,
    playUrl: null,
  })
  const { id } = await makeAgent(world.runtime, world.partner.partnerId, 'random')
  const arenaSessionId = empty.arenaSession.id
  const player = { arenaAgentId: id }
  expect(await join({ arenaSessionId, player })).toMatchObject({
    player: { id: expect.any(String) },
    user: null,
    sessionToken: expect.any(String),
  })
  expect(await leave({ arenaSessionId, player })).toMatchObject({ user: null })
})

test('a report answers the winner, and the session shows its results once it is completed', async () => {
  const game = await arena.publish({ entryFee: 10, resultPolicy: 'QUORUM' })
  const { sessionId, seats } = await arena.play(game.id)
  const [a, b] = seats
  const result = { arenaSessionId: sessionId, winnerId: a.playerId, results: { moves: [3, 1] } }
  const first = await report({ ...result, token: a.sessionToken })
  expect(first).toMatchObject({
    arenaSession: { status: 'IN_PROGRESS', results: null, winner: null },
    winner: { isWinner: false },
    awaitedReportCount: 1,
  })
  // The last report decides, and its results are shown.
  const second = await report({
    ...result,
    winnerId: first.winner.id,
    results: { moves: [3, 1, 2] },
    token: b.sessionToken,
  })
  expect(second).toMatchObject({
    arenaSession: { status: 'COMPLETED', results: { moves: [3, 1, 2] } },
    winner: { id: first.winner.id, isWinner: true },
    awaitedReportCount: null,
  })
  expect(second.arenaSession.winner.id).toBe(first.winner.id)
})

test('results of a report are limited, and no text is taken for a token', async () => {
  const game = await arena.publish()
  const { sessionId, seats } = await arena.play(game.id)
  const result = { arenaSessionId: sessionId, winnerId: seats[0].playerId }
  const huge = await report({ ...result, results: 'x'.repeat(64 * 1024) })
  expect(huge.errors).toEqual([
    { path: ['results'], message: 'results must be at most 64 KB as JSON' },
  ])
  const odd = await report({ ...result, results: { a: [1e300] } })
  expect(odd.errors).toMatchObject([{ path: ['results', 'a', '0'] }])
  const kept = { token: 'of the game', a: 1 }
  expect(await report({ ...result, results: kept })).toMatchObject({
    arenaSession: { results: kept },
  })
})

test('a game is accepted on the terms that the caller saw, or the answer shows the game', async () => {
  const game = await arena.publish({ entryFee: 10, resultPolicy: 'SERVER' })
  const bearer = await world.signInAs('OWNER')
  const keys = { bearer, environment: 'LIVE' } as const
  const read = async () => {
    const document = `{ arena { game(by: { id: "${game.id}" }) { termsVersion resultPolicy } } }`
    return (await world.graphql(document, {}, keys)).body.data.arena.game
  }
  const accept = async (expectedTermsVersion: string) => {
    const caps = { maxPointsInPerDay: 10, maxPointsOutPerDay: 10 }
    const input = { arenaGame: { id: game.id }, ...caps, expectedTermsVersion }
    const document = `mutation ($input: AcceptArenaGameInput!) { result: acceptArenaGame(input: $input) {
      ... on AcceptArenaGamePayload { arenaAcceptance { entryFee } }
      ... on Error { code }
      ... on ConflictError { expectedVersion currentVersion current { ... on ArenaGame { termsVersion entryFee } } } } }`
    return (await world.graphql(document, { input }, keys)).body.data.result
  }
  const { termsVersion: seen, resultPolicy } = await read()
  expect(resultPolicy).toBe('SERVER')
  expect(await accept(seen)).toEqual({ arenaAcceptance: { entryFee: 10 } })
  const path = `/dashboard/arena-games/${game.id}`
  await arena.send('PATCH', path, arena.developer, { name: 'Renamed' })
  expect((await read()).termsVersion).toBe(seen)
  await arena.send('PATCH', path, arena.developer, { entryFee: 20 })
  const { termsVersion } = await read()
  expect(await accept(seen)).toEqual({
    code: 'ARENA_TERMS_CHANGED',
    expectedVersion: null,
    currentVersion: null,
    current: { termsVersion, entryFee: 20 },
  })
  expect(await accept('nonsense')).toMatchObject({ code: 'ARENA_TERMS_CHANGED' })
  expect(await accept(termsVersion)).toEqual({ arenaAcceptance: { entryFee: 20 } })
})

test('the result policy of a game is the effective one, and its developer sees the choice', async () => {
  const read = async (id: string) => {
    const document = `{ arenaGame(by: { id: "${id}" }) { resultPolicy chosenResultPolicy } }`
    const keys = { bearer: arena.developer, environment: 'LIVE' } as const
    return (await world.graphql(document, {}, keys)).body.data.arenaGame
  }
  const free = await arena.publish()
  const paid = await arena.publish({ entryFee: 1 })
  const chosen = await arena.publish({ resultPolicy: 'SERVER' })
  expect(await read(free.id)).toEqual({ resultPolicy: 'OPEN', chosenResultPolicy: null })
  expect(await read(paid.id)).toEqual({ resultPolicy: 'TOKEN', chosenResultPolicy: null })
  expect(await read(chosen.id)).toEqual({ resultPolicy: 'SERVER', chosenResultPolicy: 'SERVER' })
  expect([free.resultPolicy, paid.resultPolicy]).toEqual([null, null])
})
