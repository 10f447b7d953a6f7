import { z } from 'zod'
import { requireCaller } from '../core/context.ts'
import { builder } from '../core/graphql/builder.ts'
import { equal, Period, within } from '../core/graphql/filters.ts'
import { enumType } from '../core/graphql/input.ts'
import { list } from '../core/graphql/list.ts'
import { mutation } from '../core/graphql/mutation.ts'
import { query } from '../core/graphql/query.ts'
import { rows } from '../core/graphql/rows.ts'
import { nodeId } from '../core/node-id.ts'
import type { Work } from '../core/runtime.ts'
import { tenantOf } from '../core/tenant.ts'
import { oneOf } from '../core/validation.ts'
import type { Event, WebhookAttempt } from '../generated/prisma/client.ts'
import { WebhookDeliveryStatus } from '../generated/prisma/enums.ts'
import { WebhookEndpointRef } from './endpoint.graphql.ts'
import { endpointId } from './endpoint.ts'
import { EventRef } from './event-feed.graphql.ts'
import { wantedTypes } from './event-pattern.ts'
import {
  findWebhookDelivery,
  ReplayWebhookEvents,
  replayWebhookEvents,
  retryWebhookDelivery,
  sendTestWebhook,
} from './replay.ts'

const WebhookDeliveryStatusRef = enumType('WebhookDeliveryStatus', 'How far a delivery is.', {
  PENDING: 'It waits for its first or its next attempt.',
  DELIVERED: 'The receiver answered with a success.',
  FAILED: 'All attempts failed; it can be sent again by hand.',
})

const WebhookAttemptRef = builder.prismaObject('WebhookAttempt', {
  fields: (t) => ({
    number: t.exposeInt('number'),
    startedAt: t.expose('startedAt', { type: 'DateTime', description: 'When it began.' }),
    durationMs: t.exposeInt('durationMs', { description: 'Milliseconds it took.' }),
    responseStatus: t.exposeInt('responseStatus', { nullable: true }),
    responseBody: t.exposeString('responseBody', { nullable: true }),
    error: t.exposeString('error', { nullable: true }),
  }),
})

/** Attempts of one delivery that are shown. */
const shownAttempts = 50

/** Reads the newest attempts of deliveries, newest first, in one statement. */
const findAttempts = async ({ tx }: Work, deliveryIds: string[]): Promise<WebhookAttempt[][]> => {
  const rows = await tx.$queryRaw<WebhookAttempt[]>`/* find_attempts */
    SELECT a.delivery_id AS "deliveryId", a.number, a.started_at AS "startedAt",
      a.duration_ms AS "durationMs", a.response_status AS "responseStatus",
      a.response_body AS "responseBody", a.error
    FROM unnest(${[...new Set(deliveryIds)]}::uuid[]) d(id) CROSS JOIN LATERAL (
      SELECT * FROM webhook_attempt WHERE delivery_id = d.id
      ORDER BY number DESC LIMIT ${shownAttempts}::int) a`
  const byDelivery = Map.groupBy(rows, ({ deliveryId }) => deliveryId)
  return deliveryIds.map((id) => byDelivery.get(id) ?? [])
}

const WebhookDeliveryRef = builder.prismaNode('WebhookDelivery', {
  id: { field: 'id' },
  nullable: true,
  include: { endpoint: true },
  findUnique: (id, ctx) => ({
    id,
    ...tenantOf(requireCaller(ctx, 'secret')),
    endpoint: { deletedAt: null },
  }),
  fields: (t) => ({
    event: t.field({
      type: EventRef,
      description: 'What is delivered.',
      resolve: ({ eventId, eventType, createdAt, partnerId, environment }) =>
        ({
          ...{ id: eventId, type: eventType, occurredAt: createdAt },
          ...{ partnerId, environment },
        }) as Event,
    }),
    status: t.expose('status', { type: WebhookDeliveryStatusRef, description: 'How far it is.' }),
    attemptCount: t.exposeInt('attempts'),
    nextAttemptAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it is tried next; null when it has ended.',
      resolve: ({ status, nextAttemptAt }) => (status === 'PENDING' ? nextAttemptAt : null),
    }),
    responseStatus: t.exposeInt('responseStatus', { nullable: true }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the event happened.',
    }),
    finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true }),
    endpoint: t.field({
      type: WebhookEndpointRef,
      description: 'Where it goes.',
      resolve: ({ endpoint }) => endpoint,
    }),
    attempts: t.field({
      type: [WebhookAttemptRef],
      description: `The newest ${shownAttempts} attempts, newest first.`,
      resolve: ({ id }, _, ctx) => ctx.read(findAttempts, id),
    }),
  }),
})

const WebhookDeliveryFilter = z
  .object({
    endpointId: nodeId('WebhookEndpoint').nullish().describe('Only those of this endpoint.'),
    type: z
      .string()
      .nullish()
      .describe('Only those of this event, by name, or of all of a kind as `arena.*`.'),
    status: oneOf('WebhookDeliveryStatus', WebhookDeliveryStatus)
      .nullish()
      .describe('Only those that are so far.'),
    createdAt: Period.nullish().describe('Only events that happened in this time.'),
  })
  .describe('Which deliveries.')

list('webhookDeliveries', {
  description: 'Deliveries of the last 30 days, newest first.',
  key: 'secret',
  of: WebhookDeliveryRef,
  filter: WebhookDeliveryFilter,
  orders: { CREATED_AT: { by: ['createdAt', 'id'], description: 'By when the event happened.' } },
  order: ['CREATED_AT', 'DESC'],
  from: ({ caller, filter: { endpointId, type, status, createdAt }, order, ctx }) => {
    const types = wantedTypes('filter.type', type == null ? null : [type])
    return rows(ctx.db.webhookDelivery, {
      where: {
        ...tenantOf(caller),
        endpoint: { deletedAt: null },
        ...(endpointId && { endpointId }),
        ...(types && { eventType: { in: types } }),
        ...equal({ status }),
        ...within({ createdAt }),
      },
      include: { endpoint: true },
      order,
      counting: 'AT_LEAST',
    })
  },
})

const deliveryId = () => nodeId('WebhookDelivery').describe('The delivery.')

query('webhookDelivery', {
  description: 'A delivery, or null.',
  key: 'secret',
  args: z.object({ id: deliveryId() }),
  type: WebhookDeliveryRef,
  nullable: true,
  resolve: ({ id }, ctx, caller) =>
    findWebhookDelivery(ctx, { ...tenantOf(caller), deliveryId: id }),
})

mutation('retryWebhookDelivery', {
  description: 'Sends a delivery again, now, whatever became of it.',
  key: 'secret',
  input: z.object({ deliveryId: deliveryId() }).describe('A delivery to send again.'),
  payload: { webhookDelivery: WebhookDeliveryRef },
  errors: ['WEBHOOK_DELIVERY_NOT_FOUND', 'WEBHOOK_DISABLED'],
  resolve: async (input, ctx, caller) => ({
    webhookDelivery: await retryWebhookDelivery(ctx, { ...input, ...tenantOf(caller) }),
  }),
})

mutation('replayWebhookEvents', {
  description:
    'Sends the events of a time to an endpoint again, oldest first, 10,000 at most; also those from before there was the endpoint.',
  key: 'secret',
  input: ReplayWebhookEvents,
  payload: {
    webhookEndpoint: WebhookEndpointRef,
    queuedCount: { type: 'Int', description: 'Deliveries that were queued.' },
    continueAfter: {
      type: EventRef,
      nullable: true,
      description: 'When there is more than 10,000: `after` of the next call.',
    },
  },
  errors: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_DISABLED', 'EVENT_NOT_FOUND'],
  resolve: (input, ctx, caller) => replayWebhookEvents(ctx, { ...input, ...tenantOf(caller) }),
})

mutation('sendTestWebhook', {
  description: 'Sends a `test` event to one endpoint.',
  key: 'secret',
  input: z.object({ endpointId: endpointId() }).describe('An endpoint to test.'),
  payload: { webhookDelivery: WebhookDeliveryRef },
  errors: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_DISABLED'],
  resolve: async (input, ctx, caller) => ({
    webhookDelivery: await sendTestWebhook(ctx, { ...input, ...tenantOf(caller) }),
  }),
})
