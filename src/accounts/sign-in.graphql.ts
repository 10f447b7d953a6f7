import { z } from 'zod'
import { isGoodCaller, requireCaller } from '../kit/access/context.ts'
import { nodeId } from '../kit/node-id.ts'
import { builder } from '../kit/schema/builder.ts'
import { list } from '../kit/schema/list.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { rows } from '../kit/schema/rows.ts'
import { text } from '../kit/validation.ts'
import { endSignIns } from './known-sign-in.ts'
import { MemberRef } from './member.graphql.ts'
import {
  endOwnSignIn,
  recognize,
  refreshTokens,
  SignIn,
  signIn,
  signOut,
  type Tokens,
} from './sign-in.ts'
import { ViewerRef } from './viewer.graphql.ts'

const TokensRef = builder.objectRef<Tokens>('Tokens').implement({
  description: 'Tokens of a sign-in.',
  fields: (t) => ({
    accessToken: t.exposeString('accessToken', { description: 'For `Authorization: Bearer …`.' }),
    expiresInSeconds: t.exposeInt('expiresIn', {
      description: 'Seconds until the access token expires.',
    }),
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
  payload: { tokens, member: { type: MemberRef, description: 'The member who has signed in.' } },
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

const SignInRef = builder.prismaNode('SignIn', {
  description: 'A sign-in of the member who asks; null to others.',
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, ctx) => ({
    id,
    memberId: requireCaller(ctx, 'member', 'OWN_ACCOUNT').memberId,
  }),
  fields: (t) => ({
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When they signed in.' }),
    refreshedAt: t.expose('refreshedAt', { type: 'DateTime', nullable: true }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true }),
    userAgent: t.exposeString('userAgent', { nullable: true }),
    network: t.exposeString('network', { nullable: true }),
    isCurrent: t.boolean({
      description: 'Whether this request belongs to it.',
      resolve: ({ id }, _, { callers: { member } }) =>
        isGoodCaller(member) && member.signInId === id,
    }),
  }),
})

mutation('signOut', {
  description: "Ends the sign-in of this request's access token.",
  key: 'member',
  right: 'OWN_ACCOUNT',
  payload: { signIn: SignInRef },
  errors: [],
  resolve: async (_, ctx, caller) => {
    await signOut(ctx, caller)
    return { signIn: await ctx.db.signIn.findUniqueOrThrow({ where: { id: caller.signInId } }) }
  },
})

list([ViewerRef, 'signIns'], {
  description: "The member's sign-ins that have not ended, newest first. Null for a key.",
  of: SignInRef,
  orders: { CREATED_AT: { by: ['id'], description: 'By time of creation.' } },
  order: ['CREATED_AT', 'DESC'],
  isFor: ({ callers }) => isGoodCaller(callers.member),
  from: ({ order, ctx }) => {
    const { memberId } = requireCaller(ctx, 'member', 'OWN_ACCOUNT')
    const open = { revokedAt: null, expiresAt: { gt: ctx.clock() } }
    return rows(ctx.db.signIn, { where: { memberId, ...open }, order })
  },
})

mutation('endSignIn', {
  description: "Ends one of the caller's sign-ins, on all nodes within five seconds.",
  key: 'member',
  right: 'OWN_ACCOUNT',
  input: z
    .object({ signInId: nodeId('SignIn').describe('The sign-in, by its global id or its UUID.') })
    .describe('A sign-in to end.'),
  payload: { signIn: SignInRef },
  errors: ['SIGN_IN_NOT_FOUND'],
  resolve: async ({ signInId }, ctx, caller) => ({
    signIn: await endOwnSignIn(ctx, caller, signInId),
  }),
})

mutation('endOtherSignIns', {
  description: "Ends all of the caller's sign-ins but this one, on all nodes within five seconds.",
  key: 'member',
  right: 'OWN_ACCOUNT',
  payload: { endedCount: { type: 'Int', description: 'How many were ended.' } },
  errors: [],
  resolve: async (_, ctx, { memberId, signInId }) => ({
    endedCount: await endSignIns(ctx, memberId, signInId),
  }),
})
