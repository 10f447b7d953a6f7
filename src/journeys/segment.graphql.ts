import { z } from 'zod'
import type { Segment } from '../generated/prisma/client.ts'
import { requireCaller } from '../kit/access/context.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import { refused } from '../kit/errors.ts'
import { encodeNodeId } from '../kit/node-id.ts'
import { builder } from '../kit/schema/builder.ts'
import type { Source } from '../kit/schema/connection.ts'
import { load } from '../kit/schema/edge.ts'
import { versioned, versionField } from '../kit/schema/expected-version.ts'
import { containing } from '../kit/schema/filters.ts'
import { inputType } from '../kit/schema/input.ts'
import { list } from '../kit/schema/list.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { ownRow } from '../kit/schema/owner.ts'
import { readsPersonalData } from '../kit/schema/personal.ts'
import { query } from '../kit/schema/query.ts'
import { rows } from '../kit/schema/rows.ts'
import { streamOf } from '../kit/streams/broadcast.ts'
import { check, title } from '../kit/validation.ts'
import { GoalRef } from '../programme/goal.graphql.ts'
import { RewardRef } from '../programme/reward.graphql.ts'
import { GoalConditionRef } from '../programme/simulation.graphql.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import { userOf } from '../users/end-user.ts'
import { recentPlays } from './journey-filter.ts'
import {
  DeviceRef,
  EngagementTierRef,
  LifecycleStageRef,
  SegmentChangeKindRef,
} from './journey-words.graphql.ts'
import {
  CreateSegment,
  createSegment,
  deleteSegment,
  findSegment,
  findSegments,
  followSegment,
  SegmentBy,
  type SegmentMoved,
  UpdateSegment,
  updateSegment,
} from './segment.ts'
import { numbersOf, timesOf } from './segment-range.ts'
import { matchOfSegment, userOrders, usersMatching } from './user-list.ts'

const NumberRangeRef = builder
  .objectRef<{ min: number | null; max: number | null }>('CountRange')
  .implement({
    description: 'A range of numbers. An open bound is null.',
    fields: (t) => ({
      min: t.expose('min', { type: 'SafeInt', nullable: true, description: 'Lowest, inclusive.' }),
      max: t.expose('max', { type: 'SafeInt', nullable: true, description: 'Highest, inclusive.' }),
    }),
  })

const TimeRangeRef = builder
  .objectRef<{ from: Date | null; to: Date | null }>('TimeRange')
  .implement({
    description: 'A period of time. An open bound is null.',
    fields: (t) => ({
      from: t.expose('from', {
        type: 'DateTime',
        nullable: true,
        description: 'The start, inclusive.',
      }),
      to: t.expose('to', { type: 'DateTime', nullable: true, description: 'The end, exclusive.' }),
    }),
  })

const numbersField = (name: Parameters<typeof numbersOf>[1], description: string) => ({
  type: NumberRangeRef,
  nullable: true as const,
  description,
  resolve: (segment: Segment) => numbersOf(segment, name),
})

const timesField = (name: Parameters<typeof timesOf>[1], description: string) => ({
  type: TimeRangeRef,
  nullable: true as const,
  description,
  resolve: (segment: Segment) => timesOf(segment, name),
})

export const SegmentRef = builder.prismaNode('Segment', {
  description: 'A saved filter of users. Null fields match everything.',
  id: { field: 'id' },
  nullable: true,
  findUnique: ownRow('secret'),
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Unique among your segments.' }),
    stage: t.expose('stage', { type: LifecycleStageRef, nullable: true, description: 'Stage.' }),
    engagementTier: t.expose('tier', {
      type: EngagementTierRef,
      nullable: true,
      description: 'Engagement tier.',
    }),
    tag: t.exposeString('tag', { nullable: true }),
    tagValue: t.exposeString('tagValue', { nullable: true }),
    country: t.exposeString('country', { nullable: true, description: 'ISO 3166-1 alpha-2.' }),
    device: t.expose('device', { type: DeviceRef, nullable: true, description: 'Device.' }),
    source: t.exposeString('source', { nullable: true, description: 'Acquisition channel.' }),
    balance: t.field(numbersField('balance', 'What they can spend.')),
    lifetimePoints: t.field(numbersField('lifetimePoints', 'What they have ever earned.')),
    recentPlayCount: t.field(numbersField('recentPlayCount', recentPlays)),
    lastSeenAt: t.field(timesField('lastSeenAt', 'When they were last seen.')),
    lastSeenDaysAgo: t.field(
      numbersField('lastSeenDaysAgo', 'How many times 24 hours ago they were last seen.'),
    ),
    userCreatedAt: t.field(timesField('userCreatedAt', 'When they were created.')),
    userCreatedDaysAgo: t.field(
      numbersField('userCreatedDaysAgo', 'How many times 24 hours ago they were created.'),
    ),
    version: t.exposeInt('version', versionField),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was saved.' }),
  }),
})

versioned(SegmentRef)
builder.objectField(GoalRef, 'segment', (t) =>
  t.field({
    type: SegmentRef,
    nullable: true,
    description:
      'Only users who are in it when the goal is decided can complete it. Those who come to meet its conditions on numbers or times later complete it with their next fact. Null for all, and to public keys.',
    resolve: async ({ segmentId }, _, ctx) =>
      segmentId !== null && readsPersonalData(ctx)
        ? ((await load(ctx, findSegments, segmentId)) as never)
        : null,
  }),
)

builder.prismaObjectField(RewardRef, 'segment', (t) =>
  t.field({
    type: SegmentRef,
    nullable: true,
    description: 'The segment whose users may buy it; null for all users, and to public keys.',
    resolve: async ({ segmentId }, _, ctx) =>
      segmentId !== null && readsPersonalData(ctx)
        ? ((await load(ctx, findSegments, segmentId)) as never)
        : null,
  }),
)

builder.objectField(GoalConditionRef, 'segment', (t) =>
  t.field({
    type: SegmentRef,
    nullable: true,
    description: 'The segment; null unless this is SEGMENT.',
    resolve: async (condition, _, ctx) =>
      condition.kind === 'SEGMENT'
        ? ((await load(ctx, findSegments, condition.segmentId)) as never)
        : null,
  }),
)

list([SegmentRef, 'users'], {
  description: 'Users who match the filter now. Costs what `Query.users` does with this filter.',
  of: UserRef,
  orders: userOrders,
  order: ['EXTERNAL_ID', 'ASC'],
  from: ({ parent: segment, order, ctx }) =>
    usersMatching(ctx, segment, matchOfSegment(segment, ctx.clock()), order) as Source<never>,
})

const SegmentFilter = z
  .object({
    search: title(255)
      .nullish()
      .describe('Only segments whose name contains this; case-insensitive.'),
  })
  .describe('A condition on segments. Without it, the list has all.')

list('segments', {
  description: 'Saved filters, oldest first.',
  key: 'secret',
  of: SegmentRef,
  filter: SegmentFilter,
  orders: {
    CREATED_AT: { by: ['id'], description: 'By time of creation.' },
    NAME: { by: ['name'], description: 'By name.' },
  },
  orderName: 'CreatedAtOrName',
  order: ['CREATED_AT', 'ASC'],
  from: ({ caller, filter: { search }, order, ctx }) =>
    rows(ofTenant(ctx.db, caller).segment, { where: containing(search, ['name']), order }),
})

query('segment', {
  description: 'A segment.',
  key: 'secret',
  args: z.object({ by: SegmentBy }),
  type: SegmentRef,
  nullable: true,
  resolve: ({ by }, ctx, caller) => findSegment(ctx, caller, by),
})

mutation('createSegment', {
  description: 'Creates a segment: a filter saved under a name.',
  key: 'secret',
  right: 'JOURNEYS_WRITE',
  input: CreateSegment,
  payload: { segment: SegmentRef },
  errors: ['SEGMENT_NAME_TAKEN'],
  resolve: async (input, ctx) => ({ segment: await createSegment(ctx, input) }),
})

mutation('updateSegment', {
  description:
    'Changes the name or the filter of a segment. `segmentChanges` tells of users who enter or leave from then on, not of those whom this change lets in or out.',
  key: 'secret',
  right: 'JOURNEYS_WRITE',
  input: UpdateSegment,
  isVersioned: true,
  payload: { segment: SegmentRef },
  errors: ['SEGMENT_NOT_FOUND', 'SEGMENT_NAME_TAKEN'],
  resolve: async (input, ctx) => ({ segment: await updateSegment(ctx, input) }),
})

mutation('deleteSegment', {
  description: 'Deletes a segment that no goal and no reward uses. Its users are kept.',
  key: 'secret',
  right: 'JOURNEYS_WRITE',
  input: z
    .object({ segment: SegmentBy.describe('The segment, by id or name.') })
    .describe('A segment to delete.'),
  payload: {
    deletedId: { type: 'ID', description: 'The global id of the deleted segment.' },
    segment: { type: SegmentRef, description: 'The deleted segment, as it was last.' },
  },
  errors: ['SEGMENT_NOT_FOUND', 'SEGMENT_IN_USE'],
  resolve: async ({ segment: by }, ctx, caller) => {
    const segment = await deleteSegment(ctx, caller, by)
    return { deletedId: encodeNodeId('Segment', segment.id), segment }
  },
})

const SegmentChangeRef = builder.objectRef<SegmentMoved>('SegmentChange').implement({
  description: 'A user has entered or left a segment.',
  fields: (t) => ({
    position: t.expose('position', {
      type: 'SafeInt',
      description: 'Its position in the stream, to continue from it with `afterPosition`.',
    }),
    kind: t.expose('move', {
      type: SegmentChangeKindRef,
      description: 'Whether the user entered or left.',
    }),
    changedAt: t.expose('changedAt', {
      type: 'DateTime',
      description: 'When the user entered or left.',
    }),
    user: t.field({
      type: UserRef,
      description: 'The user, in the current state.',
      resolve: (change, _, ctx) => userOf(ctx, change),
    }),
  }),
})

builder.subscriptionField('segmentChanges', (t) =>
  t.field({
    type: SegmentChangeRef,
    description:
      'Users who enter or leave a segment from now on, or after `afterPosition`, by a change of the stage, the tier, the tags, the country, the device or the source. What else changes with every award or with time alone, such as `balance` and `lastSeenDaysAgo`, is looked at then, and makes nobody enter or leave. Errors: SEGMENT_NOT_FOUND, INVALID_PARAMETERS.',
    authScopes: { key: ['secret', 'READ'] },
    args: {
      by: t.arg({
        type: inputType('SegmentBy', SegmentBy),
        required: true,
        description: 'The segment, by id or name.',
      }),
      afterPosition: t.arg({
        type: 'SafeInt',
        description:
          'The last position that the client has, so that it misses nothing after a broken connection. Changes are kept for a day.',
      }),
    },
    subscribe: async (_, { by, afterPosition }, ctx) => {
      const caller = requireCaller(ctx, 'secret')
      if (afterPosition != null && (!Number.isSafeInteger(afterPosition) || afterPosition < 0))
        throw refused('afterPosition', 'must be a position of this stream', 'INVALID_PARAMETERS')
      const after = afterPosition == null ? null : BigInt(afterPosition)
      return streamOf(await followSegment(ctx, caller, check(SegmentBy, by), after))
    },
    resolve: (change) => change,
  }),
)
