import { randomBytes } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { WebhookEndpoint } from '../generated/prisma/client.ts'
import { WebhookEndpointStatus } from '../generated/prisma/enums.ts'
import { inTransaction } from '../kit/database/db.ts'
import { lockName, notifyNodes } from '../kit/database/session.sql.ts'
import { ofTenant, ofTenants } from '../kit/database/tenant-client.ts'
import { TesseraError } from '../kit/errors.ts'
import { inOrder } from '../kit/in-order.ts'
import { nodeId } from '../kit/node-id.ts'
import type { Runtime, Work } from '../kit/runtime.ts'
import { checkOutgoingUrl } from '../kit/security/address.ts'
import { bindTo, type SealedColumn, seal } from '../kit/security/seal.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import { oneOf, text, urlOf } from '../kit/validation.ts'
import { updateSecret } from './endpoint.sql.ts'
import { eventPattern } from './event-pattern.ts'

const url = () =>
  urlOf(/^https?$/, 'must be an http or https URL').describe(
    'Where events are sent: a public address, https in LIVE. In development, `WEBHOOK_ALLOW_PRIVATE=1` allows private and loopback addresses.',
  )

const eventNames = () =>
  z
    .array(eventPattern(), {
      error: (issue) => (issue.input == null ? 'is required' : 'must be a list'),
    })
    .min(1, 'must not be empty')
    .max(100, 'must have at most 100 items')
    .describe(
      'Which events: names, groups such as `arena.*`, or `*` for all. `test` is not among them: `sendTestWebhook` sends it to any endpoint.',
    )

const description = () =>
  text(255).nullish().describe('A note for yourselves: what the endpoint is for.')

/** An input that names an endpoint. */
export const endpointId = () =>
  nodeId('WebhookEndpoint').describe('The endpoint, by its global id or its UUID.')

export const CreateWebhookEndpoint = z
  .object({ url: url(), eventNames: eventNames(), description: description() })
  .describe('A webhook endpoint to create.')

export const UpdateWebhookEndpoint = z
  .object({
    webhookEndpointId: endpointId(),
    url: url().nullish(),
    eventNames: eventNames().nullish(),
    description: description(),
    status: oneOf('WebhookEndpointStatus', WebhookEndpointStatus)
      .nullish()
      .describe('DISABLED stops deliveries; ACTIVE resumes pending deliveries.'),
  })
  .describe('Changes to an endpoint. Omitted fields are unchanged.')

type Store = Pick<Runtime, 'db' | 'clock' | 'keys'>
/** An endpoint with its secret in plain text, which is shown once. */
type WithSecret = { webhookEndpoint: WebhookEndpoint; secret: string }
export type EndpointKey = Tenant & { endpointId: string }

type EndpointChange = EndpointKey &
  Omit<z.output<typeof UpdateWebhookEndpoint>, 'webhookEndpointId'>

export const secretPurpose = 'webhook-secret'

export const sealedEndpointColumns: SealedColumn[] = ['secret', 'previous_secret'].map(
  (column) => ({
    table: 'webhook_endpoint',
    column,
    key: { id: 'uuid' },
    purpose: secretPurpose,
  }),
)

/** The endpoints of deliveries, deleted ones too. They must exist. */
export const findEndpoints = async (
  { tx }: Work,
  keys: EndpointKey[],
): Promise<WebhookEndpoint[]> => {
  const found = await ofTenants(tx, keys, ({ endpointId: id }) => ({
    id,
  })).webhookEndpoint.findMany()
  return inOrder(
    keys,
    found,
    ({ id }) => id,
    ({ endpointId }) => endpointId,
  ) as WebhookEndpoint[]
}

const rotationMs = 24 * 3600 * 1000
const maxEndpoints = 50

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

const whereOf = ({ endpointId: id }: { endpointId: string }) => ({ id, deletedAt: null })

/**
 * An input with a URL that the service may reach. Resolves its host by DNS, which takes too long for a transaction.
 * @throws TesseraError VALIDATION_FAILED
 */
export const checkEndpointUrl = async <I extends Tenant & { url: string }>(
  { config }: Pick<Runtime, 'config'>,
  input: I,
): Promise<I> => ({
  ...input,
  url: await checkOutgoingUrl(input.url, input, config.webhookAllowPrivate),
})

/**
 * The same for a change. A caller who does not own the endpoint learns nothing about the address.
 * @throws TesseraError WEBHOOK_NOT_FOUND, VALIDATION_FAILED
 */
export const checkEndpointChange = async (
  store: Pick<Runtime, 'db' | 'config'>,
  input: EndpointChange,
): Promise<typeof input> => {
  const { url } = input
  if (!url) return input
  await getWebhookEndpoint(store, input)
  return checkEndpointUrl(store, { ...input, url })
}

/**
 * Creates an endpoint, whose URL has been checked. Only this answer contains its secret.
 * @throws TesseraError WEBHOOK_LIMIT_REACHED
 */
export const createWebhookEndpoint = async (
  { db, clock, keys }: Store,
  {
    url,
    eventNames: events,
    description,
    ...tenant
  }: Tenant & z.output<typeof CreateWebhookEndpoint>,
): Promise<WithSecret> => {
  const secret = newSecret()
  const now = clock()
  const webhookEndpoint = await inTransaction({ tx: db }, async ({ tx }) => {
    const { partnerId, environment } = tenant
    await lockName(tx, `webhook_endpoint ${partnerId} ${environment}`)
    const own = ofTenant(tx, tenant).webhookEndpoint
    const count = await own.count({ where: { deletedAt: null } })
    if (count >= maxEndpoints)
      throw new TesseraError('WEBHOOK_LIMIT_REACHED', { limit: maxEndpoints, current: count })
    const row = { id: uuid(), ...tenantOf(tenant) }
    return own.create({
      data: {
        ...row,
        url,
        events,
        description: description ?? null,
        secret: seal(keys.master, bindTo(row, secretPurpose), secret),
        createdAt: now,
        updatedAt: now,
      },
    })
  })
  return { webhookEndpoint, secret }
}

/** An endpoint; null if it belongs to another partner or environment. */
export const findWebhookEndpoint = (
  { db }: Pick<Runtime, 'db'>,
  key: EndpointKey,
): Promise<WebhookEndpoint | null> =>
  ofTenant(db, key).webhookEndpoint.findFirst({ where: whereOf(key) })

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
 * Changes an endpoint, whose new URL has been checked. Activating it clears its record of failures.
 * @throws TesseraError WEBHOOK_NOT_FOUND
 */
export const updateWebhookEndpoint = async (
  store: Store,
  change: EndpointChange,
): Promise<WebhookEndpoint> => {
  const { db, clock } = store
  const { url, eventNames: events, description, status } = change
  const [webhookEndpoint] = await ofTenant(db, change).webhookEndpoint.updateManyAndReturn({
    where: whereOf(change),
    data: {
      ...(url && { url }),
      ...(events && { events }),
      ...(description !== undefined && { description }),
      ...(status && { status, disabledReason: null, failingSince: null }),
      updatedAt: clock(),
    },
  })
  if (!webhookEndpoint) throw new TesseraError('WEBHOOK_NOT_FOUND')
  if (status === 'ACTIVE') await notifyNodes(db, 'delivery')
  return webhookEndpoint
}

/**
 * Rotates the secret of an endpoint. For 24 hours, events are also signed with the previous secret.
 * @throws TesseraError WEBHOOK_NOT_FOUND
 */
export const rotateWebhookSecret = async (store: Store, key: EndpointKey): Promise<WithSecret> => {
  const { db, clock, keys } = store
  const secret = newSecret()
  const now = clock()
  const row = { ...tenantOf(key), id: key.endpointId }
  const [webhookEndpoint] = await updateSecret(db, key, {
    sealed: Buffer.from(seal(keys.master, bindTo(row, secretPurpose), secret)),
    now,
    previousUntil: new Date(now.getTime() + rotationMs),
  })
  if (!webhookEndpoint) throw new TesseraError('WEBHOOK_NOT_FOUND')
  return { webhookEndpoint, secret }
}

/**
 * Deletes an endpoint. Nothing more is sent to it.
 * @throws TesseraError WEBHOOK_NOT_FOUND
 */
export const deleteWebhookEndpoint = async (
  store: Store,
  key: EndpointKey,
): Promise<WebhookEndpoint> => {
  const endpoint = await getWebhookEndpoint(store, key)
  const now = store.clock()
  await ofTenant(store.db, key).webhookEndpoint.updateMany({
    where: whereOf(key),
    data: { status: 'DISABLED', deletedAt: now, updatedAt: now },
  })
  return { ...endpoint, status: 'DISABLED' }
}
