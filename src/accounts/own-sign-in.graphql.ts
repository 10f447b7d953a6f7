import { z } from 'zod'
import { isGoodCaller, requireCaller } from '../kit/access/context.ts'
import { nodeId } from '../kit/node-id.ts'
import { builder } from '../kit/schema/builder.ts'
import { list } from '../kit/schema/list.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { rows } from '../kit/schema/rows.ts'
import { endSignIns } from './end-sign-ins.ts'
import { endOwnSignIn } from './own-sign-in.ts'
import { ViewerRef } from './viewer.graphql.ts'

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

list([ViewerRef, 'signIns'], {
  description: "The member's sign-ins that have not ended, newest first. Null for a key.",
  of: SignInRef,
  orders: { CREATED_AT: { by: ['id'], description: 'By time of the sign-in.' } },
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
    .object({ signInId: nodeId('SignIn').describe('The sign-in.') })
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
