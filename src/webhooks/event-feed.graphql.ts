import { z } from 'zod'
import { requireCaller } from '../kit/access/context.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { EventDataRef, eventType, readEventData } from '../kit/schema/event-data.ts'
import { Period } from '../kit/schema/filters.ts'
import { enumType, inUpperCase } from '../kit/schema/input.ts'
import { list } from '../kit/schema/list.ts'
import { lookup } from '../kit/schema/lookup.ts'
import { ownRow } from '../kit/schema/owner.ts'
import { query } from '../kit/schema/query.ts'
import { rows } from '../kit/schema/rows.ts'
import { streamOf } from '../kit/streams/broadcast.ts'
import { type EventKind, findEventKind, listEventKinds } from '../kit/streams/events.ts'
import { tenantOf } from '../kit/tenant.ts'
import { findEventData, followEvents, getFeedPosition, publishedEvents } from './event-feed.ts'
import { groupOf, wantedTypes } from './event-pattern.ts'
import { eventKinds, eventTypes, webhookTested } from './webhook.events.ts'

const EventTypeRef = enumType(
  'PublishedEventType',
  'A kind of event that is published.',
  Object.fromEntries(listEventKinds().map(({ type, description }) => [type, description])),
  { nameOf: inUpperCase },
)

export const EventRef = builder.prismaNode('Event', {
  description:
    'Something that happened, as webhooks deliver it. Kept for at least 30 days. `X-Webhook-Id` is its `uuid`.',
  id: { field: 'id' },
  nullable: true,
  findUnique: ownRow('secret'),
  fields: (t) => ({
    type: t.field({
      type: EventTypeRef,
      nullable: true,
      description: 'Its kind. Null for a kind that is no longer published.',
      resolve: ({ type }) => (findEventKind(type) ? type : null),
    }),
    name: t.exposeString('type', {
      description: 'Its kind as webhooks, patterns and REST call it, such as `points.awarded`.',
    }),
    occurredAt: t.expose('occurredAt', { type: 'DateTime', description: 'When it happened.' }),
    data: t.field({
      type: EventDataRef,
      nullable: true,
      description:
        'The data of the event. Null once the event is deleted, and for kinds and shapes that are no longer published.',
      resolve: async (event, _, ctx) =>
        readEventData(event, event.data ?? (await load(ctx, findEventData, event.id))),
    }),
    payload: t.field({
      type: 'JSON',
      nullable: true,
      description: '`data` as JSON, as webhooks carry it. Null once the event is deleted.',
      // A delivery has all fields of its event except this one.
      resolve: ({ id, data }, _, ctx) => data ?? load(ctx, findEventData, id),
    }),
  }),
})

const namesText = `Names of events, groups such as \`arena.*\`, or \`*\` for all. The names are ${eventTypes.join(', ')}, test. Defaults to all. An empty list matches none.`
const afterText = 'Only events that were committed after this one.'
const eventKey = () => z.string().meta({ graphql: 'ID' })

const EventFilter = z
  .object({
    names: z.array(z.string()).nullish().describe(namesText),
    afterEventId: eventKey().nullish().describe(afterText),
    occurredAt: Period.nullish().describe('Only events that happened in this period.'),
  })
  .describe('Filters events.')

list('events', {
  description:
    'Events in commit order, oldest first, without gaps. Kept for at least 30 days. Error: EVENT_NOT_FOUND.',
  key: 'secret',
  of: EventRef,
  filter: EventFilter,
  orders: { COMMITTED_AT: { by: ['position'], description: 'By time of commit.' } },
  order: ['COMMITTED_AT', 'ASC'],
  from: async ({ caller, filter: { afterEventId, names, occurredAt }, order, ctx }) => {
    const tenant = tenantOf(caller)
    return rows(ofTenant(ctx.db, tenant).event, {
      where: await publishedEvents(ctx, {
        types: wantedTypes('filter.names', names),
        after: afterEventId
          ? await getFeedPosition(ctx, { ...tenant, eventId: afterEventId })
          : null,
        period: occurredAt,
      }),
      order,
      counting: 'AT_LEAST',
    })
  },
})

builder.subscriptionField('eventPublished', (t) =>
  t.field({
    type: EventRef,
    description:
      'Events as they happen, in commit order. With `afterEventId`, it begins with the events that were missed.',
    authScopes: { key: ['secret', 'READ'] },
    args: {
      names: t.arg.stringList({ description: namesText }),
      afterEventId: t.arg.id({ description: afterText }),
    },
    subscribe: async (_, { afterEventId, names }, ctx) => {
      const tenant = tenantOf(requireCaller(ctx, 'secret'))
      const types = wantedTypes('names', names)
      const after = afterEventId
        ? await getFeedPosition(ctx, { ...tenant, eventId: afterEventId })
        : null
      return streamOf((signal) => followEvents(ctx, { ...tenant, after, types, signal }))
    },
    resolve: (event) => event,
  }),
)

const EventKindRef = builder.objectRef<EventKind>('EventKind').implement({
  description: 'A kind of event that is published.',
  fields: (t) => ({
    type: t.field({
      type: EventTypeRef,
      description: 'The kind.',
      resolve: ({ type }) => type,
    }),
    name: t.exposeString('type', {
      description: 'Its name in webhooks, patterns and REST, such as `points.awarded`.',
    }),
    group: t.string({
      description: 'The pattern of its group, such as `points.*`.',
      resolve: ({ type }) => groupOf(type),
    }),
    description: t.exposeString('description', { description: 'When it happens.' }),
  }),
})

query('eventKinds', {
  description: 'Every kind of event that endpoints and filters can name, by name.',
  key: 'secret',
  type: [EventKindRef],
  resolve: () => eventKinds,
})

eventType(webhookTested, 'WebhookTestedEventData', (t) => ({
  endpointId: t.expose('endpointId', { type: 'UUID', description: 'UUID of the endpoint.' }),
  message: t.exposeString('message'),
}))

lookup('event', EventRef, { description: 'An event of the last 30 days.', key: 'secret' })
