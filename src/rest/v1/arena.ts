import { z } from 'zod'
import type { RestDirectives } from '../directives.ts'
import { fragment, route } from '../route.ts'

const side = 'id: agentUuid displayName avatarUrl: pictureUrl tier'

export const match = `id: uuid matchType gameType bestOf status agent1 { ${side} } agent2 { ${side} }
  agent1Score agent2Score spectatorCount startedAt scheduledAt endedAt`

/** An agent of a match by its number: 1 or 2. */
export const slotNumber = (description: string): RestDirectives => ({
  schema: z.unknown().meta({ type: ['integer', 'null'], format: 'int32', description }),
  of: (slot) => (slot === null ? null : slot === 'AGENT1' ? 1 : 2),
})

/** The moves of an agent as one text. */
const joined = (which: string): RestDirectives => ({
  schema: z.string().describe(`Moves of the ${which} agent in order, separated by spaces.`),
  of: (actions) => (actions as string[]).join(' '),
})

const round = fragment(
  'ArenaMatchGame on ArenaMatchRound',
  'gameNumber: roundNumber agent1Action: agent1Actions agent2Action: agent2Actions outcome winnerSlot',
  {
    agent1Action: joined('first'),
    agent2Action: joined('second'),
    winnerSlot: slotNumber('1, 2, or null for a draw.'),
  },
)

export const detailedMatch = fragment(
  'ArenaMatchDetails on ArenaMatch',
  `${match} games: rounds { ${round} }
  currentGameNumber: currentRoundNumber totalGamesPlayed: roundCount nextGameAt: nextRoundAt`,
)

/** By default a list shows the documented games (`@listed` in directives.ts). Any game can be requested. */
const gameTypes = '$gameTypes: [ArenaAgentGameType!] @listed'

const agent = `id: uuid name displayName avatarUrl: pictureUrl provider modelId status tier eloRating
  totalMatches: matchCount
  wins losses winRate @unset(as: 0) isPublic createdAt`

const support = 'totalSupportReceived: supportPoints totalSupporters: supporterCount'

const detailedAgent = fragment(
  'ArenaAgentDetails on PublicArenaAgent',
  `${agent} description draws thinkingStyle partnerName ${support}
  recentMatches(gameTypes: $gameTypes) { ${match} }`,
)

export const arenaAgents = [
  route('GET /v1/arena/agents', {
    key: 'anyone',
    summary: 'List the public agents, newest first',
    operation: `query ($page: String, $limit: Int) {
      arena {
        result: agents(first: $limit, after: $page) {
          data: nodes { ${agent} }
          totalCount { value }
        }
      }
    }`,
    paging: { meta: ['page', 'limit', 'total', 'totalPages'] },
    message: 'Agents retrieved successfully',
    list: true,
  }),
  route('GET /v1/arena/agents/{agentId}', {
    key: 'anyone',
    summary: 'Show a public agent',
    operation: `query ($agentId: ID!, ${gameTypes}) {
      arena { result: agent(id: $agentId) { ${detailedAgent} } }
    }`,
    notFound: 'AGENT_NOT_FOUND',
    message: 'Agent retrieved successfully',
    errors: ['AGENT_NOT_FOUND'],
  }),
  route('GET /v1/arena/agents/{agentId}/supporters', {
    key: 'anyone',
    summary: 'List the users who gave points to an agent, the most generous first',
    operation: `query ($agentId: ID!, $page: String, $limit: Int) {
      arena {
        agent(id: $agentId) {
          result: supporters(first: $limit, after: $page) {
            supporters: nodes { name amount: points }
            totalCount { value }
          }
        }
      }
    }`,
    notFound: 'AGENT_NOT_FOUND',
    paging: { beside: ['total', 'page', 'totalPages'] },
    message: 'Supporters retrieved successfully',
    errors: ['AGENT_NOT_FOUND'],
  }),
  route('POST /v1/arena/agents/{agentId}/support', {
    key: 'secret',
    summary: 'Move points from the wallet of a user to an agent',
    operation: `mutation ($agentId: ID!, $userId: String!, $amount: Int!) {
      result: supportArenaAgent(input: { arenaAgentId: $agentId, user: { externalId: $userId },
          points: $amount }) {
        ... on SupportArenaAgentPayload {
          agent: arenaAgent @flatten { agentId: uuid }
          user @flatten { userId: externalId }
          amount: points
          wallet: user @flatten { userBalance: balance }
          total: arenaAgent @flatten { ${support} }
        }
        ...Problem
      }
    }`,
    message: 'Agent supported successfully',
    notFound: 'AGENT_NOT_FOUND',
  }),
]

export const arenaMatches = [
  route('GET /v1/arena/matches', {
    key: 'anyone',
    summary: 'List public matches, newest first; by default those in progress',
    operation: `query ($status: [ArenaMatchStatus!] = [IN_PROGRESS] @single, ${gameTypes}, $page: String, $limit: Int) {
      arena {
        result: matches(filter: { statuses: $status, gameTypes: $gameTypes }, first: $limit, after: $page) {
          data: nodes { ${match} }
          totalCount { value }
        }
      }
    }`,
    paging: { meta: ['page', 'limit', 'total', 'totalPages'] },
    message: 'Matches retrieved successfully',
    list: true,
  }),
  route('GET /v1/arena/matches/live', {
    key: 'anyone',
    summary: 'List the public matches in progress, newest first',
    operation: `query (${gameTypes}, $page: String, $limit: Int) {
      arena {
        result: matches(filter: { statuses: [IN_PROGRESS], gameTypes: $gameTypes }, first: $limit, after: $page) {
          data: nodes { ${match} }
          totalCount { value }
        }
      }
    }`,
    paging: { meta: ['page', 'limit', 'total', 'totalPages'] },
    message: 'Live matches retrieved successfully',
    list: true,
  }),
  route('GET /v1/arena/matches/{matchId}', {
    key: 'anyone',
    summary: 'Show a public match with its games',
    operation: `query ($matchId: ID!) {
      arena { result: match(id: $matchId) { ${detailedMatch} } }
    }`,
    notFound: 'MATCH_NOT_FOUND',
    message: 'Match retrieved successfully',
    errors: ['MATCH_NOT_FOUND'],
  }),
]

export const arenaLeaderboard = [
  route('GET /v1/arena/leaderboard', {
    key: 'anyone',
    summary: 'List the public agents by Elo rating',
    operation: `query ($page: String, $limit: Int = 50) {
      arena {
        result: leaderboard(first: $limit, after: $page) {
          data: nodes {
            rank
            agent @flatten {
              agentId: uuid name displayName avatarUrl: pictureUrl partnerName tier eloRating
              totalMatches: matchCount wins losses draws winRate @unset(as: 0) thinkingStyle
            }
          }
          totalCount { value }
        }
      }
    }`,
    paging: { meta: ['page', 'limit', 'total', 'totalPages'] },
    message: 'Leaderboard retrieved successfully',
    list: true,
  }),
]
