import { z } from 'zod'
import { builder } from '../kit/schema/builder.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { text } from '../kit/validation.ts'
import { MemberRef } from './member.graphql.ts'
import { recognize, refreshTokens, SignIn, signIn, signOut, type Tokens } from './sign-in.ts'

const TokensRef = builder.objectRef<Tokens>('Tokens').implement({
  description: 'Tokens of a sign-in.',
  fields: (t) => ({
    accessToken: t.exposeString('accessToken', { description: 'For `Authorization: Bearer …`.' }),
    tokenType: t.string({ description: 'Always `Bearer`.', resolve: () => 'Bearer' }),
    expiresIn: t.exposeInt('expiresIn', { description: 'Seconds until the access token expires.' }),
    refreshToken: t.exposeString('refreshToken', {
      description: 'Exchange it for new tokens, once, within 30 days.',
    }),
  }),
})

const tokens = { type: TokensRef, description: 'The new tokens, shown only here.' } as const

mutation('signIn', {
  description:
    'Signs a member in by e-mail address and password, and a code if they have a second factor.',
  key: 'anyone',
  input: SignIn,
  payload: { tokens, member: { type: MemberRef, description: 'The member.' } },
  errors: [
    'INVALID_CREDENTIALS',
    'SECOND_FACTOR_REQUIRED',
    'INVALID_SECOND_FACTOR',
    'ACCOUNT_LOCKED',
    'PARTNER_NOT_FOUND',
    'RATE_LIMITED',
  ],
  prepare: (input, ctx) => recognize(ctx, input, ctx.ip),
  resolve: async (recognized, ctx) => ({
    tokens: await signIn(ctx, recognized, ctx.header?.('user-agent')),
    member: recognized.member,
  }),
})

mutation('refreshTokens', {
  description:
    'Exchanges a refresh token for new tokens. Using one again from the same network within ten seconds, before the next one is used, returns the same next one. Any other second use ends the sign-in, because the token may have been stolen.',
  key: 'anyone',
  isAudited: false,
  input: z
    .object({ refreshToken: text(255).describe('The newest refresh token of the sign-in.') })
    .describe('A refresh token to exchange for new tokens.'),
  payload: { tokens },
  errors: ['INVALID_REFRESH_TOKEN', 'PARTNER_NOT_FOUND'],
  resolve: async ({ refreshToken }, ctx) => ({
    tokens: await refreshTokens(ctx, refreshToken, ctx.ip),
  }),
})

mutation('signOut', {
  description: "Ends the sign-in of this request's access token.",
  key: 'member',
  right: 'OWN_ACCOUNT',
  payload: { signedOut: { type: 'Boolean', description: 'Always true.' } },
  errors: [],
  resolve: async (_, ctx, caller) => {
    await signOut(ctx, caller)
    return { signedOut: true }
  },
})
