import { z } from 'zod'
import { builder } from '../core/builder.ts'
import { requireCaller } from '../core/context.ts'
import { enumType } from '../core/input.ts'
import { mutation } from '../core/mutation.ts'
import { connectionType, listArgs, listById, listComplexity } from '../core/pagination.ts'
import { tenantOf } from '../core/tenant.ts'
import { EnvironmentRef } from '../core/vocabulary.ts'
import type { WebhookEndpoint } from '../generated/prisma/client.ts'
import {
  CreateWebhookEndpoint,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  rotateWebhookSecret,
  UpdateWebhookEndpoint,
  updateWebhookEndpoint,
} from './endpoint.ts'

const WebhookEndpointStatusRef = enumType('WebhookEndpointStatus', 'Whether events are sent.', {
  ACTIVE: 'Events are delivered.',
  DISABLED: 'Nothing is sent, and no delivery is made for what happens now.',
})

const details = builder.interfaceRef<WebhookEndpoint>('WebhookEndpointDetails').implement({
  description: 'What is known of a webhook endpoint.',
  fields: (t) => ({
    endpointId: t.exposeString('id', { description: 'UUID of the endpoint.' }),
    environment: t.expose('environment', { type: EnvironmentRef, description: 'Whose events.' }),
    url: t.exposeString('url', { description: 'Where events are sent.' }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'What it is for, in the words of its owner.',
    }),
    events: t.exposeStringList('events', {
      description: 'Which events: by name, all of a kind as `arena.*`, or all as `*`.',
    }),
    status: t.expose('status', {
      type: WebhookEndpointStatusRef,
      description: 'Whether events are sent.',
    }),
    disabledReason: t.exposeString('disabledReason', {
      nullable: true,
      description: 'Why it was disabled, when not by its owner.',
    }),
    failingSince: t.expose('failingSince', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when nothing has been accepted; null after a success.',
    }),
    previousSecretUntil: t.expose('previousSecretUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when the secret before the last rotation signs, too.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When its owner last changed it.',
    }),
  }),
})

export const WebhookEndpointRef = builder.prismaNode('WebhookEndpoint', {
  description: 'An address that is told what happens.',
  id: { field: 'id' },
  nullable: true,
  interfaces: [details],
  findUnique: (id, ctx) => ({ id, ...tenantOf(requireCaller(ctx, 'secret')), deletedAt: null }),
})

const WebhookEndpointConnection = connectionType('WebhookEndpoint', WebhookEndpointRef)

builder.queryField('webhookEndpoints', (t) =>
  t.field({
    type: WebhookEndpointConnection,
    description: "The webhook endpoints of the caller's environment, oldest first.",
    authScopes: { key: 'secret' },
    args: listArgs,
    complexity: listComplexity,
    resolve: (_, args, ctx) => {
      const where = { ...tenantOf(requireCaller(ctx, 'secret')), deletedAt: null }
      return listById(ctx, 'webhookEndpoints', args, ctx.db.webhookEndpoint, where, 'oldest first')
    },
  }),
)

const endpointId = () =>
  z.object({ endpointId: z.uuid('must be a UUID').describe('UUID of the endpoint.') })

builder.queryField('webhookEndpoint', (t) =>
  t.field({
    type: WebhookEndpointRef,
    description: 'A webhook endpoint.',
    authScopes: { key: 'secret' },
    args: { endpointId: t.arg.string({ required: true, description: 'UUID of the endpoint.' }) },
    resolve: (_, { endpointId }, ctx) =>
      getWebhookEndpoint(ctx, { ...tenantOf(requireCaller(ctx, 'secret')), endpointId }),
  }),
)

/** An endpoint and its secret, for the two mutations that make one. */
const secretPayload = (name: string, description: string) =>
  builder.objectRef<WebhookEndpoint & { plainSecret: string }>(name).implement({
    description,
    interfaces: [details],
    fields: (t) => ({
      secret: t.exposeString('plainSecret', { description: 'The secret. It is shown only here.' }),
      endpoint: t.field({
        type: WebhookEndpointRef,
        description: 'What stays known of it.',
        resolve: (endpoint) => endpoint,
      }),
    }),
  })

mutation('createWebhookEndpoint', {
  description: 'Makes a webhook endpoint.',
  key: 'secret',
  input: CreateWebhookEndpoint,
  payload: secretPayload('CreateWebhookEndpointPayload', 'A new webhook endpoint.'),
  errors: ['WEBHOOK_LIMIT_REACHED'],
  resolve: (input, ctx, caller) => createWebhookEndpoint(ctx, { ...input, ...tenantOf(caller) }),
})

mutation('updateWebhookEndpoint', {
  description: 'Changes a webhook endpoint, disables it, or makes it active again.',
  key: 'secret',
  input: UpdateWebhookEndpoint,
  payload: WebhookEndpointRef as never,
  errors: ['WEBHOOK_NOT_FOUND'],
  resolve: (input, ctx, caller) => updateWebhookEndpoint(ctx, { ...input, ...tenantOf(caller) }),
})

mutation('rotateWebhookSecret', {
  description: 'Gives an endpoint a new secret; the old one signs beside it for 24 hours.',
  key: 'secret',
  input: endpointId().describe('An endpoint.'),
  payload: secretPayload('RotateWebhookSecretPayload', 'A new secret.'),
  errors: ['WEBHOOK_NOT_FOUND'],
  resolve: (input, ctx, caller) => rotateWebhookSecret(ctx, { ...input, ...tenantOf(caller) }),
})

mutation('deleteWebhookEndpoint', {
  description: 'Deletes a webhook endpoint, with its deliveries.',
  key: 'secret',
  input: endpointId().describe('An endpoint.'),
  payload: WebhookEndpointRef as never,
  errors: ['WEBHOOK_NOT_FOUND'],
  resolve: (input, ctx, caller) => deleteWebhookEndpoint(ctx, { ...input, ...tenantOf(caller) }),
})
