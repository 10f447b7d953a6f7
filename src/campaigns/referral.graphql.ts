import { z } from 'zod'
import { acrossTenants, ofTenant } from '../kit/database/tenant-client.ts'
import { inOrder } from '../kit/in-order.ts'
import type { Work } from '../kit/runtime.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { isEmpty, Period, within } from '../kit/schema/filters.ts'
import { list } from '../kit/schema/list.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { ownRow } from '../kit/schema/owner.ts'
import { batched, findRowParts, type PartOf } from '../kit/schema/parts.ts'
import { rows } from '../kit/schema/rows.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import { externalIdOf, rowsOfUser, UserBy, userOf } from '../users/end-user.ts'
import { CampaignRef } from './campaign.graphql.ts'
import { campaignOf, slugOf } from './campaign.ts'
import { ParticipantRef } from './participant.graphql.ts'
import {
  CreateReferralCode,
  giveReferralCodes,
  RecordReferral,
  recordReferrals,
} from './referral.ts'

export const ReferralRef = builder.prismaNode('Referral', {
  id: { field: 'id' },
  nullable: true,
  findUnique: ownRow('secret'),
  fields: (t) => ({
    campaign: t.field({
      type: CampaignRef,
      description: 'The campaign that rewards the referral.',
      resolve: (referral, _, ctx) => campaignOf(ctx, referral),
    }),
    referrer: t.field({
      type: UserRef,
      description: 'The user who referred.',
      resolve: ({ referrerId: userId, ...row }, _, ctx) => userOf(ctx, { ...row, userId }),
    }),
    referee: t.field({
      type: UserRef,
      description: 'The user who was referred.',
      resolve: ({ refereeId: userId, ...row }, _, ctx) => userOf(ctx, { ...row, userId }),
    }),
    referrerPoints: t.exposeInt('referrerReward', { description: 'Points for the referrer.' }),
    refereePoints: t.exposeInt('refereeReward', { description: 'Points for the referee.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was recorded.' }),
  }),
})

/** Referrals by their ids. */
export const findReferrals = async ({ tx }: Work, ids: string[]) =>
  inOrder(ids, await acrossTenants(tx, 'IDS').referral.findMany({ where: { id: { in: ids } } }))

const findReferralParts = (work: Work, requested: PartOf[]) =>
  findRowParts(
    work,
    { model: 'Referral', parent: 'campaign_id', by: { created_at: 'timestamptz', id: 'uuid' } },
    requested,
  )

const ReferralFilter = z
  .object({
    referrer: UserBy.nullish().describe('Only referrals by this user.'),
    referee: UserBy.nullish().describe('Only the referral of this user; a user has one at most.'),
    createdAt: Period.nullish().describe('Only referrals recorded in this period.'),
  })
  .describe('Conditions on referrals; all that are given must hold.')

list([CampaignRef, 'referrals'], {
  description: 'The referrals in this campaign, newest first.',
  of: ReferralRef,
  filter: ReferralFilter,
  orders: { CREATED_AT: { by: ['createdAt', 'id'], description: 'By time of creation.' } },
  order: ['CREATED_AT', 'DESC'],
  needsRead: true,
  from: async ({ parent: campaign, filter: { referrer, referee, createdAt }, order, ctx }) => {
    const chosen = {
      ...(await rowsOfUser(ctx, campaign, referrer, 'referrerId')),
      ...(await rowsOfUser(ctx, campaign, referee, 'refereeId')),
      ...within({ createdAt }),
    }
    const source = rows(ofTenant(ctx.db, campaign).referral, {
      where: { campaignId: campaign.id, ...chosen },
      order,
      counting: 'AT_LEAST',
    })
    if (!isEmpty(chosen)) return source
    return batched(source, { parentId: campaign.id, order }, (part) =>
      load(ctx, findReferralParts, part),
    )
  },
})

mutation('recordReferral', {
  description:
    'Records a referral and rewards both users, once per referee. Emits `campaign.referral_completed`.',
  key: 'secret',
  right: 'PLAY',
  isAudited: false,
  input: RecordReferral,
  payload: {
    referral: { type: ReferralRef, description: 'The referral, with the rewards.' },
    referrer: { type: ParticipantRef, description: 'The referrer, in the new state.' },
    referee: { type: ParticipantRef, description: 'The referee, in the new state.' },
  },
  errors: [
    'CAMPAIGN_NOT_FOUND',
    'CAMPAIGN_NOT_ACTIVE',
    'REFERRALS_NOT_ENABLED',
    'SELF_REFERRAL',
    'INVALID_REFERRAL_CODE',
    'ALREADY_REFERRED',
    'USER_NOT_FOUND',
    'USER_BLOCKED',
  ],
  resolve: async ({ campaign, referrer, referee, ...input }, ctx, caller) =>
    ctx.write(recordReferrals, {
      ...input,
      slug: await slugOf(ctx, caller, campaign),
      referrer: await externalIdOf(ctx, caller, referrer),
      referee: await externalIdOf(ctx, caller, referee),
    }),
})

mutation('createReferralCode', {
  description:
    "Creates a user's referral code, or returns the existing one, as `participant.referralCode`.",
  key: 'secret',
  right: 'PLAY',
  isAudited: false,
  input: CreateReferralCode,
  payload: { participant: ParticipantRef },
  errors: ['CAMPAIGN_NOT_FOUND', 'REFERRALS_NOT_ENABLED', 'USER_NOT_FOUND', 'USER_BLOCKED'],
  resolve: async ({ campaign, user, ...tenant }, ctx, caller) => ({
    participant: await ctx.write(giveReferralCodes, {
      ...tenant,
      slug: await slugOf(ctx, caller, campaign),
      externalId: await externalIdOf(ctx, caller, user),
    }),
  }),
})
