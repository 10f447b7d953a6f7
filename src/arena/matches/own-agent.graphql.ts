/** Partners manage their agents, and schedule and cancel matches. */
import { z } from 'zod'
import { enumType } from '../../kit/schema/input.ts'
import { mutation } from '../../kit/schema/mutation.ts'
import { tenantOf } from '../../kit/tenant.ts'
import { UserRef } from '../../users/end-user.graphql.ts'
import { externalIdOf } from '../../users/end-user.ts'
import { ArenaAgentRef, PublicArenaAgentRef } from '../agents/agent.graphql.ts'
import {
  CreateArenaAgent,
  checkAgentChange,
  checkNewAgent,
  createAgent,
  UpdateArenaAgent,
} from '../agents/agent.ts'
import { SupportArenaAgent, supportAgents } from '../agents/support.ts'
import { id } from '../arena-input.ts'
import { liveTenant } from '../live-only.ts'
import {
  activateAgent,
  pauseAgent,
  reinstateAgent,
  retireAgent,
  suspendAgent,
  updateAgent,
} from './agent-status.ts'
import { ArenaMatchRef } from './match.graphql.ts'
import { cancelMatch, ScheduleArenaMatch, scheduleMatch } from './match.ts'

const agentId = () =>
  z.object({ arenaAgentId: id('ArenaAgent').describe('The agent, by its global id or its UUID.') })

mutation('createArenaAgent', {
  description: 'Creates an agent as a draft. Activate it with `activateArenaAgent`.',
  key: 'member',
  right: 'ARENA_WRITE',
  input: CreateArenaAgent,
  payload: {
    arenaAgent: ArenaAgentRef,
    signingSecret: {
      type: 'String',
      nullable: true,
      description: 'For WEBHOOK: the secret that signs the requests for moves. Shown only here.',
    },
  },
  errors: ['LIVE_ONLY', 'AGENT_NAME_TAKEN', 'AGENT_LIMIT_REACHED'],
  prepare: (input, ctx, caller) => checkNewAgent(ctx, { ...input, ...tenantOf(caller) }),
  resolve: async (agent, ctx) => {
    const { signingSecret, ...arenaAgent } = await createAgent(ctx, agent)
    return { arenaAgent, signingSecret }
  },
})

mutation('updateArenaAgent', {
  description:
    'Changes an agent. Changing the model, address or key makes it a draft, which must be validated again.',
  key: 'member',
  right: 'ARENA_WRITE',
  input: UpdateArenaAgent,
  isVersioned: true,
  payload: { arenaAgent: ArenaAgentRef },
  errors: ['LIVE_ONLY', 'AGENT_NOT_FOUND', 'AGENT_STATUS_CONFLICT'],
  prepare: ({ arenaAgentId: agentId, ...input }, ctx, caller) =>
    checkAgentChange(ctx, { ...input, agentId, ...tenantOf(caller) }),
  resolve: async (change, ctx) => ({ arenaAgent: await updateAgent(ctx, change) }),
})

mutation('activateArenaAgent', {
  description:
    'Activates an agent. A paused agent plays at once, a draft after a validation match against itself.',
  key: 'member',
  right: 'ARENA_WRITE',
  input: agentId().describe('An agent to activate.'),
  payload: {
    arenaAgent: ArenaAgentRef,
    validationMatch: {
      type: ArenaMatchRef,
      nullable: true,
      description: 'The validation match; null if none is needed.',
    },
  },
  errors: ['LIVE_ONLY', 'AGENT_NOT_FOUND', 'AGENT_STATUS_CONFLICT'],
  resolve: async ({ arenaAgentId: agentId }, ctx, caller) => {
    const { agent, validationMatch } = await activateAgent(ctx, { agentId, ...tenantOf(caller) })
    return { arenaAgent: agent, validationMatch }
  },
})

mutation('pauseArenaAgent', {
  description: 'Pauses an active agent. Its current match continues.',
  key: 'member',
  right: 'ARENA_WRITE',
  input: agentId().describe('An agent to pause.'),
  payload: { arenaAgent: ArenaAgentRef },
  errors: ['LIVE_ONLY', 'AGENT_NOT_FOUND', 'AGENT_STATUS_CONFLICT'],
  resolve: async ({ arenaAgentId: agentId }, ctx, caller) => ({
    arenaAgent: await pauseAgent(ctx, { agentId, ...tenantOf(caller) }),
  }),
})

mutation('retireArenaAgent', {
  description: 'Retires an agent permanently and cancels its matches. Its history is kept.',
  key: 'member',
  right: 'ARENA_WRITE',
  input: agentId().describe('An agent to retire.'),
  payload: { arenaAgent: ArenaAgentRef },
  errors: ['LIVE_ONLY', 'AGENT_NOT_FOUND', 'AGENT_STATUS_CONFLICT'],
  resolve: async ({ arenaAgentId: agentId }, ctx, caller) => ({
    arenaAgent: await retireAgent(ctx, { agentId, ...tenantOf(caller) }),
  }),
})

mutation('suspendArenaAgent', {
  description: 'Keeps an agent of any partner from playing, and cancels its matches.',
  key: 'operator',
  input: agentId().describe('An agent to suspend.'),
  payload: { arenaAgent: ArenaAgentRef },
  errors: ['AGENT_NOT_FOUND', 'AGENT_STATUS_CONFLICT'],
  resolve: async ({ arenaAgentId }, ctx) => ({
    arenaAgent: await suspendAgent(ctx, arenaAgentId),
  }),
})

mutation('reinstateArenaAgent', {
  description: 'Ends the suspension of an agent. It becomes a draft, which its owner can activate.',
  key: 'operator',
  input: agentId().describe('An agent to reinstate.'),
  payload: { arenaAgent: ArenaAgentRef },
  errors: ['AGENT_NOT_FOUND', 'AGENT_STATUS_CONFLICT'],
  resolve: async ({ arenaAgentId }, ctx) => ({
    arenaAgent: await reinstateAgent(ctx, arenaAgentId),
  }),
})

mutation('supportArenaAgent', {
  description: 'Moves points from the wallet of a user to an agent.',
  key: 'secret',
  right: 'PLAY',
  isAudited: false,
  input: SupportArenaAgent,
  payload: {
    arenaAgent: PublicArenaAgentRef,
    user: UserRef,
    points: { type: 'Int', description: 'The points that moved from the wallet to the agent.' },
  },
  errors: ['LIVE_ONLY', 'AGENT_NOT_FOUND', 'USER_NOT_FOUND', 'USER_BLOCKED', 'INSUFFICIENT_POINTS'],
  resolve: async ({ user, arenaAgentId: agentId, points }, ctx, caller) => {
    const tenant = liveTenant(caller)
    const externalId = await externalIdOf(ctx, caller, user)
    return ctx.write(supportAgents, { ...tenant, externalId, agentId, points })
  },
})

enumType('ArenaScheduledMatchType', 'The kind of a match that a partner schedules.', {
  RANKED: 'It changes the ratings of both; between agents of different partners.',
  FRIENDLY: 'It changes no rating.',
})

mutation('scheduleArenaMatch', {
  description: "Schedules a match of one of the caller's own agents.",
  key: 'member',
  right: 'ARENA_WRITE',
  input: ScheduleArenaMatch,
  payload: { arenaMatch: ArenaMatchRef },
  errors: [
    'LIVE_ONLY',
    'AGENT_NOT_FOUND',
    'AGENT_NOT_READY',
    'RANKED_NEEDS_PARTNERS',
    'MATCH_LIMIT_REACHED',
  ],
  resolve: async (input, ctx, caller) => ({
    arenaMatch: await scheduleMatch(ctx, liveTenant(caller), input),
  }),
})

mutation('cancelArenaMatch', {
  description: "Cancels a match of the caller's own agents. Operators can cancel any match.",
  key: 'member',
  right: 'ARENA_WRITE',
  input: z
    .object({ arenaMatchId: id('ArenaMatch').describe('The match, by its global id or its UUID.') })
    .describe('A match to cancel.'),
  payload: { arenaMatch: ArenaMatchRef },
  errors: ['LIVE_ONLY', 'MATCH_NOT_FOUND', 'MATCH_ENDED'],
  resolve: async ({ arenaMatchId }, ctx, caller) => {
    const by = { ...liveTenant(caller), isOperator: caller.isOperator }
    return { arenaMatch: await cancelMatch(ctx, by, arenaMatchId) }
  },
})
