/** What an offer rule would cost, if users enter its stage as in the last 30 days. */
import { z } from 'zod'
import type { Reward } from '../generated/prisma/client.ts'
import { findRewardsOf, offerContentOf } from '../journeys/offer.ts'
import { SetOfferRule } from '../journeys/offer-rule.ts'
import type { Context } from '../kit/access/context.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { query } from '../kit/schema/query.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import { RewardRef } from '../programme/reward.graphql.ts'
import { findRewards } from '../programme/reward.ts'
import { answerSeries } from './analytics.graphql.ts'

/** A rule with the entries into its stage in the last 30 days. */
type RuleCost = { pointsValue: number; creditsPoints: boolean; stageEntryCount: number }

type RulePreview = {
  before: RuleCost | null
  after: RuleCost
  stageEntryCount: number
  reward: Reward | null
}

const pointsOf = ({ pointsValue, creditsPoints }: RuleCost) => (creditsPoints ? pointsValue : 0)

const RuleCostRef = builder.objectRef<RuleCost>('OfferRuleCost').implement({
  description: 'What the offers of a rule cost at most.',
  fields: (t) => ({
    points: t.int({
      description: 'Points that a claim credits; 0 if the rule credits none.',
      resolve: pointsOf,
    }),
    maxPoints: t.field({
      type: 'SafeInt',
      description:
        'Points for the users who entered the stage in the last 30 days, if each entry made an offer and each offer was claimed.',
      resolve: (rule) => Math.min(pointsOf(rule) * rule.stageEntryCount, Number.MAX_SAFE_INTEGER),
    }),
  }),
})

const RulePreviewRef = builder.objectRef<RulePreview>('OfferRulePreview').implement({
  description: 'An offer rule before and after a change.',
  fields: (t) => ({
    before: t.expose('before', {
      type: RuleCostRef,
      nullable: true,
      description: 'The rule as it is; null if the stage has none of this type.',
    }),
    after: t.expose('after', { type: RuleCostRef, description: 'The rule after the change.' }),
    stageEntryCount: t.expose('stageEntryCount', {
      type: 'SafeInt',
      description: 'How often users entered the stage, today and in the 29 days before it.',
    }),
    reward: t.field({
      type: RewardRef,
      nullable: true,
      description: 'The reward that its offers give after the change; null for none.',
      resolve: ({ reward }) => reward as never,
    }),
  }),
})

const dayMs = 86_400_000

const countStageEntries = async (ctx: Context, tenant: Tenant, stage: string): Promise<number> => {
  const now = ctx.clock().getTime()
  const [entries] = await answerSeries(ctx, tenant, {
    metrics: ['STAGE_CHANGES'],
    from: new Date(now - 29 * dayMs),
    to: new Date(now + 1),
    interval: 'DAY',
    filter: { dimension: 'TO_STAGE', values: [stage.toUpperCase()] },
  })
  return Number(entries?.total ?? 0)
}

/** The reward that offers of a rule give: the one it names, or that of the type of offer. */
const findRewardOf = async (ctx: Context, offer: Tenant & SetOfferRule): Promise<Reward | null> => {
  const { offerType, reward } = offer
  if (reward) return (await findRewardsOf({ ...ctx, tx: ctx.db }, [offer]))[0] ?? null
  const ofType = await ofTenant(ctx.db, offer).offerReward.findFirst({ where: { offerType } })
  return ofType && load(ctx, findRewards, ofType.rewardId)
}

query('previewOfferRule', {
  description:
    'What an offer rule would cost at most: its points before and after a change, if users enter its stage as in the last 30 days. Writes nothing.',
  key: 'secret',
  args: z.object({
    rule: SetOfferRule.meta({ graphql: 'OfferRuleSettingsInput' }).describe(
      'The rule after the change.',
    ),
  }),
  type: RulePreviewRef,
  resolve: async ({ rule }, ctx, caller) => {
    const tenant = tenantOf(caller)
    const { stage, offerType } = rule
    const [existing, stageEntryCount, reward] = await Promise.all([
      ofTenant(ctx.db, tenant).offerRule.findFirst({ where: { stage, offerType } }),
      countStageEntries(ctx, tenant, stage),
      findRewardOf(ctx, { ...tenant, ...rule }),
    ])
    return {
      before: existing && { ...existing, stageEntryCount },
      after: { ...offerContentOf(rule), stageEntryCount },
      stageEntryCount,
      reward,
    }
  },
})
