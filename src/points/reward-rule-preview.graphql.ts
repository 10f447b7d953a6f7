/** What a change of a reward rule would cost, at the awards of the last 30 days. */
import { z } from 'zod'
import { ofTenant } from '../kit/database/tenant-client.ts'
import { builder } from '../kit/schema/builder.ts'
import { type Count, CountRef } from '../kit/schema/connection.ts'
import { query } from '../kit/schema/query.ts'
import { tenantOf } from '../kit/tenant.ts'
import { searchLedger } from './ledger-search.ts'
import { SetRewardRule } from './reward-rule.ts'

/** A rule with the awards of the last 30 days. */
type RuleCost = { points: number; awardCount: Count }

type RulePreview = { before: RuleCost | null; after: RuleCost; awardCount: Count }

const RuleCostRef = builder.objectRef<RuleCost>('RewardRuleCost').implement({
  description: 'What the awards of a rule cost.',
  fields: (t) => ({
    points: t.exposeInt('points', { description: 'Points per award.' }),
    awardedPoints: t.field({
      type: 'SafeInt',
      description:
        'Points that the awards of the last 30 days give at these points: at least so many if `awardCount` is AT_LEAST.',
      resolve: ({ points, awardCount }) => points * awardCount.value,
    }),
  }),
})

const RulePreviewRef = builder.objectRef<RulePreview>('RewardRulePreview').implement({
  description: 'A reward rule before and after a change.',
  fields: (t) => ({
    before: t.expose('before', {
      type: RuleCostRef,
      nullable: true,
      description: 'The rule as it is; null if the event type has none.',
    }),
    after: t.expose('after', { type: RuleCostRef, description: 'The rule after the change.' }),
    awardCount: t.expose('awardCount', {
      type: CountRef,
      description: 'Awards of the event type in the last 30 days.',
    }),
  }),
})

const monthMs = 30 * 86_400_000

query('previewRewardRule', {
  description:
    'What a change of a reward rule would cost: its points before and after it, at the awards of the last 30 days. Writes nothing.',
  key: 'secret',
  args: z.object({
    rule: SetRewardRule.meta({ graphql: 'RewardRuleSettingsInput' }).describe(
      'The rule after the change.',
    ),
  }),
  type: RulePreviewRef,
  resolve: async ({ rule: { eventType, points } }, ctx, caller) => {
    const tenant = tenantOf(caller)
    const from = new Date(ctx.clock().getTime() - monthMs)
    const awards = { eventTypes: [eventType], from, minPoints: 1 }
    const [rule, awardCount] = await Promise.all([
      ofTenant(ctx.db, tenant).rewardRule.findFirst({ where: { eventType } }),
      searchLedger({ tx: ctx.db }, tenant, awards, 'desc').count(),
    ])
    const before = rule && { points: rule.points, awardCount }
    return { before, after: { points, awardCount }, awardCount }
  },
})
