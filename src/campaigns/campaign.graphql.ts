import { z } from 'zod'
import type { Campaign } from '../generated/prisma/client.ts'
import { CampaignStatus } from '../generated/prisma/enums.ts'
import { requireCaller } from '../kit/access/context.ts'
import { builder } from '../kit/schema/builder.ts'
import { versionField } from '../kit/schema/expected-version.ts'
import { containing, equal, Period, within } from '../kit/schema/filters.ts'
import { EnvironmentRef, enumType } from '../kit/schema/input.ts'
import { list } from '../kit/schema/list.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { forOwner } from '../kit/schema/owner.ts'
import { query } from '../kit/schema/query.ts'
import { rows } from '../kit/schema/rows.ts'
import { tenantOf } from '../kit/tenant.ts'
import { oneOf, title } from '../kit/validation.ts'
import {
  CampaignBy,
  campaignsWithMechanics,
  type FullCampaign,
  findCampaignBy,
  slugOf,
  withMechanics,
} from './campaign.ts'
import {
  CloneCampaign,
  CreateCampaign,
  changeCampaignStatus,
  cloneCampaign,
  createCampaign,
  UpdateCampaign,
  updateCampaign,
} from './campaign-management.ts'
import { phaseOf } from './campaign-phase.rules.ts'
import { gameUrlOf, getPartnerNames } from './public-campaign.ts'

const EventRuleRef = builder.prismaObject('CampaignEventRule', {
  fields: (t) => ({
    eventType: t.exposeString('eventType', { description: 'The event type.' }),
    points: t.exposeInt('points', { description: 'Points for one event.' }),
  }),
})

export const PrizeTierRef = builder.prismaObject('PrizeTier', {
  fields: (t) => ({
    name: t.exposeString('name', {
      description: 'Display name of the prize, unique in the campaign.',
    }),
    points: t.exposeInt('points'),
    weight: t.int(
      forOwner('Relative to the weights of the other tiers in stock.', ({ weight }) => weight),
    ),
    winCount: t.exposeInt('wins', {
      description: 'How often it was won; never more than `maxWins`.',
    }),
    maxWins: t.exposeInt('maxWins'),
    remainingCount: t.int({
      description: 'Prizes left in stock.',
      resolve: ({ maxWins, wins }) => maxWins - wins,
    }),
  }),
})

const million = 1_000_000

const InstantWinRulesRef = builder.objectRef<FullCampaign>('InstantWinRules').implement({
  description: 'Prizes that each event may win.',
  fields: (t) => ({
    winRate: t.float(
      forOwner(
        'Share of events that win while prizes are in stock, 0 to 1.',
        ({ winsPerMillion }) => (winsPerMillion === null ? null : winsPerMillion / million),
      ),
    ),
    winCodeDays: t.int(
      forOwner('Days within which a win code must be redeemed.', ({ winCodeDays }) => winCodeDays),
    ),
    tiers: t.expose('tiers', {
      type: [PrizeTierRef],
      description: 'The prizes, in display order.',
    }),
  }),
})

const ReferralRulesRef = builder.objectRef<FullCampaign>('ReferralRules').implement({
  description: 'Rewards for referrals.',
  fields: (t) => ({
    referrerReward: t.int({
      description: 'Points for the referrer.',
      resolve: ({ referrerReward }) => referrerReward as number,
    }),
    refereeReward: t.int(forOwner('Points for the referee.', ({ refereeReward }) => refereeReward)),
  }),
})

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

const payload = { campaign: CampaignRef }

mutation('createCampaign', {
  description: 'Creates a campaign with its rules, prizes and rewards.',
  key: 'secret',
  right: 'CAMPAIGNS_WRITE',
  input: CreateCampaign,
  payload,
  errors: ['CAMPAIGN_SLUG_TAKEN'],
  resolve: async (input, ctx, caller) => ({
    campaign: await createCampaign(ctx, { ...tenantOf(caller), ...input }),
  }),
})

mutation('updateCampaign', {
  description:
    'Changes a campaign at any time. Omitted fields are unchanged. Lists are replaced; prizes are matched by name and keep their wins.',
  key: 'secret',
  right: 'CAMPAIGNS_WRITE',
  input: UpdateCampaign,
  payload,
  isVersioned: true,
  errors: ['CAMPAIGN_NOT_FOUND', 'PRIZE_TIER_WON'],
  resolve: async ({ campaign, ...input }, ctx, caller) => {
    const slug = await slugOf(ctx, caller, campaign)
    return { campaign: await updateCampaign(ctx, { ...tenantOf(caller), ...input, slug }) }
  },
})

const changes = {
  startCampaign: ['ACTIVE', 'Starts a draft or paused campaign.'],
  pauseCampaign: ['PAUSED', 'Pauses a campaign: it accepts no events until it is started again.'],
  endCampaign: [
    'ENDED',
    'Ends a campaign permanently. Prizes that were won can still be redeemed.',
  ],
} as const

for (const [name, [status, description]] of Object.entries(changes))
  mutation(name, {
    description,
    key: 'secret',
    right: 'CAMPAIGNS_WRITE',
    input: z.object({ campaign: CampaignBy }).describe('The campaign.'),
    payload,
    errors: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_STATUS_CONFLICT'],
    resolve: async ({ campaign }, ctx, caller) => {
      const slug = await slugOf(ctx, caller, campaign)
      return { campaign: await changeCampaignStatus(ctx, { ...tenantOf(caller), slug }, status) }
    },
  })

mutation('cloneCampaign', {
  description:
    'Copies a TEST campaign to LIVE as a draft: rules, prizes with full stock, and rewards. Requires a member, because a key belongs to one environment. Fields of the copy that only its owner sees are null unless the member works in LIVE.',
  key: 'member',
  right: 'CAMPAIGNS_WRITE',
  input: CloneCampaign,
  payload,
  errors: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_SLUG_TAKEN'],
  resolve: async ({ campaign, newSlug }, ctx, { partnerId }) => {
    const slug = await slugOf(ctx, { partnerId, environment: 'TEST' }, campaign)
    return { campaign: await cloneCampaign(ctx, { partnerId, slug, newSlug }) }
  },
})
