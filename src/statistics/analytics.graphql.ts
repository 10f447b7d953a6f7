import { z } from 'zod'
import type { Context } from '../kit/access/context.ts'
import { usd } from '../kit/money.ts'
import { decodeNodeId, encodeNodeId } from '../kit/node-id.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { readTarget } from '../kit/schema/expected-version.ts'
import { enumType } from '../kit/schema/input.ts'
import { MoneyRef } from '../kit/schema/money.ts'
import { query } from '../kit/schema/query.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import type { UserId } from '../kit/user-id.ts'
import { moment, oneOf, text } from '../kit/validation.ts'
import {
  type Bucket,
  checkQuestion,
  countBuckets,
  findFirstFacts,
  findSeries,
  findUserSeries,
  type Series,
  type SeriesQuestion,
} from './analytics.ts'
import { dimensions, isMoney, type Metric, metrics, unitOf, units } from './metric.ts'
import { resolveTimeZone } from './time-zone.ts'

const described = <T extends string>(
  declared: Record<T, { description: string }>,
): Record<T, string> =>
  Object.fromEntries(
    Object.entries<{ description: string }>(declared).map(([name, { description }]) => [
      name,
      description,
    ]),
  ) as Record<T, string>

const names = <T extends string>(declared: Record<T, unknown>): { [K in T]: K } =>
  Object.fromEntries(Object.keys(declared).map((name) => [name, name])) as { [K in T]: K }

export const MetricRef = enumType(
  'StatisticsMetric',
  'What a series can count.',
  described(metrics),
)
const DimensionRef = enumType(
  'StatisticsDimension',
  'What facts are grouped by.',
  described(dimensions),
)

const UnitRef = enumType('StatisticsUnit', 'What the values of a metric are.', units)

/** The options of `unit` of a series. */
export const unit = {
  type: UnitRef,
  description: 'What its values are.',
  resolve: ({ metric }: Pick<Series, 'metric'>) => unitOf(metric),
} as const

const Interval = { HOUR: 'HOUR', DAY: 'DAY', WEEK: 'WEEK', MONTH: 'MONTH' } as const

enumType('StatisticsInterval', 'The length of a bucket.', {
  HOUR: 'An hour.',
  DAY: 'A day of the time zone.',
  WEEK: 'A week of the time zone, from Monday.',
  MONTH: 'A month of the time zone.',
})

type MoneyBucket = Bucket & { isMoney?: boolean }

/** The buckets of a series, which say whether they are money. */
export const bucketsOf = ({
  metric,
  buckets,
}: Pick<Series, 'metric' | 'buckets'>): MoneyBucket[] =>
  isMoney(metric) ? buckets.map((bucket) => ({ ...bucket, isMoney: true })) : buckets

/** The options of `totalAmount` of a series. */
export const totalAmount = {
  type: MoneyRef,
  nullable: true,
  description: '`total` as money; null for a metric that is no money.',
  resolve: ({ metric, total }: Pick<Series, 'metric' | 'total'>) =>
    isMoney(metric) ? usd(total) : null,
} as const

export const BucketRef = builder.objectRef<MoneyBucket>('StatisticsBucket').implement({
  description: 'The value of one interval.',
  fields: (t) => ({
    startsAt: t.expose('startsAt', { type: 'DateTime', description: 'The first moment of it.' }),
    endsAt: t.expose('endsAt', {
      type: 'DateTime',
      description: 'The first moment of the next one.',
    }),
    date: t.exposeString('date', {
      description:
        'The date of its first day, such as `2026-11-30`; of an hour, the date on which it begins.',
    }),
    value: t.expose('value', { type: 'SafeInt', description: 'The sum; 0 without facts.' }),
    amount: t.field({
      type: MoneyRef,
      nullable: true,
      description: '`value` as money; null for a metric that is no money.',
      resolve: ({ value, isMoney }) => (isMoney ? usd(value) : null),
    }),
  }),
})

/** `createdAt`: when the object was created, for the statistics of one object. Facts of a user are not stored by metric. */
type ShownSeries = Omit<Series, 'stored'> & {
  stored: Series['stored'] | null
  createdAt?: Date | undefined
}

export const SeriesRef = builder.objectRef<ShownSeries>('StatisticsSeries').implement({
  description: 'A metric over time, or one group of it.',
  fields: (t) => ({
    metric: t.expose('metric', {
      type: MetricRef,
      description: 'The metric whose values these are.',
    }),
    dimension: t.expose('dimension', {
      type: DimensionRef,
      nullable: true,
      description: 'What it is grouped by; null without `groupBy`.',
    }),
    group: t.string({
      nullable: true,
      description:
        'The value of the dimension: the global id of a node, else a name. Null without `groupBy`.',
      resolve: ({ dimension, group }) => {
        const declared = dimension && dimensions[dimension]
        return group && declared && 'node' in declared ? encodeNodeId(declared.node, group) : group
      },
    }),
    node: t.field({
      type: builder.nodeInterfaceRef(),
      nullable: true,
      description:
        'The object of the group, for a dimension whose values are ids. Null for another dimension, without `groupBy`, and if it is gone or the caller may not see it.',
      resolve: ({ dimension, group }, _, ctx, info) => {
        const declared = dimension && dimensions[dimension]
        const type = declared && 'node' in declared ? declared.node : null
        return readTarget({ type, id: group }, ctx, info)
      },
    }),
    unit: t.field(unit),
    countedSince: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'When the first fact of the metric was counted in the environment, to the hour or the day of UTC; for one object, not before its creation; for a user, the creation. What is earlier is no zero, it is unknown: a comparison with it says nothing. Null without facts.',
      resolve: async ({ stored, createdAt }, _, ctx) => {
        if (stored === null) return createdAt ?? null
        const since = await load(ctx, findFirstFacts, stored)
        return since && createdAt && createdAt > since ? createdAt : since
      },
    }),
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

const maxMetrics = 10
const maxFilterValues = 50

const SeriesFilter = z
  .object({
    dimension: oneOf('StatisticsDimension', names(dimensions)).describe(
      'The dimension whose values are compared.',
    ),
    values: z
      .array(text(255), 'must be a list')
      .min(1, 'must not be empty')
      .max(maxFilterValues, `must be at most ${maxFilterValues}`)
      .describe('The values that count, as `StatisticsSeries.group` gives them; or UUIDs.'),
  })
  .meta({ graphql: 'StatisticsFilter' })
  .describe('Which facts count, by their values of a dimension.')

export const MetricNames = z
  .array(oneOf('StatisticsMetric', names(metrics)), 'must be a list')
  .min(1, 'must not be empty')
  .max(maxMetrics, `must be at most ${maxMetrics}`)

/** The span and the length of the buckets. */
export const bucketFields = {
  from: moment().describe('The first bucket holds this moment.'),
  to: moment().describe('The last bucket holds the moment before this one.'),
  interval: oneOf('StatisticsInterval', Interval).describe('The length of a bucket.'),
}

export const timeZoneField = text(64)
  .nullish()
  .describe(
    'IANA name, such as `Europe/Paris`; UTC when left out. Abbreviations such as `IST` are refused. ACTIVE_USERS has days of UTC, those of the same dates.',
  )

const spanFields = {
  ...bucketFields,
  timeZone: timeZoneField,
  groupBy: oneOf('StatisticsDimension', names(dimensions))
    .nullish()
    .describe('Gives a series for each value of this dimension, which all metrics must have.'),
}

/** Arguments of the statistics of one object. */
export const StatisticsArgs = z.object({
  metrics: MetricNames.nullish().describe('What is counted; all its metrics when left out.'),
  ...spanFields,
})

type Asked = Omit<z.output<typeof StatisticsArgs>, 'metrics'> &
  Pick<SeriesQuestion, 'filter'> & { metrics: readonly Metric[] }

/**
 * The series of each metric, of a partner or of one of its users. Concurrent queries are batched into one statement.
 * @throws TesseraError INVALID_PARAMETERS
 */
export const answerSeries = async (
  ctx: Pick<Context, 'readAll' | 'db' | 'singletons'>,
  tenant: Tenant,
  { metrics, groupBy, filter, timeZone, ...rest }: Asked,
  userId?: UserId,
): Promise<Series[]> => {
  const { from, to, interval } = rest
  const requested = [...new Set(metrics)].map((metric) => ({ metric, groupBy, filter }))
  checkQuestion(rest, requested, userId !== undefined)
  const span = { from, to, interval, timeZone: await resolveTimeZone(ctx, timeZone ?? 'UTC') }
  const found = await Promise.all(
    requested.map((item) => {
      const question = { ...tenant, ...span, ...item }
      return userId === undefined
        ? load(ctx, findSeries, question)
        : load(ctx, findUserSeries, { ...question, userId })
    }),
  )
  return found.flat()
}

/** What series cost at least; the rest depends on the arguments. Series cost their fields once. */
export const leastCost = { field: 5, multiplier: 1 }

/** The cost: the number of values, plus the cost of each metric. */
export const costOf = (
  { from, to, interval }: { from?: unknown; to?: unknown; interval: keyof typeof Interval },
  metrics: readonly unknown[],
  costOfMetric = 0,
): { field: number; multiplier: number } => {
  const span = { from: new Date(String(from)), to: new Date(String(to)), interval }
  // A text that is not a time is refused when it is coerced.
  const values = Math.max(0, countBuckets(span) * metrics.length || 0)
  return { field: 5 + values / 25 + costOfMetric * metrics.length, multiplier: 1 }
}

query('analytics', {
  description:
    'Metrics over time, up to the last fact. Groups are those with the 50 highest totals. At most 5,000 values are answered, 1,000 with `groupBy`.',
  key: 'secret',
  args: z.object({
    metrics: MetricNames.describe('What is counted; each gives a series.'),
    ...spanFields,
    filter: SeriesFilter.nullish().describe('Which facts count; all when left out.'),
  }),
  type: [SeriesRef],
  complexity: (args) => costOf(args, args.metrics),
  knownComplexity: leastCost,
  onStandby: true,
  resolve: ({ filter, ...args }, ctx, caller) =>
    answerSeries(ctx, tenantOf(caller), {
      ...args,
      filter: filter && {
        ...filter,
        values: filter.values.map((value) => decodeNodeId(value)?.id ?? value),
      },
    }),
})
