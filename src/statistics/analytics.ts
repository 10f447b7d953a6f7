import { refused } from '../kit/errors.ts'
import type { Work } from '../kit/runtime.ts'
import { type Dimension, isDistinct, type Metric, placeOf } from './metric.ts'
import { type SeriesRow, selectSeries, selectUserSeries } from './series.sql.ts'
import type { SeriesQuestion, Span, UserQuestion } from './series-question.ts'

/** The maximum number of facts of a user in one series. */
const maxFacts = 50_000

export type Bucket = { startsAt: Date; endsAt: Date; value: bigint }

/** The values over time of one metric, or of one of its groups. */
export type GroupSeries = {
  metric: Metric
  group: string | null
  total: bigint
  buckets: Bucket[]
}

/** The same, with the dimension that it is grouped by. */
export type Series = GroupSeries & { dimension: Dimension | null }

/** The name under which a metric is stored. */
export const storedAs = (metric: Metric, interval: Span['interval']): string =>
  isDistinct(metric) ? `${metric}_${interval}` : metric

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
    ...spanOf({ from, to, interval, timeZone: isDistinct(metric) ? 'UTC' : timeZone }),
    groupedBy: groupBy ? placeOf(metric, groupBy) : 0,
    filteredBy: filter ? placeOf(metric, filter.dimension) : 0,
    allowed: filter?.values ?? [],
  }
}

type Found = Awaited<ReturnType<typeof selectSeries>>

/** The series of one question: one, or one for each group, those with the highest totals first. */
export const groupsOf = (metric: Metric, isGrouped: boolean, rows: Found): GroupSeries[] => {
  const starts = new Map<number, Bucket>()
  for (const { startsAt, endsAt } of rows)
    starts.set(startsAt.getTime(), { startsAt, endsAt, value: 0n })
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

const seriesOf = ({ metric, groupBy }: SeriesQuestion, rows: Found): Series[] =>
  groupsOf(metric, Boolean(groupBy), rows).map((one) => ({ ...one, dimension: groupBy ?? null }))

/** The rows of each question. */
export const byQuestion = <R extends { n: number }>(
  asked: readonly unknown[],
  found: R[],
): R[][] => {
  const rows: R[][] = asked.map(() => [])
  for (const row of found) rows[row.n]?.push(row)
  return rows
}

/** The series of each question, in one statement. */
export const findSeries = async ({ tx }: Work, asked: SeriesQuestion[]): Promise<Series[][]> => {
  const rows = byQuestion(asked, await selectSeries(tx, asked.map(rowOf)))
  return asked.map((question, n) => seriesOf(question, rows[n] as Found))
}

/** The same for users. A question about too many facts has the error INVALID_PARAMETERS. */
export const findUserSeries = async (
  { tx }: Work,
  asked: UserQuestion[],
): Promise<(Series[] | Error)[]> => {
  const questions = asked.map((one) => ({ ...rowOf(one), userId: one.userId }))
  const rows = byQuestion(asked, await selectUserSeries(tx, questions, maxFacts + 1))
  return asked.map((question, n) => {
    const found = rows[n] as Awaited<ReturnType<typeof selectUserSeries>>
    if (!found.some(({ factCount }) => factCount > maxFacts)) return seriesOf(question, found)
    const message = `is followed by more than ${maxFacts} facts of ${question.metric}; ask for less time`
    return refused('from', message, 'INVALID_PARAMETERS')
  })
}
