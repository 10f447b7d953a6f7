import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { MemberRef } from './member.graphql.ts'
import { checkOwnPassword } from './member.ts'
import {
  ConfirmTotp,
  checkCode,
  checkFirstCode,
  confirmTotp,
  DisableTotp,
  disableTotp,
  haveSecondFactor,
  StartTotp,
  startTotp,
} from './second-factor.ts'

builder.prismaObjectFields(MemberRef, (t) => ({
  hasSecondFactor: t.boolean({
    description: 'Whether sign-ins ask for a code.',
    resolve: ({ id }, _, ctx) => load(ctx, haveSecondFactor, id),
  }),
}))

mutation('startTotp', {
  description:
    'Makes a secret for an authenticator app. Sign-ins ask for codes once `confirmTotp` has been called.',
  key: 'member',
  right: 'OWN_ACCOUNT',
  input: StartTotp,
  payload: {
    member: MemberRef,
    secret: { type: 'String', description: 'The secret in base32, shown only here.' },
    uri: { type: 'URL', description: 'The same as an `otpauth:` URI, for a QR code.' },
  },
  errors: ['SECOND_FACTOR_ACTIVE', 'ACCOUNT_LOCKED'],
  prepare: ({ currentPassword }, ctx, caller) => checkOwnPassword(ctx, caller, currentPassword),
  resolve: async (member, ctx) => ({ member, ...(await startTotp(ctx, member)) }),
})

mutation('confirmTotp', {
  description:
    'Makes the second factor count from now on, by a first code of the app, and ends the other sign-ins of the member.',
  key: 'member',
  right: 'OWN_ACCOUNT',
  input: ConfirmTotp,
  payload: {
    member: MemberRef,
    recoveryCodes: {
      type: ['String'],
      description: 'Each signs in once in place of a code. Shown only here.',
    },
  },
  errors: [
    'SECOND_FACTOR_INACTIVE',
    'SECOND_FACTOR_ACTIVE',
    'INVALID_SECOND_FACTOR',
    'ACCOUNT_LOCKED',
  ],
  prepare: (input, ctx, caller) => checkFirstCode(ctx, caller, input),
  resolve: async (checked, ctx, caller) => ({
    recoveryCodes: await confirmTotp(ctx, caller, checked),
    member: await ctx.db.member.findUniqueOrThrow({ where: { id: caller.memberId } }),
  }),
})

mutation('disableTotp', {
  description:
    'Removes the second factor, and ends the other sign-ins of the member. Sign-ins no longer ask for codes.',
  key: 'member',
  right: 'OWN_ACCOUNT',
  input: DisableTotp,
  payload: { member: MemberRef },
  errors: ['SECOND_FACTOR_INACTIVE', 'INVALID_SECOND_FACTOR', 'ACCOUNT_LOCKED'],
  prepare: (input, ctx, caller) => checkCode(ctx, caller, input),
  resolve: async (_, ctx, caller) => ({ member: await disableTotp(ctx, caller) }),
})
