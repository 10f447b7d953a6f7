/** What a partner does with its own agents. */
import { z } from 'zod'
import { requireCaller } from '../../core/context.ts'
import { builder } from '../../core/graphql/builder.ts'
import { equal } from '../../core/graphql/filters.ts'
import { list } from '../../core/graphql/list.ts'
import { mutation } from '../../core/graphql/mutation.ts'
import { rows } from '../../core/graphql/rows.ts'
import { tenantOf } from '../../core/tenant.ts'
import { flag, oneOf } from '../../core/validation.ts'
import type { ArenaAgent } from '../../generated/prisma/client.ts'
import { ArenaAgentStatus } from '../../generated/prisma/enums.ts'
import { id } from '../arena-input.ts'
import { liveTenant } from '../live-only.ts'
import { ArenaMatchRef } from '../matches/match.graphql.ts'
import { ArenaAgentDetails, RatedArenaAgent } from './agent.graphql.ts'
import {
  CreateArenaAgent,
  createAgent,
  UpdateArenaAgent,
  updateAgent,
  type WithSigningSecret,
} from './agent.ts'
import { getOwnAgent } from './agent-read.ts'
import {
  type Activation,
  activateAgent,
  pauseAgent,
  retireAgent,
  suspendAgent,
} from './agent-status.ts'
import { SupportArenaAgent, type Supported, supportAgents } from './support.ts'

const owned = builder.interfaceRef<ArenaAgent>('OwnedArenaAgent').implement({
  description: 'What its owner knows of an agent.',
  interfaces: [RatedArenaAgent, ArenaAgentDetails],
  fields: (t) => ({
    endpointUrl: t.exposeString('endpointUrl', {
      nullable: true,
      description: 'Where it is asked for moves, when not at the usual place of its provider.',
    }),
    secretLastFour: t.exposeString('secretLastFour', {
      nullable: true,
      description: 'The last four characters of its key or secret.',
    }),
    validatedAt: t.expose('validatedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it last showed that it plays by the rules.',
    }),
    validationError: t.exposeString('validationError', {
      nullable: true,
      description:
        'Why its last validation match failed: ILLEGAL_MOVE, TIMEOUT, FAILED, CANCELLED.',
    }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
})

const OwnAgentRef = builder.objectRef<ArenaAgent>('OwnArenaAgent').implement({
  description: "An agent of the caller's own.",
  interfaces: [RatedArenaAgent, ArenaAgentDetails, owned],
})

const OwnArenaAgentFilter = z
  .object({
    status: oneOf('ArenaAgentStatus', ArenaAgentStatus)
      .nullish()
      .describe('Only agents of this status.'),
  })
  .describe('Which agents.')

list('ownArenaAgents', {
  description: "The caller's own agents, newest first, retired ones included.",
  key: 'member',
  of: OwnAgentRef,
  filter: OwnArenaAgentFilter,
  orders: {
    CREATED_AT: { by: ['id'], description: 'By when they were made.' },
    NAME: { by: ['name'], description: 'By name.' },
  },
  order: ['CREATED_AT', 'DESC'],
  from: ({ caller, filter, order, ctx }) =>
    rows(ctx.db.arenaAgent, { where: { ...tenantOf(caller), ...equal(filter) }, order }),
})

builder.queryFields((t) => ({
  ownArenaAgent: t.field({
    type: OwnAgentRef,
    description: "One of the caller's own agents. Error AGENT_NOT_FOUND.",
    authScopes: { key: 'member' },
    args: { agentId: t.arg.string({ required: true, description: 'UUID of the agent.' }) },
    resolve: (_, { agentId }, ctx) =>
      getOwnAgent(ctx, tenantOf(requireCaller(ctx, 'member')), agentId),
  }),
}))

const agentId = () => z.object({ agentId: id('ArenaAgent').describe('UUID of the agent.') })

mutation('createArenaAgent', {
  description: 'Makes an agent, a draft; `activateArenaAgent` lets it play.',
  key: 'member',
  input: CreateArenaAgent,
  payload: builder.objectRef<WithSigningSecret>('CreateArenaAgentPayload').implement({
    description: 'A new agent.',
    interfaces: [RatedArenaAgent, ArenaAgentDetails, owned],
    fields: (t) => ({
      signingSecret: t.exposeString('signingSecret', {
        nullable: true,
        description: 'WEBHOOK: what signs the requests for moves. It is shown only here.',
      }),
      agent: t.field({
        type: OwnAgentRef,
        description: 'What stays known of it.',
        resolve: (agent) => agent,
      }),
    }),
  }),
  errors: ['LIVE_ONLY', 'AGENT_NAME_TAKEN', 'AGENT_LIMIT_REACHED'],
  resolve: (input, ctx, caller) => createAgent(ctx, { ...input, ...tenantOf(caller) }),
})

mutation('updateArenaAgent', {
  description:
    'Changes an agent. What changes how it thinks makes it a draft again, to be validated anew.',
  key: 'member',
  input: UpdateArenaAgent,
  payload: OwnAgentRef,
  errors: ['LIVE_ONLY', 'AGENT_NOT_FOUND', 'AGENT_STATUS_CONFLICT'],
  resolve: (input, ctx, caller) => updateAgent(ctx, { ...input, ...tenantOf(caller) }),
})

mutation('activateArenaAgent', {
  description:
    'Lets an agent play: one that rested at once, a draft after a validation match against itself.',
  key: 'member',
  input: agentId().describe('An agent to let play.'),
  payload: builder.objectRef<Activation>('ActivateArenaAgentPayload').implement({
    description: 'An agent that plays, or will.',
    fields: (t) => ({
      agent: t.field({
        type: OwnAgentRef,
        description: 'The agent.',
        resolve: ({ agent }) => agent,
      }),
      validationMatch: t.field({
        type: ArenaMatchRef,
        nullable: true,
        description: 'The match that shows whether it plays by the rules, if it needs one.',
        resolve: ({ validationMatch }) => validationMatch,
      }),
    }),
  }),
  errors: ['LIVE_ONLY', 'AGENT_NOT_FOUND', 'AGENT_STATUS_CONFLICT'],
  resolve: (input, ctx, caller) => activateAgent(ctx, { ...input, ...tenantOf(caller) }),
})

mutation('pauseArenaAgent', {
  description: 'Lets an active agent rest; its match under way goes on.',
  key: 'member',
  input: agentId().describe('An agent to let rest.'),
  payload: OwnAgentRef,
  errors: ['LIVE_ONLY', 'AGENT_NOT_FOUND', 'AGENT_STATUS_CONFLICT'],
  resolve: (input, ctx, caller) => pauseAgent(ctx, { ...input, ...tenantOf(caller) }),
})

mutation('retireArenaAgent', {
  description: 'Retires an agent for good and cancels its matches; its history stays.',
  key: 'member',
  input: agentId().describe('An agent to retire.'),
  payload: OwnAgentRef,
  errors: ['LIVE_ONLY', 'AGENT_NOT_FOUND', 'AGENT_STATUS_CONFLICT'],
  resolve: (input, ctx, caller) => retireAgent(ctx, { ...input, ...tenantOf(caller) }),
})

mutation('suspendArenaAgent', {
  description:
    'For administrators: keeps an agent of any partner from playing and cancels its matches, or ends that.',
  key: 'admin',
  input: agentId()
    .extend({
      suspended: flag().describe('false makes it a draft, which its owner can activate.'),
    })
    .describe('An agent to suspend.'),
  payload: OwnAgentRef,
  errors: ['AGENT_NOT_FOUND', 'AGENT_STATUS_CONFLICT'],
  resolve: (input, ctx) => suspendAgent(ctx, input),
})

mutation('supportArenaAgent', {
  description: 'Moves points from the wallet of a user to an agent.',
  key: 'secret',
  input: SupportArenaAgent,
  payload: builder.objectRef<Supported>('SupportArenaAgentPayload').implement({
    description: 'Points were given.',
    fields: (t) => ({
      agentId: t.exposeString('agentId', { description: 'UUID of the agent.' }),
      userId: t.exposeString('userId', { description: "The partner's id of the user." }),
      amount: t.exposeInt('amount', { description: 'Points given now.' }),
      userBalance: t.expose('userBalance', {
        type: 'SafeInt',
        description: 'What the user has left.',
      }),
      totalSupportReceived: t.expose('totalSupportReceived', {
        type: 'SafeInt',
        description: 'Points that the agent was given in all.',
      }),
      totalSupporters: t.exposeInt('totalSupporters', { description: 'Users who gave.' }),
    }),
  }),
  errors: ['LIVE_ONLY', 'AGENT_NOT_FOUND', 'USER_NOT_FOUND', 'INSUFFICIENT_POINTS'],
  resolve: async (input, ctx, caller) =>
    ctx.write(supportAgents, { ...input, ...liveTenant(caller) }),
})
