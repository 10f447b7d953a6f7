import { z } from 'zod'
import { ActivityCategory } from '../generated/prisma/enums.ts'
import { type Caller, type Context, requireCaller } from '../kit/access/context.ts'
import { acrossTenants, ofTenant } from '../kit/database/tenant-client.ts'
import { TesseraError } from '../kit/errors.ts'
import { inOrder } from '../kit/in-order.ts'
import type { Work } from '../kit/runtime.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { among, isEmpty, Period, someEventTypes, someOf, within } from '../kit/schema/filters.ts'
import { list } from '../kit/schema/list.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { batched, findRowParts, type PartOf } from '../kit/schema/parts.ts'
import { isTrustedTo, personal } from '../kit/schema/personal.ts'
import { mapped, rows } from '../kit/schema/rows.ts'
import { tenantOf } from '../kit/tenant.ts'
import { knownUserOf, UserRef } from '../users/end-user.graphql.ts'
import { externalIdOf } from '../users/end-user.ts'
import { FactRef } from '../users/fact.graphql.ts'
import { whereOfNamed } from '../users/named-user.ts'
import { newUserLimitOf, withNewUser } from '../users/new-user-limit.ts'
import { ActivityCategoryRef } from './journey-words.graphql.ts'
import {
  TrackActivities,
  TrackActivity,
  trackActivities,
  trackEvents,
  type UserEvent,
} from './track.ts'

export const ActivityRef = builder.prismaNode('UserActivity', {
  name: 'Activity',
  description: "A line of a user's timeline.",
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, ctx) => ({ id, ...whereOfNamed(requireCaller(ctx, 'public')) }),
  fields: (t) => ({
    user: t.field({
      type: UserRef,
      description: 'The user whose timeline it is on.',
      resolve: (activity, _, ctx, info) => knownUserOf(ctx, activity, info),
    }),
    category: t.expose('category', {
      type: ActivityCategoryRef,
      description: 'The kind of activity.',
    }),
    eventType: t.exposeString('eventType', { description: 'The type of event that happened.' }),
    sourceId: t.exposeString('sourceId', { nullable: true }),
    points: t.exposeInt('points', { description: 'The points that it is about; 0 if none.' }),
    reference: t.exposeString('reference', { nullable: true }),
    metadata: t.field({
      type: 'JSON',
      ...personal({
        description: "The caller's data; `{}` if there is none.",
        toPublic: 'Null to a public key if a secret key or a member wrote it.',
        value: ({ metadata }: Pick<UserEvent, 'metadata'>) => metadata ?? {},
        unset: {},
        isShown: ({ metadataIsPublic }: UserEvent) => metadataIsPublic,
      }),
    }),
    fact: t.expose('fact', {
      type: FactRef,
      nullable: true,
      description:
        'What it proves, which goals can count. Null for what a public key sent, and for what a public key did for a user without a token of that user, except plays that cost points; also for corrections and entry fees.',
    }),
    occurredAt: t.expose('occurredAt', {
      type: 'DateTime',
      description: 'When it happened; it may have been recorded later.',
    }),
    recordedAt: t.field({
      type: 'DateTime',
      description: 'When it was added to the timeline.',
      resolve: ({ recordedAt, occurredAt }) => recordedAt ?? occurredAt,
    }),
  }),
})

/** Activities by their ids; null for an unknown id. */
export const findActivities = async ({ tx }: Work, ids: string[]) =>
  inOrder(ids, await acrossTenants(tx, 'IDS').userActivity.findMany({ where: { id: { in: ids } } }))

builder.prismaObjectField(ActivityRef, 'reverses', (t) =>
  t.field({
    type: ActivityRef,
    nullable: true,
    description: 'The award or campaign credit that it takes back; null for other activities.',
    resolve: ({ reversesId }, _, ctx) =>
      reversesId ? load(ctx, findActivities, reversesId) : null,
  }),
)

const ActivityFilter = z
  .object({
    categories: someOf('ActivityCategory', ActivityCategory)
      .nullish()
      .describe('Only activities of these kinds.'),
    eventTypes: someEventTypes().nullish().describe('Only activities of these types.'),
    occurredAt: Period.nullish().describe('Only activities in this period.'),
  })
  .describe('Conditions on activities; all that are given must hold.')

const findActivityParts = (work: Work, requested: PartOf[]) =>
  findRowParts(
    work,
    { model: 'UserActivity', parent: 'user_id', by: { occurred_at: 'timestamptz', id: 'uuid' } },
    requested,
  )

list([UserRef, 'activities'], {
  description: 'What the user did, most recent first.',
  of: ActivityRef,
  filter: ActivityFilter,
  orders: { OCCURRED_AT: { by: ['occurredAt', 'id'], description: 'By time of occurrence.' } },
  order: ['OCCURRED_AT', 'DESC'],
  from: ({ parent: user, filter: { categories, eventTypes, occurredAt }, order, ctx }) => {
    const where = {
      ...among({ category: categories, eventType: eventTypes }),
      ...within({ occurredAt }),
    }
    const own = ofTenant(ctx.db, user)
    const count = async () => {
      const of = { where: { userId: user.id }, select: { events: true } }
      return (await own.userProfile.findUnique(of))?.events ?? 0
    }
    const source = rows(own.userActivity, {
      where: { userId: user.id, ...where },
      order,
      counting: isEmpty(where) ? count : 'AT_LEAST',
    })
    const read = (part: PartOf) => load(ctx, findActivityParts, part)
    const all = isEmpty(where) ? batched(source, { parentId: user.id, order }, read) : source
    return mapped(all, (found) => found.map((activity) => ({ ...activity, user })))
  },
})

const senderOf = (ctx: Context, caller: Caller) => ({
  ...tenantOf(caller),
  isTrusted: isTrustedTo(ctx, 'PLAY'),
})

const tracked = mutation('trackActivity', {
  description:
    "Adds an activity to a user's timeline. Creates the user if necessary. A reference that was sent before returns the existing activity. What a secret key or a member sends counts for goals; what a public key sends does not.",
  key: 'public',
  takesSecret: true,
  right: 'PLAY',
  isAudited: false,
  input: TrackActivity,
  payload: {
    activity: ActivityRef,
    isDuplicate: {
      type: 'Boolean',
      description: 'Whether it was on the timeline already, by its reference.',
    },
  },
  errors: ['USER_NOT_FOUND', 'RATE_LIMITED'],
  // One activity of a list may be for another user than that of the token.
  errorsInLists: ['USER_TOKEN_OF_ANOTHER'],
  resolve: async ({ user, ...said }, ctx, caller) => {
    const externalId = await externalIdOf(ctx, caller, user)
    const call = { ...senderOf(ctx, caller), ...said, externalId }
    const { event, isDuplicate } = await withNewUser(
      ctx,
      newUserLimitOf(ctx, caller),
      call,
      (mayCreate) => ctx.write(trackEvents, { ...call, onlyExisting: !mayCreate }),
    )
    return { activity: event as never, isDuplicate }
  },
})

mutation('trackActivities', {
  description:
    'Adds up to 500 activities to timelines. Each succeeds or fails independently, as `trackActivity` does.',
  key: 'public',
  takesSecret: true,
  right: 'PLAY',
  isAudited: false,
  input: TrackActivities,
  payload: {
    results: {
      type: [tracked.type],
      description: 'One result for each activity, in the order of the list.',
    },
  },
  errors: [],
  price: { points: 20, per: 'activity', count: ({ activities }) => activities.length },
  resolve: async (input, ctx, caller) => {
    const sender = { ...senderOf(ctx, caller), newUserLimit: newUserLimitOf(ctx, caller) }
    const results = await trackActivities(ctx, caller, sender, input)
    return {
      results: results.map((result) =>
        result instanceof TesseraError
          ? tracked.ofError(result, ctx)
          : { activity: result.event as never, isDuplicate: result.isDuplicate },
      ),
    }
  },
})
