import { z } from 'zod'
import type { ArenaAgent } from '../../generated/prisma/client.ts'
import { ArenaAgentProvider, ArenaAgentStatus } from '../../generated/prisma/enums.ts'
import type { Context } from '../../kit/access/context.ts'
import { builder } from '../../kit/schema/builder.ts'
import { exactly, ranked } from '../../kit/schema/connection.ts'
import { load } from '../../kit/schema/edge.ts'
import { versioned, versionField } from '../../kit/schema/expected-version.ts'
import { among, anyCondition, containing, equal, someOf } from '../../kit/schema/filters.ts'
import { enumType } from '../../kit/schema/input.ts'
import { list } from '../../kit/schema/list.ts'
import { numbered } from '../../kit/schema/numbered.ts'
import { isOwn, orOwn } from '../../kit/schema/owner.ts'
import { PlatformRef } from '../../kit/schema/platform.ts'
import { publicPart, refuseNonOwners } from '../../kit/schema/public-part.ts'
import { query } from '../../kit/schema/query.ts'
import { rows } from '../../kit/schema/rows.ts'
import { tenantOf } from '../../kit/tenant.ts'
import { flag, title } from '../../kit/validation.ts'
import { ArenaRef } from '../arena.graphql.ts'
import { id } from '../arena-input.ts'
import {
  byRating,
  findRatings,
  listedAgents,
  listSupporters,
  pictureUrlOf,
  type RankedAgent,
  type RatingChange,
  readPartnerNames,
  readRatingTrends,
  type Supporter,
  visibleAgents,
} from './agent-read.ts'
import { faultKinds } from './move.ts'
import {
  type AgentTier,
  agentTierOf,
  agentTiers,
  matchWinRateOf,
  ratingsOf,
} from './rating.rules.ts'

const ArenaAgentProviderRef = enumType('ArenaAgentProvider', "Where an agent's moves come from.", {
  BUILTIN: 'A built-in strategy; needs no network.',
  CLAUDE: "Anthropic's models, called with the agent's own API key.",
  OPENAI: "OpenAI's models, called with the agent's own API key.",
  GEMINI: "Google's models, called with the agent's own API key.",
  MISTRAL: "Mistral's models, called with the agent's own API key.",
  CUSTOM: "Any service compatible with OpenAI's chat completions.",
  WEBHOOK: "The partner's own server, called with signed requests.",
})

const ArenaAgentStatusRef = enumType('ArenaAgentStatus', 'Whether an agent plays.', {
  DRAFT: 'Not yet validated, so that it cannot play.',
  ACTIVE: 'Plays.',
  PAUSED: 'Paused by its owner.',
  SUSPENDED: 'Suspended by an operator.',
  RETIRED: 'Retired permanently.',
})

const ArenaAgentTierRef = enumType(
  'ArenaAgentTier',
  'How strong an agent is, by its Elo rating.',
  Object.fromEntries(
    agentTiers.map((tier, i) => [
      tier,
      [
        'Elo rating below 1300.',
        'Elo rating from 1300 to 1499.',
        'Elo rating from 1500 to 1699.',
        'Elo rating of 1700 and above.',
      ][i] ?? '',
    ]),
  ) as Record<(typeof agentTiers)[number], string>,
)

const validationErrors = {
  ...faultKinds,
  CANCELLED: 'The match was cancelled before it ended.',
} as const

const ArenaValidationErrorRef = enumType(
  'ArenaValidationError',
  'Why the validation match of an agent failed.',
  validationErrors,
)

/** The fields that a match shows of both sides, and that every agent has. */
export const ArenaContenderRef = builder.interfaceRef<ArenaAgent>('ArenaContender').implement({
  description: "An agent's name and strength.",
  fields: (t) => ({
    displayName: t.exposeString('displayName', {
      description: 'Name shown to spectators, set by its owner.',
    }),
    avatarUrl: t.expose('avatarUrl', {
      type: 'URL',
      nullable: true,
      description: 'Picture set by its owner.',
    }),
    pictureUrl: t.field({
      type: 'URL',
      description: 'Its picture: `avatarUrl`, or one generated from its id.',
      resolve: (agent, _, { config }) => pictureUrlOf(config, agent),
    }),
    tier: t.field({
      type: ArenaAgentTierRef,
      description: 'How strong it is.',
      resolve: ({ eloRating }) => agentTierOf(eloRating),
    }),
    eloRating: t.exposeInt('eloRating', { description: 'Elo rating; starts at 1200.' }),
  }),
})

const isOwner = (ctx: Context, agent: ArenaAgent): boolean => isOwn(ctx, agent, 'ARENA_READ')

export const PublicArenaAgentRef = publicPart<ArenaAgent>('ArenaAgent', {
  description: 'An automated player of the arena.',
  interfaces: [ArenaContenderRef],
  isOwn: isOwner,
  // Long: the fields of one type, one after another.
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Short name, unique within its partner.' }),
    partnerName: t.string({
      description: 'Name of the partner who owns it.',
      resolve: ({ partnerId }, _, ctx) => load(ctx, readPartnerNames, partnerId),
    }),
    thinkingStyle: t.exposeString('thinkingStyle', {
      nullable: true,
      description: "Its style of play, in its owner's words.",
    }),
    matchCount: t.exposeInt('totalMatches', {
      description: 'Ranked matches completed; friendly matches do not count.',
    }),
    wins: t.exposeInt('wins', { description: 'Ranked matches that it has won.' }),
    losses: t.exposeInt('losses', { description: 'Ranked matches that it has lost.' }),
    draws: t.exposeInt('draws', { description: 'Ranked matches that ended in a draw.' }),
    winRate: t.float({
      nullable: true,
      description: 'wins / matchCount, 0 to 1; null without matches.',
      resolve: matchWinRateOf,
    }),
    ratingTrend: t.intList({
      description:
        'Its Elo rating before and after each of its newest ranked matches, 24 matches at most, oldest first.',
      resolve: ({ id }, _, ctx) => load(ctx, readRatingTrends, id),
    }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'What it is, as its owner describes it.',
    }),
    provider: t.expose('provider', {
      type: ArenaAgentProviderRef,
      description: 'Where its moves come from.',
    }),
    modelId: t.exposeString('modelId', {
      description: 'The strategy of a BUILTIN agent; otherwise the model.',
    }),
    status: t.expose('status', {
      type: ArenaAgentStatusRef,
      description: 'Whether it plays, and if not, why.',
    }),
    isPublic: t.exposeBoolean('isPublic', { description: 'Whether it is public.' }),
    glickoRating: t.exposeFloat('glickoRating', {
      description: 'Glicko-2 rating; starts at 1500.',
    }),
    ratingDeviation: t.exposeFloat('ratingDeviation', {
      description: 'Glicko-2 rating deviation; starts at 350 and shrinks with each match.',
    }),
    supportPoints: t.expose('totalSupportReceived', {
      type: 'SafeInt',
      description: 'Points that users gave it.',
    }),
    supporterCount: t.exposeInt('totalSupporters', {
      description: 'Number of users who gave it points.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
  }),
})

export const ArenaAgentRef = builder.prismaNode('ArenaAgent', {
  description: 'An automated player of the arena, for its owner and for operators.',
  id: { field: 'id' },
  nullable: true,
  interfaces: [ArenaContenderRef, PublicArenaAgentRef],
  findUnique: (id, ctx) => ({ id, ...orOwn(ctx, visibleAgents, 'ARENA_READ') }),
  authScopes: refuseNonOwners(isOwner),
  fields: (t) => ({
    endpointUrl: t.expose('endpointUrl', {
      type: 'URL',
      nullable: true,
      description: "Where its moves are requested; null for the provider's default address.",
    }),
    secretLastFour: t.exposeString('secretLastFour', {
      nullable: true,
      description: 'The last four characters of its key or secret; null if it has none.',
    }),
    validatedAt: t.expose('validatedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it last passed validation; null if it has not.',
    }),
    validationError: t.field({
      type: ArenaValidationErrorRef,
      nullable: true,
      description: 'Why its last validation match failed; null if it did not.',
      resolve: ({ validationError }) => validationError as keyof typeof validationErrors | null,
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When its settings or its status last changed.',
    }),
    version: t.exposeInt('version', versionField),
  }),
})

versioned(ArenaAgentRef)

const SupporterRef = builder.objectRef<Supporter>('ArenaSupporter').implement({
  description: 'A user who gave points to an agent.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Display name; `Anonymous` if there is none.' }),
    points: t.expose('amount', { type: 'SafeInt', description: 'Points given in total.' }),
    lastAt: t.expose('lastAt', { type: 'DateTime', description: 'When they last gave points.' }),
  }),
})

export const ArenaRatingChangeRef = builder.objectRef<RatingChange>('ArenaRatingChange').implement({
  description: 'How a ranked match changed the rating of an agent.',
  fields: (t) => ({
    number: t.exposeInt('number', { description: 'Numbered from 1 for each agent.' }),
    eloBefore: t.exposeInt('eloBefore', { description: 'Elo rating before it.' }),
    eloAfter: t.exposeInt('eloAfter', { description: 'Elo rating after it.' }),
    glickoRating: t.exposeFloat('glickoRating', { description: 'Glicko-2 rating after it.' }),
    ratingDeviation: t.exposeFloat('ratingDeviation', {
      description: 'Glicko-2 deviation after it.',
    }),
    ratedAt: t.expose('ratedAt', { type: 'DateTime', description: 'When the match ended.' }),
  }),
})

list([PublicArenaAgentRef, 'supporters'], {
  description: 'Users who gave it points, the most generous first.',
  of: SupporterRef,
  from: ({ parent: { id, totalSupporters }, ctx }) => ({
    order: 'amount desc, userId asc',
    placeOf: ({ amount, userId }) => [amount, userId],
    count: () => exactly(totalSupporters),
    fetch: (part) => load(ctx, listSupporters, { ...part, agentId: id }),
  }),
})

list([PublicArenaAgentRef, 'ratingChanges'], {
  description: 'Its rating changes, newest first.',
  of: ArenaRatingChangeRef,
  orders: { NUMBER: { by: ['number'], description: 'By number, in the order of creation.' } },
  order: ['NUMBER', 'DESC'],
  from: ({ parent: { id, totalMatches }, order, ctx }) =>
    numbered('number', {
      last: totalMatches,
      order,
      read: (range) => load(ctx, findRatings, { ...range, agentId: id }),
    }),
})

export const ArenaLeaderboardEntryRef = builder
  .objectRef<RankedAgent>('ArenaLeaderboardEntry')
  .implement({
    description: 'An agent and its position.',
    fields: (t) => ({
      rank: t.exposeInt('rank', { description: 'Position; 1 is the top.' }),
      agent: t.field({
        type: PublicArenaAgentRef,
        description: 'The agent at this position.',
        resolve: ({ agent }) => agent,
      }),
    }),
  })

list([ArenaRef, 'leaderboard'], {
  description: 'The public agents by Elo rating.',
  of: ArenaLeaderboardEntryRef,
  onStandby: true,
  from: ({ ctx }) =>
    ranked(rows(ctx.db.arenaAgent, { where: listedAgents, order: byRating }), {
      total: () => ctx.db.arenaAgent.count({ where: listedAgents }),
      entry: (agent, rank) => ({ rank, agent }),
      rowOf: ({ agent }) => agent,
    }),
})

const args = z.object({ id: id('ArenaAgent').describe('The agent, by its global id or its UUID.') })

query([ArenaRef, 'agent'], {
  description: 'A public agent; null if not found.',
  args,
  type: PublicArenaAgentRef,
  nullable: true,
  resolve: ({ id }, { db }) => db.arenaAgent.findFirst({ where: { id, ...visibleAgents } }),
})

query('arenaAgent', {
  description: "One of the caller's own agents.",
  key: 'member',
  right: 'ARENA_READ',
  args,
  type: ArenaAgentRef,
  nullable: true,
  resolve: ({ id }, { db }, caller) =>
    db.arenaAgent.findFirst({ where: { id, ...tenantOf(caller) } }),
})

query([PlatformRef, 'arenaAgent'], {
  description: 'An agent of any partner.',
  key: 'operator',
  args,
  type: ArenaAgentRef,
  nullable: true,
  resolve: ({ id }, { db }) => db.arenaAgent.findUnique({ where: { id } }),
})

const agentTierNames = Object.fromEntries(agentTiers.map((tier) => [tier, tier])) as {
  [T in AgentTier]: T
}

const PublicArenaAgentFilter = z
  .object({
    statuses: someOf('ArenaAgentStatus', ArenaAgentStatus)
      .nullish()
      .describe('Only agents of these statuses.'),
    providers: someOf('ArenaAgentProvider', ArenaAgentProvider)
      .nullish()
      .describe('Only agents of these providers.'),
    tiers: someOf('ArenaAgentTier', agentTierNames)
      .nullish()
      .describe('Only agents of these tiers.'),
    search: title(255)
      .nullish()
      .describe('Only agents whose name or display name contains this; case-insensitive.'),
  })
  .describe('Conditions on agents; all that are given must hold.')

const ArenaAgentFilter = PublicArenaAgentFilter.extend({
  isPublic: flag().nullish().describe('true: only public agents; false: only the others.'),
}).describe('Conditions on agents; all that are given must hold.')

type Filter = z.output<typeof PublicArenaAgentFilter> & { isPublic?: boolean | null | undefined }

const whereOf = ({ search, statuses, providers, tiers, isPublic }: Filter) => ({
  ...among({ status: statuses, provider: providers }),
  ...equal({ isPublic }),
  ...containing(search, ['name', 'displayName']),
  AND: tiers ? anyCondition(tiers.map((tier) => ({ eloRating: ratingsOf(tier) }))) : {},
})

list([ArenaRef, 'agents'], {
  description: 'The public agents, newest first.',
  of: PublicArenaAgentRef,
  name: 'PublicArenaAgent',
  filter: PublicArenaAgentFilter,
  orders: {
    CREATED_AT: { by: ['id'], description: 'By time of creation.' },
    ELO_RATING: {
      by: ['eloRating', 'id'],
      description: 'By Elo rating, and among equals by time of creation.',
    },
  },
  order: ['CREATED_AT', 'DESC'],
  onStandby: true,
  from: ({ filter, order, ctx }) =>
    rows(ctx.db.arenaAgent, { where: { AND: [listedAgents, whereOf(filter)] }, order }),
})

const parts = {
  of: ArenaAgentRef,
  filter: ArenaAgentFilter,
  orders: {
    CREATED_AT: { by: ['id'], description: 'By time of creation.' },
    NAME: { by: ['name', 'id'], description: 'By name.' },
  },
  orderName: 'CreatedAtOrName',
  order: ['CREATED_AT', 'DESC'],
} as const

list('arenaAgents', {
  ...parts,
  description: "The caller's own agents, including retired ones, newest first.",
  key: 'member',
  right: 'ARENA_READ',
  from: ({ caller, filter, order, ctx }) =>
    rows(ctx.db.arenaAgent, { where: { ...tenantOf(caller), ...whereOf(filter) }, order }),
})

list([PlatformRef, 'arenaAgents'], {
  ...parts,
  description: 'The agents of all partners, including private and retired ones, newest first.',
  key: 'operator',
  from: ({ filter, order, ctx }) => rows(ctx.db.arenaAgent, { where: whereOf(filter), order }),
})
