import { z } from 'zod'
import type { PrizeTier } from '../generated/prisma/client.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import { TesseraError } from '../kit/errors.ts'
import { encodeNodeId } from '../kit/node-id.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { versioned, versionField } from '../kit/schema/expected-version.ts'
import { enumType, environmentField } from '../kit/schema/input.ts'
import { list } from '../kit/schema/list.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { isOfPartner, knowsUsers, orKnown } from '../kit/schema/owner.ts'
import { isTrusted } from '../kit/schema/personal.ts'
import { publicPart, refuseNonOwners } from '../kit/schema/public-part.ts'
import { query } from '../kit/schema/query.ts'
import { rows } from '../kit/schema/rows.ts'
import { MeasureRef } from '../programme/goal-words.graphql.ts'
import { RewardRef } from '../programme/reward.graphql.ts'
import { findRewards } from '../programme/reward.ts'
import {
  CampaignBy,
  campaignOf,
  campaignsWithMechanics,
  type FullCampaign,
  findCampaignBy,
  slugOf,
  withMechanics,
} from './campaign.ts'
import { CloneCampaign, cloneCampaign, tenantOfClone } from './campaign-clone.ts'
import { CreateCampaign, UpdateCampaign } from './campaign-input.ts'
import {
  changeCampaignStatus,
  createCampaign,
  deleteCampaign,
  updateCampaign,
} from './campaign-management.ts'
import { phaseOf } from './campaign-phase.rules.ts'
import { CampaignFilter, campaignsThat } from './campaign-search.ts'
import { campaignPageOf, getPartnerNames, publicCampaigns } from './public-campaign.ts'

const EventRuleRef = builder.prismaObject('CampaignEventRule', {
  fields: (t) => ({
    eventType: t.exposeString('eventType', {
      description: 'The type of event that earns the points.',
    }),
    points: t.exposeInt('points', { description: 'Points for one event.' }),
  }),
})

export const PrizeTierRef = builder.prismaObject('PrizeTier', {
  fields: (t) => ({
    name: t.exposeString('name', {
      description: 'Display name of the prize, unique in the campaign.',
    }),
    points: t.exposeInt('points'),
    weight: t.exposeInt('weight', {
      description: 'Relative to the weights of the other tiers in stock.',
    }),
    winCount: t.exposeInt('wins', {
      description: 'How often it was won; never more than `maxWins`.',
    }),
    maxWins: t.exposeInt('maxWins'),
    remainingCount: t.int({
      description: 'Prizes left in stock.',
      resolve: ({ maxWins, wins }) => maxWins - wins,
    }),
    reward: t.field({
      type: RewardRef,
      nullable: true,
      description: 'The reward that winning it gives at once; null for none.',
      resolve: async ({ rewardId }, _, ctx) =>
        rewardId === null ? null : ((await load(ctx, findRewards, rewardId)) as never),
    }),
  }),
})

export const PrizeRef = builder.objectRef<PrizeTier>('Prize').implement({
  description: 'A prize tier of a campaign, without its odds.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Display name, unique in the campaign.' }),
    points: t.exposeInt('points', { description: 'Points that its win code gives.' }),
    maxWins: t.exposeInt('maxWins', { description: 'How often it can be won in total.' }),
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
    winRate: t.float({
      description: 'Share of events that win while prizes are in stock, 0 to 1.',
      resolve: ({ winsPerMillion }) => (winsPerMillion as number) / million,
    }),
    winCodeDays: t.exposeInt('winCodeDays', {
      description: 'Days within which a win code must be redeemed.',
    }),
    prizeTiers: t.expose('tiers', {
      type: [PrizeTierRef],
      description: 'The prizes, in display order.',
    }),
  }),
})

const ReferralRulesRef = builder.objectRef<FullCampaign>('ReferralRules').implement({
  description: 'Points for both users of a referral.',
  fields: (t) => ({
    referrerPoints: t.int({
      description: 'Points for the referrer.',
      resolve: ({ referrerReward }) => referrerReward as number,
    }),
    refereePoints: t.int({
      description: 'Points for the referee.',
      resolve: ({ refereeReward }) => refereeReward as number,
    }),
  }),
})

const CampaignStatusRef = enumType(
  'CampaignStatus',
  'The status that a partner sets on a campaign.',
  {
    DRAFT: 'Not public yet; accepts no events.',
    ACTIVE: 'Running, between its dates.',
    PAUSED: 'Public, but accepts no events for now.',
    ENDED: 'Ended permanently; it cannot start again.',
  },
)

const CampaignReversalRef = enumType(
  'CampaignReversal',
  'What becomes of points of a campaign when their ledger entry is reversed.',
  {
    KEEP: 'The participant keeps the points and the rank in the campaign.',
    REVOKE: 'The participant loses the points, and the rank is that of the rest.',
  },
)

const CampaignPhaseRef = enumType('CampaignPhase', 'The current status of a campaign.', {
  DRAFT: 'Visible to its owner only.',
  UPCOMING: 'Not started yet: `startsAt` lies in the future.',
  ACTIVE: 'Running, so that it accepts events.',
  PAUSED: 'Paused; accepts no events.',
  ENDED: 'Ended by its partner, or at `endsAt`.',
})

export const PublicCampaignRef = publicPart<FullCampaign>('Campaign', {
  description: 'A campaign of a partner.',
  // Participants lead to users, so an operator of another partner is no owner.
  isOwn: knowsUsers,
  isPublic: async (ctx, { partnerId }) =>
    (await load(ctx, getPartnerNames, partnerId)).closedAt === null,
  // Long: the fields of one type, one after another.
  fields: (t) => ({
    slug: t.exposeString('slug', { description: 'Part of its URLs; never changes.' }),
    name: t.exposeString('name', { description: 'Name shown to users, such as on its page.' }),
    description: t.string({
      nullable: true,
      description: 'What it is about.',
      resolve: ({ description }) => description || null,
    }),
    partnerName: t.string({
      description: 'Name of the partner.',
      resolve: async ({ partnerId }, _, ctx) => (await load(ctx, getPartnerNames, partnerId)).name,
    }),
    partnerSlug: t.string({
      description: 'Slug of the partner, as in the URL of the page.',
      resolve: async ({ partnerId }, _, ctx) => (await load(ctx, getPartnerNames, partnerId)).slug,
    }),
    environment: t.expose('environment', environmentField),
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
    endedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it has ended, by hand or by itself; null while it has not.',
      resolve: (campaign, _, { clock }) =>
        campaign.endedAt ?? (phaseOf(campaign, clock()) === 'ENDED' ? campaign.endsAt : null),
    }),
    eventRules: t.field({
      type: [EventRuleRef],
      description: 'Event types that are worth points, in alphabetical order.',
      resolve: ({ eventRules }) => eventRules,
    }),
    prizes: t.field({
      type: [PrizeRef],
      description: 'Prizes that events may win, in display order; empty without an instant win.',
      resolve: ({ winsPerMillion, tiers }) => (winsPerMillion === null ? [] : tiers),
    }),
    referrerPoints: t.exposeInt('referrerReward', {
      nullable: true,
      description: 'Points for who refers a user; null if referrals are not rewarded.',
    }),
    pageUrl: t.field({
      type: 'URL',
      description: 'The public page of the campaign.',
      resolve: async (campaign, _, ctx) => {
        const { slug } = await load(ctx, getPartnerNames, campaign.partnerId)
        return campaignPageOf(ctx.config.publicUrl, slug, campaign)
      },
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
  }),
})

export const CampaignRef = builder.prismaNode('Campaign', {
  id: { field: 'id' },
  nullable: true,
  interfaces: [PublicCampaignRef],
  include: withMechanics,
  findUnique: (id, ctx) => ({ id, ...orKnown(ctx, publicCampaigns) }),
  authScopes: refuseNonOwners(isOfPartner),
  fields: (t) => ({
    maxEventsPerUser: t.exposeInt('maxPlaysPerUser', {
      nullable: true,
      description: 'Events that are accepted per user; null for no limit.',
    }),
    creditsWallet: t.exposeBoolean('creditsWallet', {
      description: 'Whether points of the campaign are also credited to the wallet.',
    }),
    onReversal: t.expose('onReversal', {
      type: CampaignReversalRef,
      description: 'What becomes of points of the campaign when their ledger entry is reversed.',
    }),
    instantWinRules: t.field({
      type: InstantWinRulesRef,
      nullable: true,
      description: 'Prizes that events may win, with their odds; null if there are none.',
      resolve: (campaign) => (campaign.winsPerMillion === null ? null : campaign),
    }),
    referralRules: t.field({
      type: ReferralRulesRef,
      nullable: true,
      description: 'Rewards for referrals; null if there are none.',
      resolve: (campaign) => (campaign.referrerReward === null ? null : campaign),
    }),
    version: t.exposeInt('version', versionField),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When it was last changed.',
    }),
  }),
})

versioned(CampaignRef)

list('campaigns', {
  description: 'The campaigns, by slug.',
  key: 'secret',
  of: CampaignRef,
  filter: CampaignFilter,
  orders: {
    SLUG: { by: ['slug'], description: 'By slug, of which no two are the same.' },
    NAME: { by: ['name', 'id'], description: 'By name, and among equals by time of creation.' },
    CREATED_AT: { by: ['id'], description: 'By time of creation.' },
    STARTS_AT: {
      by: ['startsAt', 'id'],
      nulls: 'LOWEST',
      description: 'By start. Campaigns without one started first.',
    },
    ENDS_AT: {
      by: ['endsAt', 'id'],
      nulls: 'HIGHEST',
      description: 'By end. Campaigns without one end last.',
    },
  },
  order: ['SLUG', 'ASC'],
  onStandby: true,
  from: ({ caller, filter, order, ctx }) =>
    rows(campaignsWithMechanics(ofTenant(ctx.db, caller)), {
      where: campaignsThat(filter, ctx.clock()),
      order,
    }),
})

query('campaign', {
  description: 'A campaign.',
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
  errors: ['CAMPAIGN_SLUG_TAKEN', 'REWARD_NOT_FOUND', 'REWARD_ARCHIVED'],
  resolve: async (input, ctx) => ({ campaign: await createCampaign(ctx, input) }),
})

mutation('updateCampaign', {
  description:
    'Changes a campaign at any time. Omitted fields are unchanged. Lists are replaced; prizes are matched by name and keep their wins.',
  key: 'secret',
  right: 'CAMPAIGNS_WRITE',
  input: UpdateCampaign,
  payload,
  isVersioned: true,
  errors: ['CAMPAIGN_NOT_FOUND', 'PRIZE_TIER_WON', 'REWARD_NOT_FOUND', 'REWARD_ARCHIVED'],
  resolve: async ({ campaign, ...input }, ctx, caller) => {
    const slug = await slugOf(ctx, caller, campaign)
    return { campaign: await updateCampaign(ctx, { ...input, slug }) }
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
    input: z.object({ campaign: CampaignBy }).describe('The campaign whose status is to change.'),
    payload,
    errors: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_STATUS_CONFLICT'],
    resolve: async ({ campaign, ...tenant }, ctx) => {
      const slug = await slugOf(ctx, tenant, campaign)
      return { campaign: await changeCampaignStatus(ctx, { ...tenant, slug }, status) }
    },
  })

mutation('deleteCampaign', {
  description:
    'Deletes a draft with its rules and prizes. A campaign that was started once, or has participants or codes, is ended instead.',
  key: 'secret',
  right: 'CAMPAIGNS_WRITE',
  input: z.object({ campaign: CampaignBy }).describe('A draft to delete.'),
  payload: {
    deletedId: { type: 'ID', description: 'The global id of the deleted campaign.' },
    campaign: { type: CampaignRef, description: 'The deleted campaign, as it was last.' },
  },
  errors: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_STATUS_CONFLICT', 'CAMPAIGN_IN_USE'],
  resolve: async ({ campaign: by, ...tenant }, ctx) => {
    const slug = await slugOf(ctx, tenant, by)
    const campaign = await deleteCampaign(ctx, { ...tenant, slug })
    return { deletedId: encodeNodeId('Campaign', campaign.id), campaign }
  },
})

mutation('cloneCampaign', {
  description:
    'Copies a campaign to a draft, in its environment or the other one: all of its settings, with prizes in full stock, without participants, codes and results. Dates that are over are left out. A reward of a prize is that of the same slug in the other environment.',
  key: 'secret',
  right: 'CAMPAIGNS_WRITE',
  input: CloneCampaign,
  payload,
  errors: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_SLUG_TAKEN', 'REWARD_NOT_FOUND', 'REWARD_ARCHIVED'],
  resolve: async ({ campaign: by, toEnvironment, ...input }, ctx, caller) => {
    const campaign = await findCampaignBy(ctx, caller, by)
    if (!campaign) throw new TesseraError('CAMPAIGN_NOT_FOUND')
    const to = tenantOfClone(caller, toEnvironment)
    return { campaign: await cloneCampaign(ctx, campaign, to, input) }
  },
})

builder.objectField(MeasureRef, 'campaign', (t) =>
  t.field({
    type: CampaignRef,
    nullable: true,
    description: 'Only facts of this campaign; null for all, and to public keys.',
    resolve: ({ campaignId, ...task }, _, ctx) =>
      campaignId !== null && isTrusted(ctx)
        ? (campaignOf(ctx, { ...task, campaignId }) as never)
        : null,
  }),
)
