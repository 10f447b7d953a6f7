import { z } from 'zod'
import { PartnerRef } from '../accounts/partner.graphql.ts'
import { findPartners } from '../accounts/partner.ts'
import type { EndUser, Partner } from '../generated/prisma/client.ts'
import { requireCaller } from '../kit/access/context.ts'
import { builder } from '../kit/schema/builder.ts'
import { selectsOnly } from '../kit/schema/edge.ts'
import { EnvironmentRef } from '../kit/schema/input.ts'
import { inProfiles, personal } from '../kit/schema/personal.ts'
import { query } from '../kit/schema/query.ts'
import { findUserBy, UserBy } from './end-user.ts'
import { refuseOtherUserIn, whereNamed } from './named-user.ts'

/** The public fields of every user, on the leaderboard. All others are for callers who may name the user. */
const shownToAll = { skipTypeScopes: true } as const

export const UserRef = builder.prismaNode('EndUser', {
  name: 'User',
  description:
    'An end user of a partner, with a wallet. The same external id in TEST and LIVE denotes two users.',
  id: { field: 'id', ...shownToAll },
  nullable: true,
  findUnique: (id, ctx) => ({ id, ...whereNamed(requireCaller(ctx, 'public')) }),
  authScopes: ({ externalId }, ctx) => {
    refuseOtherUserIn(ctx, externalId)
    return true
  },
  fields: (t) => ({
    partner: t.field({
      type: PartnerRef,
      ...shownToAll,
      description: "The user's partner.",
      resolve: ({ partnerId }, _, ctx, info) =>
        selectsOnly(info) ? ({ id: partnerId } as Partner) : ctx.read(findPartners, partnerId),
    }),
    environment: t.expose('environment', {
      type: EnvironmentRef,
      ...shownToAll,
      description: 'TEST or LIVE.',
    }),
    externalId: t.exposeString('externalId', shownToAll),
    displayName: t.exposeString('displayName', { nullable: true, ...shownToAll }),
    balance: t.expose('balance', { type: 'SafeInt' }),
    lifetimePoints: t.expose('lifetimePoints', { type: 'SafeInt', ...shownToAll }),
    playCount: t.exposeInt('gamesPlayed', shownToAll),
    rewardCount: t.exposeInt('rewardsWon', shownToAll),
    score: t.expose('score', {
      type: 'SafeInt',
      ...shownToAll,
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
