import { builder } from '../core/graphql/builder.ts'
import { enumType } from '../core/graphql/input.ts'
import { mutation } from '../core/graphql/mutation.ts'
import { EnvironmentRef } from '../core/graphql/vocabulary.ts'
import type { CampaignEventRule, PrizeTier } from '../generated/prisma/client.ts'
import {
  countPublicParticipants,
  getPublicCampaign,
  listPublicLeaders,
  type PublicCampaign,
  type PublicLeader,
  type PublicRedemption,
  RedeemPublicCode,
  redeemPublicCode,
} from './public-campaign.ts'

const PhaseRef = enumType('CampaignPhase', 'Where a campaign stands now.', {
  UPCOMING: 'It has not begun.',
  ACTIVE: 'It is running.',
  PAUSED: 'It takes nothing for now.',
  ENDED: 'It is over.',
})

const PrizeRef = builder.objectRef<PrizeTier>('PublicPrize').implement({
  description: 'A prize of a campaign, as the public sees it.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The prize in words.' }),
    points: t.exposeInt('points', { description: 'What it pays.' }),
    maxWins: t.exposeInt('maxWins', { description: 'How many there were.' }),
    remaining: t.int({
      description: 'How many are left.',
      resolve: ({ maxWins, wins }) => maxWins - wins,
    }),
  }),
})

const WayRef = builder.objectRef<CampaignEventRule>('PublicEventRule').implement({
  description: 'Something that earns points.',
  fields: (t) => ({
    eventType: t.exposeString('eventType', { description: 'What one does.' }),
    points: t.exposeInt('points', { description: 'What it is worth.' }),
  }),
})

const LeaderRef = builder.objectRef<PublicLeader>('PublicLeader').implement({
  description: 'One of the top ten.',
  fields: (t) => ({
    rank: t.exposeInt('rank', { description: 'Position; 1 is the top.' }),
    name: t.exposeString('name', {
      description: 'Display name; of who has none, the first characters of their id.',
    }),
    totalPoints: t.expose('totalPoints', {
      type: 'SafeInt',
      description: 'Points earned in this campaign.',
    }),
  }),
})

const PublicCampaignRef = builder.objectRef<PublicCampaign>('PublicCampaign').implement({
  description: 'What anybody may see of a campaign that is no draft.',
  fields: (t) => ({
    name: t.string({ description: 'Name to show.', resolve: ({ campaign }) => campaign.name }),
    description: t.string({
      description: 'What it is about; may be empty.',
      resolve: ({ campaign }) => campaign.description,
    }),
    partnerName: t.exposeString('partnerName', { description: 'Whose campaign it is.' }),
    environment: t.field({
      type: EnvironmentRef,
      description: 'TEST or LIVE.',
      resolve: ({ campaign }) => campaign.environment,
    }),
    phase: t.expose('phase', { type: PhaseRef, description: 'Where it stands now.' }),
    startsAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it begins, if that is set.',
      resolve: ({ campaign }) => campaign.startsAt,
    }),
    endsAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it ends, if that is set.',
      resolve: ({ campaign }) => campaign.endsAt,
    }),
    ways: t.field({
      type: [WayRef],
      description: 'What earns points.',
      resolve: ({ campaign }) => campaign.eventRules,
    }),
    prizes: t.field({
      type: [PrizeRef],
      description: 'What can be won, and how much of it is left.',
      resolve: ({ campaign }) => (campaign.winsPerMillion === null ? [] : campaign.tiers),
    }),
    referrerReward: t.int({
      nullable: true,
      description: 'Points for bringing somebody; null where there are no referrals.',
      resolve: ({ campaign }) => campaign.referrerReward,
    }),
    takesCodes: t.exposeBoolean('takesCodes', {
      description: 'Whether there may be codes that can be redeemed now.',
    }),
    leaders: t.field({
      type: [LeaderRef],
      description: 'The top ten.',
      complexity: { field: 1, multiplier: 1 },
      resolve: (campaign, _, ctx) => listPublicLeaders(ctx, campaign),
    }),
    participants: t.field({
      type: 'SafeInt',
      description: 'Users who take part.',
      resolve: (campaign, _, ctx) => countPublicParticipants(ctx, campaign),
    }),
  }),
})

builder.queryField('publicCampaign', (t) =>
  t.field({
    type: PublicCampaignRef,
    description: 'A campaign for its page; needs no key. Error CAMPAIGN_NOT_FOUND.',
    authScopes: { key: 'anyone' },
    args: {
      partnerSlug: t.arg.string({ required: true, description: 'Slug of the partner.' }),
      slug: t.arg.string({ required: true, description: 'Slug of the campaign.' }),
      environment: t.arg({
        type: EnvironmentRef,
        defaultValue: 'LIVE',
        required: true,
        description: 'TEST or LIVE.',
      }),
    },
    resolve: (_, key, ctx) => getPublicCampaign(ctx, key),
  }),
)

const Payload = builder.objectRef<PublicRedemption>('RedeemPublicCodePayload').implement({
  description: 'A code that was redeemed on the page of a campaign.',
  fields: (t) => ({
    pointsEarned: t.exposeInt('pointsEarned', { description: 'What the code paid.' }),
    prizeTier: t.exposeString('prizeTier', {
      nullable: true,
      description: 'The prize, where it was a win code.',
    }),
    message: t.exposeString('message', { description: 'The same in words.' }),
  }),
})

mutation('redeemPublicCode', {
  description:
    'Redeems a code, or a win code, for the user whom the visitor names; needs no key. Ten wrong codes from an address in ten minutes, and no more are taken for a while.',
  key: 'anyone',
  input: RedeemPublicCode,
  payload: Payload,
  errors: [
    'CAMPAIGN_NOT_FOUND',
    'CAMPAIGN_NOT_ACTIVE',
    'INVALID_CODE',
    'CODE_REDEEMED',
    'CODE_EXPIRED',
    'CODE_REVOKED',
    'INVALID_WIN_CODE',
    'WIN_CODE_REDEEMED',
    'RATE_LIMITED',
  ],
  resolve: (input, ctx) => redeemPublicCode(ctx, ctx.ip, input),
})
