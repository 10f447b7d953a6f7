import { requireCaller } from '../core/context.ts'
import { builder } from '../core/graphql/builder.ts'
import { inputType } from '../core/graphql/input.ts'
import { mutation } from '../core/graphql/mutation.ts'
import { tenantOf } from '../core/tenant.ts'
import { check } from '../core/validation.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import { externalIdOf } from '../users/end-user.ts'
import { slugOf } from './campaign.ts'
import { CodeBatchRef } from './code-batch.graphql.ts'
import {
  RedeemCode,
  redeemCodes,
  type VerifiedCode,
  VerifyCode,
  verifyCode,
} from './code-redemption.ts'
import { guessingUser, whileGuessing } from './guessing.ts'
import { ParticipantRef } from './participant.graphql.ts'

mutation('redeemCode', {
  description:
    'Redeems a code of a batch, once. Announced as `campaign.code_redeemed`. Ten wrong codes of a user in ten minutes, and no more are taken for a while.',
  key: 'secret',
  input: RedeemCode,
  payload: {
    codeBatch: CodeBatchRef,
    participant: { type: ParticipantRef, description: 'The participant, right after it.' },
    user: UserRef,
    message: { type: 'String', description: 'The same in words.' },
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
  resolve: async ({ campaign, user, code }, ctx, caller) => {
    const userId = await externalIdOf(ctx, caller, user)
    const slug = await slugOf(ctx, caller, campaign)
    return whileGuessing(ctx, guessingUser(caller, userId), () =>
      ctx.write(redeemCodes, {
        ...tenantOf(caller),
        ...{ slug, userId, code, pepper: ctx.pepper },
      }),
    )
  },
})

const VerifiedRef = builder.objectRef<VerifiedCode>('VerifiedCode').implement({
  description: 'What a code is worth now.',
  fields: (t) => ({
    valid: t.exposeBoolean('valid', { description: 'Whether it could be redeemed now.' }),
    pointsValue: t.exposeInt('pointsValue', {
      nullable: true,
      description: 'What it pays or paid; null for an unknown code.',
    }),
    campaignName: t.exposeString('campaignName', {
      nullable: true,
      description: 'Name of its campaign.',
    }),
    campaignSlug: t.exposeString('campaignSlug', {
      nullable: true,
      description: 'Slug of its campaign.',
    }),
    expired: t.exposeBoolean('expired', { description: 'Whether its time is over.' }),
    message: t.exposeString('message', { description: 'The same in words.' }),
  }),
})

builder.queryField('verifyCode', (t) =>
  t.field({
    type: VerifiedRef,
    description: 'Says what a code is worth now. Changes nothing. Error VALIDATION_FAILED.',
    authScopes: { key: 'secret' },
    args: {
      input: t.arg({
        type: inputType('VerifyCodeInput', VerifyCode),
        required: true,
        description: 'The code.',
      }),
    },
    resolve: (_, { input }, ctx) =>
      verifyCode(ctx, ctx.pepper, {
        ...tenantOf(requireCaller(ctx, 'secret')),
        ...check(VerifyCode, input),
      }),
  }),
)
