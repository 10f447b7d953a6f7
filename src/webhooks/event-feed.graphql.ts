import { z } from 'zod'
import { requireCaller } from '../core/context.ts'
import { eventTypes } from '../core/events.ts'
import { builder } from '../core/graphql/builder.ts'
import { list } from '../core/graphql/list.ts'
import { rows } from '../core/graphql/rows.ts'
import { streamOf } from '../core/graphql/subscription.ts'
import { tenantOf } from '../core/tenant.ts'
import {
  followEvents,
  getFeedPosition,
  type PublishedEvent,
  publishedEvents,
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

const typesText = `Only these: by name, all of a kind as \`arena.*\`, or all as \`*\`, of ${eventTypes.join(', ')}, test. Left out or empty: all.`
const sinceText = 'UUID of an event: only those that were committed after it.'

const EventFilter = z
  .object({
    types: z.array(z.string()).nullish().describe(typesText),
    since: z.string().nullish().describe(sinceText),
  })
  .describe('Which events.')

list('events', {
  description:
    'Events of the last 30 days, in the order in which they were committed, oldest first, without a gap. Error EVENT_NOT_FOUND.',
  key: 'secret',
  of: EventRef,
  filter: EventFilter,
  orders: { COMMITTED_AT: { by: ['position', 'id'], description: 'By when they were committed.' } },
  order: ['COMMITTED_AT', 'ASC'],
  from: async ({ caller, filter: { since, types }, order, ctx }) => {
    const tenant = tenantOf(caller)
    return rows(ctx.db.event, {
      where: await publishedEvents(ctx, {
        ...tenant,
        types: wantedTypes('filter.types', types),
        after: since ? await getFeedPosition(ctx, { ...tenant, eventId: since }) : null,
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
      'Events as they happen, in the order in which they were committed. With `since`, first those that were missed.',
    authScopes: { key: 'secret' },
    args: {
      types: t.arg.stringList({ description: typesText }),
      since: t.arg.string({ description: sinceText }),
    },
    subscribe: async (_, { since, types: given }, ctx) => {
      const tenant = tenantOf(requireCaller(ctx, 'secret'))
      const types = wantedTypes('types', given)
      const after = since ? await getFeedPosition(ctx, { ...tenant, eventId: since }) : null
      return streamOf((signal) => followEvents(ctx, { ...tenant, after, types, signal }))
    },
    resolve: (event) => event,
  }),
)
