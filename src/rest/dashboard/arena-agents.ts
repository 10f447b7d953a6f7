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
    summary: 'Create an agent; the signing secret of a WEBHOOK agent is shown only here',
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
    summary:
      'Change an agent; changing the provider, model, address or key requires a new validation',
    operation: mutationOf('updateArenaAgent', changedAgent),
    message: 'Agent updated successfully',
  }),
  route('DELETE /dashboard/arena-agents/{agentId}', {
    ...changes,
    summary: 'Retire an agent permanently; its history is kept',
    operation: mutationOf('retireArenaAgent', changedAgent),
    message: 'Agent retired successfully',
  }),
  route('POST /dashboard/arena-agents/{agentId}/activate', {
    ...changes,
    summary: 'Activate an agent; a draft plays a validation match first',
    operation: mutationOf(
      'activateArenaAgent',
      `agent: arenaAgent { ${agent} } validationMatch { id: uuid status }`,
    ),
    message: 'Agent activation started successfully',
  }),
  route('POST /dashboard/arena-agents/{agentId}/pause', {
    ...changes,
    summary: 'Pause an agent; its current match continues',
    operation: mutationOf('pauseArenaAgent', changedAgent),
    message: 'Agent paused successfully',
  }),
]
