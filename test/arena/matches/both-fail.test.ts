/**
 * Matches whose sides are late, answer illegally or fail. Neither side wins because the other was asked first.
 * Neighbours that were looked for: each game, pairs of the same and of different faults, one side alone, faults at the
 * first and at a later move, and an agent against itself.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { games } from '../../../src/arena/agent-games/all-games.rules.ts'
import type { MoveFault } from '../../../src/arena/agents/move.ts'
import type { Players } from '../../../src/arena/agents/player.ts'
import { playDueMatches } from '../../../src/arena/matches/runner.ts'
import { audit } from '../../../src/cli/audit/invariants.ts'
import type { ArenaAgent } from '../../../src/generated/prisma/client.ts'
import { createWorld, type World } from '../../world.ts'
import { makeAgent, makeMatch } from './arena.ts'

let world: World
beforeAll(async () => {
  const now = new Date()
  world = await createWorld({ clock: () => now })
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

type Asked = { agentId: string; board: string }

/** Plays a ranked match in which each agent fails in its way, or plays its first legal move. */
const playWith = async (
  gameType: string,
  bestOf: number,
  faultOf: (slot: 1 | 2, moves: number) => MoveFault | null,
  more: { matchType?: 'VALIDATION' } = {},
) => {
  const { runtime, partner } = world
  const first = await makeAgent(runtime, partner.partnerId, 'random')
  const second = more.matchType ? first : await makeAgent(runtime, partner.partnerId, 'random')
  const { id } = await makeMatch(runtime, [first, second], { gameType, bestOf, ...more })
  const requested: Asked[] = []
  const players: Players = {
    choose: async (agent: ArenaAgent, { game, state, slot }) => {
      const of = requested.filter(({ agentId }) => agentId === agent.id)
      const fault = faultOf(slot, of.length)
      requested.push({ agentId: agent.id, board: game.render(state).flat().join('') })
      return { slot, action: fault ? null : (game.legalMoves(state, slot)[0] as string), fault }
    },
    close: async () => {},
  }
  while ((await playDueMatches(runtime, players)) > 0);
  const { db } = runtime
  const agents = await db.arenaAgent.findMany({ where: { id: { in: [first.id, second.id] } } })
  const played = await db.arenaMatchGame.findMany({
    where: { matchId: id },
    orderBy: { gameNumber: 'asc' },
  })
  return {
    match: await db.arenaMatch.findUniqueOrThrow({ where: { id } }),
    games: played,
    agents,
    asked: requested,
  }
}

describe.each(games.map(({ type }) => type))('a match of %s', (gameType) => {
  test.each([
    ['TIMEOUT', 'TIMEOUT', 1],
    ['ILLEGAL_MOVE', 'ILLEGAL_MOVE', 1],
    ['FAILED', 'FAILED', 3],
    ['TIMEOUT', 'FAILED', 3],
  ] as const)(
    'of agents with %s and %s, best of %s, is a draw without rating',
    async (first, second, bestOf) => {
      const { match, games, agents } = await playWith(gameType, bestOf, (slot) =>
        slot === 1 ? first : second,
      )
      expect(match).toMatchObject({
        status: 'COMPLETED',
        winnerSlot: null,
        eloChange: 0,
        totalGamesPlayed: 3,
        endReason: '3 games in a row were lost by faults',
      })
      for (const game of games)
        expect(game).toMatchObject({ outcome: 'DRAW', agent1Fault: first, agent2Fault: second })
      for (const agent of agents)
        expect(agent).toMatchObject({ eloRating: 1200, totalMatches: 0, draws: 0 })
      // Otherwise the matchmaker would always pair the two that have waited longest.
      for (const { lastMatchAt } of agents) expect(lastMatchAt).not.toBeNull()
    },
  )

  test.each([1, 2] as const)('is lost by the side %s if it alone fails', async (failing) => {
    const { match, agents } = await playWith(gameType, 1, (slot) =>
      slot === failing ? 'TIMEOUT' : null,
    )
    const winnerSlot = failing === 1 ? 2 : 1
    expect(match).toMatchObject({ status: 'COMPLETED', winnerSlot, totalGamesPlayed: 1 })
    expect(match.eloChange).toBe(winnerSlot === 1 ? 16 : -16)
    expect(agents.map(({ totalMatches }) => totalMatches)).toEqual([1, 1])
  })
})

describe.each(['TIC_TAC_TOE', 'CONNECT_FOUR'])('a game of %s', (gameType) => {
  test('in which a side fails after both have moved is won by the other, who is not asked again', async () => {
    const {
      match,
      games,
      asked: requested,
    } = await playWith(gameType, 1, (slot, moves) => (slot === 1 && moves === 1 ? 'TIMEOUT' : null))
    expect(match).toMatchObject({ winnerSlot: 2 })
    expect(games[0]).toMatchObject({ agent1Fault: 'TIMEOUT', agent2Fault: null })
    expect(requested).toHaveLength(3)
  })

  test('whose second side fails at its first move is won by the first', async () => {
    const { match } = await playWith(gameType, 1, (slot) => (slot === 2 ? 'FAILED' : null))
    expect(match).toMatchObject({ winnerSlot: 1, totalGamesPlayed: 1 })
  })

  test('whose first side fails asks the second to begin on an empty board', async () => {
    const { match, asked: requested } = await playWith(gameType, 1, (slot) =>
      slot === 1 ? 'FAILED' : null,
    )
    expect(requested.map(({ agentId, board }) => [agentId === match.agent2Id, board])).toEqual([
      [false, ''],
      [true, ''],
    ])
  })

  test('that validates an agent against itself asks it once', async () => {
    const { match, asked: requested } = await playWith(gameType, 1, () => 'FAILED', {
      matchType: 'VALIDATION',
    })
    expect(match).toMatchObject({ status: 'COMPLETED', totalGamesPlayed: 1 })
    expect(requested).toHaveLength(1)
  })
})
