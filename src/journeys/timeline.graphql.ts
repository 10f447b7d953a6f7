import { builder } from '../core/builder.ts'
import { type Caller, type Context, requireCaller } from '../core/context.ts'
import { mutation } from '../core/mutation.ts'
import {
  type Connection,
  connectionType,
  isMomentCursor,
  type ListArgs,
  listArgs,
  listComplexity,
  listConnection,
} from '../core/pagination.ts'
import { isTrusted, personal } from '../core/personal.ts'
import { tenantOf } from '../core/tenant.ts'
import { EnvironmentRef } from '../core/vocabulary.ts'
import { ActivityCategoryRef } from './journey-words.graphql.ts'
import { JourneyProfileRef } from './profile.graphql.ts'
import { TrackEvent, trackEvents, type UserEvent } from './track.ts'
import { type BatchResult, type EventResult, TrackEvents, trackBatch } from './track-batch.ts'

const UserEventRef = builder.prismaNode('UserActivity', {
  name: 'UserEvent',
  description: "A line of a user's timeline.",
  id: { field: 'id' },
  nullable: true,
  include: { user: { select: { externalId: true } } },
  findUnique: (id, ctx) => ({ id, ...tenantOf(requireCaller(ctx, 'public')) }),
  fields: (t) => ({
    eventId: t.exposeString('id', { description: 'UUID, the same in REST.' }),
    partnerId: t.exposeString('partnerId', { description: 'UUID of the partner.' }),
    externalId: t.string({
      description: "The partner's id of the user.",
      resolve: ({ user }) => user.externalId,
    }),
    environment: t.expose('environment', { type: EnvironmentRef, description: 'Of the key.' }),
    category: t.expose('category', { type: ActivityCategoryRef, description: 'What kind.' }),
    eventType: t.exposeString('eventType', { description: 'What happened.' }),
    sourceId: t.string({
      description: 'What it came from; empty when nothing was named.',
      resolve: ({ sourceId }) => sourceId ?? '',
    }),
    points: t.exposeInt('points', { description: 'Points it is about; 0 when none.' }),
    reference: t.string({
      description: 'The idempotency key of whoever sent it; empty when none was given.',
      resolve: ({ reference }) => reference ?? '',
    }),
    metadata: t.field({
      type: 'JSON',
      ...personal({
        description: 'What was sent along; `{}` when nothing.',
        value: ({ metadata }: Pick<UserEvent, 'metadata'>) => metadata ?? {},
        unset: {},
        isShown: ({ metadataIsPublic }: UserEvent) => metadataIsPublic,
      }),
    }),
    occurredAt: t.expose('occurredAt', { type: 'DateTime', description: 'When it happened.' }),
  }),
})

/** An event as its type expects it. */
const shown = ({ externalId, ...event }: UserEvent) => ({ ...event, user: { externalId } })

type ShownEvent = ReturnType<typeof shown>

const TimelineConnection = connectionType('UserEvent', UserEventRef)

/** A page of a timeline, most recent first. `total` is asked only when somebody wants to know. */
const listTimeline = (
  ctx: Pick<Context, 'db' | 'config'>,
  args: ListArgs,
  { userId, externalId }: { userId: string; externalId: string },
  total: () => Promise<number> | number,
): Promise<Connection<ShownEvent>> =>
  listConnection(ctx, args, {
    list: 'timeline',
    isCursor: isMomentCursor,
    cursorOf: ({ occurredAt, id }: ShownEvent): [number, string] => [occurredAt.getTime(), id],
    total,
    fetch: async ({ take, skip, after }) => {
      const at = after && new Date(after[0])
      const events = await ctx.db.userActivity.findMany({
        where: {
          userId,
          // The first condition finds the place in the index, the second the one in that moment.
          ...(at && {
            occurredAt: { lte: at },
            NOT: { occurredAt: at, id: { gte: after[1] } },
          }),
        },
        orderBy: [{ occurredAt: 'desc' }, { id: 'desc' }],
        take,
        skip,
      })
      return events.map((event) => ({ ...event, user: { externalId } }))
    },
  })

builder.objectField(JourneyProfileRef, 'timeline', (t) =>
  t.field({
    type: TimelineConnection,
    description: 'The events of this user, most recent first.',
    args: listArgs,
    complexity: listComplexity,
    resolve: (profile, args, ctx) =>
      listTimeline(ctx, args, profile, () => profile.totalEvents) as never,
  }),
)

builder.prismaObjectField('EndUser', 'timeline', (t) =>
  t.field({
    type: TimelineConnection,
    description: 'The events of this user, most recent first.',
    args: listArgs,
    complexity: listComplexity,
    resolve: ({ id: userId, externalId }, args, ctx) =>
      listTimeline(ctx, args, { userId, externalId }, async () => {
        const profile = await ctx.db.userProfile.findUnique({
          where: { userId },
          select: { events: true },
        })
        return profile?.events ?? 0
      }) as never,
  }),
)

const senderOf = (ctx: Context, caller: Caller) => ({
  ...tenantOf(caller),
  isTrusted: isTrusted(ctx),
})

mutation('trackEvent', {
  description:
    'Puts an event on the timeline of a user, who is made if absent. Gives the event that is there already for a reference that was sent before.',
  key: 'public',
  input: TrackEvent,
  payload: UserEventRef as never,
  errors: [],
  resolve: async (input, ctx, caller) =>
    shown((await ctx.write(trackEvents, { ...senderOf(ctx, caller), ...input })).event),
})

const EventResultRef = builder.objectRef<EventResult>('EventResult').implement({
  description: 'What became of one event of a list.',
  fields: (t) => ({
    index: t.exposeInt('index', { description: 'Its place in the list, from 0.' }),
    status: t.exposeString('status', { description: 'created, duplicate or rejected.' }),
    id: t.exposeString('id', {
      nullable: true,
      description: 'UUID of the event that is on the timeline; null when it was rejected.',
    }),
    error: t.exposeString('error', { nullable: true, description: 'Why it was rejected.' }),
  }),
})

const TrackEventsPayload = builder.objectRef<BatchResult>('TrackEventsPayload').implement({
  description: 'What became of a list of events: created + duplicate + rejected = received.',
  fields: (t) => ({
    received: t.exposeInt('received', { description: 'Events of the list.' }),
    accepted: t.exposeInt('accepted', { description: 'Events that were created.' }),
    duplicates: t.exposeInt('duplicates', { description: 'Events that were there already.' }),
    rejected: t.exposeInt('rejected', { description: 'Events that are not on a timeline.' }),
    results: t.expose('results', {
      type: [EventResultRef],
      description: 'Each event, in the order of the list.',
    }),
  }),
})

mutation('trackEvents', {
  description: 'Puts up to 500 events on timelines. Each stands or falls alone.',
  key: 'public',
  input: TrackEvents,
  payload: TrackEventsPayload,
  errors: [],
  resolve: (input, ctx, caller) => trackBatch(ctx, senderOf(ctx, caller), input),
})
