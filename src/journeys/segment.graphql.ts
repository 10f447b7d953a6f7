import { z } from 'zod'
import { requireCaller } from '../core/context.ts'
import { builder } from '../core/graphql/builder.ts'
import { list } from '../core/graphql/list.ts'
import { mutation } from '../core/graphql/mutation.ts'
import { rows } from '../core/graphql/rows.ts'
import { streamOf } from '../core/graphql/subscription.ts'
import { tenantOf } from '../core/tenant.ts'
import {
  DeviceRef,
  EngagementTierRef,
  LifecycleStageRef,
  SegmentMoveRef,
} from './journey-words.graphql.ts'
import { JourneyProfileRef, profilesThatPass } from './profile.graphql.ts'
import { getProfilesById } from './profile.ts'
import {
  CreateSegment,
  countProfiles,
  createSegment,
  deleteSegment,
  followSegment,
  type SegmentMoved,
} from './segment.ts'

const SegmentRef = builder.prismaNode('Segment', {
  description: 'A saved filter of profiles. A field that is null lets all pass.',
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, ctx) => ({ id, ...tenantOf(requireCaller(ctx, 'secret')) }),
  fields: (t) => ({
    segmentId: t.exposeString('id', { description: 'UUID of the segment.' }),
    name: t.exposeString('name', { description: 'Unique among your segments.' }),
    stage: t.expose('stage', { type: LifecycleStageRef, nullable: true, description: 'Stage.' }),
    tier: t.expose('tier', { type: EngagementTierRef, nullable: true, description: 'Tier.' }),
    tag: t.exposeString('tag', { nullable: true }),
    tagValue: t.exposeString('tagValue', { nullable: true }),
    country: t.exposeString('country', { nullable: true, description: 'ISO 3166-1 alpha-2.' }),
    device: t.expose('device', { type: DeviceRef, nullable: true, description: 'Device.' }),
    source: t.exposeString('source', { nullable: true, description: 'Acquisition channel.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was saved.' }),
    userCount: t.field({
      type: 'SafeInt',
      description: 'Users who pass it now.',
      complexity: 50,
      resolve: (segment, _, ctx) => countProfiles(ctx, tenantOf(segment), segment),
    }),
  }),
})

list([SegmentRef, 'profiles'], {
  description: 'Who they are.',
  of: JourneyProfileRef,
  from: ({ parent: segment, ctx }) => profilesThatPass(ctx, tenantOf(segment), segment),
})

list('segments', {
  description: 'Saved filters, the oldest first.',
  key: 'secret',
  of: SegmentRef,
  orders: {
    CREATED_AT: { by: ['id'], description: 'By when they were saved.' },
    NAME: { by: ['name'], description: 'By name.' },
  },
  order: ['CREATED_AT', 'ASC'],
  from: ({ caller, order, ctx }) => rows(ctx.db.segment, { where: tenantOf(caller), order }),
})

mutation('createSegment', {
  description: 'Saves a filter under a name.',
  key: 'secret',
  input: CreateSegment,
  payload: SegmentRef as never,
  errors: ['SEGMENT_NAME_TAKEN'],
  resolve: (input, ctx, caller) => createSegment(ctx, tenantOf(caller), input),
})

mutation('deleteSegment', {
  description: 'Deletes a segment and gives what it was.',
  key: 'secret',
  input: z
    .object({ segmentId: z.guid('must be a UUID').describe('UUID of the segment.') })
    .describe('A segment to delete.'),
  payload: SegmentRef as never,
  errors: ['SEGMENT_NOT_FOUND'],
  resolve: ({ segmentId }, ctx, caller) => deleteSegment(ctx, tenantOf(caller), segmentId),
})

const SegmentMoveEvent = builder.objectRef<SegmentMoved>('SegmentMoveEvent').implement({
  description: 'A user has entered or left a segment.',
  fields: (t) => ({
    move: t.expose('move', { type: SegmentMoveRef, description: 'Which of the two.' }),
    changedAt: t.expose('changedAt', { type: 'DateTime', description: 'When.' }),
    profile: t.field({
      type: JourneyProfileRef,
      description: 'Who, as of now.',
      resolve: ({ userId }, _, ctx) => ctx.read(getProfilesById, userId) as never,
    }),
  }),
})

builder.subscriptionField('segmentMoves', (t) =>
  t.field({
    type: SegmentMoveEvent,
    description: 'Users who enter or leave a segment from now on. Error SEGMENT_NOT_FOUND.',
    authScopes: { key: 'secret' },
    args: {
      segmentId: t.arg.string({ required: true, description: 'UUID of the segment.' }),
    },
    subscribe: async (_, { segmentId }, ctx) =>
      streamOf(await followSegment(ctx, requireCaller(ctx, 'secret'), segmentId)),
    resolve: (move) => move,
  }),
)
