import { z } from 'zod'
import type { Campaign } from '../generated/prisma/client.ts'
import { CampaignStatus } from '../generated/prisma/enums.ts'
import { requireCaller } from '../kit/access/context.ts'
import { builder } from '../kit/schema/builder.ts'
import { versionField } from '../kit/schema/expected-version.ts'
import { containing, equal, Period, within } from '../kit/schema/filters.ts'
import { EnvironmentRef, enumType } from '../kit/schema/input.ts'
import { list } from '../kit/schema/list.ts'
import { forOwner } from '../kit/schema/owner.ts'
import { query } from '../kit/schema/query.ts'
import { rows } from '../kit/schema/rows.ts'
import { tenantOf } from '../kit/tenant.ts'
import { oneOf, title } from '../kit/validation.ts'
import { CampaignBy, campaignsWithMechanics, findCampaignBy, withMechanics } from './campaign.ts'
import { EventRuleRef, InstantWinRulesRef, ReferralRulesRef } from './campaign-mechanics.graphql.ts'
import { phaseOf } from './campaign-phase.rules.ts'
import { gameUrlOf, getPartnerNames } from './public-campaign.ts'

const CampaignStatusRef = enumType(
  'CampaignStatus',
  'The status that a partner sets on a campaign.',
  {
    DRAFT: 'Not public yet; accepts no events.',
    ACTIVE: 'Running, between its dates.',
    PAUSED: 'Public, but accepts no events for now.',
    ENDED: 'Ended permanently.',
  },
)

const CampaignPhaseRef = enumType('CampaignPhase', 'The current status of a campaign.', {
  DRAFT: 'Visible to its owner only.',
  UPCOMING: 'Not started yet.',
  ACTIVE: 'Running; accepts events.',
  PAUSED: 'Paused; accepts no events.',
  ENDED: 'Ended.',
})

export const CampaignRef = builder.prismaNode('Campaign', {
  id: { field: 'id' },
  nullable: true,
  include: withMechanics,
  findUnique: (id, ctx) => ({ id, ...tenantOf(requireCaller(ctx, 'secret')) }),
  // Long: the fields of one type, one after another.
  fields: (t) => ({
    slug: t.exposeString('slug', { description: 'Used in URLs.' }),
    name: t.exposeString('name', { description: 'Display name.' }),
    description: t.string({
      nullable: true,
      description: 'What it is about.',
      resolve: ({ description }) => description || null,
    }),
    partnerName: t.string({
      description: 'Name of the partner.',
      resolve: async ({ partnerId }, _, ctx) => (await ctx.read(getPartnerNames, partnerId)).name,
    }),
    environment: t.expose('environment', { type: EnvironmentRef, description: 'TEST or LIVE.' }),
    status: t.expose('status', {
      type: CampaignStatusRef,
      description: 'The status set by the partner.',
    }),
    phase: t.field({
      type: CampaignPhaseRef,
      description: 'Its current status, from `status` and its dates.',
      resolve: (campaign, _, { clock }) => phaseOf(campaign, clock()),
    }),
    startsAt: t.expose('startsAt', { type: 'DateTime', nullable: true }),
    endsAt: t.expose('endsAt', { type: 'DateTime', nullable: true }),
    maxPlaysPerUser: t.int(
      forOwner(
        'Events that are accepted per user; null for no limit.',
        ({ maxPlaysPerUser }: Campaign) => maxPlaysPerUser,
      ),
    ),
    creditsWallet: t.boolean(
      forOwner(
        'Whether points of the campaign are also credited to the wallet.',
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
      description: 'Prizes that events may win; null if there are none.',
      resolve: (campaign) => (campaign.winsPerMillion === null ? null : campaign),
    }),
    referralRules: t.field({
      type: ReferralRulesRef,
      nullable: true,
      description: 'Rewards for referrals; null if there are none.',
      resolve: (campaign) => (campaign.referrerReward === null ? null : campaign),
    }),
    gameUrl: t.string({
      description: 'The public page of the campaign.',
      resolve: async (campaign, _, ctx) => {
        const { slug } = await ctx.read(getPartnerNames, campaign.partnerId)
        return gameUrlOf(ctx.config.publicUrl, slug, campaign)
      },
    }),
    version: t.exposeInt('version', versionField),
    createdAt: t.field({
      type: 'DateTime',
      ...forOwner('When it was created.', ({ createdAt }: Campaign) => createdAt),
    }),
    updatedAt: t.field({
      type: 'DateTime',
      ...forOwner('When it was last changed.', ({ updatedAt }: Campaign) => updatedAt),
    }),
  }),
})

const CampaignFilter = z
  .object({
    search: title(255)
      .nullish()
      .describe('Only campaigns whose name or slug contains this; case-insensitive.'),
    status: oneOf('CampaignStatus', CampaignStatus)
      .nullish()
      .describe('Only campaigns of this status.'),
    startsAt: Period.nullish().describe('Only campaigns that start in this period.'),
    endsAt: Period.nullish().describe('Only campaigns that end in this period.'),
  })
  .describe('Filters campaigns.')

list('campaigns', {
  description: 'The campaigns, by slug.',
  key: 'secret',
  of: CampaignRef,
  filter: CampaignFilter,
  orders: {
    SLUG: { by: ['slug'], description: 'By slug.' },
    CREATED_AT: { by: ['id'], description: 'By time of creation.' },
  },
  order: ['SLUG', 'ASC'],
  onStandby: true,
  from: ({ caller, filter: { search, status, ...periods }, order, ctx }) =>
    rows(campaignsWithMechanics(ctx.db), {
      where: {
        ...tenantOf(caller),
        ...equal({ status }),
        ...within(periods),
        ...containing(search, ['name', 'slug']),
      },
      order,
    }),
})

query('campaign', {
  description: 'A campaign; null if not found.',
  key: 'secret',
  args: z.object({ by: CampaignBy }),
  type: CampaignRef,
  nullable: true,
  resolve: ({ by }, ctx, caller) => findCampaignBy(ctx, caller, by),
})
