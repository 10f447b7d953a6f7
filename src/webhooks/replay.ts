/** Resends deliveries by hand: a single one, or the events of a period. Sends test events. */
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { Event, WebhookDelivery, WebhookEndpoint } from '../generated/prisma/client.ts'
import { addToChanges } from '../kit/access/audit-entry.sql.ts'
import { inTransaction, type Queries } from '../kit/database/db.ts'
import { notifyNodes } from '../kit/database/session.sql.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import { TesseraError } from '../kit/errors.ts'
import { nodeId } from '../kit/node-id.ts'
import type { Runtime } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'
import { flag, moment } from '../kit/validation.ts'
import { type EndpointKey, endpointId, getWebhookEndpoint } from './endpoint.ts'
import { getFeedPosition } from './event-feed.ts'
import { insertTest, queueEvents } from './replay.sql.ts'

type Store = Pick<Runtime, 'db' | 'clock' | 'config'>

/** @throws TesseraError WEBHOOK_NOT_FOUND, WEBHOOK_DISABLED */
const getActiveEndpoint = async (store: Store, key: EndpointKey) => {
  const endpoint = await getWebhookEndpoint(store, key)
  const { status } = endpoint
  if (status !== 'ACTIVE') throw new TesseraError('WEBHOOK_DISABLED', { status, since: null })
  return endpoint
}

type DeliveryKey = Tenant & { deliveryId: string }

/** A delivery; null if it belongs to another partner or environment. */
export const findWebhookDelivery = (
  { db }: { db: Queries },
  { deliveryId, ...tenant }: DeliveryKey,
): Promise<WebhookDelivery | null> =>
  ofTenant(db, tenant).webhookDelivery.findFirst({
    where: { id: deliveryId, endpoint: { deletedAt: null } },
  })

/** @throws TesseraError WEBHOOK_DELIVERY_NOT_FOUND */
const getWebhookDelivery = async (
  store: { db: Queries },
  key: DeliveryKey,
): Promise<WebhookDelivery> => {
  const delivery = await findWebhookDelivery(store, key)
  if (!delivery) throw new TesseraError('WEBHOOK_DELIVERY_NOT_FOUND')
  return delivery
}

/**
 * Resends a delivery now, whatever its status. Its schedule of retries starts again.
 * @throws TesseraError WEBHOOK_DELIVERY_NOT_FOUND, WEBHOOK_DISABLED
 */
export const retryWebhookDelivery = async (
  store: Store,
  key: DeliveryKey,
): Promise<WebhookDelivery> => {
  const { endpointId, status } = await getWebhookDelivery(store, key)
  await getActiveEndpoint(store, { ...key, endpointId })
  return inTransaction({ tx: store.db }, async ({ tx }) => {
    await ofTenant(tx, key).webhookDelivery.updateMany({
      where: { id: key.deliveryId },
      data: { status: 'PENDING', tries: 0, nextAttemptAt: store.clock(), finishedAt: null },
    })
    const change = { table: 'webhook_delivery', id: key.deliveryId, field: 'status' }
    await addToChanges(tx, [{ ...change, from: status, to: 'PENDING' }])
    await notifyNodes(tx, 'delivery')
    // Read in this transaction, before a node can take it.
    return getWebhookDelivery({ db: tx }, key)
  })
}

export const ReplayWebhookEvents = z
  .object({
    webhookEndpointId: endpointId(),
    from: moment().describe('The start of the period, inclusive.'),
    to: moment().nullish().describe('The end of the period, exclusive. Defaults to now.'),
    afterEventId: nodeId('Event')
      .nullish()
      .describe('Only events after this one: `continueAfter` of the previous call.'),
    failedOnly: flag()
      .nullish()
      .describe('Only events whose delivery to this endpoint has failed.'),
  })
  .refine(({ from, to }) => to == null || to >= from, {
    path: ['to'],
    message: 'must not be before from',
  })
  .describe('A period whose events are resent to an endpoint.')

/** The most deliveries that one call queues. */
const replayLimit = 10_000

type Replay = {
  webhookEndpoint: WebhookEndpoint
  queuedCount: number
  /** If there are more: the event after which the next call continues. */
  continueAfter: Event | null
}

const dayMs = 86_400_000

/** A delivery is as old as its event, and older ones would be deleted before they are sent. */
const oldestReplayed = ({ config }: Store, now: Date): Date =>
  new Date(now.getTime() - config.retention.deliveryDays * dayMs)

/**
 * Resends the events of a period that the endpoint subscribes to, oldest first, in one statement. Events from before
 * the endpoint existed are included, but none older than `RETENTION_DELIVERY_DAYS`. Pending deliveries do not change.
 * At most 10,000 per call.
 * @throws TesseraError WEBHOOK_NOT_FOUND, WEBHOOK_DISABLED, EVENT_NOT_FOUND
 */
export const replayWebhookEvents = async (
  store: Store,
  {
    webhookEndpointId: endpointId,
    from,
    to,
    afterEventId: after,
    failedOnly,
    ...tenant
  }: Tenant & z.output<typeof ReplayWebhookEvents>,
): Promise<Replay> => {
  const webhookEndpoint = await getActiveEndpoint(store, { ...tenant, endpointId })
  if (after) await getFeedPosition(store, { ...tenant, eventId: after })
  const now = store.clock()
  const [row] = await queueEvents(store.db, webhookEndpoint, {
    from: new Date(Math.max(from.getTime(), oldestReplayed(store, now).getTime())),
    to: to ?? now,
    after: after ?? null,
    failedOnly: failedOnly ?? false,
    limit: replayLimit,
    now,
  })
  const { found, queued, last } = row as NonNullable<typeof row>
  const change = { table: 'webhook_endpoint', id: endpointId, field: 'queued_count', from: null }
  await addToChanges(store.db, [{ ...change, to: queued }])
  const isAll = found < replayLimit || last === null
  const continueAfter = isAll
    ? null
    : await ofTenant(store.db, tenant).event.findUnique({ where: { id: last } })
  return { webhookEndpoint, queuedCount: queued, continueAfter }
}

/**
 * Sends a `test` event to one endpoint, whatever it subscribes to.
 * @throws TesseraError WEBHOOK_NOT_FOUND, WEBHOOK_DISABLED
 */
export const sendTestWebhook = async (store: Store, key: EndpointKey): Promise<WebhookDelivery> => {
  const endpoint = await getActiveEndpoint(store, key)
  const now = store.clock()
  const [eventId, deliveryId] = [uuid(), uuid()]
  return inTransaction({ tx: store.db }, async ({ tx }) => {
    await insertTest(tx, endpoint, { eventId, deliveryId, now })
    // Read in this transaction, before a node can take it.
    return getWebhookDelivery({ db: tx }, { ...key, deliveryId })
  })
}
