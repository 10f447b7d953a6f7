import { requireCaller } from '../core/context.ts'
import { builder } from '../core/graphql/builder.ts'
import { mutation } from '../core/graphql/mutation.ts'
import { tenantOf } from '../core/tenant.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import { externalIdOf, userOf } from '../users/end-user.ts'
import { CampaignRef } from './campaign.graphql.ts'
import { campaignOf, slugOf } from './campaign.ts'
import { ParticipantRef } from './participant.graphql.ts'
import { RecordReferral, recordReferrals } from './referral.ts'
import { CreateReferralCode, giveReferralCodes } from './referral-code.ts'

const ReferralRef = builder.prismaNode('Referral', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, ctx) => ({ id, ...tenantOf(requireCaller(ctx, 'secret')) }),
  fields: (t) => ({
    campaign: t.field({
      type: CampaignRef,
      description: 'In which campaign.',
      resolve: (referral, _, ctx) => campaignOf(ctx, referral),
    }),
    referrer: t.field({
      type: UserRef,
      description: 'Who referred.',
      resolve: ({ referrerId: userId, ...row }, _, ctx) => userOf(ctx, { ...row, userId }),
    }),
    referee: t.field({
      type: UserRef,
      description: 'Who was referred.',
      resolve: ({ refereeId: userId, ...row }, _, ctx) => userOf(ctx, { ...row, userId }),
    }),
    referrerReward: t.exposeInt('referrerReward', { description: 'Points for who referred.' }),
    refereeReward: t.exposeInt('refereeReward', { description: 'Points for who was referred.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was recorded.' }),
  }),
})

mutation('recordReferral', {
  description:
    'Records that a user has brought another, and rewards both. Once for each referee. Announced as `campaign.referral_completed`.',
  key: 'secret',
  input: RecordReferral,
  payload: {
    referral: { type: ReferralRef, description: 'The referral, with the rewards.' },
    referrer: { type: ParticipantRef, description: 'Who referred, right after it.' },
    referee: { type: ParticipantRef, description: 'Who was referred, right after it.' },
    message: { type: 'String', description: 'The same in words.' },
  },
  errors: [
    'CAMPAIGN_OR_USER_NOT_FOUND',
    'REFERRALS_NOT_ENABLED',
    'SELF_REFERRAL',
    'INVALID_REFERRAL_CODE',
    'ALREADY_REFERRED',
    'USER_NOT_FOUND',
  ],
  resolve: async ({ campaign, referrer, referee, referralCode }, ctx, caller) =>
    ctx.write(recordReferrals, {
      ...tenantOf(caller),
      referralCode,
      slug: await slugOf(ctx, caller, campaign),
      referrerId: await externalIdOf(ctx, caller, referrer),
      refereeId: await externalIdOf(ctx, caller, referee),
    }),
})

mutation('createReferralCode', {
  description:
    'Gives a user a code to hand to others: `participant.referralCode`. Who has one keeps it.',
  key: 'secret',
  input: CreateReferralCode,
  payload: { participant: ParticipantRef },
  errors: ['CAMPAIGN_OR_USER_NOT_FOUND', 'REFERRALS_NOT_ENABLED', 'USER_NOT_FOUND'],
  resolve: async ({ campaign, user }, ctx, caller) => ({
    participant: await ctx.write(giveReferralCodes, {
      ...tenantOf(caller),
      slug: await slugOf(ctx, caller, campaign),
      userId: await externalIdOf(ctx, caller, user),
    }),
  }),
})
