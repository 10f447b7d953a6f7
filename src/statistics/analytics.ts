import { refused } from '../kit/errors.ts'
import type { Work } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'
import type { UserId } from '../kit/user-id.ts'
import {
  type Dimension,
  isCounted,
  isDistinct,
  type Metric,
  metrics,
  placeOf,
  storedName,
} from './metric.ts'
import { type SeriesRow, selectFirstFacts, selectSeries, selectUserSeries } from './series.sql.ts'

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
type UserQuestion = SeriesQuestion & { userId: UserId }

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
  requested: readonly Pick<SeriesQuestion, 'metric' | 'groupBy' | 'filter'>[],
  ofUser: boolean,
): void => {
  checkSpan(
    span,
    requested.length,
    requested.some(({ groupBy }) => groupBy),
  )
  for (const { metric, groupBy, filter } of requested) {
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

/** The maximum number of facts of a user in one series. */
const maxFacts = 50_000

export type Bucket = { startsAt: Date; endsAt: Date; date: string; value: bigint }

/** The values over time of one metric, or of one of its groups. */
export type GroupSeries = {
  metric: Metric
  group: string | null
  total: bigint
  buckets: Bucket[]
}

/** The metric of a partner, by the name under which it is stored. */
type StoredMetric = Tenant & { metric: string }

/** The same, with the dimension that it is grouped by. */
export type Series = GroupSeries & { dimension: Dimension | null; stored: StoredMetric }

/** The name under which a metric is stored. */
export const storedAs = (metric: Metric, interval: Span['interval']): string =>
  isDistinct(metric) ? `${metric}_${interval}` : storedName(metric)

/** A span as parameters of a statement. */
export const spanOf = ({ from, to, interval, timeZone }: Span) => ({
  startsAt: from,
  lastAt: new Date(Math.max(from.getTime(), to.getTime() - 1)),
  unit: interval.toLowerCase(),
  timeZone,
})

const rowOf = (question: SeriesQuestion): SeriesRow => {
  const { partnerId, environment, metric, from, to, interval, timeZone, groupBy, filter } = question
  return {
    partnerId,
    environment,
    metric: storedAs(metric, interval),
    ...spanOf({ from, to, interval, timeZone }),
    countedIn: isDistinct(metric) ? 'UTC' : timeZone,
    groupedBy: groupBy ? placeOf(metric, groupBy) : 0,
    filteredBy: filter ? placeOf(metric, filter.dimension) : 0,
    allowed: filter?.values ?? [],
  }
}

type Found = Awaited<ReturnType<typeof selectSeries>>

/** The series of one question: one, or one for each group, those with the highest totals first. */
export const groupsOf = (metric: Metric, isGrouped: boolean, rows: Found): GroupSeries[] => {
  const starts = new Map<number, Bucket>()
  for (const { startsAt, endsAt, date } of rows)
    starts.set(startsAt.getTime(), { startsAt, endsAt, date, value: 0n })
  const groups = new Map<string, Map<number, bigint>>(isGrouped ? [] : [['', new Map()]])
  for (const { group, startsAt, value } of rows) {
    if (group === null || value === null) continue
    const values = groups.get(group) ?? new Map<number, bigint>()
    values.set(startsAt.getTime(), value)
    groups.set(group, values)
  }
  const series = [...groups].map(([group, values]): GroupSeries => {
    const buckets = [...starts].map(([at, empty]) => ({ ...empty, value: values.get(at) ?? 0n }))
    const total = buckets.reduce((sum, { value }) => sum + value, 0n)
    return { metric, group: isGrouped ? group : null, total, buckets }
  })
  return series.toSorted((a, b) => Number(b.total - a.total))
}

const seriesOf = (question: SeriesQuestion, rows: Found): Series[] => {
  const { partnerId, environment, metric, interval, groupBy } = question
  const stored = { partnerId, environment, metric: storedAs(metric, interval) }
  return groupsOf(metric, Boolean(groupBy), rows).map((item) => ({
    ...item,
    dimension: groupBy ?? null,
    stored,
  }))
}

/** The rows of each question. */
export const byQuestion = <R extends { n: number }>(
  requested: readonly unknown[],
  found: R[],
): R[][] => {
  const rows: R[][] = requested.map(() => [])
  for (const row of found) rows[row.n]?.push(row)
  return rows
}

/** The series of each question, in one statement. */
export const findSeries = async (
  { tx }: Work,
  requested: SeriesQuestion[],
): Promise<Series[][]> => {
  const rows = byQuestion(requested, await selectSeries(tx, requested.map(rowOf)))
  return requested.map((question, n) => seriesOf(question, rows[n] as Found))
}

/** The same for users. A question about too many facts has the error INVALID_PARAMETERS. */
export const findUserSeries = async (
  { tx }: Work,
  requested: UserQuestion[],
): Promise<(Series[] | Error)[]> => {
  const questions = requested.map((item) => ({ ...rowOf(item), userId: item.userId }))
  const rows = byQuestion(requested, await selectUserSeries(tx, questions, maxFacts + 1))
  return requested.map((question, n) => {
    const found = rows[n] as Awaited<ReturnType<typeof selectUserSeries>>
    if (!found.some(({ factCount }) => factCount > maxFacts)) return seriesOf(question, found)
    const message = `is followed by more than ${maxFacts} facts of ${question.metric}; ask for less time`
    return refused('from', message, 'INVALID_PARAMETERS')
  })
}

/** When the first fact of each metric was counted, to the hour or the day of UTC; null without facts. */
export const findFirstFacts = async (
  { tx }: Work,
  requested: StoredMetric[],
): Promise<(Date | null)[]> => {
  const since: (Date | null)[] = requested.map(() => null)
  for (const row of await selectFirstFacts(tx, requested)) since[row.n] = row.since
  return since
}
