import { requireCaller } from '../core/context.ts'
import { builder } from '../core/graphql/builder.ts'
import { inputType } from '../core/graphql/input.ts'
import { mutation } from '../core/graphql/mutation.ts'
import { tenantOf } from '../core/tenant.ts'
import { check } from '../core/validation.ts'
import {
  RedeemCode,
  type RedeemedCode,
  redeemCodes,
  type VerifiedCode,
  VerifyCode,
  verifyCode,
} from './code-redemption.ts'
import { guessingUser, whileGuessing } from './guessing.ts'

const Payload = builder.objectRef<RedeemedCode>('RedeemCodePayload').implement({
  description: 'A code that was redeemed.',
  fields: (t) => ({
    pointsEarned: t.exposeInt('pointsEarned', { description: 'What the code paid.' }),
    totalPoints: t.expose('totalPoints', {
      type: 'SafeInt',
      description: "The participant's total in the campaign, right after.",
    }),
    message: t.exposeString('message', { description: 'The same in words.' }),
  }),
})

mutation('redeemCode', {
  description:
    'Redeems a code of a batch, once. Makes the user if absent. Announced as `campaign.code_redeemed`. Ten wrong codes of a user in ten minutes, and no more are taken for a while.',
  key: 'secret',
  input: RedeemCode,
  payload: Payload,
  errors: [
    'CAMPAIGN_NOT_ACTIVE',
    'INVALID_CODE',
    'CODE_REDEEMED',
    'CODE_EXPIRED',
    'CODE_REVOKED',
    'RATE_LIMITED',
  ],
  resolve: (input, ctx, caller) =>
    whileGuessing(ctx, guessingUser(caller, input.userId), () =>
      ctx.write(redeemCodes, { ...tenantOf(caller), ...input, pepper: ctx.pepper }),
    ),
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
