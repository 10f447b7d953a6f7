/** Agents and matches of the arena, for everybody. */
import { route } from '../route.ts'

const agent = `id: agentId name displayName avatarUrl: pictureUrl provider modelId status tier eloRating totalMatches
  wins losses winRate isPublic createdAt`

const side = 'id: agentId displayName avatarUrl: pictureUrl tier'

export const match = `id: matchId matchType gameType bestOf status agent1 { ${side} } agent2 { ${side} }
  agent1Score agent2Score spectatorCount startedAt scheduledAt endedAt`

export const detailedMatch = `${match}
  games { gameNumber agent1Action agent2Action outcome winnerSlot }
  currentGameNumber totalGamesPlayed nextGameAt`

/** Left out, a list shows the two documented games; any game can be asked for. */
const gameTypes = '$gameTypes: [ArenaMatchGameType!] = [ROCK_PAPER_SCISSORS, TIC_TAC_TOE]'

export const arenaMatches = [
  route('GET /v1/arena/leaderboard', {
    key: 'anyone',
    summary: 'List the public agents by Elo rating',
    operation: `query ($page: String, $limit: Int = 50) {
      result: arenaLeaderboard(first: $limit, after: $page) {
        data: nodes {
          rank agentId name displayName avatarUrl: pictureUrl partnerName tier eloRating totalMatches wins losses
          draws winRate thinkingStyle
        }
        totalCount { value }
      }
    }`,
    paging: { meta: ['page', 'limit', 'total', 'totalPages'] },
    message: 'Leaderboard retrieved successfully',
    list: true,
  }),
  route('GET /v1/arena/agents', {
    key: 'anyone',
    summary: 'List the public agents, newest first',
    operation: `query ($page: String, $limit: Int) {
      result: arenaAgents(first: $limit, after: $page) {
        data: nodes { ${agent} }
        totalCount { value }
      }
    }`,
    paging: { meta: ['page', 'limit', 'total', 'totalPages'] },
    message: 'Agents retrieved successfully',
    list: true,
  }),
  route('GET /v1/arena/agents/{agentId}', {
    key: 'anyone',
    summary: 'Show a public agent',
    operation: `query ($agentId: String!, ${gameTypes}) {
      result: arenaAgent(agentId: $agentId) {
        ${agent} description draws thinkingStyle partnerName totalSupportReceived totalSupporters
        recentMatches(gameTypes: $gameTypes) { ${match} }
      }
    }`,
    message: 'Agent retrieved successfully',
    errors: ['AGENT_NOT_FOUND'],
  }),
  route('GET /v1/arena/agents/{agentId}/supporters', {
    key: 'anyone',
    summary: 'List who gave points to an agent, the most generous first',
    operation: `query ($agentId: String!, $page: String, $limit: Int) {
      arenaAgent(agentId: $agentId) {
        result: supporters(first: $limit, after: $page) {
          supporters: nodes { name amount }
          totalCount { value }
        }
      }
    }`,
    paging: { beside: ['total', 'page', 'totalPages'] },
    message: 'Supporters retrieved successfully',
    errors: ['AGENT_NOT_FOUND'],
  }),
  route('POST /v1/arena/agents/{agentId}/support', {
    key: 'secret',
    summary: 'Move points from the wallet of a user to an agent',
    operation: `mutation ($input: SupportArenaAgentInput!) {
      result: supportArenaAgent(input: $input) {
        ... on SupportArenaAgentPayload {
          agentId userId amount userBalance totalSupportReceived totalSupporters
        }
        ...Problem
      }
    }`,
    message: 'Agent supported successfully',
    notFound: 'AGENT_NOT_FOUND',
  }),
  route('GET /v1/arena/matches', {
    key: 'anyone',
    summary: 'List public matches, newest first; those in progress unless told otherwise',
    operation: `query ($status: ArenaMatchStatus = IN_PROGRESS, ${gameTypes}, $page: String, $limit: Int) {
      result: arenaMatches(filter: { status: $status, gameTypes: $gameTypes }, first: $limit, after: $page) {
        data: nodes { ${match} }
        totalCount { value }
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
      result: arenaMatches(filter: { status: IN_PROGRESS, gameTypes: $gameTypes }, first: $limit, after: $page) {
        data: nodes { ${match} }
        totalCount { value }
      }
    }`,
    paging: { meta: ['page', 'limit', 'total', 'totalPages'] },
    message: 'Live matches retrieved successfully',
    list: true,
  }),
  route('GET /v1/arena/matches/{matchId}', {
    key: 'anyone',
    summary: 'Show a public match with its games',
    operation: `query ($matchId: String!) {
      result: arenaMatch(matchId: $matchId) { ${detailedMatch} }
    }`,
    message: 'Match retrieved successfully',
    errors: ['MATCH_NOT_FOUND'],
  }),
]
