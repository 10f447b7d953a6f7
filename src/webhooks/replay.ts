/** Sending by hand: one delivery again, what happened in a time, a test. */
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import { inTransaction, type Tx } from '../core/db/db.ts'
import { TesseraError } from '../core/errors.ts'
import { nodeId } from '../core/node-id.ts'
import type { Runtime } from '../core/runtime.ts'
import type { Tenant } from '../core/tenant.ts'
import { flag, moment } from '../core/validation.ts'
import type { Event, WebhookDelivery, WebhookEndpoint } from '../generated/prisma/client.ts'
import { type EndpointKey, endpointId, getWebhookEndpoint } from './endpoint.ts'
import { getFeedPosition } from './event-feed.ts'

type Store = Pick<Runtime, 'db' | 'clock'>

/** With the endpoint it goes to. */
export type Delivery = WebhookDelivery & { endpoint: WebhookEndpoint }

/** @throws TesseraError WEBHOOK_NOT_FOUND, WEBHOOK_DISABLED */
const getActiveEndpoint = async (store: Store, key: EndpointKey) => {
  const endpoint = await getWebhookEndpoint(store, key)
  const { status } = endpoint
  if (status !== 'ACTIVE') throw new TesseraError('WEBHOOK_DISABLED', { status, since: null })
  return endpoint
}

type DeliveryKey = Tenant & { deliveryId: string }

/** A delivery; null for one of another partner or environment, too. */
export const findWebhookDelivery = (
  { db }: { db: Tx },
  { deliveryId, partnerId, environment }: DeliveryKey,
): Promise<Delivery | null> =>
  db.webhookDelivery.findFirst({
    where: { id: deliveryId, partnerId, environment, endpoint: { deletedAt: null } },
    include: { endpoint: true },
  })

/** @throws TesseraError WEBHOOK_DELIVERY_NOT_FOUND */
const getWebhookDelivery = async (store: { db: Tx }, key: DeliveryKey): Promise<Delivery> => {
  const delivery = await findWebhookDelivery(store, key)
  if (!delivery) throw new TesseraError('WEBHOOK_DELIVERY_NOT_FOUND')
  return delivery
}

/**
 * Sends a delivery again, now, whatever became of it; the table of retries starts anew.
 * @throws TesseraError WEBHOOK_DELIVERY_NOT_FOUND, WEBHOOK_DISABLED
 */
export const retryWebhookDelivery = async (store: Store, key: DeliveryKey): Promise<Delivery> => {
  const { endpointId } = await getWebhookDelivery(store, key)
  await getActiveEndpoint(store, { ...key, endpointId })
  return inTransaction(store.db, async (db) => {
    await db.webhookDelivery.updateMany({
      where: { id: key.deliveryId },
      data: { status: 'PENDING', tries: 0, nextAttemptAt: store.clock(), finishedAt: null },
    })
    await db.$executeRaw`SELECT pg_notify('tessera', 'delivery')`
    // Read before anybody is told of it and takes it.
    return getWebhookDelivery({ db }, key)
  })
}

export const ReplayWebhookEvents = z
  .object({
    endpointId: endpointId(),
    from: moment().describe('Events from this moment on.'),
    to: moment().nullish().describe('Events before this moment; left out: until now.'),
    after: nodeId('Event')
      .nullish()
      .describe('Only events behind this one, to go on after `continueAfter`.'),
    failedOnly: flag()
      .nullish()
      .describe('Only events whose delivery to this endpoint has failed.'),
  })
  .refine(({ from, to }) => to == null || to >= from, {
    path: ['to'],
    message: 'must not be before from',
  })
  .describe('A time whose events are to be sent to an endpoint again.')

/** Deliveries that one call queues at most. */
const replayLimit = 10_000

type Replay = {
  webhookEndpoint: WebhookEndpoint
  /** Deliveries that were queued. */
  queuedCount: number
  /** When there is more: the event after which the next call goes on. */
  continueAfter: Event | null
}

/**
 * Sends the events of a time again, oldest first, in a single statement: those that the endpoint has
 * subscribed to, also when they happened before there was the endpoint. Deliveries that wait are left
 * as they are. At most 10,000 in a call.
 * @throws TesseraError WEBHOOK_NOT_FOUND, WEBHOOK_DISABLED, EVENT_NOT_FOUND
 */
export const replayWebhookEvents = async (
  store: Store,
  {
    endpointId,
    from,
    to,
    after,
    failedOnly,
    ...tenant
  }: Tenant & z.output<typeof ReplayWebhookEvents>,
): Promise<Replay> => {
  const webhookEndpoint = await getActiveEndpoint(store, { ...tenant, endpointId })
  const { id, partnerId, environment, events } = webhookEndpoint
  if (after) await getFeedPosition(store, { partnerId, environment, eventId: after })
  const now = store.clock()
  const [row] = await store.db.$queryRaw<{ found: number; queued: number; last: string | null }[]>`
    WITH chosen AS MATERIALIZED (
      SELECT e.id, e.type, e.occurred_at FROM event e
      WHERE e.partner_id = ${partnerId}::uuid AND e.environment = ${environment}::"Environment"
        AND e.occurred_at >= ${from}::timestamptz AND e.occurred_at < ${to ?? now}::timestamptz
        AND e.type <> 'test'
        AND (${after ?? null}::uuid IS NULL OR (e.occurred_at, e.id) > (
          SELECT occurred_at, id FROM event WHERE id = ${after ?? null}::uuid
            AND partner_id = ${partnerId}::uuid AND environment = ${environment}::"Environment"))
        AND ARRAY['*', split_part(e.type, '.', 1) || '.*', e.type] && ${events}::text[]
        AND (NOT ${failedOnly ?? false}::boolean OR EXISTS (SELECT FROM webhook_delivery d
          WHERE d.endpoint_id = ${id}::uuid AND d.event_id = e.id AND d.status = 'FAILED'))
      ORDER BY e.occurred_at, e.id LIMIT ${replayLimit}::int
    ), queued AS (
      INSERT INTO webhook_delivery AS d (partner_id, environment, endpoint_id, event_id, event_type,
        next_attempt_at, created_at)
      SELECT ${partnerId}::uuid, ${environment}::"Environment", ${id}::uuid, id, type,
        ${now}::timestamptz, occurred_at FROM chosen ORDER BY id
      ON CONFLICT (endpoint_id, event_id) DO UPDATE SET status = 'PENDING', tries = 0,
        next_attempt_at = excluded.next_attempt_at, finished_at = NULL
        WHERE d.status <> 'PENDING'
      RETURNING 1
    )
    SELECT (SELECT count(*) FROM chosen)::int AS found, (SELECT count(*) FROM queued)::int AS queued,
      (SELECT id FROM chosen ORDER BY occurred_at DESC, id DESC LIMIT 1) AS last, pg_notify('tessera', 'delivery')::text`
  const { found, queued, last } = row as NonNullable<typeof row>
  const isAll = found < replayLimit || last === null
  const continueAfter = isAll ? null : await store.db.event.findUnique({ where: { id: last } })
  return { webhookEndpoint, queuedCount: queued, continueAfter }
}

/**
 * Sends a `test` event to one endpoint, whatever it has subscribed to.
 * @throws TesseraError WEBHOOK_NOT_FOUND, WEBHOOK_DISABLED
 */
export const sendTestWebhook = async (store: Store, key: EndpointKey): Promise<Delivery> => {
  const { id, partnerId, environment } = await getActiveEndpoint(store, key)
  const now = store.clock()
  const [eventId, deliveryId] = [uuid(), uuid()]
  const data = JSON.stringify({ endpointId: id, message: 'This is a test' })
  return inTransaction(store.db, async (db) => {
    await db.$queryRaw`
    WITH happened AS (
      INSERT INTO event (id, partner_id, environment, type, data, occurred_at)
      VALUES (${eventId}::uuid, ${partnerId}::uuid, ${environment}::"Environment", 'test',
        ${data}::json, ${now}::timestamptz)
    )
    INSERT INTO webhook_delivery (id, partner_id, environment, endpoint_id, event_id, event_type,
      next_attempt_at, created_at)
    VALUES (${deliveryId}::uuid, ${partnerId}::uuid, ${environment}::"Environment", ${id}::uuid,
      ${eventId}::uuid, 'test', ${now}::timestamptz, ${now}::timestamptz)
    RETURNING pg_notify('tessera', 'delivery')::text`
    // Read before anybody is told of it and takes it.
    return getWebhookDelivery({ db }, { ...key, deliveryId })
  })
}
