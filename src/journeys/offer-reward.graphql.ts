import type { OfferReward } from '../generated/prisma/client.ts'
import { requireCaller } from '../kit/access/context.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { orError } from '../kit/schema/null-with-error.ts'
import { tenantOf } from '../kit/tenant.ts'
import { GrantRef } from '../programme/grant.graphql.ts'
import { findGrantsBySource } from '../programme/grant.ts'
import { RewardRef } from '../programme/reward.graphql.ts'
import { findRewards } from '../programme/reward.ts'
import { userOf } from '../users/end-user.ts'
import { requireUserToken } from '../users/named-user.ts'
import { OfferTypeRef } from './journey-words.graphql.ts'
import { OfferRef } from './offer.graphql.ts'
import { listOfferRewards, SetOfferReward, setOfferReward } from './offer-reward.ts'

const OfferRewardRef = builder.objectRef<OfferReward>('OfferReward').implement({
  description: 'What offers of a type give.',
  fields: (t) => ({
    offerType: t.expose('offerType', { type: OfferTypeRef, description: 'The kind of offer.' }),
    reward: t.field({
      type: RewardRef,
      description: 'The reward that claiming such an offer gives.',
      resolve: async ({ rewardId }, _, ctx) => (await load(ctx, findRewards, rewardId)) as never,
    }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was set.' }),
  }),
})

builder.queryField('offerRewards', (t) =>
  t.field({
    type: [OfferRewardRef],
    ...orError('What offers give by their type; at most one reward per type.'),
    authScopes: { key: ['secret', 'READ'] },
    complexity: () => ({ field: 1, multiplier: 5 }),
    resolve: (_, __, ctx) => listOfferRewards({ tx: ctx.db }, requireCaller(ctx, 'secret')),
  }),
)

mutation('setOfferReward', {
  description:
    'Sets which reward offers of a type give that are made from now on, unless they name one themselves. An offer of a rule gives it only if the stage of the user follows from what the server itself recorded.',
  key: 'secret',
  right: 'JOURNEYS_WRITE',
  input: SetOfferReward,
  payload: {
    offerReward: {
      type: OfferRewardRef,
      nullable: true,
      description: 'What offers of the type give; null if it is nothing.',
    },
  },
  errors: ['REWARD_NOT_FOUND', 'REWARD_ARCHIVED'],
  resolve: async (input, ctx) => ({ offerReward: await setOfferReward(ctx, input) }),
})

builder.prismaObjectFields(OfferRef, (t) => ({
  reward: t.field({
    type: RewardRef,
    nullable: true,
    description: 'The reward that claiming it gives; null for none.',
    resolve: async ({ rewardId }, _, ctx) =>
      rewardId === null ? null : ((await load(ctx, findRewards, rewardId)) as never),
  }),
  grant: t.field({
    type: GrantRef,
    nullable: true,
    description:
      'The grant of its reward; null until it is claimed, and without a reward. A public key needs a token of the user, whatever its application says.',
    resolve: async (offer, _, ctx) => {
      if (offer.rewardId === null || offer.status !== 'claimed') return null
      requireUserToken(ctx, (await userOf(ctx, offer)).externalId)
      const key = { ...tenantOf(offer), sourceKind: 'OFFER' as const, sourceId: offer.id }
      return (await load(ctx, findGrantsBySource, key)) as never
    },
  }),
}))
