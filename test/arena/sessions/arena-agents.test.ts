import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { audit } from '../../../src/cli/audit/invariants.ts'
import { createWorld, type World } from '../../world.ts'
import { type Arena, createArena } from '../arena-world.ts'
import { makeAgent } from '../matches/arena.ts'

let world: World
let arena: Arena
let game: { id: string }
beforeAll(async () => {
  world = await createWorld()
  arena = await createArena(world)
  game = await arena.publish({ supportsAgents: true, playerMode: 'PV_AI' })
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

const agentOf = (more: object = {}, partner = world.partner) =>
  makeAgent(world.runtime, partner.partnerId, 'random', more)
const post = (sessionId: string, verb: string, body: object) =>
  world.post(`/v1/arena/games/sessions/${sessionId}/${verb}`, world.partner.live.secret, body)

test('a user is seated by any of their ids', async () => {
  const externalId = await arena.createUser()
  const { id } = await world.runtime.db.endUser.findFirstOrThrow({ where: { externalId } })
  const session = await arena.openSession(game.id)
  const sit = async (verb: 'join' | 'leave', user: object) => {
    const Name = verb === 'join' ? 'Join' : 'Leave'
    const { body } = await world.graphql(
      `mutation ($input: ${Name}ArenaSessionInput!) { result: ${verb}ArenaSession(input: $input) {
        ... on ${Name}ArenaSessionPayload { arenaSession { players { user { externalId } } } }
        ... on Error { code } } }`,
      { input: { arenaSessionId: session.id, player: { user } } },
      world.partner.live,
    )
    return body.data.result.code ?? body.data.result.arenaSession.players
  }
  const seat = { user: { externalId } }
  expect(await sit('join', { id })).toEqual([seat])
  expect(await sit('join', { externalId })).toEqual([seat])
  expect(await sit('leave', { id })).toEqual([])
  expect(await sit('join', { id: session.id })).toBe('USER_NOT_FOUND')
})

test('a session is created with exactly one player or none, in a game that is named by either key', async () => {
  const user = { externalId: await arena.createUser() }
  const { id: agentId } = await agentOf()
  const { slug } = await world.runtime.db.arenaGame.findUniqueOrThrow({ where: { id: game.id } })
  const create = async (input: object) => {
    const { body } = await world.graphql(
      `mutation ($input: CreateArenaSessionInput!) { createArenaSession(input: $input) {
        ... on CreateArenaSessionPayload { arenaSession { gameUuid players { type } } }
        ... on Error { code } } }`,
      { input },
      world.partner.live,
    )
    return body.errors?.[0].message ?? body.data.createArenaSession
  }
  const created = (...types: string[]) => ({
    arenaSession: { gameUuid: game.id, players: types.map((type) => ({ type })) },
  })
  expect(await create({ arenaGame: { slug } })).toEqual(created())
  expect(await create({ arenaGame: { id: game.id }, player: { user } })).toEqual(created('HUMAN'))
  expect(await create({ arenaGame: { slug }, player: { arenaAgentId: agentId } })).toEqual(
    created('AGENT'),
  )
  expect(await create({ arenaGame: { slug: 'no-game' } })).toEqual({ code: 'ARENA_GAME_NOT_FOUND' })
  const arenaAgentId = agentId
  for (const player of [{}, { user, arenaAgentId }, { user: null, arenaAgentId }])
    expect(await create({ arenaGame: { slug }, player })).toMatch(/player/)
})

describe('an agent', () => {
  test('plays a session with a user, and wins it', async () => {
    const { id } = await agentOf()
    const userId = await arena.createUser()
    const session = await arena.openSession(game.id, { userId })
    const joined = await post(session.id, 'join', { agentId: id.toUpperCase() })
    expect(joined.body.data).toMatchObject({
      status: 'IN_PROGRESS',
      slot: 2,
      players: [{ type: 'HUMAN' }, { type: 'AGENT' }],
    })
    const { playerId, sessionToken } = joined.body.data
    expect((await post(session.id, 'join', { agentId: id })).body.data).toMatchObject({
      playerId,
      sessionToken,
      currentPlayers: 2,
    })
    const won = await arena.report(session.id, { winnerId: playerId, scores: { [playerId]: 3 } })
    expect(won.body.data).toMatchObject({ winnerPrize: 0, developerShare: 0 })
    expect((await arena.read(session.id)).players[1]).toEqual({
      id: playerId,
      slot: 2,
      type: 'AGENT',
      score: 3,
      isWinner: true,
    })
    const event = await world.runtime.db.event.findFirstOrThrow({
      where: { type: 'arena.session_completed', partnerId: world.partner.partnerId },
    })
    expect(event.data).toMatchObject({ players: [{ userId }, { agentId: id }] })
  })

  test('creates a session, leaves it, and plays one against another agent', async () => {
    const [first, second] = [await agentOf(), await agentOf()]
    const session = await arena.openSession(game.id, { agentId: first.id })
    expect(session).toMatchObject({ slot: 1, players: [{ type: 'AGENT' }] })
    expect((await post(session.id, 'leave', { agentId: second.id })).status).toBe(404)
    expect((await post(session.id, 'leave', { agentId: first.id })).body.data.currentPlayers).toBe(
      0,
    )
    const answers = await Promise.all(
      [first, second, first].map(({ id }) => post(session.id, 'join', { agentId: id })),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(
      (await arena.read(session.id)).players.map(({ type }: { type: string }) => type),
    ).toEqual(['AGENT', 'AGENT'])
  })

  test('is seated when the user is null or omitted', async () => {
    const { id } = await agentOf()
    const session = await arena.openSession(game.id, { agentId: id, userId: null })
    expect(session).toMatchObject({ slot: 1, players: [{ type: 'AGENT' }] })
    const nobody = await post(session.id, 'join', { userId: null })
    expect(nobody.body.errors).toEqual([
      { field: 'userId', code: 'required', message: 'userId is required' },
    ])
  })

  test('is refused where it cannot play', async () => {
    const { id } = await agentOf()
    const code = async (body: object, gameId = game.id) => {
      const session = await arena.openSession(gameId)
      const joined = (await post(session.id, 'join', body)).body
      const url = `/v1/arena/games/${gameId}/sessions`
      const opened = (await world.post(url, world.partner.live.secret, body)).body
      expect(opened.errorCode).toBe(joined.errorCode)
      expect((await arena.read(session.id)).players).toEqual([])
      return joined.errors ? joined.errors[0].message : joined.errorCode
    }
    const paid = await arena.publish({ supportsAgents: true, entryFee: 1 })
    expect(await code({ agentId: id }, paid.id)).toBe('INSUFFICIENT_POINTS')
    const closed = await arena.publish()
    expect(await code({ agentId: id }, closed.id)).toBe(
      'agentId cannot play: the game does not support agents',
    )
    const resting = await agentOf({ status: 'PAUSED' })
    expect(await code({ agentId: resting.id })).toBe('AGENT_STATUS_CONFLICT')
    const foreign = await agentOf({}, await world.createPartner())
    expect(await code({ agentId: foreign.id })).toBe('AGENT_NOT_FOUND')
    expect(await code({ agentId: 'x' })).toBe('agentId must be a UUID')
    expect(await code({ agentId: id, userId: 'x' })).toBe(
      'agentId must be omitted when a user is named',
    )
  })
})
