import { z } from 'zod'
import type { EndUser } from '../generated/prisma/client.ts'
import { builder } from '../kit/schema/builder.ts'
import { exactly, ranked, type Source } from '../kit/schema/connection.ts'
import { load } from '../kit/schema/edge.ts'
import { list } from '../kit/schema/list.ts'
import { query } from '../kit/schema/query.ts'
import { tenantOf } from '../kit/tenant.ts'
import { integer } from '../kit/validation.ts'
import { PublicUserRef } from '../users/end-user.graphql.ts'
import { findUserBy, UserBy } from '../users/end-user.ts'
import {
  countRankedUsers,
  findRanks,
  listAroundUser,
  listUsers,
  type RankedUser,
  userPlace,
} from './leaderboard.ts'
import { byScore } from './marks.ts'

const LeaderboardEntryRef = builder.objectRef<RankedUser>('LeaderboardEntry').implement({
  description: 'A user and their rank.',
  fields: (t) => ({
    rank: t.exposeInt('rank', { description: 'Position; 1 is the top.' }),
    user: t.field({
      type: PublicUserRef,
      description: 'The user: a `User` if the caller may see all of them.',
      resolve: ({ user }) => user,
    }),
  }),
})

list('leaderboard', {
  description: 'All users by score. Ties are broken by who reached it first, then by externalId.',
  key: 'public',
  of: LeaderboardEntryRef,
  onStandby: true,
  from: ({ caller, ctx }) => {
    const tenant = tenantOf(caller)
    const total = () => countRankedUsers(ctx, tenant)
    const users: Source<EndUser> = {
      order: byScore,
      placeOf: userPlace,
      count: async () => exactly(await total()),
      fetch: (part) => load(ctx, listUsers, { ...part, ...tenant }),
    }
    return ranked(users, {
      total,
      entry: (user, rank): RankedUser => ({ rank, user }),
      rowOf: ({ user }) => user,
    })
  },
})

const maxDistance = 50

query('leaderboardAround', {
  description:
    'The leaderboard around a user, including the user; null if there is no such user, or if they are blocked for fraud.',
  key: 'public',
  args: z.object({
    user: UserBy,
    distance: integer(0, maxDistance)
      .nullish()
      .describe(`Users on each side, ${maxDistance} at most. Defaults to 5.`),
  }),
  type: [LeaderboardEntryRef],
  nullable: true,
  resolve: async ({ user: by, distance }, ctx, caller) => {
    const user = await findUserBy(ctx, caller, by)
    return user && listAroundUser(ctx, tenantOf(caller), user, distance ?? 5)
  },
})

builder.interfaceField(PublicUserRef, 'rank', (t) =>
  t.int({
    nullable: true,
    description:
      'Position on the leaderboard; 1 is the top. Null while the user is blocked for fraud. Exact up to 5,000. Behind that, changes further ahead count within minutes.',
    complexity: 10,
    resolve: (user, _, ctx) => load(ctx, findRanks, user),
  }),
)
