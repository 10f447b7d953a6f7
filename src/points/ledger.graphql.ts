import { builder } from '../core/builder.ts'
import { requireCaller } from '../core/context.ts'
import {
  connectionType,
  findNumbered,
  isNumberCursor,
  listArgs,
  listComplexity,
  listConnection,
  type NumberedPart,
} from '../core/pagination.ts'
import type { Work } from '../core/runtime.ts'
import { tenantOf } from '../core/tenant.ts'
import type { EndUser, LedgerEntry } from '../generated/prisma/client.ts'
import { UserRef } from '../users/end-user.graphql.ts'

const LedgerEntryRef = builder.prismaNode('LedgerEntry', {
  description: "A movement of points in a user's wallet; never changed, never deleted.",
  id: { field: 'id' },
  nullable: true,
  include: { user: true },
  findUnique: (id, ctx) => ({ id, ...tenantOf(requireCaller(ctx, 'secret')) }),
  fields: (t) => ({
    ledgerId: t.exposeString('id', { description: 'UUID, the same in REST and in events.' }),
    eventType: t.exposeString('eventType'),
    points: t.exposeInt('points'),
    balanceAfter: t.expose('balanceAfter', {
      type: 'SafeInt',
      description: "The user's balance right after this entry.",
    }),
    account: t.exposeString('account'),
    reference: t.exposeString('reference', { nullable: true }),
    sourceId: t.exposeString('sourceId', { nullable: true }),
    metadata: t.field({
      type: 'JSON',
      description: 'What the caller sent along; `{}` when nothing.',
      resolve: ({ metadata }) => metadata ?? {},
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was posted.' }),
    user: t.field({ type: UserRef, description: 'Whose wallet.', resolve: ({ user }) => user }),
  }),
})

const HistoryConnection = connectionType('LedgerEntry', LedgerEntryRef)

const findEntries = ({ tx }: Work, parts: NumberedPart[]) =>
  findNumbered(tx.ledgerEntry, 'entryNo', parts)

builder.prismaObjectField('EndUser', 'history', (t) =>
  t.field({
    type: HistoryConnection,
    description: 'The ledger of this user, newest first. Needs the secret key.',
    authScopes: { key: 'secret' },
    args: listArgs,
    complexity: listComplexity,
    resolve: (user, args, ctx) =>
      listConnection(ctx, args, {
        list: 'history',
        isCursor: isNumberCursor,
        cursorOf: ({ entryNo }: LedgerEntry & { user: EndUser }) => entryNo,
        total: () => user.entries,
        fetch: async ({ take, skip, after }) => {
          const below = after ?? user.entries + 1 - skip
          const entries = await ctx.read(findEntries, { userId: user.id, below, take })
          return entries.map((entry) => ({ ...entry, user }))
        },
      }),
  }),
)
