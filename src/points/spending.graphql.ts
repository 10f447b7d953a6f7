import { actorOf } from '../accounts/actor.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import { externalIdOf } from '../users/end-user.ts'
import { LedgerEntryRef } from './ledger.graphql.ts'
import { SpendPoints, spendPoints } from './spending.ts'

mutation('spendPoints', {
  description:
    'Takes points that a user spends at the partner, such as a discount in a shop. `reverseLedgerEntry` gives them back. Emits `points.spent`.',
  key: 'secret',
  right: 'GRANTS_WRITE',
  input: SpendPoints,
  payload: { ledgerEntry: LedgerEntryRef, user: UserRef },
  errors: ['USER_NOT_FOUND', 'USER_BLOCKED', 'INSUFFICIENT_POINTS', 'DUPLICATE_REFERENCE'],
  resolve: async ({ user, ...spending }, ctx, caller) =>
    ctx.write(spendPoints, {
      ...actorOf(caller),
      ...spending,
      externalId: await externalIdOf(ctx, caller, user),
    }),
})
