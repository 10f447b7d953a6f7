/** The statistics of one campaign, game, lottery, goal, reward or user. */
import type { z } from 'zod'
import { CampaignRef } from '../campaigns/campaign.graphql.ts'
import { GameRef } from '../games/mechanic.graphql.ts'
import { addInterface, builder } from '../kit/schema/builder.ts'
import { query } from '../kit/schema/query.ts'
import { tenantOf } from '../kit/tenant.ts'
import { LotteryRef } from '../lotteries/lottery.graphql.ts'
import { GoalRef } from '../programme/goal.graphql.ts'
import { RewardRef } from '../programme/reward.graphql.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import { answerSeries, costOf, leastCost, SeriesRef, StatisticsArgs } from './analytics.graphql.ts'
import { type Dimension, type Metric, userMetrics } from './metric.ts'

const HasStatisticsRef = builder
  .interfaceRef<object>('HasStatistics')
  .implement({ description: 'Something with metrics over time.' })

query([HasStatisticsRef, 'statistics'], {
  description: 'Its metrics over time: those of its type unless `metrics` names some.',
  key: 'secret',
  args: StatisticsArgs,
  type: [SeriesRef],
  // Each type has its own.
  resolve: () => [],
})

const hasStatistics = (type: { name: string }): void => addInterface(type, HasStatisticsRef)

type Described = {
  /** The dimension whose values identify the objects of the type. */
  dimension: Dimension
  metrics: Metric[]
}

/** Adds `statistics` to a type whose objects are the values of a dimension. */
export const statisticsOf = <P extends { createdAt?: Date }>(
  type: { $inferType: P; name: string },
  { dimension, metrics, keyOf }: Described & { keyOf(parent: P): string },
): void => {
  hasStatistics(type)
  query([type, 'statistics'], {
    description: `Its metrics over time: ${metrics.join(', ')}.`,
    key: 'secret',
    args: StatisticsArgs,
    type: [SeriesRef],
    complexity: (args) => costOf(args, args.metrics ?? metrics),
    knownComplexity: leastCost,
    onStandby: true,
    resolve: async (args: z.output<typeof StatisticsArgs>, ctx, caller, parent) => {
      const series = await answerSeries(ctx, tenantOf(caller), {
        ...args,
        metrics: args.metrics ?? metrics,
        filter: { dimension, values: [keyOf(parent)] },
      })
      return series.map((sery) => ({ ...sery, createdAt: parent.createdAt }))
    },
  })
}

statisticsOf(CampaignRef, {
  dimension: 'CAMPAIGN',
  metrics: [
    'CAMPAIGN_PARTICIPANTS',
    'CAMPAIGN_EVENTS',
    'INSTANT_WINS',
    'INSTANT_WIN_POINTS',
    'CODE_REDEMPTIONS',
    'REFERRALS',
  ],
  keyOf: ({ id }) => id,
})

statisticsOf(GameRef, {
  dimension: 'GAME_TYPE',
  metrics: ['PLAYS', 'PLAY_POINTS_SPENT', 'PLAY_EXPECTED_PAYOUT', 'REWARD_VALUE'],
  keyOf: ({ gameType }) => gameType,
})

statisticsOf(LotteryRef, {
  dimension: 'LOTTERY',
  metrics: ['LOTTERY_TICKETS', 'LOTTERY_WINNINGS'],
  keyOf: ({ id }) => id,
})

statisticsOf(GoalRef, {
  dimension: 'GOAL',
  metrics: ['GOALS_COMPLETED', 'GRANTS_ISSUED', 'POINTS_GRANTED'],
  keyOf: ({ id }) => id,
})

statisticsOf(RewardRef, {
  dimension: 'REWARD',
  metrics: ['GRANTS_ISSUED', 'POINTS_GRANTED'],
  keyOf: ({ id }) => id,
})

hasStatistics(UserRef)

/** Facts of a user are counted at query time. */
const costOfUserMetric = 10

query([UserRef, 'statistics'], {
  description: `What the user did over time: ${userMetrics.join(', ')}. A metric of more than 50,000 facts is refused.`,
  key: 'secret',
  args: StatisticsArgs,
  type: [SeriesRef],
  complexity: (args) => costOf(args, args.metrics ?? userMetrics, costOfUserMetric),
  knownComplexity: leastCost,
  onStandby: true,
  resolve: async (args: z.output<typeof StatisticsArgs>, ctx, caller, { id, createdAt }) => {
    const metrics = args.metrics ?? userMetrics
    const question = { ...args, metrics, filter: null }
    const series = await answerSeries(ctx, tenantOf(caller), question, id)
    return series.map((sery) => ({ ...sery, stored: null, createdAt }))
  },
})
