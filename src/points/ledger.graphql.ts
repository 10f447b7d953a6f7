import { z } from 'zod'
import { requireCaller } from '../kit/access/context.ts'
import type { Work } from '../kit/runtime.ts'
import { builder } from '../kit/schema/builder.ts'
import { errorType } from '../kit/schema/error-types.ts'
import { equal, isEmpty, Period, within } from '../kit/schema/filters.ts'
import { list } from '../kit/schema/list.ts'
import { findNumbered, numbered, type UserRange } from '../kit/schema/numbered.ts'
import { mapped, rows } from '../kit/schema/rows.ts'
import { tenantOf } from '../kit/tenant.ts'
import { reference } from '../kit/validation.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import { findEntriesById } from './ledger-search.ts'

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
