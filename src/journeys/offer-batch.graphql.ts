import { actorOf } from '../accounts/actor.ts'
import { actorField, actorIdField } from '../accounts/viewer.graphql.ts'
import { GameTypeRef } from '../games/mechanic.graphql.ts'
import type { OfferBatchStatus } from '../generated/prisma/enums.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { enumType } from '../kit/schema/input.ts'
import { list } from '../kit/schema/list.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { ownRow } from '../kit/schema/owner.ts'
import { readsPersonalData } from '../kit/schema/personal.ts'
import { rows } from '../kit/schema/rows.ts'
import { RewardRef } from '../programme/reward.graphql.ts'
import { findRewards } from '../programme/reward.ts'
import { OfferTypeRef } from './journey-words.graphql.ts'
import { OfferRef } from './offer.graphql.ts'
import {
  CancelOfferBatch,
  CreateOffersForSegment,
  cancelOfferBatch,
  createOffersForSegment,
  findOfferBatches,
} from './offer-batch.ts'
import { SegmentRef } from './segment.graphql.ts'
import { findSegments } from './segment.ts'

const StatusRef = enumType<OfferBatchStatus>('OfferBatchStatus', 'The progress of a batch.', {
  QUEUED: 'Waiting for its turn.',
  RUNNING: 'Offers are being made.',
  COMPLETED: 'All users were looked at, or the segment was deleted.',
  CANCELLED: 'It was cancelled. The offers that were made stay.',
})

const OfferBatchRef = builder.prismaNode('OfferBatch', {
  description: 'Offers to all users of a segment, made in the background.',
  id: { field: 'id' },
  nullable: true,
  findUnique: ownRow('secret', 'READ'),
  // Long: the fields of one type, one after another.
  fields: (t) => ({
    segment: t.field({
      type: SegmentRef,
      nullable: true,
      description: 'The segment; null once it is deleted.',
      resolve: async ({ segmentId }, _, ctx) =>
        segmentId === null ? null : ((await load(ctx, findSegments, segmentId)) as never),
    }),
    segmentName: t.exposeString('segmentName', {
      description: 'The name of the segment when it was started.',
    }),
    offerType: t.expose('offerType', { type: OfferTypeRef, description: 'The kind of offer.' }),
    gameType: t.expose('gameType', {
      type: GameTypeRef,
      nullable: true,
      description: 'The game that the offers are for, if any.',
    }),
    title: t.exposeString('title', { description: 'Title that users see.' }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'Longer description.',
    }),
    points: t.exposeInt('pointsValue', { description: 'Points that each offer is worth.' }),
    creditsPoints: t.exposeBoolean('creditsPoints', {
      description: 'Whether claiming one credits its points to the wallet.',
    }),
    reward: t.field({
      type: RewardRef,
      nullable: true,
      description:
        'The reward that claiming one gives; null for that of the type, if there is one.',
      resolve: async ({ rewardId }, _, ctx) =>
        rewardId === null ? null : ((await load(ctx, findRewards, rewardId)) as never),
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When the offers expire.' }),
    status: t.expose('status', { type: StatusRef, description: 'Its progress.' }),
    userCount: t.exposeInt('userCount', {
      description: 'Number of users of the segment that were looked at so far.',
    }),
    offerCount: t.exposeInt('offerCount', {
      description: 'Number of offers made so far. A user who has three active offers gets none.',
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
    type: OfferBatchRef,
    nullable: true,
    description: 'The batch that it belongs to; null for none, and to public keys.',
    resolve: async ({ batchId }, _, ctx) =>
      batchId !== null && readsPersonalData(ctx)
        ? ((await load(ctx, findOfferBatches, batchId)) as never)
        : null,
  }),
)

list('offerBatches', {
  description: 'Batches of offers to users of segments, newest first.',
  key: 'secret',
  of: OfferBatchRef,
  orders: { CREATED_AT: { by: ['id'], description: 'By time of creation.' } },
  order: ['CREATED_AT', 'DESC'],
  from: ({ caller, order, ctx }) => rows(ofTenant(ctx.db, caller).offerBatch, { order }),
})

mutation('createOffersForSegment', {
  description:
    'Makes an offer to each user of a segment, in the background; `OfferBatch` shows the progress. `Segment.users.totalCount` says in advance how many users there are. A user who has three active offers gets none.',
  key: 'secret',
  right: 'JOURNEYS_WRITE',
  input: CreateOffersForSegment,
  payload: { offerBatch: OfferBatchRef },
  errors: ['SEGMENT_NOT_FOUND', 'REWARD_NOT_FOUND', 'REWARD_ARCHIVED'],
  price: 10_000,
  resolve: async (input, ctx, caller) => ({
    offerBatch: await createOffersForSegment(ctx, { ...actorOf(caller), ...input }),
  }),
})

mutation('cancelOfferBatch', {
  description: 'Ends a batch of offers. The offers that were made stay; `cancelOffer` cancels one.',
  key: 'secret',
  right: 'JOURNEYS_WRITE',
  input: CancelOfferBatch,
  payload: { offerBatch: OfferBatchRef },
  errors: ['OFFER_BATCH_NOT_FOUND', 'OFFER_BATCH_ENDED'],
  resolve: async (input, ctx) => ({ offerBatch: await cancelOfferBatch(ctx, input) }),
})
