import { z } from 'zod'
import type { Event, WebhookAttempt } from '../generated/prisma/client.ts'
import { WebhookDeliveryStatus } from '../generated/prisma/enums.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import { listsInOrder } from '../kit/in-order.ts'
import { nodeId } from '../kit/node-id.ts'
import type { Work } from '../kit/runtime.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { among, isEmpty, Period, someOf, within } from '../kit/schema/filters.ts'
import { enumType } from '../kit/schema/input.ts'
import { list } from '../kit/schema/list.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { ownRow } from '../kit/schema/owner.ts'
import { batched, findRowParts, type PartOf } from '../kit/schema/parts.ts'
import { query } from '../kit/schema/query.ts'
import { rows } from '../kit/schema/rows.ts'
import { tenantOf } from '../kit/tenant.ts'
import { selectAttempts } from './delivery.sql.ts'
import { WebhookEndpointRef } from './endpoint.graphql.ts'
import { endpointId, findEndpoints } from './endpoint.ts'
import { EventRef } from './event-feed.graphql.ts'
import { wantedTypes } from './event-pattern.ts'
import {
  findWebhookDelivery,
  ReplayWebhookEvents,
  replayWebhookEvents,
  retryWebhookDelivery,
  sendTestWebhook,
} from './replay.ts'

const WebhookDeliveryStatusRef = enumType('WebhookDeliveryStatus', 'The status of a delivery.', {
  PENDING: 'Waiting for its first or next attempt.',
  DELIVERED: 'The receiver responded with 2xx.',
  FAILED: 'All attempts failed. It can be retried by hand.',
})

const WebhookAttemptRef = builder.prismaObject('WebhookAttempt', {
  fields: (t) => ({
    number: t.exposeInt('number'),
    startedAt: t.expose('startedAt', { type: 'DateTime', description: 'When the attempt began.' }),
    durationMs: t.exposeInt('durationMs', { description: 'How long it took, in milliseconds.' }),
    responseStatus: t.exposeInt('responseStatus', { nullable: true }),
    responseBody: t.exposeString('responseBody', { nullable: true }),
    error: t.exposeString('error', { nullable: true }),
  }),
})

/** Attempts of one delivery that are shown. */
const shownAttempts = 50

/** Reads the newest attempts of deliveries, newest first, in one statement. */
const findAttempts = async ({ tx }: Work, deliveryIds: string[]): Promise<WebhookAttempt[][]> => {
  const rows = await selectAttempts(tx, [...new Set(deliveryIds)], shownAttempts)
  return listsInOrder(deliveryIds, rows, ({ deliveryId }) => deliveryId)
}

const WebhookDeliveryRef = builder.prismaNode('WebhookDelivery', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, ctx) => ({ ...ownRow('secret')(id, ctx), endpoint: { deletedAt: null } }),
  fields: (t) => ({
    event: t.field({
      type: EventRef,
      description: 'The event that is delivered.',
      resolve: ({ eventId, eventType, createdAt, partnerId, environment }) =>
        ({
          id: eventId,
          type: eventType,
          occurredAt: createdAt,
          partnerId,
          environment,
        }) as Event,
    }),
    status: t.expose('status', {
      type: WebhookDeliveryStatusRef,
      description: 'Whether it is pending, delivered or failed.',
    }),
    attemptCount: t.exposeInt('attempts'),
    nextAttemptAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'When the next attempt is made; null once it has finished. During an attempt: when it is repeated if its node fails.',
      resolve: ({ status, nextAttemptAt }) => (status === 'PENDING' ? nextAttemptAt : null),
    }),
    responseStatus: t.exposeInt('responseStatus', { nullable: true }),
    eventOccurredAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the event happened, also of a delivery that a replay made later.',
    }),
    finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true }),
    endpoint: t.relation('endpoint', {
      description: 'The endpoint that receives it.',
      resolve: (_query, delivery, _args, ctx) =>
        load(ctx, findEndpoints, { ...tenantOf(delivery), endpointId: delivery.endpointId }),
    }),
    attempts: t.field({
      type: [WebhookAttemptRef],
      description: `The newest ${shownAttempts} attempts, newest first.`,
      resolve: ({ id }, _, ctx) => load(ctx, findAttempts, id),
    }),
  }),
})

const EndpointDeliveryFilter = z
  .object({
    names: z
      .array(z.string())
      .nullish()
      .describe('Only deliveries of events of these names, or of groups such as `arena.*`.'),
    statuses: someOf('WebhookDeliveryStatus', WebhookDeliveryStatus)
      .nullish()
      .describe('Only deliveries of these statuses.'),
    eventOccurredAt: Period.nullish().describe('Only deliveries of events in this period.'),
  })
  .describe('Conditions on deliveries; all that are given must hold.')

const WebhookDeliveryFilter = EndpointDeliveryFilter.extend({
  webhookEndpointId: nodeId('WebhookEndpoint')
    .nullish()
    .describe('Only deliveries to this endpoint.'),
}).describe('Conditions on deliveries; all that are given must hold.')

const orders = {
  EVENT_OCCURRED_AT: { by: ['createdAt', 'id'], description: 'By time of the event.' },
}

const whereOf = ({
  names,
  statuses,
  eventOccurredAt,
}: z.output<typeof EndpointDeliveryFilter>) => ({
  ...among({ eventType: wantedTypes('filter.names', names), status: statuses }),
  ...within({ createdAt: eventOccurredAt }),
})

const findDeliveryParts = (work: Work, requested: PartOf[]) =>
  findRowParts(
    work,
    {
      model: 'WebhookDelivery',
      parent: 'endpoint_id',
      by: { created_at: 'timestamptz', id: 'uuid' },
    },
    requested,
  )

list([WebhookEndpointRef, 'deliveries'], {
  description: 'Deliveries to this endpoint in the last 30 days, newest first.',
  of: WebhookDeliveryRef,
  name: 'WebhookEndpointDelivery',
  filter: EndpointDeliveryFilter,
  orders,
  order: ['EVENT_OCCURRED_AT', 'DESC'],
  from: ({ parent: endpoint, filter, order, query, ctx }) => {
    const where = whereOf(filter)
    const source = rows(ofTenant(ctx.db, endpoint).webhookDelivery, {
      query,
      where: { endpointId: endpoint.id, ...where },
      order,
      counting: 'AT_LEAST',
    })
    const read = (part: PartOf) => load(ctx, findDeliveryParts, part)
    return isEmpty(where) ? batched(source, { parentId: endpoint.id, order }, read) : source
  },
})

list('webhookDeliveries', {
  description: 'Deliveries of the last 30 days, newest first.',
  key: 'secret',
  of: WebhookDeliveryRef,
  filter: WebhookDeliveryFilter,
  orders,
  order: ['EVENT_OCCURRED_AT', 'DESC'],
  from: ({ caller, filter: { webhookEndpointId: endpointId, ...filter }, order, query, ctx }) =>
    rows(ofTenant(ctx.db, caller).webhookDelivery, {
      query,
      where: {
        endpoint: { deletedAt: null },
        ...(endpointId && { endpointId }),
        ...whereOf(filter),
      },
      order,
      counting: 'AT_LEAST',
    }),
})

const deliveryId = () =>
  nodeId('WebhookDelivery').describe('The delivery, by its global id or its UUID.')

query('webhookDelivery', {
  description: 'A delivery.',
  key: 'secret',
  args: z.object({ id: deliveryId() }),
  type: WebhookDeliveryRef,
  nullable: true,
  resolve: ({ id }, ctx, caller) =>
    findWebhookDelivery(ctx, { ...tenantOf(caller), deliveryId: id }),
})

mutation('retryWebhookDelivery', {
  description: 'Resends a delivery now, whatever its status.',
  key: 'secret',
  right: 'WEBHOOKS_WRITE',
  input: z.object({ webhookDeliveryId: deliveryId() }).describe('A delivery to resend.'),
  payload: { webhookDelivery: WebhookDeliveryRef },
  errors: ['WEBHOOK_DELIVERY_NOT_FOUND', 'WEBHOOK_DISABLED'],
  resolve: async ({ webhookDeliveryId: deliveryId, ...tenant }, ctx) => ({
    webhookDelivery: await retryWebhookDelivery(ctx, { ...tenant, deliveryId }),
  }),
})

mutation('replayWebhookEvents', {
  description:
    'Resends the events of a period to an endpoint, oldest first, 10,000 at most; events from before the endpoint existed are included.',
  key: 'secret',
  right: 'WEBHOOKS_WRITE',
  input: ReplayWebhookEvents,
  payload: {
    webhookEndpoint: WebhookEndpointRef,
    queuedCount: { type: 'Int', description: 'Number of queued deliveries.' },
    continueAfter: {
      type: EventRef,
      nullable: true,
      description:
        'If there are more than 10,000 events: `afterEventId` for the next call. Otherwise null.',
    },
  },
  errors: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_DISABLED', 'EVENT_NOT_FOUND'],
  price: 10_000,
  resolve: (input, ctx) => replayWebhookEvents(ctx, input),
})

mutation('sendTestWebhook', {
  description: 'Sends a `test` event to one endpoint.',
  key: 'secret',
  right: 'WEBHOOKS_WRITE',
  input: z
    .object({ webhookEndpointId: endpointId() })
    .describe('An endpoint to send a test event to.'),
  payload: { webhookDelivery: WebhookDeliveryRef },
  errors: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_DISABLED'],
  resolve: async ({ webhookEndpointId: endpointId, ...tenant }, ctx) => ({
    webhookDelivery: await sendTestWebhook(ctx, { ...tenant, endpointId }),
  }),
})
