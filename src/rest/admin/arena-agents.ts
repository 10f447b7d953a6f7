import { z } from 'zod'
import { flag } from '../../kit/validation.ts'
import { changedAgent } from '../dashboard/arena-agents.ts'
import { route } from '../route.ts'

const suspension = (name: 'suspendArenaAgent' | 'reinstateArenaAgent') =>
  `mutation ($agentId: ID!) {
    result: ${name}(input: { agentId: $agentId }) {
      ... on ${name === 'suspendArenaAgent' ? 'SuspendArenaAgentPayload' : 'ReinstateArenaAgentPayload'} {
        ${changedAgent}
      }
      ...Problem
    }
  }`

export const adminArenaAgents = [
  route('POST /admin/arena-agents/{agentId}/suspend', {
    key: 'operator',
    summary: 'Suspend or reinstate an agent of any partner',
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
]
