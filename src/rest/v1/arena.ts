import { fragment, route } from '../route.ts'

const side = 'id: uuid displayName avatarUrl: pictureUrl tier'

export const match = `id: uuid matchType gameType bestOf status agent1 { ${side} } agent2 { ${side} }
  agent1Score agent2Score spectatorCount startedAt scheduledAt endedAt`

export const detailedMatch = fragment(
  'ArenaMatchDetails on ArenaMatch',
  `${match} games { gameNumber agent1Action agent2Action outcome winnerSlot }
  currentGameNumber totalGamesPlayed: gameCount nextGameAt`,
)

/** By default a list shows the documented games. Any game can be requested. */
const gameTypes = '$gameTypes: [ArenaMatchGameType!] @listed'

const agent = `id: uuid name displayName avatarUrl: pictureUrl provider modelId status tier eloRating
  totalMatches: matchCount
  wins losses winRate isPublic createdAt`

const support = 'totalSupportReceived: supportPoints totalSupporters: supporterCount'

const detailedAgent = fragment(
  'ArenaAgentDetails on ArenaAgent',
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
      result: supportArenaAgent(input: { agentId: $agentId, user: { externalId: $userId },
          amount: $amount }) {
        ... on SupportArenaAgentPayload {
          agent: arenaAgent @flatten { agentId: uuid }
          user @flatten { userId: externalId }
          amount
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
    operation: `query ($status: ArenaMatchStatus = IN_PROGRESS, ${gameTypes}, $page: String, $limit: Int) {
      arena {
        result: matches(filter: { status: $status, gameTypes: $gameTypes }, first: $limit, after: $page) {
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
        result: matches(filter: { status: IN_PROGRESS, gameTypes: $gameTypes }, first: $limit, after: $page) {
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
              totalMatches: matchCount wins losses draws winRate thinkingStyle
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
