import { z } from 'zod'
import { requireCaller } from '../core/context.ts'
import { builder } from '../core/graphql/builder.ts'
import { equal, Period, within } from '../core/graphql/filters.ts'
import { enumType } from '../core/graphql/input.ts'
import { list } from '../core/graphql/list.ts'
import { rows } from '../core/graphql/rows.ts'
import { EnvironmentRef } from '../core/graphql/vocabulary.ts'
import { tenantOf } from '../core/tenant.ts'
import { oneOf } from '../core/validation.ts'
import { CampaignStatus } from '../generated/prisma/enums.ts'
import { isRunning } from './campaign.rules.ts'
import { type FullCampaign, getCampaigns, withMechanics } from './campaign.ts'
import { gameUrlOf, getPartnerSlugs } from './public-campaign.ts'

const CampaignStatusRef = enumType('CampaignStatus', 'What its partner has made of a campaign.', {
  DRAFT: 'Not shown and not taking anything yet.',
  ACTIVE: 'Running, between its dates.',
  PAUSED: 'Shown, but taking nothing for now.',
  ENDED: 'Over for good.',
})

const EventRuleRef = builder.prismaObject('CampaignEventRule', {
  fields: (t) => ({
    eventType: t.exposeString('eventType', { description: 'What users do.' }),
    points: t.exposeInt('points', { description: 'Points of one event.' }),
  }),
})

export const PrizeTierRef = builder.prismaObject('PrizeTier', {
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The prize in words.' }),
    points: t.exposeInt('points'),
    weight: t.exposeInt('weight'),
    wins: t.exposeInt('wins'),
    maxWins: t.exposeInt('maxWins'),
    remaining: t.int({
      description: 'How often it can still be won.',
      resolve: ({ maxWins, wins }) => maxWins - wins,
    }),
  }),
})

type InstantWinConfig = { winsPerMillion: number; campaign: FullCampaign }

const InstantWinRef = builder.objectRef<InstantWinConfig>('InstantWinRules').implement({
  description: 'Each event may win a prize.',
  fields: (t) => ({
    winsPerMillion: t.exposeInt('winsPerMillion', {
      description: 'Of a million events so many win, as long as there are prizes.',
    }),
    winCodeDays: t.int({
      description: 'Days in which a win code must be redeemed.',
      resolve: ({ campaign }) => campaign.winCodeDays,
    }),
    tiers: t.field({
      type: [PrizeTierRef],
      description: 'The prizes, in the order in which they are shown.',
      resolve: ({ campaign }) => campaign.tiers,
    }),
  }),
})

type ReferralConfig = { referrerReward: number; refereeReward: number }

const ReferralRulesRef = builder.objectRef<ReferralConfig>('ReferralRules').implement({
  description: 'Users bring users.',
  fields: (t) => ({
    referrerReward: t.exposeInt('referrerReward', { description: 'Points for who refers.' }),
    refereeReward: t.exposeInt('refereeReward', { description: 'Points for who is referred.' }),
  }),
})

export const CampaignRef = builder.prismaNode('Campaign', {
  id: { field: 'id' },
  nullable: true,
  include: withMechanics,
  findUnique: (id, ctx) => ({ id, ...tenantOf(requireCaller(ctx, 'secret')) }),
  fields: (t) => ({
    campaignId: t.exposeString('id', { description: 'UUID, the same in REST and in events.' }),
    slug: t.exposeString('slug'),
    name: t.exposeString('name', { description: 'Name to show.' }),
    description: t.exposeString('description', { description: 'What it is about; may be empty.' }),
    environment: t.expose('environment', { type: EnvironmentRef, description: 'TEST or LIVE.' }),
    status: t.expose('status', {
      type: CampaignStatusRef,
      description: 'What its partner has made of it.',
    }),
    isRunning: t.boolean({
      description: 'Whether it takes events now: ACTIVE, and between its dates.',
      resolve: (campaign, _, { clock }) => isRunning(campaign, clock()),
    }),
    startsAt: t.expose('startsAt', { type: 'DateTime', nullable: true }),
    endsAt: t.expose('endsAt', { type: 'DateTime', nullable: true }),
    maxPlaysPerUser: t.exposeInt('maxPlaysPerUser', { nullable: true }),
    creditsWallet: t.exposeBoolean('creditsWallet'),
    eventRules: t.field({
      type: [EventRuleRef],
      description: 'Event types that are worth points, in alphabetical order.',
      resolve: ({ eventRules }) => eventRules,
    }),
    instantWin: t.field({
      type: InstantWinRef,
      nullable: true,
      description: 'Prizes for events; null for none.',
      resolve: (campaign) =>
        campaign.winsPerMillion === null
          ? null
          : { winsPerMillion: campaign.winsPerMillion, campaign },
    }),
    referrals: t.field({
      type: ReferralRulesRef,
      nullable: true,
      description: 'Rewards for referrals; null for none.',
      resolve: ({ referrerReward, refereeReward }) =>
        referrerReward === null || refereeReward === null
          ? null
          : { referrerReward, refereeReward },
    }),
    gameUrl: t.string({
      description: 'The page of the campaign for users.',
      resolve: async (campaign, _, ctx) =>
        gameUrlOf(
          ctx.config.publicUrl,
          await ctx.read(getPartnerSlugs, campaign.partnerId),
          campaign,
        ),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When it was last changed.',
    }),
  }),
})

const CampaignFilter = z
  .object({
    status: oneOf('CampaignStatus', CampaignStatus)
      .nullish()
      .describe('Only campaigns of this status.'),
    startsAt: Period.nullish().describe('Only campaigns that start in this time.'),
    endsAt: Period.nullish().describe('Only campaigns that end in this time.'),
  })
  .describe('Which campaigns.')

list('campaigns', {
  description: 'The campaigns, by slug.',
  key: 'secret',
  of: CampaignRef,
  filter: CampaignFilter,
  orders: {
    SLUG: { by: ['slug'], description: 'By slug.' },
    CREATED_AT: { by: ['id'], description: 'By when they were made.' },
  },
  order: ['SLUG', 'ASC'],
  from: ({ caller, filter: { status, ...periods }, order, ctx }) =>
    rows(ctx.db.campaign, {
      where: { ...tenantOf(caller), ...equal({ status }), ...within(periods) },
      include: withMechanics,
      order,
    }),
})

builder.queryFields((t) => ({
  campaign: t.field({
    type: CampaignRef,
    description: 'A campaign by its slug. Error CAMPAIGN_NOT_FOUND.',
    authScopes: { key: 'secret' },
    args: { slug: t.arg.string({ required: true, description: 'Slug of the campaign.' }) },
    resolve: (_, { slug }, ctx) =>
      ctx.read(getCampaigns, { ...tenantOf(requireCaller(ctx, 'secret')), slug }) as never,
  }),
}))
