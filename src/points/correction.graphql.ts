import { actorOf } from '../accounts/actor.ts'
import { actorField, actorIdField } from '../accounts/viewer.graphql.ts'
import type { LedgerCorrection } from '../generated/prisma/client.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { errorType } from '../kit/schema/error-types.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import { externalIdOf } from '../users/end-user.ts'
import {
  AdjustPoints,
  adjustPoints,
  findCorrections,
  findReversals,
  isReversible,
  ReverseLedgerEntry,
  reverseEntries,
} from './correction.ts'
import { LedgerEntryRef } from './ledger.graphql.ts'
import { findEntriesById } from './ledger-search.ts'

const LedgerCorrectionRef = builder.objectRef<LedgerCorrection>('LedgerCorrection').implement({
  description: 'Who adjusted, reversed or spent points by a call, and why.',
  fields: (t) => ({
    reason: t.exposeString('reason', {
      nullable: true,
      description: 'Why, in the words of who made it; null once the user is erased.',
    }),
    shortfall: t.exposeInt('shortfall', {
      description: 'Points that a reversal could not take, because they were spent; else 0.',
    }),
    actor: t.field(actorField),
    actorId: t.id(actorIdField),
    reverses: t.field({
      type: LedgerEntryRef,
      nullable: true,
      description: 'The entry that it takes back; null unless it is a reversal.',
      resolve: ({ reversesId }, _, ctx) =>
        reversesId === null ? null : load(ctx, findEntriesById, reversesId),
    }),
  }),
})

builder.prismaObjectFields(LedgerEntryRef, (t) => ({
  correction: t.field({
    type: LedgerCorrectionRef,
    nullable: true,
    description: 'Who adjusted, reversed or spent the points, and why; null for other entries.',
    resolve: ({ id }, _, ctx) => load(ctx, findCorrections, id),
  }),
  isReversible: t.boolean({
    description:
      'Whether entries of its kind can be taken back: not points of prize pools, agents and rewards, and no reversals.',
    resolve: isReversible,
  }),
  reversal: t.field({
    type: LedgerEntryRef,
    nullable: true,
    description: 'The entry that took it back; null while it stands.',
    resolve: async ({ id }, _, ctx) => {
      const reversalId = await load(ctx, findReversals, id)
      return reversalId === null ? null : load(ctx, findEntriesById, reversalId)
    },
  }),
}))

builder.objectField(errorType('AlreadyReversed'), 'reversal', (t) =>
  t.field({
    type: LedgerEntryRef,
    description: 'The entry that took it back.',
    resolve: ({ data }, _, ctx) => load(ctx, findEntriesById, data.ledgerEntryId),
  }),
)

mutation('adjustPoints', {
  description: 'Adds points to a wallet by hand, or takes them. Emits `points.adjusted`.',
  key: 'secret',
  right: 'POINTS_ADJUST',
  input: AdjustPoints,
  payload: { ledgerEntry: LedgerEntryRef, user: UserRef },
  errors: ['USER_NOT_FOUND', 'INSUFFICIENT_POINTS', 'DUPLICATE_REFERENCE'],
  resolve: async ({ user, ...adjustment }, ctx, caller) =>
    ctx.write(adjustPoints, {
      ...actorOf(caller),
      ...adjustment,
      externalId: await externalIdOf(ctx, caller, user),
    }),
})

mutation('reverseLedgerEntry', {
  description:
    'Takes a ledger entry back by an entry of the opposite sign, once. Only the wallet changes: a play, a claimed offer and campaign points stay. Emits `points.reversed`.',
  key: 'secret',
  right: 'POINTS_ADJUST',
  input: ReverseLedgerEntry,
  payload: {
    ledgerEntry: { type: LedgerEntryRef, description: 'The entry that takes the other one back.' },
    user: UserRef,
  },
  errors: [
    'LEDGER_ENTRY_NOT_FOUND',
    'LEDGER_ENTRY_NOT_REVERSIBLE',
    'LEDGER_ENTRY_REVERSED',
    'INSUFFICIENT_POINTS',
  ],
  resolve: (input, ctx, caller) => ctx.write(reverseEntries, { ...actorOf(caller), ...input }),
})
