import { z } from 'zod'
import { PartnerRef } from '../accounts/partner.graphql.ts'
import { findPartners } from '../accounts/partner.ts'
import { requireCaller } from '../core/context.ts'
import { builder } from '../core/graphql/builder.ts'
import { selectsOnly } from '../core/graphql/edge.ts'
import { inProfiles, personal } from '../core/graphql/personal.ts'
import { query } from '../core/graphql/query.ts'
import { EnvironmentRef } from '../core/graphql/vocabulary.ts'
import { tenantOf } from '../core/tenant.ts'
import type { EndUser, Partner } from '../generated/prisma/client.ts'
import { findUserBy, UserBy } from './end-user.ts'

export const UserRef = builder.prismaNode('EndUser', {
  name: 'User',
  description:
    'An end user of a partner, with a wallet. The same external id in TEST and LIVE denotes two users.',
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, ctx) => ({ id, ...tenantOf(requireCaller(ctx, 'public')) }),
  fields: (t) => ({
    partner: t.field({
      type: PartnerRef,
      description: "The user's partner.",
      resolve: ({ partnerId }, _, ctx, info) =>
        selectsOnly(info) ? ({ id: partnerId } as Partner) : ctx.read(findPartners, partnerId),
    }),
    environment: t.expose('environment', { type: EnvironmentRef, description: 'TEST or LIVE.' }),
    externalId: t.exposeString('externalId'),
    displayName: t.exposeString('displayName', { nullable: true }),
    balance: t.expose('balance', { type: 'SafeInt' }),
    lifetimePoints: t.expose('lifetimePoints', { type: 'SafeInt' }),
    playCount: t.exposeInt('gamesPlayed'),
    rewardCount: t.exposeInt('rewardsWon'),
    score: t.expose('score', {
      type: 'SafeInt',
      description: 'lifetimePoints + rewardCount + 10 × playCount.',
    }),
    email: t.string(
      personal({
        description: 'E-mail address; null if unset.',
        value: ({ email }: EndUser) => email,
        unset: null,
        isShown: inProfiles(({ emailBySecret }) => emailBySecret),
      }),
    ),
    metadata: t.field({
      type: 'JSON',
      ...personal({
        description: 'Free-form data; `{}` if there is none.',
        value: ({ metadata }: EndUser) => metadata ?? {},
        unset: {},
        isShown: inProfiles(({ metadataBySecret }) => metadataBySecret),
      }),
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the user was created.',
    }),
  }),
})

query('user', {
  description: 'A user; null if not found.',
  key: 'public',
  args: z.object({ by: UserBy }),
  type: UserRef,
  nullable: true,
  resolve: ({ by }, ctx, caller) => findUserBy(ctx, caller, by),
})
