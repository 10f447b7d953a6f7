import { z } from 'zod'
import { builder } from '../core/builder.ts'
import { requireCaller } from '../core/context.ts'
import { eventTypes } from '../core/events.ts'
import { connectionType, listArgs, listComplexity, listConnection } from '../core/pagination.ts'
import { streamOf } from '../core/subscription.ts'
import { tenantOf } from '../core/tenant.ts'
import {
  type FeedPosition,
  followEvents,
  getFeedPosition,
  listEvents,
  type PublishedEvent,
} from './event-feed.ts'
import { wantedTypes } from './event-pattern.ts'

const EventRef = builder.objectRef<PublishedEvent>('Event').implement({
  description: 'Something that happened; the same as a webhook delivers.',
  fields: (t) => ({
    eventId: t.exposeString('id', { description: 'UUID; a webhook sends it as `X-Webhook-Id`.' }),
    event: t.exposeString('type', { description: 'Which event: `points.awarded`.' }),
    data: t.expose('data', { type: 'JSON', description: 'What the webhook carries as `data`.' }),
    timestamp: t.expose('occurredAt', { type: 'DateTime', description: 'When it happened.' }),
  }),
})

const EventConnection = connectionType('Event', EventRef)

type EventCursor = [position: string, id: string]

const isEventCursor = (value: unknown): value is EventCursor =>
  z.tuple([z.string().regex(/^\d{1,18}$/), z.uuid()]).safeParse(value).success

const filterArgs = builder.args((t) => ({
  types: t.stringList({
    description: `Only these: by name, all of a kind as \`arena.*\`, or all as \`*\`, of ${eventTypes.join(', ')}, test. Left out or empty: all.`,
  }),
  since: t.string({ description: 'UUID of an event: only those that were committed after it.' }),
}))

/** A count stops here: 10,000 stands for that many or more. */
const countLimit = 10_000

builder.queryField('events', (t) =>
  t.field({
    type: EventConnection,
    description: `Events of the last 30 days, oldest first, without a gap. \`totalCount\` ends at ${countLimit}.`,
    authScopes: { key: 'secret' },
    args: { ...filterArgs, ...listArgs },
    complexity: listComplexity,
    resolve: async (_, { since, types: given, ...args }, ctx) => {
      const tenant = tenantOf(requireCaller(ctx, 'secret'))
      const types = wantedTypes('types', given)
      const start = since ? await getFeedPosition(ctx, { ...tenant, eventId: since }) : null
      const position = (after: EventCursor | undefined): FeedPosition | null =>
        after ? { position: BigInt(after[0]), id: after[1] } : start
      return listConnection(ctx, args, {
        list: 'events',
        isCursor: isEventCursor,
        cursorOf: ({ position, id }: PublishedEvent): EventCursor => [String(position), id],
        total: async () =>
          (await listEvents(ctx, { ...tenant, types, after: start, take: countLimit })).length,
        fetch: async ({ take, skip, after }) => {
          const feed = { ...tenant, types, after: position(after) }
          return (
            await listEvents(ctx, { ...feed, take: take + Math.min(skip, countLimit) })
          ).slice(skip)
        },
      })
    },
  }),
)

builder.subscriptionField('eventPublished', (t) =>
  t.field({
    type: EventRef,
    description:
      'Events as they happen, in the order in which they were committed. With `since`, first those that were missed.',
    authScopes: { key: 'secret' },
    args: filterArgs,
    subscribe: async (_, { since, types: given }, ctx) => {
      const tenant = tenantOf(requireCaller(ctx, 'secret'))
      const types = wantedTypes('types', given)
      const after = since ? await getFeedPosition(ctx, { ...tenant, eventId: since }) : null
      return streamOf((signal) => followEvents(ctx, { ...tenant, after, types, signal }))
    },
    resolve: (event) => event,
  }),
)
