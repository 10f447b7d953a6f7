import { z } from 'zod'
import { builder } from '../core/builder.ts'
import { requireCaller } from '../core/context.ts'
import { enumType } from '../core/input.ts'
import { mutation } from '../core/mutation.ts'
import { connectionType, listArgs, listById, listComplexity } from '../core/pagination.ts'
import { tenantOf } from '../core/tenant.ts'
import { EnvironmentRef } from '../core/vocabulary.ts'
import type { ApiKey } from '../generated/prisma/client.ts'
import { CreateApiKey, createApiKey, revokeApiKey } from './api-key.ts'

const ApiKeyKindRef = enumType('ApiKeyKind', 'Where a key may stand.', {
  PUBLIC: 'In a browser or an app; header X-API-Key.',
  SECRET: 'On a server only; header X-API-Secret.',
})

const ApiKeyRef = builder.prismaNode('ApiKey', {
  description: 'An API key. Its text is shown once, when it is made.',
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, ctx) => ({ id, ...tenantOf(requireCaller(ctx, 'secret')) }),
  fields: (t) => ({
    keyId: t.exposeString('id', { description: 'UUID of the key; not its text.' }),
    kind: t.expose('kind', { type: ApiKeyKindRef, description: 'Where it may stand.' }),
    environment: t.expose('environment', { type: EnvironmentRef, description: 'What it reaches.' }),
    label: t.exposeString('label', { nullable: true }),
    lastFour: t.exposeString('lastFour'),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true }),
    allowedNetworks: t.exposeStringList('allowedNetworks'),
  }),
})

const ApiKeyConnection = connectionType('ApiKey', ApiKeyRef)

builder.queryField('apiKeys', (t) =>
  t.field({
    type: ApiKeyConnection,
    description: "The keys of the caller's environment, oldest first, revoked ones included.",
    authScopes: { key: 'secret' },
    args: listArgs,
    complexity: listComplexity,
    resolve: (_, args, ctx) => {
      const tenant = tenantOf(requireCaller(ctx, 'secret'))
      return listById(ctx, 'apiKeys', args, ctx.db.apiKey, tenant, 'oldest first')
    },
  }),
)

const CreateApiKeyPayload = builder
  .objectRef<{ apiKey: ApiKey; key: string }>('CreateApiKeyPayload')
  .implement({
    description: 'A new key.',
    fields: (t) => ({
      key: t.exposeString('key', { description: 'The text of the key. It is shown only here.' }),
      apiKey: t.field({
        type: ApiKeyRef,
        description: 'What stays known of it.',
        resolve: ({ apiKey }) => apiKey,
      }),
    }),
  })

mutation('createApiKey', {
  description: "Makes a key for the member's partner, in the environment of the request.",
  key: 'member',
  input: CreateApiKey,
  payload: CreateApiKeyPayload,
  errors: ['APPLICATION_NOT_FOUND'],
  resolve: (input, ctx, caller) => createApiKey(ctx, { ...tenantOf(caller), ...input }),
})

mutation('revokeApiKey', {
  description: 'Ends a key for ever, on all nodes within five seconds.',
  key: 'member',
  input: z
    .object({ keyId: z.uuid('must be a UUID').describe('UUID of the key.') })
    .describe('A key to end.'),
  payload: ApiKeyRef as never,
  errors: ['API_KEY_NOT_FOUND'],
  resolve: ({ keyId }, ctx, caller) => revokeApiKey(ctx, { ...tenantOf(caller), id: keyId }),
})
