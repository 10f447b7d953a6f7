/** Members manage the agents of their partner and schedule matches. */
import { z } from 'zod'
import { flag } from '../../core/validation.ts'
import { route } from '../route.ts'
import { detailedMatch, match } from '../v1/arena-matches.ts'

const agent = `id: uuid name displayName description avatarUrl thinkingStyle provider modelId endpointUrl
  secretLastFour status isPublic validatedAt validationError tier eloRating ratingDeviation
  totalMatches: matchCount wins losses draws winRate totalSupportReceived: supportPoints
  totalSupporters: supporterCount createdAt updatedAt @given`

const changedAgent = `arenaAgent @flatten { ${agent} }`

const mutationOf = (name: string, selection = changedAgent) => {
  const Name = `${name[0]?.toUpperCase()}${name.slice(1)}`
  return `mutation ($input: ${Name}Input!) {
    result: ${name}(input: $input) { ... on ${Name}Payload { ${selection} } ...Problem }
  }`
}

const suspension = (name: 'suspendArenaAgent' | 'reinstateArenaAgent') =>
  `mutation ($agentId: ID!) {
    result: ${name}(input: { agentId: $agentId }) {
      ... on ${name === 'suspendArenaAgent' ? 'SuspendArenaAgentPayload' : 'ReinstateArenaAgentPayload'} {
        ${changedAgent}
      }
      ...Problem
    }
  }`

const changes = { key: 'member', notFound: 'AGENT_NOT_FOUND' } as const

export const arenaAgents = [
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
    operation: mutationOf('updateArenaAgent'),
    message: 'Agent updated successfully',
  }),
  route('DELETE /dashboard/arena-agents/{agentId}', {
    ...changes,
    summary: 'Retire an agent for good; its history stays',
    operation: mutationOf('retireArenaAgent'),
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
    operation: mutationOf('pauseArenaAgent'),
    message: 'Agent paused successfully',
  }),
  route('POST /admin/arena-agents/{agentId}/suspend', {
    key: 'admin',
    summary: 'Keep an agent of any partner from playing, or end that',
    operation: {
      by: z
        .object({
          suspended: flag().describe('false makes it a draft, which its owner can activate.'),
        })
        .describe('An agent to suspend.'),
      true: suspension('suspendArenaAgent'),
      false: suspension('reinstateArenaAgent'),
    },
    message: 'Agent suspension changed successfully',
    notFound: 'AGENT_NOT_FOUND',
  }),
  route('POST /dashboard/arena-matches', {
    key: 'member',
    summary: "Schedule a match of one of the partner's agents",
    operation: mutationOf('scheduleArenaMatch', `arenaMatch @flatten { ${match} }`),
    message: 'Match scheduled successfully',
  }),
  route('GET /dashboard/arena-matches', {
    key: 'member',
    summary: "List matches of the partner's agents, newest first, validations included",
    operation: `query ($status: ArenaMatchStatus, $agentId: ID, $page: String, $limit: Int) {
      result: arenaMatches(first: $limit, after: $page,
          filter: { status: $status, agentId: $agentId }) {
        data: nodes { ${match} }
        totalCount { value }
      }
    }`,
    paging: { meta: ['page', 'limit', 'total', 'totalPages'] },
    message: 'Matches retrieved successfully',
    list: true,
  }),
  route('GET /dashboard/arena-matches/{matchId}', {
    key: 'member',
    summary: "Show a match of the partner's agents with its games",
    operation: `query ($matchId: ID!) {
      arena { result: match(id: $matchId) { ${detailedMatch} endReason winnerSlot eloChange } }
    }`,
    notFound: 'MATCH_NOT_FOUND',
    message: 'Match retrieved successfully',
    errors: ['MATCH_NOT_FOUND'],
  }),
  route('POST /dashboard/arena-matches/{matchId}/cancel', {
    key: 'member',
    summary: "Cancel a match of the partner's agents; an administrator any match",
    operation: mutationOf('cancelArenaMatch', `arenaMatch @flatten { ${match} endReason }`),
    message: 'Match cancelled successfully',
    notFound: 'MATCH_NOT_FOUND',
  }),
]
