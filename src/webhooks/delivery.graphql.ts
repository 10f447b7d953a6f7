import { z } from 'zod'
import { builder } from '../core/builder.ts'
import { requireCaller } from '../core/context.ts'
import { refused } from '../core/errors.ts'
import { enumType } from '../core/input.ts'
import { mutation } from '../core/mutation.ts'
import { connectionType, listArgs, listComplexity, listConnection } from '../core/pagination.ts'
import type { Work } from '../core/runtime.ts'
import { tenantOf } from '../core/tenant.ts'
import { isUuid, readMoment } from '../core/validation.ts'
import type { Prisma, WebhookAttempt } from '../generated/prisma/client.ts'
import { WebhookEndpointRef } from './endpoint.graphql.ts'
import { wantedTypes } from './event-pattern.ts'
import {
  type Delivery,
  getWebhookDelivery,
  type Replay,
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

const WebhookDeliveryRef = builder.prismaObject('WebhookDelivery', {
  fields: (t) => ({
    deliveryId: t.exposeString('id', { description: 'UUID of the delivery.' }),
    eventId: t.exposeString('eventId', {
      description: 'UUID of the event: what the receiver is sent as `X-Webhook-Id`.',
    }),
    event: t.exposeString('eventType', { description: 'Which event: `points.awarded`.' }),
    endpointId: t.exposeString('endpointId', { description: 'UUID of the endpoint.' }),
    status: t.expose('status', { type: WebhookDeliveryStatusRef, description: 'How far it is.' }),
    attempts: t.exposeInt('attempts'),
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
      resolve: (delivery) => (delivery as Delivery).endpoint,
    }),
    attemptLog: t.field({
      type: [WebhookAttemptRef],
      description: `The newest ${shownAttempts} attempts, newest first.`,
      resolve: ({ id }, _, ctx) => ctx.read(findAttempts, id),
    }),
  }),
})

const WebhookDeliveryConnection = connectionType('WebhookDelivery', WebhookDeliveryRef)

/** A count stops here: 10,000 stands for that many or more. */
const countLimit = 10_000

type DeliveryCursor = [createdAt: string, id: string]

const isDeliveryCursor = (value: unknown): value is DeliveryCursor =>
  z.tuple([z.iso.datetime().refine(readMoment), z.uuid()]).safeParse(value).success

builder.queryField('webhookDeliveries', (t) =>
  t.field({
    type: WebhookDeliveryConnection,
    description: `Deliveries of the last 30 days, newest first. \`totalCount\` ends at ${countLimit}.`,
    authScopes: { key: 'secret' },
    args: {
      endpointId: t.arg.string({ description: 'Only those of this endpoint, by UUID.' }),
      event: t.arg.string({
        description: 'Only those of this event, by name, or of all of a kind as `arena.*`.',
      }),
      status: t.arg({ type: WebhookDeliveryStatusRef, description: 'Only those that are so far.' }),
      from: t.arg({ type: 'DateTime', description: 'Only events from this moment on.' }),
      to: t.arg({ type: 'DateTime', description: 'Only events before this moment.' }),
      ...listArgs,
    },
    complexity: listComplexity,
    resolve: (_, args, ctx) => {
      const { endpointId, event, status, from, to } = args
      if (endpointId && !isUuid(endpointId))
        throw refused('endpointId', 'must be a UUID', 'INVALID_PARAMETERS')
      const types = wantedTypes('event', event == null ? null : [event])
      const where: Prisma.WebhookDeliveryWhereInput = {
        ...tenantOf(requireCaller(ctx, 'secret')),
        endpoint: { deletedAt: null },
        ...(endpointId && { endpointId }),
        ...(types && { eventType: { in: types } }),
        ...(status && { status }),
        ...((from || to) && { createdAt: { ...(from && { gte: from }), ...(to && { lt: to }) } }),
      }
      return listConnection<Delivery, DeliveryCursor>(ctx, args, {
        list: 'webhookDeliveries',
        isCursor: isDeliveryCursor,
        cursorOf: ({ createdAt, id }) => [createdAt.toISOString(), id],
        total: () => ctx.db.webhookDelivery.count({ where, take: countLimit }),
        fetch: ({ take, skip, after }) =>
          ctx.db.webhookDelivery.findMany({
            where: {
              ...where,
              ...(after && {
                OR: [
                  { createdAt: { lt: after[0] } },
                  { createdAt: after[0], id: { lt: after[1] } },
                ],
              }),
            },
            include: { endpoint: true },
            orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
            take,
            skip,
          }),
      })
    },
  }),
)

builder.queryField('webhookDelivery', (t) =>
  t.field({
    type: WebhookDeliveryRef,
    description: 'A delivery, for its attempts.',
    authScopes: { key: 'secret' },
    args: { deliveryId: t.arg.string({ required: true, description: 'UUID of the delivery.' }) },
    resolve: (_, { deliveryId }, ctx) =>
      getWebhookDelivery(ctx, { ...tenantOf(requireCaller(ctx, 'secret')), deliveryId }),
  }),
)

mutation('retryWebhookDelivery', {
  description: 'Sends a delivery again, now, whatever became of it.',
  key: 'secret',
  input: z
    .object({ deliveryId: z.uuid('must be a UUID').describe('UUID of the delivery.') })
    .describe('A delivery to send again.'),
  payload: WebhookDeliveryRef as never,
  errors: ['WEBHOOK_DELIVERY_NOT_FOUND', 'WEBHOOK_DISABLED'],
  resolve: (input, ctx, caller) => retryWebhookDelivery(ctx, { ...input, ...tenantOf(caller) }),
})

const ReplayPayload = builder.objectRef<Replay>('ReplayWebhookEventsPayload').implement({
  description: 'What will be sent again.',
  fields: (t) => ({
    queued: t.exposeInt('queued', { description: 'Deliveries that were queued.' }),
    nextAfter: t.exposeString('nextAfter', {
      nullable: true,
      description: 'When there is more than 10,000: `after` of the next call.',
    }),
  }),
})

mutation('replayWebhookEvents', {
  description:
    'Sends the events of a time to an endpoint again, oldest first, 10,000 at most; also those from before there was the endpoint.',
  key: 'secret',
  input: ReplayWebhookEvents,
  payload: ReplayPayload,
  errors: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_DISABLED', 'EVENT_NOT_FOUND'],
  resolve: (input, ctx, caller) => replayWebhookEvents(ctx, { ...input, ...tenantOf(caller) }),
})

mutation('sendTestWebhook', {
  description: 'Sends a `test` event to one endpoint.',
  key: 'secret',
  input: z
    .object({ endpointId: z.uuid('must be a UUID').describe('UUID of the endpoint.') })
    .describe('An endpoint to test.'),
  payload: WebhookDeliveryRef as never,
  errors: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_DISABLED'],
  resolve: (input, ctx, caller) => sendTestWebhook(ctx, { ...input, ...tenantOf(caller) }),
})
