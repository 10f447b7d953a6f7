import { requireCaller } from '../core/context.ts'
import { builder } from '../core/graphql/builder.ts'
import { mutation } from '../core/graphql/mutation.ts'
import { tenantOf } from '../core/tenant.ts'
import { type CompletedReferral, RecordReferral, recordReferrals } from './referral.ts'
import { giveReferralCodes, type ReferralCode } from './referral-code.ts'

const Payload = builder.objectRef<CompletedReferral>('RecordReferralPayload').implement({
  description: 'A referral that was completed: both users have their rewards.',
  fields: (t) => ({
    referrerReward: t.exposeInt('referrerReward', { description: 'Points for who referred.' }),
    refereeReward: t.exposeInt('refereeReward', { description: 'Points for who was referred.' }),
    message: t.exposeString('message', { description: 'The same in words.' }),
  }),
})

mutation('recordReferral', {
  description:
    'Records that a user has brought another, and rewards both. Once for each referee. Announced as `campaign.referral_completed`.',
  key: 'secret',
  input: RecordReferral,
  payload: Payload,
  errors: [
    'CAMPAIGN_OR_USER_NOT_FOUND',
    'REFERRALS_NOT_ENABLED',
    'SELF_REFERRAL',
    'INVALID_REFERRAL_CODE',
    'ALREADY_REFERRED',
  ],
  resolve: (input, ctx, caller) => ctx.write(recordReferrals, { ...tenantOf(caller), ...input }),
})

const ReferralCodeRef = builder.objectRef<ReferralCode>('ReferralCode').implement({
  description: 'What a user hands to others, and what came of it.',
  fields: (t) => ({
    referralCode: t.exposeString('referralCode', { description: 'The code; it never changes.' }),
    referralCount: t.exposeInt('referralCount', { description: 'Users who were referred.' }),
    totalRewardsEarned: t.expose('totalRewardsEarned', {
      type: 'SafeInt',
      description: 'Points that this user has earned by referring.',
    }),
  }),
})

builder.queryField('referralCode', (t) =>
  t.field({
    type: ReferralCodeRef,
    description:
      'The referral code of a user, made when it is first asked for. Errors CAMPAIGN_OR_USER_NOT_FOUND, REFERRALS_NOT_ENABLED.',
    authScopes: { key: 'secret' },
    args: {
      slug: t.arg.string({ required: true, description: 'Slug of the campaign.' }),
      userId: t.arg.string({ required: true, description: "The partner's id of the user." }),
    },
    resolve: (_, { slug, userId }, ctx) =>
      ctx.write(giveReferralCodes, {
        ...tenantOf(requireCaller(ctx, 'secret')),
        slug,
        userId,
      }),
  }),
)
