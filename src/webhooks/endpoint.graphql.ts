import { z } from 'zod'
import { WebhookEndpointStatus } from '../generated/prisma/enums.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import { encodeNodeId } from '../kit/node-id.ts'
import { builder } from '../kit/schema/builder.ts'
import { versioned, versionField } from '../kit/schema/expected-version.ts'
import { among, containing, someOf } from '../kit/schema/filters.ts'
import { EnvironmentRef, enumType, inUpperCase } from '../kit/schema/input.ts'
import { list } from '../kit/schema/list.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { ownRow } from '../kit/schema/owner.ts'
import { query } from '../kit/schema/query.ts'
import { rows } from '../kit/schema/rows.ts'
import { tenantOf } from '../kit/tenant.ts'
import { title } from '../kit/validation.ts'
import { statisticsOf } from '../statistics/entity-statistics.graphql.ts'
import { disabledBecause } from './delivery.ts'
import {
  CreateWebhookEndpoint,
  checkEndpointChange,
  checkEndpointUrl,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  endpointId,
  findWebhookEndpoint,
  rotateWebhookSecret,
  UpdateWebhookEndpoint,
  updateWebhookEndpoint,
} from './endpoint.ts'

const WebhookEndpointStatusRef = enumType('WebhookEndpointStatus', 'Whether events are sent.', {
  ACTIVE: 'Events are delivered.',
  DISABLED: 'Nothing is sent, and new events create no deliveries.',
})

const DisabledReasonRef = enumType(
  'WebhookDisabledReason',
  'Why the service disabled an endpoint.',
  { gone: `${disabledBecause.gone}.`, failing: `${disabledBecause.failing}.` },
  { nameOf: inUpperCase },
)

const disabledReasonOf = (text: string) => (text === disabledBecause.gone ? 'gone' : 'failing')

export const WebhookEndpointRef = builder.prismaNode('WebhookEndpoint', {
  description: 'A URL that receives events.',
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, ctx) => ({ ...ownRow('secret')(id, ctx), deletedAt: null }),
  fields: (t) => ({
    environment: t.expose('environment', {
      type: EnvironmentRef,
      description: 'The environment whose events it receives.',
    }),
    url: t.expose('url', { type: 'URL', description: 'Where events are sent.' }),
    description: t.exposeString('description', { nullable: true }),
    eventNames: t.exposeStringList('events'),
    status: t.expose('status', {
      type: WebhookEndpointStatusRef,
      description: 'Whether events are sent.',
    }),
    disabledReason: t.field({
      type: DisabledReasonRef,
      nullable: true,
      description: 'Why the service disabled it. Null unless the service did.',
      resolve: ({ disabledReason }) => disabledReason && disabledReasonOf(disabledReason),
    }),
    disabledMessage: t.exposeString('disabledReason', {
      nullable: true,
      description: 'Why the service disabled it, to be read. Null unless the service did.',
    }),
    failingSince: t.expose('failingSince', { type: 'DateTime', nullable: true }),
    previousSecretExpiresAt: t.expose('previousSecretUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when events are also signed with the previous secret.',
    }),
    version: t.exposeInt('version', versionField),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When its owner last changed it.',
    }),
  }),
})

versioned(WebhookEndpointRef)

const WebhookEndpointFilter = z
  .object({
    statuses: someOf('WebhookEndpointStatus', WebhookEndpointStatus)
      .nullish()
      .describe('Only endpoints of these statuses.'),
    search: title(255)
      .nullish()
      .describe('Only endpoints whose URL or description contains this; case-insensitive.'),
  })
  .describe('Filters endpoints.')

list('webhookEndpoints', {
  description: "The webhook endpoints of the caller's environment, oldest first.",
  key: 'secret',
  of: WebhookEndpointRef,
  filter: WebhookEndpointFilter,
  orders: { CREATED_AT: { by: ['id'], description: 'By time of creation.' } },
  order: ['CREATED_AT', 'ASC'],
  from: ({ caller, filter: { statuses, search }, order, ctx }) =>
    rows(ofTenant(ctx.db, caller).webhookEndpoint, {
      where: {
        deletedAt: null,
        ...among({ status: statuses }),
        ...containing(search, ['url', 'description']),
      },
      order,
    }),
})

query('webhookEndpoint', {
  description: 'A webhook endpoint.',
  key: 'secret',
  args: z.object({ id: endpointId() }),
  type: WebhookEndpointRef,
  nullable: true,
  resolve: ({ id }, ctx, caller) =>
    findWebhookEndpoint(ctx, { ...tenantOf(caller), endpointId: id }),
})

const secret = {
  type: 'String',
  description: 'The signing secret, shown only here.',
} as const

mutation('createWebhookEndpoint', {
  description: 'Creates a webhook endpoint.',
  key: 'secret',
  right: 'WEBHOOKS_WRITE',
  input: CreateWebhookEndpoint,
  payload: { webhookEndpoint: WebhookEndpointRef, secret },
  errors: ['WEBHOOK_LIMIT_REACHED'],
  prepare: (input, ctx) => checkEndpointUrl(ctx, input),
  resolve: (input, ctx) => createWebhookEndpoint(ctx, input),
})

mutation('updateWebhookEndpoint', {
  description: 'Changes a webhook endpoint, disables it, or activates it again.',
  key: 'secret',
  right: 'WEBHOOKS_WRITE',
  input: UpdateWebhookEndpoint,
  isVersioned: true,
  payload: { webhookEndpoint: WebhookEndpointRef },
  errors: ['WEBHOOK_NOT_FOUND'],
  prepare: ({ webhookEndpointId: endpointId, ...input }, ctx) =>
    checkEndpointChange(ctx, { ...input, endpointId }),
  resolve: async (input, ctx) => ({ webhookEndpoint: await updateWebhookEndpoint(ctx, input) }),
})

mutation('rotateWebhookSecret', {
  description:
    'Replaces the secret of an endpoint. For 24 hours, events are also signed with the previous secret.',
  key: 'secret',
  right: 'WEBHOOKS_WRITE',
  input: z.object({ webhookEndpointId: endpointId() }).describe('An endpoint.'),
  payload: { webhookEndpoint: WebhookEndpointRef, secret },
  errors: ['WEBHOOK_NOT_FOUND'],
  resolve: ({ webhookEndpointId: endpointId, ...tenant }, ctx) =>
    rotateWebhookSecret(ctx, { ...tenant, endpointId }),
})

mutation('deleteWebhookEndpoint', {
  description: 'Deletes a webhook endpoint and its deliveries.',
  key: 'secret',
  right: 'WEBHOOKS_WRITE',
  input: z.object({ webhookEndpointId: endpointId() }).describe('An endpoint.'),
  payload: {
    deletedId: { type: 'ID', description: 'The global id of the deleted endpoint.' },
    webhookEndpoint: {
      type: WebhookEndpointRef,
      description: 'The deleted endpoint, as it was last.',
    },
  },
  errors: ['WEBHOOK_NOT_FOUND'],
  resolve: async ({ webhookEndpointId: endpointId, ...tenant }, ctx) => {
    const webhookEndpoint = await deleteWebhookEndpoint(ctx, { ...tenant, endpointId })
    return { deletedId: encodeNodeId('WebhookEndpoint', webhookEndpoint.id), webhookEndpoint }
  },
})

statisticsOf(WebhookEndpointRef, {
  dimension: 'WEBHOOK_ENDPOINT',
  metrics: ['WEBHOOK_ATTEMPTS', 'WEBHOOK_ATTEMPT_MS'],
  keyOf: ({ id }) => id,
})
