import { route } from '../../route.ts'
import { gameTypes, match } from './matches.ts'

const agent = `id: uuid name displayName avatarUrl: pictureUrl provider modelId status tier eloRating
  totalMatches: matchCount
  wins losses winRate isPublic createdAt`

const support = 'totalSupportReceived: supportPoints totalSupporters: supporterCount'

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
      arena {
        result: agent(id: $agentId) {
          ${agent} description draws thinkingStyle partnerName ${support}
          recentMatches(gameTypes: $gameTypes) { ${match} }
        }
      }
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
