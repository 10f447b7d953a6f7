import { z } from 'zod'
import { builder } from '../core/graphql/builder.ts'
import { mutation } from '../core/graphql/mutation.ts'
import { text } from '../core/validation.ts'
import { MemberRef } from './member.graphql.ts'
import { refreshTokens, SignIn, signIn, signOut, type Tokens } from './sign-in.ts'

const TokensRef = builder.objectRef<Tokens>('Tokens').implement({
  description: 'Tokens of a sign-in.',
  fields: (t) => ({
    accessToken: t.exposeString('accessToken', { description: 'For `Authorization: Bearer …`.' }),
    tokenType: t.string({ description: 'Always `Bearer`.', resolve: () => 'Bearer' }),
    expiresIn: t.exposeInt('expiresIn', { description: 'Seconds until the access token ends.' }),
    refreshToken: t.exposeString('refreshToken', {
      description: 'Gives the next tokens, once, within 30 days.',
    }),
  }),
})

const tokens = { type: TokensRef, description: 'They are shown only here.' } as const

mutation('signIn', {
  description: 'Signs a member in by e-mail address and password.',
  key: 'anyone',
  input: SignIn,
  payload: { tokens, member: { type: MemberRef, description: 'Who has signed in.' } },
  errors: ['INVALID_CREDENTIALS', 'ACCOUNT_LOCKED', 'PARTNER_NOT_FOUND', 'RATE_LIMITED'],
  resolve: async (input, ctx) => {
    const { member, ...tokens } = await signIn(ctx, input, ctx.ip)
    return { tokens, member }
  },
})

mutation('refreshTokens', {
  description:
    'Gives new tokens for a refresh token. One that is used a second time ends the sign-in: it was stolen.',
  key: 'anyone',
  input: z
    .object({ refreshToken: text(255).describe('The newest refresh token of the sign-in.') })
    .describe('A sign-in to go on with.'),
  payload: { tokens },
  errors: ['INVALID_REFRESH_TOKEN', 'PARTNER_NOT_FOUND'],
  resolve: async ({ refreshToken }, ctx) => ({ tokens: await refreshTokens(ctx, refreshToken) }),
})

mutation('signOut', {
  description: 'Ends the sign-in whose access token makes this request.',
  key: 'member',
  payload: { signedOut: { type: 'Boolean', description: 'Always true.' } },
  errors: [],
  resolve: async (_, ctx, caller) => {
    await signOut(ctx, caller)
    return { signedOut: true }
  },
})
