import { isGoodCaller } from '../kit/access/context.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { tenantOf } from '../kit/tenant.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import {
  CancelGrant,
  cancelGrant,
  FailGrant,
  FulfillGrant,
  failGrant,
  fulfillGrant,
} from './fulfillment.ts'
import { entryField, GrantRef, holderOf, moment } from './grant.graphql.ts'
import type { UserGrant } from './grant.ts'
import { RewardRef } from './reward.graphql.ts'
import {
  AddRewardCodes,
  addRewardCodes,
  codeOf,
  findCodes,
  RevealCode,
  revealCodes,
  showsCode,
} from './reward-code.ts'

builder.prismaObjectField(GrantRef, 'code', (t) =>
  t.string({
    nullable: true,
    description:
      'The code that it gives, such as a voucher, once `revealCode` has shown it to the user; null before, for other kinds, once the user is erased, and to members.',
    resolve: async (grant, _, ctx) => {
      const isMember = isGoodCaller(ctx.callers.member) && !isGoodCaller(ctx.callers.secret)
      return !isMember && showsCode(grant)
        ? codeOf(ctx, await load(ctx, findCodes, grant.id))
        : null
    },
  }),
)

const payload = { grant: GrantRef, user: UserRef }
const withUser = (grant: UserGrant) => ({ grant, user: grant.user })

builder.prismaObjectFields(GrantRef, (t) => ({
  price: t.exposeInt('price', {
    nullable: true,
    description: 'Points that the user paid for it; null unless it was bought.',
  }),
  freePlaysLeft: t.exposeInt('freePlaysLeft', {
    nullable: true,
    description: 'Free plays that are left; null unless it has given some.',
  }),
  playableUntil: t.expose(
    'playableUntil',
    moment('Until when its free plays can be used; null for no end, or unless it has given some.'),
  ),
  purchaseEntry: t.field(
    entryField(
      'The entry by which the user paid for it.',
      ({ purchaseEntryId }) => purchaseEntryId,
    ),
  ),
  fulfilledAt: t.expose('fulfilledAt', moment('When it was handed out; null if it was not.')),
  failedAt: t.expose('failedAt', moment('When it failed; null if it has not.')),
  cancelledAt: t.expose('cancelledAt', moment('When it was cancelled; null if it was not.')),
  codeShownAt: t.expose('codeShownAt', moment('When its code was first shown; null if not yet.')),
  message: t.exposeString('message', {
    nullable: true,
    description:
      'What the user reads from who fulfilled, failed or cancelled it; null if there is nothing, and once the user is erased.',
  }),
}))

mutation('revealCode', {
  description:
    'Shows the code of a grant to its user, as often as asked. The first time hands it out: the grant is FULFILLED, and cannot be cancelled any more. A public key needs a token of the user, whatever its application says. Emits `grant.fulfilled`.',
  key: 'public',
  right: 'PLAY',
  isAudited: false,
  input: RevealCode,
  payload,
  errors: ['USER_NOT_FOUND', 'GRANT_NOT_FOUND', 'USER_BLOCKED', 'GRANT_NOT_ACTIVE'],
  resolve: async (reveal, ctx, caller) => {
    const externalId = await holderOf(ctx, caller, reveal)
    const { grantId } = reveal
    return withUser(await ctx.write(revealCodes, { ...tenantOf(caller), externalId, grantId }))
  },
})

mutation('addRewardCodes', {
  description:
    'Adds codes to a reward of the kind CODE: its stock rises by as many. A code that it has already is left out, so that a list can be sent again.',
  key: 'secret',
  right: 'PROGRAMME_WRITE',
  input: AddRewardCodes,
  payload: {
    reward: RewardRef,
    addedCount: { type: 'Int', description: 'How many were added.' },
    duplicateIndexes: {
      type: ['Int'],
      description: 'The places in the list, from 0, of the codes that were left out.',
    },
  },
  errors: ['REWARD_NOT_FOUND', 'REWARD_WITHOUT_CODES'],
  resolve: (input, ctx) => addRewardCodes(ctx, input),
})

mutation('fulfillGrant', {
  description: 'Notes that an item or a code was handed out. Emits `grant.fulfilled`.',
  key: 'secret',
  right: 'GRANTS_WRITE',
  input: FulfillGrant,
  payload,
  errors: ['GRANT_NOT_FOUND', 'GRANT_NOT_FULFILLABLE', 'GRANT_NOT_ACTIVE'],
  resolve: async (input, ctx) => withUser(await fulfillGrant(ctx, input)),
})

mutation('failGrant', {
  description:
    'Notes that an item or a code could not be handed out. `retryGrant` issues it again, `cancelGrant` gives the price back. Emits `grant.failed`.',
  key: 'secret',
  right: 'GRANTS_WRITE',
  input: FailGrant,
  payload,
  errors: ['GRANT_NOT_FOUND', 'GRANT_NOT_FULFILLABLE', 'GRANT_NOT_ACTIVE'],
  resolve: async (input, ctx) => withUser(await failGrant(ctx, input)),
})

mutation('cancelGrant', {
  description:
    'Cancels a grant: gives the user the price back, and the reward its stock, once. Not once points were paid, a code was shown, a free play was used, or it was handed out. Emits `grant.cancelled`.',
  key: 'secret',
  right: 'GRANTS_WRITE',
  input: CancelGrant,
  payload,
  errors: ['GRANT_NOT_FOUND', 'GRANT_NOT_ACTIVE', 'GRANT_USED'],
  resolve: async (input, ctx) => withUser(await cancelGrant(ctx, input)),
})
