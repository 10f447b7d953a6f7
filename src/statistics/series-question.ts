/** Validates queries of statistics. */
import { refused } from '../kit/errors.ts'
import type { Tenant } from '../kit/tenant.ts'
import type { UserId } from '../kit/user-id.ts'
import { type Dimension, isCounted, isDistinct, type Metric, metrics, placeOf } from './metric.ts'

const hourMs = 3_600_000

/** The shortest length of each interval. */
const intervalMs = {
  HOUR: hourMs,
  DAY: 23 * hourMs,
  WEEK: 167 * hourMs,
  MONTH: 671 * hourMs,
}
type Interval = keyof typeof intervalMs

/** The maximum number of values in an answer, without and with groups. */
const maxValues = 5_000
const maxGroupedValues = 1_000

/** A span of time in intervals of a time zone, which `resolveTimeZone` has resolved. */
export type Span = { from: Date; to: Date; interval: Interval; timeZone: string }

/** A question for the series of one metric. */
export type SeriesQuestion = Span &
  Tenant & {
    metric: Metric
    groupBy?: Dimension | null | undefined
    filter?: { dimension: Dimension; values: string[] } | null | undefined
  }

/** A question for the series of one metric of a user. */
export type UserQuestion = SeriesQuestion & { userId: UserId }

/** Buckets must end before the year 10000, which `DateTime` cannot represent. */
const lastYear = 9999

/** An upper bound of the number of buckets of a span. */
export const countBuckets = ({
  from,
  to,
  interval,
}: Pick<Span, 'from' | 'to' | 'interval'>): number =>
  Math.ceil((to.getTime() - from.getTime()) / intervalMs[interval]) + 1

/** @throws TesseraError INVALID_PARAMETERS */
export const refuse = (field: string, message: string): never => {
  throw refused(field, message, 'INVALID_PARAMETERS')
}

/**
 * Checks the span of a question, and the number of values that it gives.
 * @throws TesseraError INVALID_PARAMETERS
 */
export const checkSpan = (
  { from, to, interval }: Omit<Span, 'timeZone'>,
  metricCount: number,
  isGrouped: boolean,
): void => {
  if (to < from) refuse('to', 'must not be before from')
  if (to.getUTCFullYear() >= lastYear) refuse('to', `must be before the year ${lastYear}`)
  const values = countBuckets({ from, to, interval }) * metricCount
  const most = isGrouped ? maxGroupedValues : maxValues
  if (values > most)
    refuse('interval', `gives ${values} values; at most ${most} are answered at once`)
}

/**
 * Checks that a metric is counted for one user, or for all of them.
 * @throws TesseraError INVALID_PARAMETERS
 */
export const checkMetric = (metric: Metric, ofUser: boolean): void => {
  if (!isCounted(metric, ofUser))
    refuse(
      'metrics',
      `${metric} is ${ofUser ? 'not counted for one user' : 'counted for one user only'}`,
    )
}

const dimensionsOf = (metric: Metric): string => metrics[metric].by.join(', ') || 'nothing'

/**
 * Checks the span, the metrics and the dimensions of a question.
 * @throws TesseraError INVALID_PARAMETERS
 */
export const checkQuestion = (
  span: Omit<Span, 'timeZone'>,
  asked: readonly Pick<SeriesQuestion, 'metric' | 'groupBy' | 'filter'>[],
  ofUser: boolean,
): void => {
  checkSpan(
    span,
    asked.length,
    asked.some(({ groupBy }) => groupBy),
  )
  for (const { metric, groupBy, filter } of asked) {
    checkMetric(metric, ofUser)
    if (isDistinct(metric) && span.interval === 'HOUR')
      refuse('interval', `must be DAY, WEEK or MONTH for ${metric}`)
    for (const [field, dimension] of [
      ['groupBy', groupBy],
      ['filter.dimension', filter?.dimension],
    ] as const)
      if (dimension && placeOf(metric, dimension) === 0)
        refuse(field, `${metric} has ${dimensionsOf(metric)}, not ${dimension}`)
  }
}
