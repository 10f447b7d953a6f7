import { randomBytes } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import { inTransaction } from '../core/db/db.ts'
import { TesseraError } from '../core/errors.ts'
import { checkOutgoingUrl } from '../core/http/address.ts'
import { nodeId } from '../core/node-id.ts'
import type { SealedColumn } from '../core/reseal.ts'
import type { Runtime } from '../core/runtime.ts'
import { bindTo, seal } from '../core/seal.ts'
import type { Tenant } from '../core/tenant.ts'
import { tenantOf } from '../core/tenant.ts'
import { oneOf, text } from '../core/validation.ts'
import type { WebhookEndpoint } from '../generated/prisma/client.ts'
import { WebhookEndpointStatus } from '../generated/prisma/enums.ts'
import { eventPattern } from './event-pattern.ts'

const url = () =>
  text(2048)
    .pipe(z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }))
    .describe('Where events are sent: a public address, https in LIVE.')

const events = () =>
  z
    .array(eventPattern(), {
      error: (issue) => (issue.input == null ? 'is required' : 'must be a list'),
    })
    .min(1, 'must not be empty')
    .max(100, 'must have at most 100 items')
    .describe('Which events: by name, all of a kind as `arena.*`, or all as `*`.')

const description = () => text(255).nullish().describe('What it is for.')

/** An input that names an endpoint. */
export const endpointId = () => nodeId('WebhookEndpoint').describe('The endpoint.')

export const CreateWebhookEndpoint = z
  .object({ url: url(), events: events(), description: description() })
  .describe('An address to tell what happens.')

export const UpdateWebhookEndpoint = z
  .object({
    endpointId: endpointId(),
    url: url().nullish(),
    events: events().nullish(),
    description: description(),
    status: oneOf('WebhookEndpointStatus', WebhookEndpointStatus)
      .nullish()
      .describe('DISABLED to stop deliveries, ACTIVE to go on with those that wait.'),
  })
  .describe('Changes to an endpoint; what is left out stays.')

type Store = Pick<Runtime, 'db' | 'config' | 'clock'>
/** An endpoint and its secret in clear, which is shown once. */
export type WithSecret = { webhookEndpoint: WebhookEndpoint; secret: string }
export type EndpointKey = Tenant & { endpointId: string }

/** For sealing. */
export const secretPurpose = 'webhook-secret'

export const sealedEndpointColumns: SealedColumn[] = ['secret', 'previous_secret'].map(
  (column) => ({
    table: 'webhook_endpoint',
    column,
    key: { id: 'uuid' },
    purpose: secretPurpose,
  }),
)

const rotationMs = 24 * 3600 * 1000
const maxEndpoints = 50

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

const whereOf = ({ endpointId, ...tenant }: EndpointKey) => ({
  id: endpointId,
  ...tenantOf(tenant),
  deletedAt: null,
})

/**
 * Makes an endpoint. Its secret is in the answer and nowhere else.
 * @throws TesseraError VALIDATION_FAILED for an address that may not be reached, WEBHOOK_LIMIT_REACHED
 */
export const createWebhookEndpoint = async (
  { db, config, clock }: Store,
  { url, events, description, ...tenant }: Tenant & z.output<typeof CreateWebhookEndpoint>,
): Promise<WithSecret> => {
  const secret = newSecret()
  const checked = await checkOutgoingUrl(url, tenant, config.webhookAllowPrivate)
  const now = clock()
  const webhookEndpoint = await inTransaction(db, async (tx) => {
    const { partnerId, environment } = tenant
    await tx.$queryRaw`SELECT 1 AS locked FROM (SELECT pg_advisory_xact_lock(
      hashtextextended(${`webhook_endpoint ${partnerId} ${environment}`}::text, 0))) l`
    const count = await tx.webhookEndpoint.count({
      where: { ...tenantOf(tenant), deletedAt: null },
    })
    if (count >= maxEndpoints)
      throw new TesseraError('WEBHOOK_LIMIT_REACHED', { limit: maxEndpoints, current: count })
    const row = { id: uuid(), ...tenantOf(tenant) }
    return tx.webhookEndpoint.create({
      data: {
        ...row,
        url: checked,
        events,
        description: description ?? null,
        secret: seal(config.masterKeys, bindTo(row, secretPurpose), secret),
        createdAt: now,
        updatedAt: now,
      },
    })
  })
  return { webhookEndpoint, secret }
}

/** An endpoint; null for one of another partner or environment, too. */
export const findWebhookEndpoint = (
  { db }: Pick<Runtime, 'db'>,
  key: EndpointKey,
): Promise<WebhookEndpoint | null> => db.webhookEndpoint.findFirst({ where: whereOf(key) })

/** @throws TesseraError WEBHOOK_NOT_FOUND, for an endpoint of another partner or environment too */
export const getWebhookEndpoint = async (
  store: Pick<Runtime, 'db'>,
  key: EndpointKey,
): Promise<WebhookEndpoint> => {
  const endpoint = await findWebhookEndpoint(store, key)
  if (!endpoint) throw new TesseraError('WEBHOOK_NOT_FOUND')
  return endpoint
}

/**
 * Changes an endpoint. One that is made ACTIVE again starts with a clean record.
 * @throws TesseraError WEBHOOK_NOT_FOUND, VALIDATION_FAILED
 */
export const updateWebhookEndpoint = async (
  store: Store,
  change: Tenant & z.output<typeof UpdateWebhookEndpoint>,
): Promise<WebhookEndpoint> => {
  const { db, config, clock } = store
  const { url, events, description, status } = change
  // Who names no endpoint of theirs learns nothing of an address.
  if (url) await getWebhookEndpoint(store, change)
  const checked = url && (await checkOutgoingUrl(url, change, config.webhookAllowPrivate))
  const [webhookEndpoint] = await db.webhookEndpoint.updateManyAndReturn({
    where: whereOf(change),
    data: {
      ...(checked && { url: checked }),
      ...(events && { events }),
      ...(description !== undefined && { description }),
      ...(status && { status, disabledReason: null, failingSince: null }),
      updatedAt: clock(),
    },
  })
  if (!webhookEndpoint) throw new TesseraError('WEBHOOK_NOT_FOUND')
  if (status === 'ACTIVE') await db.$executeRaw`SELECT pg_notify('tessera', 'delivery')`
  return webhookEndpoint
}

/**
 * Gives an endpoint a new secret; the old one signs beside it for 24 hours.
 * @throws TesseraError WEBHOOK_NOT_FOUND
 */
export const rotateWebhookSecret = async (store: Store, key: EndpointKey): Promise<WithSecret> => {
  const { db, config, clock } = store
  const secret = newSecret()
  const now = clock()
  const row = { ...tenantOf(key), id: key.endpointId }
  const sealed = Buffer.from(seal(config.masterKeys, bindTo(row, secretPurpose), secret))
  const [webhookEndpoint] = await db.$queryRaw<WebhookEndpoint[]>`
    UPDATE webhook_endpoint SET previous_secret = secret, secret = ${sealed}::bytea,
      previous_secret_until = ${new Date(now.getTime() + rotationMs)}::timestamptz,
      updated_at = ${now}::timestamptz
    WHERE id = ${key.endpointId}::uuid AND partner_id = ${key.partnerId}::uuid
      AND environment = ${key.environment}::"Environment" AND deleted_at IS NULL
    RETURNING id, partner_id AS "partnerId", environment, url, description, events, status,
      disabled_reason AS "disabledReason", failing_since AS "failingSince",
      previous_secret_until AS "previousSecretUntil", created_at AS "createdAt",
      updated_at AS "updatedAt"`
  if (!webhookEndpoint) throw new TesseraError('WEBHOOK_NOT_FOUND')
  return { webhookEndpoint, secret }
}

/**
 * Deletes an endpoint: nothing more is sent to it.
 * @throws TesseraError WEBHOOK_NOT_FOUND
 */
export const deleteWebhookEndpoint = async (
  store: Store,
  key: EndpointKey,
): Promise<WebhookEndpoint> => {
  const endpoint = await getWebhookEndpoint(store, key)
  const now = store.clock()
  await store.db.webhookEndpoint.updateMany({
    where: whereOf(key),
    data: { status: 'DISABLED', deletedAt: now, updatedAt: now },
  })
  return { ...endpoint, status: 'DISABLED' }
}
