import { z } from 'zod'
import { type Context, requireCaller } from '../kit/access/context.ts'
import { acrossTenants, ofTenant } from '../kit/database/tenant-client.ts'
import { refused } from '../kit/errors.ts'
import type { Work } from '../kit/runtime.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { errorType } from '../kit/schema/error-types.ts'
import {
  among,
  equal,
  isEmpty,
  isShort,
  Period,
  PointsFilter,
  someEventTypes,
  within,
} from '../kit/schema/filters.ts'
import { list } from '../kit/schema/list.ts'
import { lookup } from '../kit/schema/lookup.ts'
import { findNumbered, numbered, type UserRange } from '../kit/schema/numbered.ts'
import { ownRow } from '../kit/schema/owner.ts'
import { isTrusted } from '../kit/schema/personal.ts'
import { query } from '../kit/schema/query.ts'
import { mapped, noRows, rows } from '../kit/schema/rows.ts'
import { tenantOf } from '../kit/tenant.ts'
import { maxPoints, reference } from '../kit/validation.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import { findUserBy, UserBy } from '../users/end-user.ts'
import { whereOfNamed } from '../users/named-user.ts'
import {
  findEntriesById,
  findLedgerEventTypes,
  maxLedgerEventTypes,
  searchLedger,
} from './ledger-search.ts'

/** A public key reaches the entries of plays, through the plays of users whom it may name. */
const visibleEntry = (id: string, ctx: Context) =>
  isTrusted(ctx)
    ? ownRow('secret')(id, ctx)
    : { id, account: 'games', ...whereOfNamed(requireCaller(ctx, 'public')) }

export const LedgerEntryRef = builder.prismaNode('LedgerEntry', {
  description: "A movement of points in a user's wallet. Never changed and never deleted.",
  id: { field: 'id' },
  nullable: true,
  include: { user: true },
  findUnique: visibleEntry,
  fields: (t) => ({
    eventType: t.exposeString('eventType'),
    points: t.exposeInt('points'),
    balanceAfter: t.expose('balanceAfter', {
      type: 'SafeInt',
      description: "The user's balance after this entry.",
    }),
    account: t.exposeString('account'),
    reference: t.exposeString('reference', { nullable: true }),
    sourceId: t.exposeString('sourceId', { nullable: true }),
    metadata: t.field({
      type: 'JSON',
      description: "The caller's data; `{}` if there is none.",
      resolve: ({ metadata }) => metadata ?? {},
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was posted.' }),
    user: t.field({
      type: UserRef,
      description: 'The user who owns the wallet.',
      resolve: ({ user }) => user,
    }),
  }),
})

builder.objectField(errorType('DuplicateReference'), 'firstEntry', (t) =>
  t.field({
    type: LedgerEntryRef,
    nullable: true,
    description: 'The first entry with this reference; null if it is the reference of a grant.',
    resolve: ({ data }, _, ctx) =>
      'ledgerEntryId' in data ? load(ctx, findEntriesById, data.ledgerEntryId) : null,
  }),
)

const findEntries = ({ tx }: Work, ranges: UserRange[]) =>
  findNumbered(acrossTenants(tx, 'IDS').ledgerEntry, 'entryNo', ranges)

const UserLedgerEntryFilter = z
  .object({
    eventTypes: someEventTypes().nullish().describe('Only entries of these event types.'),
    createdAt: Period.nullish().describe('Only entries posted in this period.'),
  })
  .describe('Filters the ledger entries of a user.')

list([UserRef, 'ledgerEntries'], {
  description: "The user's ledger entries, newest first.",
  key: 'secret',
  of: LedgerEntryRef,
  name: 'UserLedgerEntry',
  orderName: 'LedgerEntry',
  filter: UserLedgerEntryFilter,
  orders: { CREATED_AT: { by: ['entryNo'], description: 'By time of creation.' } },
  order: ['CREATED_AT', 'DESC'],
  from: ({ parent: user, filter: { eventTypes, createdAt }, order, ctx }) => {
    const where = { ...among({ eventType: eventTypes }), ...within({ createdAt }) }
    const source = isEmpty(where)
      ? numbered('entryNo', {
          last: user.entries,
          order,
          read: (range) => load(ctx, findEntries, { userId: user.id, ...range }),
        })
      : rows(ofTenant(ctx.db, user).ledgerEntry, {
          where: { userId: user.id, ...where },
          order,
          counting: 'AT_LEAST',
        })
    return mapped(source, (entries) => entries.map((entry) => ({ ...entry, user })))
  },
})

/** A filter by points reads all entries of its period, so a period is required. */
const maxDays = 92

const LedgerEntryFilter = z
  .object({
    user: UserBy.nullish().describe('Only entries of this user. None if there is no such user.'),
    eventTypes: someEventTypes().nullish().describe('Only entries of these event types.'),
    reference: reference().nullish().describe('Only entries with this reference.'),
    createdAt: Period.nullish().describe('Only entries posted in this period.'),
    points: PointsFilter.nullish().describe(
      `Only entries of so many points: \`{min: 1}\` is what users received, \`{max: -1}\` what they spent. Requires \`user\`, \`reference\`, or \`createdAt\` with at most ${maxDays} days.`,
    ),
  })
  .describe('Filters the ledger entries of all users.')

type LedgerEntryFilter = z.output<typeof LedgerEntryFilter>

/** @throws TesseraError INVALID_PARAMETERS */
const requirePeriod = ({ points, user, reference, createdAt }: LedgerEntryFilter, now: Date) => {
  const isAny = points?.min == null && points?.max == null
  if (isAny || user || reference != null) return
  if (isShort(createdAt, maxDays, now)) return
  throw refused(
    'filter.createdAt',
    `must be a period of at most ${maxDays} days when filter.points is given without a user or a reference`,
    'INVALID_PARAMETERS',
  )
}

/** Whether no entry can have so many points. */
const isBeyondAll = ({ min, max }: PointsFilter): boolean =>
  (min ?? 0) > maxPoints || (max ?? 0) < -maxPoints

/** A bound of points that the column can be compared with. */
const within32Bits = (bound: number | null | undefined): number | null =>
  bound == null ? null : Math.min(Math.max(bound, -maxPoints), maxPoints)

list('ledgerEntries', {
  description: 'The ledger entries of all users, newest first.',
  key: 'secret',
  of: LedgerEntryRef,
  filter: LedgerEntryFilter,
  orders: { CREATED_AT: { by: ['entryNo'], description: 'By time of creation.' } },
  order: ['CREATED_AT', 'DESC'],
  from: async ({ caller, filter, order, ctx }) => {
    requirePeriod(filter, ctx.clock())
    const { user: by, eventTypes, reference, createdAt, points } = filter
    if (points && isBeyondAll(points)) return noRows(order)
    const minPoints = within32Bits(points?.min)
    const mostPoints = within32Bits(points?.max)
    if (!by)
      return searchLedger(
        ctx,
        caller,
        {
          eventTypes,
          reference,
          from: createdAt?.from,
          before: createdAt?.to,
          minPoints,
          maxPoints: mostPoints,
        },
        order[0]?.[1] ?? 'desc',
      )
    const user = await findUserBy(ctx, caller, by)
    const range = { gte: minPoints ?? -maxPoints, lte: mostPoints ?? maxPoints }
    const where = user
      ? {
          userId: user.id,
          points: range,
          ...among({ eventType: eventTypes }),
          ...equal({ reference }),
          ...within({ createdAt }),
        }
      : { id: { in: [] } }
    return mapped(
      rows(ofTenant(ctx.db, caller).ledgerEntry, { where, order, counting: 'AT_LEAST' }),
      (entries) => entries.map((entry) => ({ ...entry, user })),
    )
  },
})

query('ledgerEventTypes', {
  description: `The event types in the ledger, in alphabetical order; the first ${maxLedgerEventTypes}.`,
  key: 'secret',
  type: ['String'],
  resolve: (_, ctx, caller) => findLedgerEventTypes({ tx: ctx.db }, tenantOf(caller)),
})

lookup('ledgerEntry', LedgerEntryRef, {
  description: 'A ledger entry. A public key finds those of plays only.',
  key: 'public',
})
