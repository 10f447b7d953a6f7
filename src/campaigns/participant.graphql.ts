import { builder } from '../core/builder.ts'
import { requireCaller } from '../core/context.ts'
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
import {
  countParticipants,
  getParticipant,
  listParticipants,
  type RankedParticipant,
} from './participant.ts'

const ParticipantRef = builder.prismaNode('CampaignParticipant', {
  id: { field: 'id' },
  nullable: true,
  include: { campaign: true, user: true },
  findUnique: (id, ctx) => ({ id, ...tenantOf(requireCaller(ctx, 'secret')) }),
  fields: (t) => ({
    userId: t.exposeString('externalId', { description: "The partner's id of the user." }),
    displayName: t.string({
      nullable: true,
      description: 'Name to show, if set.',
      resolve: ({ user }) => user.displayName,
    }),
    totalPoints: t.expose('totalPoints', { type: 'SafeInt' }),
    plays: t.exposeInt('plays', { description: 'Events so far.' }),
    playsLeft: t.int({
      nullable: true,
      description: 'Events that are left; null for no limit.',
      resolve: ({ plays, campaign: { maxPlaysPerUser } }) =>
        maxPlaysPerUser === null ? null : Math.max(0, maxPlaysPerUser - plays),
    }),
    wins: t.exposeInt('wins'),
    referralCount: t.exposeInt('referralCount'),
    referralRewards: t.expose('referralRewards', { type: 'SafeInt' }),
    joinedAt: t.expose('joinedAt', {
      type: 'DateTime',
      description: 'When they became a participant.',
    }),
    user: t.field({ type: UserRef, description: 'The user.', resolve: ({ user }) => user }),
  }),
})

builder.prismaObjectField('Campaign', 'participant', (t) =>
  t.field({
    type: ParticipantRef,
    description: 'A user in this campaign. Error CAMPAIGN_OR_USER_NOT_FOUND.',
    args: {
      userId: t.arg.string({ required: true, description: "The partner's id of the user." }),
    },
    resolve: (campaign, { userId }, ctx) => getParticipant(ctx, campaign as never, userId) as never,
  }),
)

const EntryRef = builder.objectRef<RankedParticipant>('CampaignLeaderboardEntry').implement({
  description: 'A participant and where they stand.',
  fields: (t) => ({
    rank: t.exposeInt('rank', { description: 'Position; 1 is the top.' }),
    userId: t.exposeString('externalId', { description: "The partner's id of the user." }),
    displayName: t.string({
      nullable: true,
      description: 'Name to show, if set.',
      resolve: ({ user }) => user.displayName,
    }),
    totalPoints: t.expose('totalPoints', {
      type: 'SafeInt',
      description: 'Points earned in this campaign.',
    }),
    user: t.field({ type: UserRef, description: 'The user.', resolve: ({ user }) => user }),
  }),
})

const EntryConnection = connectionType('CampaignLeaderboardEntry', EntryRef)

/** Points, moment, user and rank of an entry: enough to go on behind it. */
type Cursor = [totalPoints: number, pointsReachedAt: string, externalId: string, rank: number]

const isCursor = (value: unknown): value is Cursor =>
  Array.isArray(value) &&
  Number.isSafeInteger(value[0]) &&
  /^2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(value[1])) &&
  !Number.isNaN(Date.parse(String(value[1]))) &&
  isTextCursor(value[2]) &&
  isNumberCursor(value[3]) &&
  value[3] < 2_000_000_000

builder.prismaObjectField('Campaign', 'leaderboard', (t) =>
  t.field({
    type: EntryConnection,
    description: 'The participants by points, then by who reached them first, then by userId.',
    args: listArgs,
    complexity: listComplexity,
    resolve: (campaign, args, ctx) =>
      listConnection(ctx, args, {
        list: 'campaignLeaderboard',
        isCursor,
        cursorOf: (entry: RankedParticipant): Cursor => [
          Number(entry.totalPoints),
          entry.pointsReachedAt.toISOString(),
          entry.externalId,
          entry.rank,
        ],
        total: () => countParticipants(ctx, campaign as never),
        fetch: ({ take, skip, after }) => {
          if (!after) return listParticipants(ctx, campaign as never, { rank: skip + 1 }, take)
          const [points, at, externalId, rank] = after
          const standing = {
            totalPoints: BigInt(points),
            pointsReachedAt: new Date(at),
            externalId,
          }
          const from = { rank: rank + 1, after: standing }
          return listParticipants(ctx, campaign as never, from, take)
        },
      }),
  }),
)
