import { z } from 'zod'
import { requireCaller } from '../kit/access/context.ts'
import { refused } from '../kit/errors.ts'
import type { Work } from '../kit/runtime.ts'
import { builder } from '../kit/schema/builder.ts'
import { errorType } from '../kit/schema/error-types.ts'
import { equal, isEmpty, Period, within } from '../kit/schema/filters.ts'
import { inputType } from '../kit/schema/input.ts'
import { list } from '../kit/schema/list.ts'
import { findNumbered, numbered, type UserRange } from '../kit/schema/numbered.ts'
import { mapped, rows } from '../kit/schema/rows.ts'
import { tenantOf } from '../kit/tenant.ts'
import { integer, maxPoints, reference } from '../kit/validation.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import { findUserBy, UserBy } from '../users/end-user.ts'
import { findEntriesById, searchLedger } from './ledger-search.ts'

export const LedgerEntryRef = builder.prismaNode('LedgerEntry', {
  description: "A movement of points in a user's wallet. Never changed and never deleted.",
  id: { field: 'id' },
  nullable: true,
  include: { user: true },
  findUnique: (id, ctx) => ({ id, ...tenantOf(requireCaller(ctx, 'secret')) }),
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
    description: 'The first entry with this reference.',
    resolve: ({ data }, _, ctx) => ctx.read(findEntriesById, data.ledgerEntryId),
  }),
)

const findEntries = ({ tx }: Work, ranges: UserRange[]) =>
  findNumbered(tx.ledgerEntry, 'entryNo', ranges)

const LedgerEntryFilter = z
  .object({
    eventType: reference().nullish().describe('Only entries of this event type.'),
    createdAt: Period.nullish().describe('Only entries posted in this period.'),
  })
  .describe('Filters ledger entries.')

list([UserRef, 'history'], {
  description: "The user's ledger entries, newest first. Requires a secret key.",
  key: 'secret',
  of: LedgerEntryRef,
  filter: LedgerEntryFilter,
  orders: { CREATED_AT: { by: ['entryNo'], description: 'By time of posting.' } },
  order: ['CREATED_AT', 'DESC'],
  from: ({ parent: user, filter: { eventType, createdAt }, order, ctx }) => {
    const where = { ...equal({ eventType }), ...within({ createdAt }) }
    const source = isEmpty(where)
      ? numbered('entryNo', {
          last: user.entries,
          order,
          read: (range) => ctx.read(findEntries, { userId: user.id, ...range }),
        })
      : rows(ctx.db.ledgerEntry, {
          where: { userId: user.id, ...where },
          order,
          counting: 'AT_LEAST',
        })
    return mapped(source, (entries) => entries.map((entry) => ({ ...entry, user })))
  },
})

const bound = () => integer(-maxPoints, maxPoints).nullish()

const PointsRange = z
  .object({
    min: bound().describe('The lowest number, inclusive.'),
    max: bound().describe('The highest number, inclusive.'),
  })
  .describe(
    'A range of points. An omitted bound is open: `{min: 1}` is what users received, `{max: -1}` what they spent.',
  )

inputType('PointsRange', PointsRange)

/** A filter by points reads all entries of its period, so a period is required. */
const maxDays = 92

const LedgerFilter = z
  .object({
    user: UserBy.nullish().describe('Only entries of this user. None if there is no such user.'),
    eventType: reference().nullish().describe('Only entries of this event type.'),
    reference: reference().nullish().describe('Only entries with this reference.'),
    createdAt: Period.nullish().describe('Only entries posted in this period.'),
    points: PointsRange.nullish().describe(
      `Only entries of so many points. Requires \`user\`, \`reference\`, or \`createdAt\` with at most ${maxDays} days.`,
    ),
  })
  .describe('Filters the ledger.')

type LedgerFilter = z.output<typeof LedgerFilter>

/** @throws TesseraError INVALID_PARAMETERS */
const requirePeriod = ({ points, user, reference, createdAt }: LedgerFilter, now: Date) => {
  const isAny = points?.min == null && points?.max == null
  if (isAny || user || reference != null) return
  const { from, to } = createdAt ?? {}
  const longest = maxDays * 24 * 3600 * 1000
  if (from && (to ?? now).getTime() - from.getTime() <= longest) return
  throw refused(
    'filter.createdAt',
    `must be a period of at most ${maxDays} days when filter.points is given without a user or a reference`,
    'INVALID_PARAMETERS',
  )
}

list('ledger', {
  description: 'The ledger entries of all users, newest first.',
  key: 'secret',
  of: LedgerEntryRef,
  name: 'Ledger',
  filter: LedgerFilter,
  orders: { CREATED_AT: { by: ['entryNo'], description: 'By time of posting.' } },
  order: ['CREATED_AT', 'DESC'],
  from: async ({ caller, filter, order, ctx }) => {
    const tenant = tenantOf(caller)
    requirePeriod(filter, ctx.clock())
    const { user: by, eventType, reference, createdAt, points } = filter
    if (!by)
      return searchLedger(
        ctx,
        tenant,
        {
          eventType,
          reference,
          from: createdAt?.from,
          before: createdAt?.to,
          minPoints: points?.min,
          maxPoints: points?.max,
        },
        order[0]?.[1] ?? 'desc',
      )
    const user = await findUserBy(ctx, caller, by)
    const range = { gte: points?.min ?? -maxPoints, lte: points?.max ?? maxPoints }
    const where = user
      ? {
          userId: user.id,
          points: range,
          ...equal({ eventType, reference }),
          ...within({ createdAt }),
        }
      : { id: { in: [] } }
    return mapped(rows(ctx.db.ledgerEntry, { where, order, counting: 'AT_LEAST' }), (entries) =>
      entries.map((entry) => ({ ...entry, user })),
    )
  },
})
