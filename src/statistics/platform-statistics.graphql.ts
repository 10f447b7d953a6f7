/** Queries of operators for the statistics of all partners. */
import { z } from 'zod'
import { PartnerRef } from '../accounts/partner.graphql.ts'
import { findPartners, PartnerBy, wantedPartnerId } from '../accounts/partner.ts'
import { Environment } from '../generated/prisma/enums.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { EnvironmentRef, enumType } from '../kit/schema/input.ts'
import { PlatformRef } from '../kit/schema/platform.ts'
import { query } from '../kit/schema/query.ts'
import { oneOf } from '../kit/validation.ts'
import {
  BucketRef,
  bucketFields,
  bucketsOf,
  costOf,
  leastCost,
  MetricNames,
  MetricRef,
  totalAmount,
  unit,
} from './analytics.graphql.ts'
import {
  checkPlatformQuestion,
  findPlatformSeries,
  type PlatformSeries,
} from './platform-statistics.ts'

const PlatformDimension = { PARTNER: 'PARTNER', ENVIRONMENT: 'ENVIRONMENT' } as const

enumType('PlatformStatisticsDimension', 'What facts of all partners are grouped by.', {
  PARTNER: 'The partner whose facts they are.',
  ENVIRONMENT: 'The environment of the facts.',
})

const PlatformSeriesRef = builder.objectRef<PlatformSeries>('PlatformStatisticsSeries').implement({
  description: 'A metric of all partners over time, or one group of it.',
  fields: (t) => ({
    metric: t.expose('metric', {
      type: MetricRef,
      description: 'The metric whose values these are.',
    }),
    partner: t.field({
      type: PartnerRef,
      nullable: true,
      description: 'Whose facts. Null unless grouped by PARTNER.',
      resolve: ({ groupBy, group }, _, ctx) =>
        groupBy === 'PARTNER' && group ? load(ctx, findPartners, group) : null,
    }),
    environment: t.field({
      type: EnvironmentRef,
      nullable: true,
      description: 'Where the facts are. Null unless grouped by ENVIRONMENT.',
      resolve: ({ groupBy, group }) =>
        groupBy === 'ENVIRONMENT' ? (group as Environment | null) : null,
    }),
    unit: t.field(unit),
    total: t.expose('total', { type: 'SafeInt', description: 'The sum of the buckets.' }),
    totalAmount: t.field(totalAmount),
    buckets: t.field({
      type: [BucketRef],
      description: 'Every interval from `from` to `to`, in order.',
      // The field that returns the series counts the cost of their values.
      complexity: { field: 1, multiplier: 1 },
      resolve: bucketsOf,
    }),
  }),
})

/** A metric is read once for each partner. */
const costOfMetric = 10

query([PlatformRef, 'statistics'], {
  description:
    'Metrics of all partners over time, in days, weeks or months of UTC, for at most 366 days. Groups are those with the 50 highest totals. A match between agents of two partners counts for both in ARENA_MATCHES.',
  key: 'operator',
  args: z.object({
    metrics: MetricNames.describe('What is counted; each gives a series.'),
    ...bucketFields,
    environment: oneOf('Environment', Environment)
      .nullish()
      .describe('Only this environment; both when left out.'),
    partner: PartnerBy.nullish().describe('Only this partner; all when left out.'),
    groupBy: oneOf('PlatformStatisticsDimension', PlatformDimension)
      .nullish()
      .describe('Gives a series for each value of this dimension.'),
  }),
  type: [PlatformSeriesRef],
  complexity: (args) => costOf(args, args.metrics, costOfMetric),
  knownComplexity: leastCost,
  onStandby: true,
  resolve: async ({ metrics, partner, ...question }, ctx) => {
    const partnerId = await wantedPartnerId(ctx, partner)
    const requested = [...new Set(metrics)]
    checkPlatformQuestion(question, requested, Boolean(question.groupBy))
    const found = await Promise.all(
      requested.map((metric) => ctx.read(findPlatformSeries, { ...question, metric, partnerId })),
    )
    return found.flat()
  },
})
