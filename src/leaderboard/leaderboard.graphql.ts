import { builder } from '../core/builder.ts'
import { requireCaller } from '../core/context.ts'
import { refused } from '../core/errors.ts'
import {
  connectionType,
  isNumberCursor,
  isTextCursor,
  listArgs,
  listComplexity,
  listConnection,
} from '../core/pagination.ts'
import { tenantOf } from '../core/tenant.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import { getUsers } from '../users/end-user.ts'
import {
  countRankedUsers,
  findRanks,
  listAroundUser,
  listLeaderboard,
  type RankedUser,
} from './leaderboard.ts'

const LeaderboardEntryRef = builder.objectRef<RankedUser>('LeaderboardEntry').implement({
  description: 'A user and where they stand.',
  fields: (t) => ({
    rank: t.exposeInt('rank', { description: 'Position; 1 is the top.' }),
    userId: t.string({
      description: "The partner's id of the user.",
      resolve: ({ user }) => user.externalId,
    }),
    displayName: t.string({
      nullable: true,
      description: 'Name to show, if set.',
      resolve: ({ user }) => user.displayName,
    }),
    totalPoints: t.field({
      type: 'SafeInt',
      description: 'Lifetime points earned; spending does not lower it.',
      resolve: ({ user }) => user.lifetimePoints,
    }),
    totalRewardsWon: t.int({
      description: 'Plays whose reward value was above 0.',
      resolve: ({ user }) => user.rewardsWon,
    }),
    gamesPlayed: t.int({ description: 'Plays.', resolve: ({ user }) => user.gamesPlayed }),
    score: t.field({
      type: 'SafeInt',
      description: 'totalPoints + totalRewardsWon + 10 × gamesPlayed.',
      resolve: ({ user }) => user.score,
    }),
    user: t.field({ type: UserRef, description: 'The user.', resolve: ({ user }) => user }),
  }),
})

const LeaderboardConnection = connectionType('LeaderboardEntry', LeaderboardEntryRef)

/** Score, moment, user and rank of an entry: enough to go on behind it. */
type Cursor = [score: number, scoreReachedAt: string, externalId: string, rank: number]

/** After 2000, as every moment this service has seen. */
const moment = /^2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const isCursor = (value: unknown): value is Cursor =>
  Array.isArray(value) &&
  Number.isSafeInteger(value[0]) &&
  moment.test(String(value[1])) &&
  !Number.isNaN(Date.parse(String(value[1]))) &&
  isTextCursor(value[2]) &&
  isNumberCursor(value[3]) &&
  value[3] < 2_000_000_000

const maxDistance = 50

builder.queryFields((t) => ({
  leaderboard: t.field({
    type: LeaderboardConnection,
    description: 'All users by score, then by who reached it first, then by userId.',
    authScopes: { key: 'public' },
    args: listArgs,
    complexity: listComplexity,
    resolve: (_, args, ctx) => {
      const tenant = tenantOf(requireCaller(ctx, 'public'))
      return listConnection(ctx, args, {
        list: 'leaderboard',
        isCursor,
        cursorOf: ({ rank, user }: RankedUser): Cursor => [
          Number(user.score),
          user.scoreReachedAt.toISOString(),
          user.externalId,
          rank,
        ],
        total: () => countRankedUsers(ctx, tenant),
        fetch: ({ take, skip, after }) => {
          if (!after) return listLeaderboard(ctx, tenant, { rank: skip + 1 }, take)
          const [score, at, externalId, rank] = after
          const standing = { score: BigInt(score), scoreReachedAt: new Date(at), externalId }
          return listLeaderboard(ctx, tenant, { rank: rank + 1, after: standing }, take)
        },
      })
    },
  }),
  aroundUser: t.field({
    type: [LeaderboardEntryRef],
    description: 'The leaderboard around a user, the user included. Error USER_NOT_FOUND.',
    authScopes: { key: 'public' },
    args: {
      userId: t.arg.string({ required: true, description: "The partner's id of the user." }),
      distance: t.arg.int({
        defaultValue: 5,
        required: true,
        description: `Users on each side, 0 to ${maxDistance}.`,
      }),
    },
    resolve: async (_, { userId, distance }, ctx) => {
      if (distance < 0 || distance > maxDistance)
        throw refused('distance', `must be 0 to ${maxDistance}`, 'INVALID_PARAMETERS')
      const tenant = tenantOf(requireCaller(ctx, 'public'))
      const user = await ctx.read(getUsers, { ...tenant, externalId: userId })
      return listAroundUser(ctx, tenant, user as never, distance)
    },
  }),
}))

builder.prismaObjectField('EndUser', 'rank', (t) =>
  t.int({
    description: 'Position on the leaderboard; 1 is the top.',
    complexity: 10,
    resolve: (user, _, ctx) => ctx.read(findRanks, user),
  }),
)
