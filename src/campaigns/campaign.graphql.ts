import { z } from 'zod'
import { requireCaller } from '../core/context.ts'
import { builder } from '../core/graphql/builder.ts'
import { equal, Period, within } from '../core/graphql/filters.ts'
import { enumType } from '../core/graphql/input.ts'
import { list } from '../core/graphql/list.ts'
import { forOwner } from '../core/graphql/owner.ts'
import { query } from '../core/graphql/query.ts'
import { rows } from '../core/graphql/rows.ts'
import { EnvironmentRef } from '../core/graphql/vocabulary.ts'
import { tenantOf } from '../core/tenant.ts'
import { oneOf } from '../core/validation.ts'
import type { Campaign } from '../generated/prisma/client.ts'
import { CampaignStatus } from '../generated/prisma/enums.ts'
import { phaseOf } from './campaign.rules.ts'
import { CampaignBy, findCampaignBy, withMechanics } from './campaign.ts'
import { EventRuleRef, InstantWinRulesRef, ReferralRulesRef } from './campaign-mechanics.graphql.ts'
import { gameUrlOf, getPartnerNames } from './public-campaign.ts'

const CampaignStatusRef = enumType('CampaignStatus', 'What its partner has made of a campaign.', {
  DRAFT: 'Not shown and not taking anything yet.',
  ACTIVE: 'Running, between its dates.',
  PAUSED: 'Shown, but taking nothing for now.',
  ENDED: 'Over for good.',
})

const CampaignPhaseRef = enumType('CampaignPhase', 'Where a campaign stands now.', {
  DRAFT: 'Only its owner knows of it.',
  UPCOMING: 'It has not begun.',
  ACTIVE: 'It is running, and takes events.',
  PAUSED: 'It takes nothing for now.',
  ENDED: 'It is over.',
})

export const CampaignRef = builder.prismaNode('Campaign', {
  id: { field: 'id' },
  nullable: true,
  include: withMechanics,
  findUnique: (id, ctx) => ({ id, ...tenantOf(requireCaller(ctx, 'secret')) }),
  fields: (t) => ({
    slug: t.exposeString('slug', { description: 'Stands in URLs.' }),
    name: t.exposeString('name', { description: 'Name to show.' }),
    description: t.string({
      nullable: true,
      description: 'What it is about.',
      resolve: ({ description }) => description || null,
    }),
    partnerName: t.string({
      description: 'Whose campaign it is.',
      resolve: async ({ partnerId }, _, ctx) => (await ctx.read(getPartnerNames, partnerId)).name,
    }),
    environment: t.expose('environment', { type: EnvironmentRef, description: 'TEST or LIVE.' }),
    status: t.expose('status', {
      type: CampaignStatusRef,
      description: 'What its partner has made of it.',
    }),
    phase: t.field({
      type: CampaignPhaseRef,
      description: 'What its dates make of its status now.',
      resolve: (campaign, _, { clock }) => phaseOf(campaign, clock()),
    }),
    startsAt: t.expose('startsAt', { type: 'DateTime', nullable: true }),
    endsAt: t.expose('endsAt', { type: 'DateTime', nullable: true }),
    maxPlaysPerUser: t.int(
      forOwner(
        'Events that each user may send; null for no limit.',
        ({ maxPlaysPerUser }: Campaign) => maxPlaysPerUser,
      ),
    ),
    creditsWallet: t.boolean(
      forOwner(
        'Whether points of the campaign go to the wallet, too.',
        ({ creditsWallet }: Campaign) => creditsWallet,
      ),
    ),
    eventRules: t.field({
      type: [EventRuleRef],
      description: 'Event types that are worth points, in alphabetical order.',
      resolve: ({ eventRules }) => eventRules,
    }),
    instantWin: t.field({
      type: InstantWinRulesRef,
      nullable: true,
      description: 'Prizes for events; null for none.',
      resolve: (campaign) => (campaign.winsPerMillion === null ? null : campaign),
    }),
    referralRules: t.field({
      type: ReferralRulesRef,
      nullable: true,
      description: 'Rewards for referrals; null for none.',
      resolve: (campaign) => (campaign.referrerReward === null ? null : campaign),
    }),
    gameUrl: t.string({
      description: 'The page of the campaign for users.',
      resolve: async (campaign, _, ctx) => {
        const { slug } = await ctx.read(getPartnerNames, campaign.partnerId)
        return gameUrlOf(ctx.config.publicUrl, slug, campaign)
      },
    }),
    createdAt: t.field({
      type: 'DateTime',
      ...forOwner('When it was made.', ({ createdAt }: Campaign) => createdAt),
    }),
    updatedAt: t.field({
      type: 'DateTime',
      ...forOwner('When it was last changed.', ({ updatedAt }: Campaign) => updatedAt),
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

query('campaign', {
  description: 'A campaign, or null.',
  key: 'secret',
  args: z.object({ by: CampaignBy }),
  type: CampaignRef,
  nullable: true,
  resolve: ({ by }, ctx, caller) => findCampaignBy(ctx, caller, by),
})
