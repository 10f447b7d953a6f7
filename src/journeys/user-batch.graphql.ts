import { actorOf } from '../accounts/actor.ts'
import { actorField, actorIdField } from '../accounts/viewer.graphql.ts'
import { GameTypeRef } from '../games/mechanic.graphql.ts'
import type { UserBatch } from '../generated/prisma/client.ts'
import type { UserBatchKind, UserBatchStatus } from '../generated/prisma/enums.ts'
import { requireCaller } from '../kit/access/context.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import { builder } from '../kit/schema/builder.ts'
import { CountRef } from '../kit/schema/connection.ts'
import { load } from '../kit/schema/edge.ts'
import { enumType } from '../kit/schema/input.ts'
import { list } from '../kit/schema/list.ts'
import { lookup } from '../kit/schema/lookup.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { ownRow } from '../kit/schema/owner.ts'
import { readsPersonalData } from '../kit/schema/personal.ts'
import { rows } from '../kit/schema/rows.ts'
import { RewardRef } from '../programme/reward.graphql.ts'
import { findRewards } from '../programme/reward.ts'
import { OfferTypeRef } from './journey-words.graphql.ts'
import { OfferRef } from './offer.graphql.ts'
import { SegmentRef } from './segment.graphql.ts'
import { findSegments } from './segment.ts'
import {
  AdjustPointsOfUsers,
  adjustPointsOfUsers,
  CancelUserBatch,
  CreateOffersForUsers,
  cancelUserBatch,
  createOffersForUsers,
  findUserBatches,
} from './user-batch.ts'

const StatusRef = enumType<UserBatchStatus>('UserBatchStatus', 'The progress of a batch.', {
  QUEUED: 'Waiting for its turn.',
  RUNNING: 'Users are being looked at, one after another.',
  COMPLETED: 'All users were looked at, the segment was deleted, or the offers would have expired.',
  CANCELLED: 'It was cancelled. What was done stays.',
})

const KindRef = enumType<UserBatchKind>('UserBatchKind', 'What a batch does to users.', {
  OFFERS: 'Each user gets an offer.',
  POINTS: 'Points are added to the wallet of each user, or taken.',
})

/** The part of the users who were looked at. Users who come meanwhile are looked at, too. */
const progressOf = ({ completedAt, status, lookedCount, allUsers }: UserBatch): number =>
  completedAt !== null && status === 'COMPLETED'
    ? 1
    : Math.min(0.99, Number(lookedCount) / Math.max(1, Number(allUsers)))

const UserBatchRef = builder.prismaNode('UserBatch', {
  description: 'What is done to all users of a filter, in the background.',
  id: { field: 'id' },
  nullable: true,
  findUnique: ownRow('secret', 'READ'),
  // Long: the fields of one type, one after another.
  fields: (t) => ({
    kind: t.expose('kind', { type: KindRef, description: 'What it does to each of its users.' }),
    name: t.exposeString('name', { description: 'What it is called in lists.' }),
    segment: t.field({
      type: SegmentRef,
      nullable: true,
      description: 'The segment; null for users of none, and once it is deleted.',
      resolve: async ({ segmentId }, _, ctx) =>
        segmentId === null ? null : ((await load(ctx, findSegments, segmentId)) as never),
    }),
    offerType: t.expose('offerType', {
      type: OfferTypeRef,
      nullable: true,
      description: 'The kind of offer; null for points.',
    }),
    gameType: t.expose('gameType', {
      type: GameTypeRef,
      nullable: true,
      description: 'The game that the offers are for, if any.',
    }),
    title: t.exposeString('title', {
      nullable: true,
      description: 'Title of the offers that users see; null for points.',
    }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'Longer description of the offers.',
    }),
    points: t.exposeInt('pointsValue', {
      description: 'Points that each offer is worth, or that are added to each wallet.',
    }),
    creditsPoints: t.exposeBoolean('creditsPoints', {
      nullable: true,
      description: 'Whether claiming an offer credits its points to the wallet; null for points.',
    }),
    reason: t.exposeString('reason', {
      nullable: true,
      description: 'Why points are added or taken; null for offers.',
    }),
    reward: t.field({
      type: RewardRef,
      nullable: true,
      description:
        'The reward that claiming one gives; null for that of the type, if there is one.',
      resolve: async ({ rewardId }, _, ctx) =>
        rewardId === null ? null : ((await load(ctx, findRewards, rewardId)) as never),
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the offers expire; null for points.',
    }),
    status: t.expose('status', { type: StatusRef, description: 'How far it is, or how it ended.' }),
    progress: t.float({
      description:
        'The part of all users that were looked at so far, 0 to 1. 1 once it is completed.',
      resolve: progressOf,
    }),
    expectedUserCount: t.field({
      type: CountRef,
      description: 'Number of users who matched when it was started.',
      resolve: ({ expectedUsers: value, isExpectedExact }) => ({
        value,
        precision: isExpectedExact ? ('EXACT' as const) : ('AT_LEAST' as const),
      }),
    }),
    userCount: t.exposeInt('userCount', {
      description: 'Number of users who matched so far.',
    }),
    doneCount: t.exposeInt('doneCount', {
      description:
        'Number of users for whom it was done so far. A user who has three active offers gets none, and points are not taken from a user who has fewer.',
    }),
    actor: t.field(actorField),
    actorId: t.id(actorIdField),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was started.' }),
    completedAt: t.expose('completedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ended, also by being cancelled; null before.',
    }),
  }),
})

builder.prismaObjectField(OfferRef, 'batch', (t) =>
  t.field({
    type: UserBatchRef,
    nullable: true,
    description: 'The batch that it belongs to; null for none, and to public keys.',
    resolve: async ({ batchId }, _, ctx) =>
      batchId !== null && readsPersonalData(ctx)
        ? ((await load(ctx, findUserBatches, batchId)) as never)
        : null,
  }),
)

lookup('userBatch', UserBatchRef, { description: 'A batch.', key: 'secret' })

list('userBatches', {
  description: 'Batches of offers and of points, newest first.',
  key: 'secret',
  of: UserBatchRef,
  orders: { CREATED_AT: { by: ['id'], description: 'By time of creation.' } },
  order: ['CREATED_AT', 'DESC'],
  from: ({ caller, order, ctx }) => rows(ofTenant(ctx.db, caller).userBatch, { order }),
})

mutation('createOffersForUsers', {
  description:
    'Makes an offer to each user of a filter, in the background; `UserBatch` shows the progress. `Query.users.totalCount` says in advance how many users there are. A user who has three active offers gets none.',
  key: 'secret',
  right: 'JOURNEYS_WRITE',
  input: CreateOffersForUsers,
  payload: { userBatch: UserBatchRef },
  errors: ['SEGMENT_NOT_FOUND', 'REWARD_NOT_FOUND', 'REWARD_ARCHIVED'],
  price: 10_000,
  resolve: async (input, ctx, caller) => ({
    userBatch: await createOffersForUsers(ctx, { ...actorOf(caller), ...input }),
  }),
})

mutation('adjustPointsOfUsers', {
  description:
    'Adds points to the wallet of each user of a filter by hand, or takes them, in the background; `UserBatch` shows the progress. `Query.users.totalCount` says in advance how many users there are. Each user is adjusted once, whatever happens meanwhile; points are not taken from a user who has fewer. Emits `points.adjusted` for each.',
  key: 'secret',
  right: 'POINTS_ADJUST',
  input: AdjustPointsOfUsers,
  payload: { userBatch: UserBatchRef },
  errors: ['SEGMENT_NOT_FOUND'],
  price: 10_000,
  resolve: async (input, ctx, caller) => ({
    userBatch: await adjustPointsOfUsers(ctx, { ...actorOf(caller), ...input }),
  }),
})

mutation('cancelUserBatch', {
  description:
    'Ends a batch. What was done stays: `cancelOffer` cancels one offer, `reverseLedgerEntry` takes points back. A batch of points also needs POINTS_ADJUST.',
  key: 'secret',
  right: 'JOURNEYS_WRITE',
  input: CancelUserBatch,
  payload: { userBatch: UserBatchRef },
  errors: ['USER_BATCH_NOT_FOUND', 'USER_BATCH_ENDED'],
  resolve: async (input, ctx) => {
    const userBatch = await cancelUserBatch(ctx, input)
    // The refusal takes the change back: it is in the same transaction.
    if (userBatch.kind === 'POINTS') requireCaller(ctx, 'secret', 'POINTS_ADJUST')
    return { userBatch }
  },
})
