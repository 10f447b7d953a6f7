import { refused } from '../core/errors.ts'
import type { Work } from '../core/runtime.ts'
import type { Tenant } from '../core/tenant.ts'
import { type Dimension, isDistinct, type Metric, metrics, placeOf } from './metric.ts'
import { type SeriesRow, selectSeries } from './statistic.sql.ts'

const hourMs = 3_600_000

/** The shortest length of each interval. */
const intervalMs = {
  HOUR: hourMs,
  DAY: 23 * hourMs,
  WEEK: 167 * hourMs,
  MONTH: 671 * hourMs,
}
type Interval = keyof typeof intervalMs

/** Values of one answer, and the same where they are grouped. */
const maxValues = 5_000
const maxGroupedValues = 1_000

/** A span of time in intervals of a time zone. */
export type Span = { from: Date; to: Date; interval: Interval; timeZone: string }

/** A question for the series of one metric. */
export type SeriesQuestion = Span &
  Tenant & {
    metric: Metric
    groupBy?: Dimension | null | undefined
    filter?: { dimension: Dimension; values: string[] } | null | undefined
  }

export type Bucket = { startsAt: Date; endsAt: Date; value: bigint }

/** Values in time of one metric, or of one group of it. */
export type Series = {
  metric: Metric
  dimension: Dimension | null
  group: string | null
  total: bigint
  buckets: Bucket[]
}

/** A bucket ends before the year 10000, which no `DateTime` has. */
const lastYear = 9999

const badTimeZone = () =>
  refused('timeZone', 'must be a time zone such as Europe/Paris', 'INVALID_PARAMETERS')

/** Names of places only: PostgreSQL reads `+02:00` with the opposite sign. */
const zoneName = /^[A-Za-z][\w+-]*(\/[\w+-]+)*$/

const checkTimeZone = (timeZone: string): void => {
  if (!zoneName.test(timeZone)) throw badTimeZone()
  try {
    new Intl.DateTimeFormat('en', { timeZone })
  } catch {
    throw badTimeZone()
  }
}

/** At least as many buckets as a span has. */
export const countBuckets = ({
  from,
  to,
  interval,
}: Pick<Span, 'from' | 'to' | 'interval'>): number =>
  Math.ceil((to.getTime() - from.getTime()) / intervalMs[interval]) + 1

const dimensionsOf = (metric: Metric): string => metrics[metric].by.join(', ') || 'nothing'

/**
 * Checks what the metrics of a question have in common.
 * @throws TesseraError INVALID_PARAMETERS
 */
export const checkQuestion = (
  { from, to, interval, timeZone }: Span,
  asked: readonly Pick<SeriesQuestion, 'metric' | 'groupBy' | 'filter'>[],
): void => {
  const refuse = (field: string, message: string): never => {
    throw refused(field, message, 'INVALID_PARAMETERS')
  }
  if (to < from) refuse('to', 'must not be before from')
  if (to.getUTCFullYear() >= lastYear) refuse('to', `must be before the year ${lastYear}`)
  checkTimeZone(timeZone)
  const values = countBuckets({ from, to, interval }) * asked.length
  const most = asked.some(({ groupBy }) => groupBy) ? maxGroupedValues : maxValues
  if (values > most)
    refuse('interval', `gives ${values} values; at most ${most} are answered at once`)
  for (const { metric, groupBy, filter } of asked) {
    if (isDistinct(metric) && interval === 'HOUR')
      refuse('interval', `must be DAY, WEEK or MONTH for ${metric}`)
    for (const [field, dimension] of [
      ['groupBy', groupBy],
      ['filter.dimension', filter?.dimension],
    ] as const)
      if (dimension && placeOf(metric, dimension) === 0)
        refuse(field, `${metric} has ${dimensionsOf(metric)}, not ${dimension}`)
  }
}

const rowOf = (question: SeriesQuestion): SeriesRow => {
  const { partnerId, environment, metric, from, to, interval, timeZone, groupBy, filter } = question
  const unit = interval.toLowerCase()
  const lastAt = new Date(Math.max(from.getTime(), to.getTime() - 1))
  const stored = isDistinct(metric)
    ? { metric: `${metric}_${interval}`, timeZone: 'UTC' }
    : { metric, timeZone }
  return {
    ...{ partnerId, environment, ...stored, startsAt: from, lastAt, unit },
    groupedBy: groupBy ? placeOf(metric, groupBy) : 0,
    filteredBy: filter ? placeOf(metric, filter.dimension) : 0,
    allowed: filter?.values ?? [],
  }
}

type Found = Awaited<ReturnType<typeof selectSeries>>

/** The series of one question: one, or one for each group, those with the highest totals first. */
const seriesOf = ({ metric, groupBy }: SeriesQuestion, rows: Found): Series[] => {
  const starts = new Map<number, Bucket>()
  for (const { startsAt, endsAt } of rows)
    starts.set(startsAt.getTime(), { startsAt, endsAt, value: 0n })
  const groups = new Map<string, Map<number, bigint>>(groupBy ? [] : [['', new Map()]])
  for (const { group, startsAt, value } of rows) {
    if (group === null || value === null) continue
    const values = groups.get(group) ?? new Map<number, bigint>()
    values.set(startsAt.getTime(), value)
    groups.set(group, values)
  }
  const series = [...groups].map(([group, values]): Series => {
    const buckets = [...starts].map(([at, empty]) => ({ ...empty, value: values.get(at) ?? 0n }))
    const total = buckets.reduce((sum, { value }) => sum + value, 0n)
    return {
      metric,
      dimension: groupBy ?? null,
      group: groupBy ? group : null,
      total,
      buckets,
    }
  })
  return series.toSorted((a, b) => Number(b.total - a.total))
}

/** The series of each question, in one statement. */
export const findSeries = async ({ tx }: Work, asked: SeriesQuestion[]): Promise<Series[][]> => {
  const rows: Found[] = asked.map(() => [])
  for (const row of await selectSeries(tx, asked.map(rowOf))) rows[row.n]?.push(row)
  return asked.map((question, n) => seriesOf(question, rows[n] as Found))
}
