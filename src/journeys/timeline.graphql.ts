import type { ObjectRef } from '@pothos/core'
import { z } from 'zod'
import { type Caller, type Context, requireCaller } from '../core/context.ts'
import { builder, type Types } from '../core/graphql/builder.ts'
import { equal, isEmpty, Period, within } from '../core/graphql/filters.ts'
import { list } from '../core/graphql/list.ts'
import { mutation } from '../core/graphql/mutation.ts'
import { isTrusted, personal } from '../core/graphql/personal.ts'
import { mapped, rows } from '../core/graphql/rows.ts'
import { EnvironmentRef } from '../core/graphql/vocabulary.ts'
import { tenantOf } from '../core/tenant.ts'
import { oneOf, reference } from '../core/validation.ts'
import { ActivityCategory } from '../generated/prisma/enums.ts'
import { UserRef } from '../users/end-user.graphql.ts'
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

const TimelineFilter = z
  .object({
    category: oneOf('ActivityCategory', ActivityCategory)
      .nullish()
      .describe('Only events of this kind.'),
    eventType: reference().nullish().describe('Only events of this type.'),
    occurredAt: Period.nullish().describe('Only events of this time.'),
  })
  .describe('Which events of a timeline.')

const byTime = { OCCURRED_AT: { by: ['occurredAt', 'id'], description: 'By when they happened.' } }

/** The timeline of a user, on a type that stands for them. */
const listTimeline = <P>(
  type: ObjectRef<Types, P>,
  userOf: (parent: P) => { userId: string; externalId: string },
  total: (parent: P, ctx: Context) => Promise<number> | number,
) =>
  list([type, 'timeline'], {
    description: 'The events of this user, most recent first.',
    of: UserEventRef,
    filter: TimelineFilter,
    orders: byTime,
    order: ['OCCURRED_AT', 'DESC'],
    from: ({ parent, filter: { occurredAt, ...words }, order, ctx }) => {
      const { userId, externalId } = userOf(parent)
      const where = { ...equal(words), ...within({ occurredAt }) }
      const source = rows(ctx.db.userActivity, {
        where: { userId, ...where },
        order,
        counting: isEmpty(where) ? () => total(parent, ctx) : 'AT_LEAST',
      })
      return mapped(source, (events) => events.map((event) => ({ ...event, user: { externalId } })))
    },
  })

listTimeline(
  JourneyProfileRef,
  (profile) => profile,
  (profile) => profile.totalEvents,
)
listTimeline(
  UserRef,
  ({ id, externalId }) => ({ userId: id, externalId }),
  async ({ id: userId }, { db }) => {
    const profile = await db.userProfile.findUnique({ where: { userId }, select: { events: true } })
    return profile?.events ?? 0
  },
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
