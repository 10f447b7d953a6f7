import type { AuditEntry } from '../../generated/prisma/client.ts'
import { type Context, requireCaller, requireRight } from '../../kit/access/context.ts'
import type { ErrorCode } from '../../kit/errors.ts'
import { encodeNodeId } from '../../kit/node-id.ts'
import { builder } from '../../kit/schema/builder.ts'
import { load } from '../../kit/schema/edge.ts'
import { ErrorCodeRef } from '../../kit/schema/error-types.ts'
import { readTarget } from '../../kit/schema/expected-version.ts'
import { equal } from '../../kit/schema/filters.ts'
import { EnvironmentRef, enumType } from '../../kit/schema/input.ts'
import { list } from '../../kit/schema/list.ts'
import { PlatformRef } from '../../kit/schema/platform.ts'
import { rows } from '../../kit/schema/rows.ts'
import { findActors } from '../actor.ts'
import { wantedPartnerId } from '../partner.ts'
import { type Change, ChangeRef } from '../settings-versions/change.graphql.ts'
import { SettingsVersionRef } from '../settings-versions/settings-version.graphql.ts'
import { canBeUndone, findSettingsVersions } from '../settings-versions/settings-version.ts'
import { ActorRef } from '../viewer.graphql.ts'
import { AuditFilter, hidesActor, logOf, PlatformAuditFilter, whereOf } from './audit-log.ts'

const AuditActorKindRef = enumType('AuditActorKind', 'What kind of actor did something.', {
  MEMBER: 'A member of the partner.',
  KEY: 'An API key of the partner.',
  OPERATOR: 'An operator of the service, on the things of another partner.',
  UNKNOWN: 'Somebody who was refused before they were known, such as with a wrong password.',
  SYSTEM:
    'The service itself, which disables a webhook endpoint whose receiver fails, or a command on its machine.',
})

/** A field that an entry hides with its actor. */
const ofActor = <T>(description: string, value: (entry: AuditEntry) => T) => ({
  description,
  nullable: true as const,
  resolve: (entry: AuditEntry, _: unknown, ctx: Context): T | null =>
    hidesActor(entry, requireCaller(ctx, 'member', null)) ? null : value(entry),
})

/** The member or key that did it. */
const readActor = (entry: AuditEntry, _: unknown, ctx: Context) => {
  const { actorKind, actorId } = entry
  if (actorId === null || hidesActor(entry, requireCaller(ctx, 'member', null))) return null
  const isKey = actorKind === 'KEY'
  const ids = { memberId: isKey ? null : actorId, apiKeyId: isKey ? actorId : null }
  return load(ctx, findActors, ids)
}

/** The settings before a change; null for a change that is not one of settings. */
const readVersionBefore = async (
  { targetId, targetVersion }: AuditEntry,
  _: unknown,
  ctx: Context,
) => {
  if (!targetId || targetVersion === null || targetVersion < 2) return null
  const made = await load(ctx, findSettingsVersions, { objectId: targetId, version: targetVersion })
  if (!made || !canBeUndone(made)) return null
  return load(ctx, findSettingsVersions, { objectId: targetId, version: targetVersion - 1 })
}

const AuditEntryRef = builder.prismaNode('AuditEntry', {
  description: 'What somebody did. Entries never change, and are kept for a year.',
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, ctx) => {
    const caller = requireCaller(ctx, 'member', null)
    if (caller.isOperator) return { id }
    requireRight(caller, 'AUDIT_READ')
    return { id, ...logOf(caller) }
  },
  // Long: one field after another.
  fields: (t) => ({
    environment: t.expose('environment', { type: EnvironmentRef, nullable: true }),
    occurredAt: t.expose('at', { type: 'DateTime', description: 'When it was done.' }),
    actorKind: t.expose('actorKind', {
      type: AuditActorKindRef,
      description: 'Whether a member, a key, an operator or the service itself did it.',
    }),
    actor: t.field({
      type: ActorRef,
      nullable: true,
      description:
        'The member or key. Null if deleted, unknown, or an OPERATOR unless an operator asks.',
      resolve: readActor,
    }),
    actorName: t.string(
      ofActor(
        'The e-mail address of the member, or the label and last four characters of the key, as they were then. Null as `actor`, except that it outlives the member.',
        ({ actorName }) => actorName,
      ),
    ),
    address: t.string(
      ofActor(
        'The network address of the request. Null for an OPERATOR, as `actor`, and for the SYSTEM.',
        ({ address }) => address || null,
      ),
    ),
    userAgent: t.string(
      ofActor(
        'The header `User-Agent`. Null without one, on a WebSocket, and for an OPERATOR.',
        ({ userAgent }) => userAgent,
      ),
    ),
    requestId: t.string({
      nullable: true,
      description: 'The id of the request, as in its answer. Null for the SYSTEM.',
      resolve: ({ requestId }) => requestId || null,
    }),
    action: t.exposeString('action', {
      description: 'The mutation. For the SYSTEM, the one that does the same.',
    }),
    refusal: t.field({
      type: ErrorCodeRef,
      nullable: true,
      description: 'The error with which the attempt was refused; null if it was done.',
      resolve: ({ refusal }) => refusal as ErrorCode | null,
    }),
    targetType: t.exposeString('targetType', { nullable: true }),
    targetId: t.id({
      nullable: true,
      description:
        'The global id of what it was done to, which outlives the object. Null if it has none.',
      resolve: ({ targetType, targetId }) =>
        targetType && targetId && encodeNodeId(targetType, targetId),
    }),
    target: t.field({
      type: builder.nodeInterfaceRef(),
      nullable: true,
      description:
        'What it was done to, as it is now. Null if it is gone, has no id, or is not for the caller.',
      resolve: ({ targetType: type, targetId: id }, _, ctx, info) =>
        readTarget({ type, id }, ctx, info),
    }),
    targetName: t.exposeString('targetName', {
      nullable: true,
      description:
        'What it was called then: its name, or the event type of a reward rule. Null without a name, and for users.',
    }),
    targetVersion: t.exposeInt('targetVersion', {
      nullable: true,
      description: 'The version that the change made. Null for what counts no versions.',
    }),
    undoes: t.field({
      type: SettingsVersionRef,
      nullable: true,
      description:
        'The version before the change: restoring it undoes the change, and what was changed since. Null if there is nothing to restore: for states, points, draws, keys, deletions and refused attempts.',
      resolve: readVersionBefore,
    }),
    changes: t.field({
      type: [ChangeRef],
      description: 'What changed, from and to. Empty where nothing of the settings changed.',
      resolve: ({ changes }) => changes as Change[],
    }),
  }),
})

const shared = {
  of: AuditEntryRef,
  orders: { OCCURRED_AT: { by: ['at', 'id'], description: 'By time of occurrence.' } },
  order: ['OCCURRED_AT', 'DESC'],
} as const

list('auditLog', {
  ...shared,
  description:
    "What was done to the partner's things: those of the environment, and those of no environment, such as members.",
  key: 'member',
  right: 'AUDIT_READ',
  filter: AuditFilter,
  from: ({ caller, filter, order, ctx }) =>
    rows(ctx.db.auditEntry, {
      where: {
        ...logOf(caller),
        ...whereOf(filter),
        // The operator stays anonymous.
        ...(filter.actorId && { actorKind: { not: 'OPERATOR' } }),
      },
      order,
      counting: 'AT_LEAST',
    }),
})

list([PlatformRef, 'auditLog'], {
  ...shared,
  description: 'What was done to the things of all partners, in both environments.',
  key: 'operator',
  name: 'PlatformAuditEntry',
  filter: PlatformAuditFilter,
  from: async ({ filter: { partner, ...filter }, order, ctx }) =>
    rows(ctx.db.auditEntry, {
      where: { ...whereOf(filter), ...equal({ partnerId: await wantedPartnerId(ctx, partner) }) },
      order,
      counting: 'AT_LEAST',
    }),
})
