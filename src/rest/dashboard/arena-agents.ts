/** Members manage the agents of their partner. */
import { mutationOf } from '../mutation-document.ts'
import { route } from '../route.ts'

const agent = `id: uuid name displayName description avatarUrl thinkingStyle provider modelId endpointUrl
  secretLastFour status isPublic validatedAt validationError tier eloRating ratingDeviation
  totalMatches: matchCount wins losses draws winRate totalSupportReceived: supportPoints
  totalSupporters: supporterCount createdAt updatedAt @given`

export const changedAgent = `arenaAgent @flatten { ${agent} }`

const changes = { key: 'member', notFound: 'AGENT_NOT_FOUND' } as const

export const dashboardArenaAgents = [
  route('POST /dashboard/arena-agents', {
    key: 'member',
    summary: 'Make an agent; what signs requests to its webhook is shown only here',
    operation: mutationOf('createArenaAgent', `${changedAgent} signingSecret`),
    message: 'Agent created successfully',
  }),
  route('GET /dashboard/arena-agents', {
    key: 'member',
    summary: "List the partner's agents, newest first",
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
  route('GET /dashboard/arena-agents/{agentId}', {
    key: 'member',
    summary: 'Show an agent of the partner',
    operation: `query ($agentId: ID!) { result: arenaAgent(id: $agentId) { ${agent} } }`,
    notFound: 'AGENT_NOT_FOUND',
    message: 'Agent retrieved successfully',
    errors: ['AGENT_NOT_FOUND'],
  }),
  route('PATCH /dashboard/arena-agents/{agentId}', {
    ...changes,
    summary: 'Change an agent; a new way of thinking must be validated anew',
    operation: mutationOf('updateArenaAgent', changedAgent),
    message: 'Agent updated successfully',
  }),
  route('DELETE /dashboard/arena-agents/{agentId}', {
    ...changes,
    summary: 'Retire an agent for good; its history stays',
    operation: mutationOf('retireArenaAgent', changedAgent),
    message: 'Agent retired successfully',
  }),
  route('POST /dashboard/arena-agents/{agentId}/activate', {
    ...changes,
    summary: 'Let an agent play, after a validation match when it is a draft',
    operation: mutationOf(
      'activateArenaAgent',
      `agent: arenaAgent { ${agent} } validationMatch { id: uuid status }`,
    ),
    message: 'Agent activation started successfully',
  }),
  route('POST /dashboard/arena-agents/{agentId}/pause', {
    ...changes,
    summary: 'Let an agent rest; its match under way goes on',
    operation: mutationOf('pauseArenaAgent', changedAgent),
    message: 'Agent paused successfully',
  }),
]
