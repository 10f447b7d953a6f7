import { mutation } from '../kit/schema/mutation.ts'
import { MemberRef } from './member.graphql.ts'
import {
  CreatePasswordResetLink,
  createPasswordResetLink,
  prepareReset,
  prepareResetRequest,
  RequestPasswordReset,
  ResetPassword,
  requestPasswordReset,
  resetPassword,
} from './password-reset.ts'

mutation('requestPasswordReset', {
  description:
    'Sends a link to choose a new password to the members with an e-mail address. The answer is the same if there is none.',
  key: 'anyone',
  // Sending the mail writes the entry: the time of an answer must not say whether there is a member.
  isAudited: false,
  input: RequestPasswordReset,
  payload: { email: { type: 'String', description: 'The address that was asked for.' } },
  errors: ['NO_MAIL', 'RATE_LIMITED'],
  prepare: (input, ctx) => prepareResetRequest(ctx, input, ctx.ip),
  resolve: async (prepared, ctx) => {
    await requestPasswordReset(ctx, prepared)
    return { email: prepared.email }
  },
})

mutation('createPasswordResetLink', {
  description:
    'Makes a link by which a member chooses a new password, once, within an hour. It replaces the link before.',
  key: 'member',
  right: 'MEMBERS_WRITE',
  input: CreatePasswordResetLink,
  payload: {
    member: MemberRef,
    link: { type: 'URL', description: 'The link to pass on, shown only here.' },
  },
  errors: ['ADMIN_REQUIRED', 'RIGHT_REQUIRED', 'MEMBER_NOT_FOUND', 'OWN_PASSWORD'],
  resolve: (input, ctx, caller) => createPasswordResetLink(ctx, caller, input),
})

mutation('resetPassword', {
  description:
    "Sets a member's password by the token of a link, and ends all their sign-ins. A second factor stays as it is.",
  key: 'anyone',
  input: ResetPassword,
  payload: { member: MemberRef },
  errors: [
    'INVALID_PASSWORD_RESET',
    'SECOND_FACTOR_REQUIRED',
    'INVALID_SECOND_FACTOR',
    'ACCOUNT_LOCKED',
    'PARTNER_NOT_FOUND',
    'RATE_LIMITED',
  ],
  prepare: (input, ctx) => prepareReset(ctx, input, ctx.ip),
  resolve: async (prepared, ctx) => ({ member: await resetPassword(ctx, prepared) }),
})
