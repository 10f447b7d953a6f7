/** The figures of a metric in a period, and what they are compared with. */
import type { Days } from './periods.ts'

/** A metric by day. */
export type DaySeries = {
  total: number
  /** From when on it is counted; null without facts. */
  countedSince?: string | null
  buckets: readonly { date: string; value: number }[]
}

/** `isMean`: the mean per day, because a sum would count a user again on each day. */
type FigureKind = { isMean?: true }

const sumOf = (buckets: readonly { value: number }[]) =>
  buckets.reduce((sum, { value }) => sum + value, 0)

/** Whether a metric was counted before a period began. Otherwise the period is no zero, it is unknown. */
export const hasDataIn = ({ countedSince }: Pick<DaySeries, 'countedSince'>, { first }: Days) =>
  countedSince != null && countedSince.slice(0, 10) <= first

/** The mean of days that exist: from the first one with data on, without one that is not over. */
const meanOf = ({ buckets, countedSince }: DaySeries, today: string): number => {
  const since =
    countedSince?.slice(0, 10) ?? buckets.find(({ value }) => value !== 0)?.date ?? today
  const known = buckets.filter(({ date, value }) => date <= today && (date >= since || value !== 0))
  const over = known.filter(({ date }) => date < today)
  const days = over.length > 0 ? over : known
  return Math.round(sumOf(days) / Math.max(days.length, 1))
}

const figureOf = (series: DaySeries | undefined, { isMean }: FigureKind, today: string): number =>
  series === undefined ? 0 : isMean ? meanOf(series, today) : series.total

/** A figure, that of its finished days, and the earlier one; null without data. */
export const comparedFigure = (
  now: DaySeries | undefined,
  earlier: DaySeries | undefined,
  { today, before, ...kind }: FigureKind & { today: string; before: Days | null },
) => {
  const finished = now && {
    ...now,
    buckets: now.buckets.filter(({ date }) => date < today),
  }
  const isKnown = before !== null && earlier !== undefined && hasDataIn(earlier, before)
  return {
    value: figureOf(now, kind, today),
    finished: finished && figureOf({ ...finished, total: sumOf(finished.buckets) }, kind, today),
    before: isKnown ? figureOf(earlier, kind, today) : null,
  }
}
