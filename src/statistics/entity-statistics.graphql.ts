/** The statistics of one campaign, game or lottery. */
import type { z } from 'zod'
import { CampaignRef } from '../campaigns/campaign.graphql.ts'
import { query } from '../core/graphql/query.ts'
import { tenantOf } from '../core/tenant.ts'
import { GameRef } from '../games/mechanic.graphql.ts'
import { LotteryRef } from '../lotteries/lottery.graphql.ts'
import { answerSeries, costOf, SeriesRef, StatisticsArgs } from './analytics.graphql.ts'
import type { Dimension, Metric } from './metric.ts'

type Described = {
  /** The dimension whose value names it. */
  dimension: Dimension
  /** Its metrics. */
  metrics: Metric[]
}

const statistics = <P>(
  type: { $inferType: P; name: string },
  { dimension, metrics, keyOf }: Described & { keyOf(parent: P): string },
): void =>
  query([type, 'statistics'], {
    description: `Its metrics over time: ${metrics.join(', ')}.`,
    key: 'secret',
    args: StatisticsArgs,
    type: [SeriesRef],
    complexity: (args) => costOf(args, args.metrics ?? metrics),
    resolve: (args: z.output<typeof StatisticsArgs>, ctx, caller, parent) =>
      answerSeries(ctx, tenantOf(caller), {
        ...args,
        metrics: args.metrics ?? metrics,
        filter: { dimension, values: [keyOf(parent)] },
      }),
  })

statistics(CampaignRef, {
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

statistics(GameRef, {
  dimension: 'GAME_TYPE',
  metrics: ['PLAYS', 'PLAY_POINTS_SPENT', 'REWARD_VALUE'],
  keyOf: ({ gameType }) => gameType,
})

statistics(LotteryRef, {
  dimension: 'LOTTERY',
  metrics: ['LOTTERY_TICKETS', 'LOTTERY_WINNINGS'],
  keyOf: ({ id }) => id,
})
