import { z } from 'zod'
import type { Reward } from '../generated/prisma/client.ts'
import type { LimitWindow } from '../generated/prisma/enums.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { enumType } from '../kit/schema/input.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { query } from '../kit/schema/query.ts'
import type { UserId } from '../kit/user-id.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import { externalIdOf, findUserBy, UserBy } from '../users/end-user.ts'
import { requireUserToken } from '../users/named-user.ts'
import type { Availability, UnavailableReason } from './availability.rules.ts'
import { GrantRef } from './grant.graphql.ts'
import { RewardRef } from './reward.graphql.ts'
import { BuyReward, buyRewards, findAvailability } from './shop.ts'

const LimitWindowRef = enumType<LimitWindow>(
  'LimitWindow',
  "In which time a limit counts, by the calendar of the user's time zone.",
  {
    EVER: 'All time: the count never starts again.',
    DAY: 'A day, from midnight on.',
    WEEK: 'A week, from Monday on.',
    MONTH: 'A month of the calendar.',
  },
)

type Limit = { max: number; window: LimitWindow }

const RewardLimitRef = builder.objectRef<Limit>('RewardLimit').implement({
  description: 'How often a user may buy a reward.',
  fields: (t) => ({
    max: t.exposeInt('max', { description: 'How often a user may buy it in the window.' }),
    window: t.expose('window', {
      type: LimitWindowRef,
      description: 'The time after which the count starts again.',
    }),
  }),
})

builder.prismaObjectFields(RewardRef, (t) => ({
  price: t.exposeInt('price', {
    nullable: true,
    description: 'Points for which users buy it; null if it is not for sale.',
  }),
  limit: t.field({
    type: RewardLimitRef,
    nullable: true,
    description: 'How often a user may buy it; null for no limit.',
    resolve: ({ limitMax: max, limitWindow: window }: Reward) =>
      max !== null && window ? { max, window } : null,
  }),
  startsAt: t.expose('startsAt', {
    type: 'DateTime',
    nullable: true,
    description: 'From when it is for sale; null for no limit.',
  }),
  endsAt: t.expose('endsAt', {
    type: 'DateTime',
    nullable: true,
    description: 'Until when it is for sale; null for no limit.',
  }),
  position: t.exposeInt('position', { description: 'Its place in the shop.' }),
}))

const UnavailableReasonRef = enumType<UnavailableReason>(
  'UnavailableReason',
  'Why a user cannot buy a reward.',
  {
    NOT_FOR_SALE: 'It has no price, or is archived.',
    NOT_STARTED: 'It is for sale later.',
    ENDED: 'It is not for sale any more.',
    NOT_ELIGIBLE: 'The user is not in its segment.',
    LIMIT_REACHED: 'The user has bought it as often as allowed.',
    OUT_OF_STOCK: 'None of its stock is left.',
    INSUFFICIENT_POINTS: 'The user has too few points.',
  },
)

const AvailabilityRef = builder.objectRef<Availability>('RewardAvailability').implement({
  description: 'Whether a user can buy a reward.',
  fields: (t) => ({
    canBuy: t.exposeBoolean('canBuy', { description: 'Whether the user can buy it now.' }),
    reason: t.expose('reason', {
      type: UnavailableReasonRef,
      nullable: true,
      description: 'Why not; null if the user can.',
    }),
    missingPoints: t.exposeInt('missingPoints', {
      description: 'Points that the user is short of; 0 if there are enough.',
    }),
    nextAt: t.expose('nextAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When it is for sale, or the limit counts from 0 again; null if that is not the reason, or never.',
    }),
  }),
})

query([RewardRef, 'availability'], {
  description:
    'Whether a user can buy it, and why not; null if there is no such user. A public key needs a token of the user, whatever its application says.',
  key: 'public',
  args: z.object({ user: UserBy.describe('The user, by id or external id.') }),
  type: AvailabilityRef,
  nullable: true,
  resolve: async ({ user: by }, ctx, caller, { id: rewardId }) => {
    const user = await findUserBy(ctx, caller, by)
    if (!user) return null
    requireUserToken(ctx, user.externalId)
    return load(ctx, findAvailability, { userId: user.id as UserId, rewardId })
  },
})

mutation('buyReward', {
  description:
    'Buys a reward with points: takes its price and issues it, in one transaction. A public key needs a token of the user, whatever its application says. Emits `grant.issued`.',
  key: 'public',
  right: 'PLAY',
  isAudited: false,
  input: BuyReward,
  payload: { grant: GrantRef, user: UserRef },
  errors: [
    'USER_NOT_FOUND',
    'REWARD_NOT_FOUND',
    'DUPLICATE_REFERENCE',
    'REWARD_NOT_FOR_SALE',
    'NOT_ELIGIBLE',
    'LIMIT_REACHED',
    'OUT_OF_STOCK',
    'USER_BLOCKED',
    'INSUFFICIENT_POINTS',
  ],
  resolve: async ({ user, ...purchase }, ctx, caller) => {
    const externalId = await externalIdOf(ctx, caller, user)
    requireUserToken(ctx, externalId)
    const grant = await ctx.write(buyRewards, { ...purchase, externalId })
    return { grant, user: grant.user }
  },
})
