import { z } from 'zod'
import { ApiKeyKind } from '../generated/prisma/enums.ts'
import { type Context, requireCaller } from '../kit/access/context.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import { nodeId } from '../kit/node-id.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { among, containing, equal, isSet, Period, someOf, within } from '../kit/schema/filters.ts'
import { EnvironmentRef, enumType, RightRef } from '../kit/schema/input.ts'
import { list } from '../kit/schema/list.ts'
import { lookup } from '../kit/schema/lookup.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { ownRow } from '../kit/schema/owner.ts'
import { isTrusted } from '../kit/schema/personal.ts'
import { rows } from '../kit/schema/rows.ts'
import { tenantOf } from '../kit/tenant.ts'
import { flag, title } from '../kit/validation.ts'
import { findKeys, findMembers, keysOf, seesMembers } from './actor.ts'
import {
  CreateApiKey,
  createApiKey,
  RotateApiKey,
  revokeApiKey,
  rotateApiKey,
  UpdateApiKey,
  updateApiKey,
} from './api-key.ts'
import { rightsOfKey } from './key-authentication.ts'
import { MemberRef } from './member.graphql.ts'
import { findApplications } from './partner.ts'

const ApiKeyKindRef = enumType('ApiKeyKind', 'Where a key may be used.', {
  PUBLIC: 'In a browser or an app; header X-API-Key.',
  SECRET: 'On a server only; header X-API-Secret.',
})

const ApiKeyStatusRef = enumType('ApiKeyStatus', 'Whether a key is accepted.', {
  ACTIVE: 'It is accepted, if its application is active. A replaced key is, until it expires.',
  EXPIRED: 'It was accepted until `expiresAt`.',
  REVOKED: 'It was accepted until `revokedAt`.',
})

/** A key also sees itself. */
const visibleKey = (id: string, ctx: Context) =>
  keysOf(ctx).some(({ keyId }) => keyId === id)
    ? { id, ...tenantOf(requireCaller(ctx, 'public', null)) }
    : ownRow('secret', 'KEYS_READ')(id, ctx)

export const ApiKeyRef = builder.prismaNode('ApiKey', {
  description: 'An API key. Its text is shown once, at creation.',
  id: { field: 'id' },
  nullable: true,
  findUnique: visibleKey,
  fields: (t) => ({
    kind: t.expose('kind', { type: ApiKeyKindRef, description: 'Where the key may be used.' }),
    environment: t.expose('environment', {
      type: EnvironmentRef,
      description: 'The environment whose data it reaches.',
    }),
    application: t.relation('application', {
      description: 'The application that owns the key.',
      resolve: (_query, { applicationId }, _args, ctx) =>
        load(ctx, findApplications, applicationId),
    }),
    label: t.string({
      nullable: true,
      description: 'What the key is for, in the words of its owner. Null to a public key.',
      resolve: ({ label }, _, ctx) => (isTrusted(ctx) ? label : null),
    }),
    status: t.field({
      type: ApiKeyStatusRef,
      description: 'Whether it is accepted.',
      resolve: ({ revokedAt, expiresAt }, _, { clock }) =>
        revokedAt ? 'REVOKED' : expiresAt && expiresAt <= clock() ? 'EXPIRED' : 'ACTIVE',
    }),
    lastFour: t.exposeString('lastFour'),
    scopes: t.field({
      type: [RightRef],
      description: 'Its rights: all of its kind, unless it was created with fewer.',
      resolve: rightsOfKey,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true }),
    allowedNetworks: t.stringList({
      nullable: true,
      description:
        'Networks in CIDR notation that may use it; empty for all. Null to a public key.',
      resolve: ({ allowedNetworks }, _, ctx) => (isTrusted(ctx) ? allowedNetworks : null),
    }),
    createdBy: t.field({
      type: MemberRef,
      nullable: true,
      description:
        'The member who created it. Null for a member who was deleted, for a key that the server made, and unless a member asks who may see members.',
      resolve: ({ createdById }, _, ctx) =>
        createdById && seesMembers(ctx) ? load(ctx, findMembers, createdById) : null,
    }),
    lastUsedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'When it was last used, at most two minutes behind. Null if it never was, and to a public key.',
      resolve: ({ lastUsedAt }, _, ctx) => (isTrusted(ctx) ? lastUsedAt : null),
    }),
  }),
})

builder.prismaObjectField(ApiKeyRef, 'replacedBy', (t) =>
  t.field({
    type: ApiKeyRef,
    nullable: true,
    description: 'The key that replaces it; null if it was not rotated, and to a public key.',
    resolve: ({ replacedById }, _, ctx) =>
      replacedById && isTrusted(ctx) ? load(ctx, findKeys, replacedById) : null,
  }),
)

const ApiKeyFilter = z
  .object({
    kinds: someOf('ApiKeyKind', ApiKeyKind).nullish().describe('Only keys of these kinds.'),
    applicationId: nodeId('Application').nullish().describe('Only keys of this application.'),
    isRevoked: flag().nullish().describe('true: only revoked keys; false: only the others.'),
    expiresAt: Period.nullish().describe('Only keys that expire in this period.'),
    search: title(255)
      .nullish()
      .describe('Only keys whose label or last four characters contain this; case-insensitive.'),
  })
  .describe('Filters API keys.')

list('apiKeys', {
  description: "The keys of the caller's environment, including revoked ones, oldest first.",
  key: 'secret',
  right: 'KEYS_READ',
  of: ApiKeyRef,
  filter: ApiKeyFilter,
  orders: { CREATED_AT: { by: ['id'], description: 'By time of creation.' } },
  order: ['CREATED_AT', 'ASC'],
  from: ({ caller, filter, order, query, ctx }) => {
    const { kinds, applicationId, isRevoked, expiresAt, search } = filter
    return rows(ofTenant(ctx.db, caller).apiKey, {
      query,
      where: {
        ...among({ kind: kinds }),
        ...equal({ applicationId }),
        ...isSet({ revokedAt: isRevoked }),
        ...within({ expiresAt }),
        ...containing(search, ['label', 'lastFour']),
      },
      order,
    })
  },
})

mutation('createApiKey', {
  description: "Creates a key for the member's partner, in the environment of the request.",
  key: 'member',
  right: 'KEYS_WRITE',
  input: CreateApiKey,
  payload: {
    apiKey: ApiKeyRef,
    key: { type: 'String', description: 'The text of the key, shown only here.' },
  },
  errors: ['APPLICATION_NOT_FOUND'],
  resolve: (input, ctx, caller) =>
    createApiKey(ctx, { ...tenantOf(caller), ...input, createdById: caller.memberId }),
})

mutation('updateApiKey', {
  description:
    'Changes what a key is for and where it may be used from, on all nodes within five seconds.',
  key: 'member',
  right: 'KEYS_WRITE',
  input: UpdateApiKey,
  payload: { apiKey: ApiKeyRef },
  errors: ['API_KEY_NOT_FOUND'],
  resolve: async (input, ctx, caller) => ({
    apiKey: await updateApiKey(ctx, tenantOf(caller), input),
  }),
})

mutation('rotateApiKey', {
  description:
    'Creates a key with the same settings, and lets the old one expire after a grace time. A key is rotated once.',
  key: 'member',
  right: 'KEYS_WRITE',
  input: RotateApiKey,
  payload: {
    apiKey: { type: ApiKeyRef, description: 'The new key.' },
    key: { type: 'String', description: 'The text of the new key, shown only here.' },
    replacedKey: { type: ApiKeyRef, description: 'The old key.' },
  },
  errors: ['API_KEY_NOT_FOUND', 'API_KEY_NOT_ACTIVE'],
  resolve: (input, ctx, caller) =>
    rotateApiKey(ctx, { ...tenantOf(caller), ...input, createdById: caller.memberId }),
})

mutation('revokeApiKey', {
  description: 'Revokes a key permanently, on all nodes within five seconds.',
  key: 'member',
  right: 'KEYS_WRITE',
  input: z.object({ apiKeyId: nodeId('ApiKey').describe('The key.') }).describe('A key to revoke.'),
  payload: { apiKey: ApiKeyRef },
  errors: ['API_KEY_NOT_FOUND'],
  resolve: async ({ apiKeyId: id }, ctx, caller) => ({
    apiKey: await revokeApiKey(ctx, { ...tenantOf(caller), id }),
  }),
})

lookup('apiKey', ApiKeyRef, {
  description: 'A key of the environment.',
  key: 'secret',
  right: 'KEYS_READ',
})
