import type { Offer } from '../generated/prisma/client.ts'
import type { Context } from '../kit/access/context.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import type { UserId } from '../kit/user-id.ts'
import { GoalRef } from '../programme/goal.graphql.ts'
import { findShownGoals, UserGoalRef } from '../programme/user-goal.graphql.ts'
import type { UserGoal } from '../programme/user-goal.ts'
import { RecommendationPriorityRef, RecommendationTypeRef } from './journey-words.graphql.ts'
import { OfferRef } from './offer.graphql.ts'
import { findOffersOfRules } from './offer.ts'
import { findOfferRules } from './offer-rule.ts'
import type { Recommendation } from './recommendation.rules.ts'

/** A recommendation to a user. */
type Recommended = Recommendation & { userId: UserId }

const isOpen = ({ state }: UserGoal) => state === 'AVAILABLE' || state === 'IN_PROGRESS'

const goalOf = async ({ type, userId }: Recommended, ctx: Context): Promise<UserGoal | null> => {
  const linked = (await findShownGoals(ctx, userId)).filter(
    ({ goal }) => goal.recommendationType === type && goal.status === 'ACTIVE',
  )
  return linked.find(isOpen) ?? linked[0] ?? null
}

const offerOf = async ({ type, userId }: Recommended, ctx: Context): Promise<Offer | null> => {
  for (const offer of await load(ctx, findOffersOfRules, userId)) {
    const rule = await load(ctx, findOfferRules, offer.ruleId as string)
    if (rule?.recommendationType === type) return offer
  }
  return null
}

export const RecommendationRef = builder.objectRef<Recommended>('Recommendation').implement({
  description: 'What to offer a user next.',
  fields: (t) => ({
    type: t.expose('type', { type: RecommendationTypeRef, description: 'The kind of offer.' }),
    name: t.exposeString('name', { description: 'What it is called, in English.' }),
    reason: t.exposeString('reason', {
      description: 'Why it helps with users like this, in English.',
    }),
    priority: t.expose('priority', {
      type: RecommendationPriorityRef,
      description: 'How urgent it is.',
    }),
    goal: t.field({
      type: UserGoalRef,
      nullable: true,
      description:
        'The goal that is linked to this type, first one that the user can still reach; null if none is active.',
      resolve: (recommendation, _, ctx) => goalOf(recommendation, ctx),
    }),
    offer: t.field({
      type: OfferRef,
      nullable: true,
      description:
        'The active offer of the user from a rule that is linked to this type; null if there is none.',
      resolve: async (recommendation, _, ctx) => (await offerOf(recommendation, ctx)) as never,
    }),
  }),
})

builder.objectField(GoalRef, 'recommendationType', (t) =>
  t.expose('recommendationType', {
    type: RecommendationTypeRef,
    nullable: true,
    description: 'The recommendation of users that leads to it; null for none.',
  }),
)
