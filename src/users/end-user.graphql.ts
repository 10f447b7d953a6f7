import { builder } from '../core/builder.ts'
import { requireCaller } from '../core/context.ts'
import { forBackends, personal } from '../core/personal.ts'
import { tenantOf } from '../core/tenant.ts'
import type { EndUser } from '../generated/prisma/client.ts'
import { getUsers } from './end-user.ts'

export const UserRef = builder.prismaNode('EndUser', {
  name: 'User',
  description:
    'An end user of a partner, and the owner of a wallet. The same external id in TEST and in LIVE is two users.',
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, ctx) => ({ id, ...tenantOf(requireCaller(ctx, 'public')) }),
  fields: (t) => ({
    userId: t.exposeString('externalId'),
    displayName: t.exposeString('displayName', { nullable: true }),
    totalPoints: t.expose('balance', { type: 'SafeInt' }),
    lifetimePoints: t.expose('lifetimePoints', { type: 'SafeInt' }),
    gamesPlayed: t.exposeInt('gamesPlayed'),
    totalRewardsWon: t.exposeInt('rewardsWon'),
    score: t.expose('score', { type: 'SafeInt' }),
    email: t.string(
      personal({
        description: 'E-mail address, if set.',
        value: ({ email }: EndUser) => email,
        unset: null,
        isShown: forBackends,
      }),
    ),
    metadata: t.field({
      type: 'JSON',
      ...personal({
        description: 'Free-form data; `{}` when there is none.',
        value: ({ metadata }: EndUser) => metadata ?? {},
        unset: {},
        isShown: forBackends,
      }),
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the user was first heard of.',
    }),
  }),
})

builder.queryField('user', (t) =>
  t.field({
    type: UserRef,
    description: 'A user by the id the partner gave them. Error USER_NOT_FOUND.',
    authScopes: { key: 'public' },
    args: {
      userId: t.arg.string({ required: true, description: "The partner's id of the user." }),
    },
    resolve: (_, { userId }, ctx) =>
      ctx.read(getUsers, {
        ...tenantOf(requireCaller(ctx, 'public')),
        externalId: userId,
      }) as never,
  }),
)
