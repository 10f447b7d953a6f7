import { askedAt, decidedOnce, selectsOnly } from '../kit/schema/edge.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { tenantOf } from '../kit/tenant.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import { externalIdOf } from '../users/end-user.ts'
import { LedgerEntryRef } from './ledger.graphql.ts'
import { AwardPoints, awardPoints } from './points.ts'

/** Whether the query selects more of the user than the award returns. */
const showsUser = decidedOnce((asked) =>
  [askedAt(asked, 'user'), askedAt(asked, 'ledgerEntry', 'user')].some(
    (user) => !selectsOnly(user, 'externalId'),
  ),
)

mutation('awardPoints', {
  description:
    'Awards a user the points of a reward rule. Creates the user if necessary. Emits `points.awarded`.',
  key: 'secret',
  right: 'POINTS_AWARD',
  isAudited: false,
  input: AwardPoints,
  payload: { ledgerEntry: LedgerEntryRef, user: UserRef },
  errors: ['REWARD_RULE_NOT_FOUND', 'DUPLICATE_REFERENCE', 'USER_NOT_FOUND'],
  resolve: async ({ user, ...award }, ctx, caller, info) =>
    ctx.write(awardPoints, {
      ...tenantOf(caller),
      ...award,
      externalId: await externalIdOf(ctx, caller, user),
      showsUser: showsUser(info),
    }),
})
