import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { games } from '../../../src/arena/agent-games/all-games.rules.ts'
import { audit } from '../../../src/cli/audit/invariants.ts'
import { createWorld, type World } from '../../world.ts'
import { makeAgent, makeMatch, playAll } from './arena.ts'

let world: World
let member: string
beforeAll(async () => {
  world = await createWorld()
  member = await world.signInAs('OWNER')
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

const live = { 'x-environment': 'LIVE' }

describe('matches of a partner', () => {
  const schedule = (body: object, key = member) =>
    world.call('POST', '/dashboard/arena-matches', { key, headers: live, body })

  test('are scheduled with its own agents, visible to it, and cancelled', async () => {
    const { runtime, partner } = world
    const mine = await makeAgent(runtime, partner.partnerId, 'random')
    const own = await makeAgent(runtime, partner.partnerId, 'random', { isPublic: false })
    const other = await world.createPartner()
    const foreign = await makeAgent(runtime, other.partnerId, 'random')
    const hidden = await makeAgent(runtime, other.partnerId, 'random', { isPublic: false })
    const base = { agent1Id: mine.id, agent2Id: foreign.id, gameType: 'TIC_TAC_TOE', bestOf: 3 }
    const codeOf = async (more: object) => (await schedule({ ...base, ...more })).body.errorCode
    for (const agent2Id of [mine.id, mine.id.toUpperCase()])
      expect((await schedule({ ...base, agent2Id })).body.errors).toMatchObject([
        { field: 'agent2Id', message: 'agent2Id must be another agent' },
      ])
    expect((await schedule({})).body.errors).toEqual(
      ['agent1Id', 'agent2Id', 'gameType', 'bestOf'].map((field) => ({
        field,
        code: 'required',
        message: `${field} is required`,
      })),
    )
    expect(await codeOf({ agent2Id: hidden.id })).toBe('AGENT_NOT_FOUND')
    expect(await codeOf({ agent1Id: foreign.id, agent2Id: mine.id })).toBe('AGENT_NOT_FOUND')
    expect(await codeOf({ agent2Id: own.id, matchType: 'RANKED' })).toBe('RANKED_NEEDS_PARTNERS')
    for (const more of [
      { bestOf: 2 },
      { bestOf: 1e10 },
      { gameType: 'CHESS' },
      { matchType: 'VALIDATION' },
      { scheduledAt: '9999-01-01T00:00:00Z' },
      { scheduledAt: 'x' },
      { agent1Id: 'x' },
    ])
      expect(await codeOf(more), JSON.stringify(more)).toBe('VALIDATION_FAILED')

    const later = new Date(Date.now() + 3600_000).toISOString()
    const made = await schedule({ ...base, matchType: 'RANKED', scheduledAt: later })
    expect(made.body.data).toMatchObject({ status: 'SCHEDULED', matchType: 'RANKED', bestOf: 3 })
    const { id } = made.body.data
    const listed = await world.get('/v1/arena/matches?status=SCHEDULED')
    const { body: ofNobody } = await world.graphql(
      '{ arena { matches(filter: { arenaAgentId: "x" }) { totalCount { value } } } }',
    )
    expect(ofNobody.data.arena.matches.totalCount.value).toBe(0)
    expect(listed.body.data.map((match: { id: string }) => match.id)).toContain(id)
    expect((await world.get('/v1/arena/matches')).body.data).toEqual([])
    const stranger = await world.signInAs('OWNER', (await world.createPartner()).partnerId)
    const cancel = (key: string) =>
      world.call('POST', `/dashboard/arena-matches/${id}/cancel`, { key, headers: live })
    expect((await cancel(stranger)).status).toBe(404)
    expect((await cancel(member)).body.data.status).toBe('CANCELLED')
    expect((await cancel(member)).body.errorCode).toBe('MATCH_ENDED')

    const secret = await schedule({ ...base, agent2Id: own.id })
    const path = `/v1/arena/matches/${secret.body.data.id}`
    expect((await world.get(path)).status).toBe(404)
    const detail = await world.call('GET', `/dashboard/arena-matches/${secret.body.data.id}`, {
      key: member,
      headers: live,
    })
    expect(detail.body.data.id).toBe(secret.body.data.id)
    await playAll(runtime)
  })

  test('are limited to 50 open ones, and to 10 against an agent of another partner', async () => {
    const { runtime } = world
    const { partnerId } = await world.createPartner()
    const key = await world.signInAs('OWNER', partnerId)
    const first = await makeAgent(runtime, partnerId, 'random')
    const second = await makeAgent(runtime, partnerId, 'random')
    const foreign = await makeAgent(runtime, world.partner.partnerId, 'random')
    const scheduledAt = new Date(Date.now() + 3600_000).toISOString()
    const base = { agent1Id: first.id, gameType: 'TIC_TAC_TOE', bestOf: 1, scheduledAt }
    const many = async (count: number, agent2Id: string) => {
      const answers = await Promise.all(
        Array.from({ length: count }, () => schedule({ ...base, agent2Id }, key)),
      )
      const refused = answers.filter(({ status }) => status !== 200)
      for (const { body } of refused) expect(body.errorCode).toBe('MATCH_LIMIT_REACHED')
      return count - refused.length
    }
    expect(await many(13, foreign.id)).toBe(10)
    expect(await many(42, second.id)).toBe(40)
    const { id } = await runtime.db.arenaMatch.findFirstOrThrow({ where: { agent2Id: second.id } })
    await world.call('POST', `/dashboard/arena-matches/${id}/cancel`, { key, headers: live })
    expect(await many(2, second.id)).toBe(1)
  })

  test('show only the name and the rating of a private agent', async () => {
    const { runtime, partner } = world
    const mine = await makeAgent(runtime, partner.partnerId, 'random')
    const other = await world.createPartner()
    const theirs = await makeAgent(runtime, other.partnerId, 'random', { description: 'Ours' })
    const { id } = await makeMatch(runtime, [mine, theirs])
    const read = async () => {
      const { body } = await world.graphql(
        `query ($id: ID!) { arena { match(id: $id) { agent2 {
          uuid: agentUuid displayName avatarUrl pictureUrl tier profile { description modelId partnerName } } } } }`,
        { id },
        {},
      )
      return body.data.arena.match.agent2
    }
    const { displayName } = theirs
    const pictureUrl = `${runtime.config.publicUrl}/arena/agents/${theirs.id}/avatar.svg`
    const shown = { uuid: theirs.id, displayName, avatarUrl: null, pictureUrl, tier: 'ROOKIE' }
    expect(await read()).toMatchObject({ ...shown, profile: { description: 'Ours' } })
    await runtime.db.arenaAgent.update({ where: { id: theirs.id }, data: { isPublic: false } })
    expect(await read()).toEqual({ ...shown, profile: null })
    const { body } = await world.graphql(
      `query ($id: ID!) { arena { match(id: $id) { agent2 { name } } } }`,
      { id },
      {},
    )
    expect(body.errors[0].message).toContain('name')
    await playAll(runtime)
  })

  test('connect four is listed when it is requested', async () => {
    const { runtime, partner } = world
    const pair = [
      await makeAgent(runtime, partner.partnerId, 'random'),
      await makeAgent(runtime, partner.partnerId, 'random'),
    ] as const
    const { id } = await makeMatch(runtime, pair, { gameType: 'CONNECT_FOUR', bestOf: 1 })
    await playAll(runtime)
    const ids = async (query: string) =>
      (await world.get(`/v1/arena/matches?status=COMPLETED&limit=100${query}`)).body.data.map(
        (match: { id: string }) => match.id,
      )
    expect(await ids('')).not.toContain(id)
    expect(await ids('&gameTypes=CONNECT_FOUR')).toContain(id)
    expect((await world.get('/v1/arena/matches?gameTypes=CHESS')).status).toBe(400)
    for (const status of ['OVER', 'SCHEDULED,COMPLETED'])
      expect((await world.get(`/v1/arena/matches?status=${status}`)).status).toBe(400)
    const recent = async (query: string) =>
      (await world.get(`/v1/arena/agents/${pair[0].id}${query}`)).body.data.recentMatches.map(
        (match: { id: string }) => match.id,
      )
    expect(await recent('')).toEqual([])
    expect(await recent('?gameTypes=CONNECT_FOUR')).toEqual([id])
    const { body } = await world.graphql(
      `query ($id: ID!) { arena { agent(id: $id) {
        all: recentMatches { uuid }
        two: recentMatches(gameTypes: [ROCK_PAPER_SCISSORS, TIC_TAC_TOE]) { uuid } } } }`,
      { id: pair[0].id },
      {},
    )
    expect(body.data.arena.agent).toEqual({ all: [{ uuid: id }], two: [] })
  })

  test('have the name of their game, which is one of those that agents play', async () => {
    const { body } = await world.graphql(
      `{ arena { agentGames { gameType name } matches(first: 100) { nodes { gameType gameName } } } }`,
      {},
      {},
    )
    const { agentGames, matches } = body.data.arena
    expect(agentGames).toEqual(games.map(({ type, title }) => ({ gameType: type, name: title })))
    expect(matches.nodes.length).toBeGreaterThan(0)
    for (const { gameType, gameName } of matches.nodes)
      expect(agentGames).toContainEqual({ gameType, name: gameName })
  })
})

describe('the leaderboard', () => {
  test('shows public agents by rating, 50 a page, the same by cursor', async () => {
    const { runtime } = world
    const other = await world.createPartner()
    for (let i = 0; i < 8; i++) {
      const pair = [
        await makeAgent(runtime, other.partnerId, 'minimax'),
        await makeAgent(runtime, other.partnerId, 'random'),
      ] as const
      await makeMatch(runtime, pair, { bestOf: 3 })
    }
    await playAll(runtime)
    const { body } = await world.get('/v1/arena/leaderboard')
    expect(body.meta).toMatchObject({ page: 1, limit: 50 })
    const elos = body.data.map(({ eloRating }: { eloRating: number }) => eloRating)
    expect(elos).toEqual(elos.toSorted((a: number, b: number) => b - a))
    expect(body.data.map(({ rank }: { rank: number }) => rank)).toEqual(
      elos.map((_: number, i: number) => i + 1),
    )
    let after: string | null = null
    const seen: string[] = []
    do {
      const page = await world.graphql(
        `query ($after: String) { arena { leaderboard(first: 7, after: $after) {
          nodes { rank agent { uuid } } pageInfo { hasNextPage endCursor } } } }`,
        { after },
        {},
      )
      const { nodes, pageInfo } = page.body.data.arena.leaderboard
      for (const { rank, agent } of nodes) expect(seen.push(agent.uuid)).toBe(rank)
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null
    } while (after)
    expect(seen).toEqual(body.data.map(({ agentId }: { agentId: string }) => agentId))
    const [{ agentId }] = body.data
    const history = await world.graphql(
      `query ($id: ID!) { arena { agent(id: $id) { eloRating ratingDeviation
        ratingChanges { totalCount { value } nodes { number eloAfter match { status } } } } } }`,
      { id: agentId },
      {},
    )
    const { eloRating, ratingDeviation, ratingChanges } = history.body.data.arena.agent
    expect(ratingChanges.nodes[0].eloAfter).toBe(eloRating)
    expect(ratingChanges.nodes[0].match).toEqual({ status: 'COMPLETED' })
    expect(ratingDeviation).toBeLessThan(350)
  })
})
