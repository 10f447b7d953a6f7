import { builder } from '../kit/schema/builder.ts'
import { exactly } from '../kit/schema/connection.ts'
import { enumType } from '../kit/schema/input.ts'
import { list } from '../kit/schema/list.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { query } from '../kit/schema/query.ts'
import { tenantOf } from '../kit/tenant.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import { userOf } from '../users/end-user.ts'
import {
  CampaignCodeKey,
  type CodeRedemption,
  codeStatusOf,
  type FoundCode,
  findCode,
  findRedemptions,
  redemptionOf,
} from './code.ts'
import { CodeBatchRef } from './code-batch.graphql.ts'
import { RedeemCode, redeemCodes } from './code-redemption.ts'
import { redeemFor } from './guessing.ts'
import { changedParticipant } from './participant.graphql.ts'

export const RedemptionRef = builder.objectRef<CodeRedemption>('CodeRedemption').implement({
  description: 'A code that was redeemed.',
  fields: (t) => ({
    uuid: t.expose('id', {
      type: 'UUID',
      description:
        'The id as used in events (`redemptionId`). Its activity on the timeline has the same id.',
    }),
    codeBatch: t.expose('batch', { type: CodeBatchRef, description: 'The batch of the code.' }),
    user: t.field({
      type: UserRef,
      description: 'The user who redeemed it.',
      resolve: ({ userId, batch }, _, ctx) => userOf(ctx, { ...tenantOf(batch), userId }),
    }),
    redeemedAt: t.expose('redeemedAt', { type: 'DateTime', description: 'When it was redeemed.' }),
  }),
})

list([CodeBatchRef, 'redemptions'], {
  description: 'Redeemed codes of this batch, newest first.',
  of: RedemptionRef,
  orders: { REDEEMED_AT: { by: ['id'], description: 'By time of redemption.' } },
  order: ['REDEEMED_AT', 'DESC'],
  from: ({ parent: batch, order, ctx }) => {
    const isUp = order[0]?.[1] === 'asc'
    return {
      order: isUp ? 'id asc' : 'id desc',
      placeOf: ({ id }) => [id],
      count: () => exactly(batch.redeemed),
      fetch: async (part) => {
        const found = await ctx.read(findRedemptions, { ...part, parent: [batch.id], isUp })
        return found.map((redemption) => ({ ...redemption, batch }))
      },
    }
  },
})

mutation('redeemCode', {
  description:
    'Redeems a code of a batch, once. Emits `campaign.code_redeemed`. After ten wrong codes of a user in ten minutes, further codes are refused for a while.',
  key: 'secret',
  right: 'PLAY',
  isAudited: false,
  input: RedeemCode,
  payload: {
    codeBatch: CodeBatchRef,
    ...changedParticipant,
  },
  errors: [
    'CAMPAIGN_NOT_ACTIVE',
    'INVALID_CODE',
    'CODE_REDEEMED',
    'CODE_EXPIRED',
    'CODE_REVOKED',
    'RATE_LIMITED',
    'USER_NOT_FOUND',
  ],
  resolve: ({ code, ...input }, ctx, caller) =>
    redeemFor(ctx, caller, input, (redeemer) => ctx.write(redeemCodes, { ...redeemer, code })),
})

const CodeStatusRef = enumType('CampaignCodeStatus', 'Whether a code can be redeemed.', {
  REDEEMABLE: 'It can be redeemed.',
  CAMPAIGN_NOT_ACTIVE: 'Its campaign is not active.',
  REDEEMED: 'It was redeemed.',
  EXPIRED: 'It has expired.',
  REVOKED: 'Its batch was revoked.',
})

const CodeRef = builder.objectRef<FoundCode>('CampaignCode').implement({
  description: 'A code of a batch.',
  fields: (t) => ({
    codeBatch: t.expose('batch', { type: CodeBatchRef, description: 'The batch of the code.' }),
    status: t.field({
      type: CodeStatusRef,
      description: 'Whether it can be redeemed now.',
      resolve: (code, _, { clock }) => codeStatusOf(code, clock()),
    }),
    redemption: t.field({
      type: RedemptionRef,
      nullable: true,
      description: 'Its redemption; null while it is not redeemed.',
      resolve: redemptionOf,
    }),
  }),
})

query('campaignCode', {
  description: 'A code of a batch; null if not found. Does not redeem it.',
  key: 'secret',
  args: CampaignCodeKey,
  type: CodeRef,
  nullable: true,
  resolve: ({ code }, ctx, caller) => findCode(ctx, { ...tenantOf(caller), code }),
})
