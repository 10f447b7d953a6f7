import { Center } from '@mantine/core'
import { shownToday } from '../shown-zone.ts'
import { periodTexts } from '../texts/period-texts.ts'
import { texts } from '../texts/shell-texts.ts'
import { DayAreas, DayBars } from './charts.tsx'
import { numberText, shortNumber, utcDayText } from './formats.ts'

type Bucket = {
  value: number
  /** Of days: the date. */
  date?: string
  /** Of other times. */
  startsAt?: string
}

export type TimeSeries = {
  name: string
  color: string
  buckets: readonly Bucket[]
  /** The values of the period that it is compared with, in the same order. */
  earlier?: readonly { value: number }[] | undefined
}

const sumOf = (buckets: readonly { value: number }[]) =>
  numberText(buckets.reduce((sum, { value }) => sum + value, 0))

/** What screen readers get: the totals, those before, and that the last day is not over. */
const spokenText = (props: {
  label: string
  series: readonly TimeSeries[]
  isLevel: boolean
  earlierLabel: string
  unfinished: string | undefined
}) => {
  const { label, series, isLevel, earlierLabel, unfinished } = props
  const totals = (isLevel ? [] : series).flatMap(({ name, buckets, earlier }) => [
    `${name}: ${sumOf(buckets)}`,
    ...(earlier ? [`${periodTexts.before(name, earlierLabel)}: ${sumOf(earlier)}`] : []),
  ])
  return [label, ...totals, ...(unfinished ? [periodTexts.isNotOver(unfinished)] : [])].join('. ')
}

/**
 * Series of the same time span, one point per bucket. One without buckets is all 0. The day that is not over is drawn as
 * such, and an earlier period behind the series. Screen readers get the totals.
 */
export const TimeChart = (props: {
  label: string
  series: readonly TimeSeries[]
  kind?: 'area' | 'bar' | 'stack'
  height?: number
  /** True for levels such as ratings: their sum is meaningless, and the axis need not start at zero. */
  isLevel?: boolean
  /** The axis label of a bucket. By default, buckets are days. */
  timeLabel?: (at: string) => string
  /** `Oct 1 – 31`: the days of the earlier values. */
  earlierLabel?: string
  /** The day that is not over; today where times are shown, if left out. */
  today?: string
}) => {
  const { label, series, kind = 'area', height = 260, isLevel = false, earlierLabel = '' } = props
  const { timeLabel, today = shownToday() } = props
  const labelOf = ({ date, startsAt }: Bucket) =>
    timeLabel ? timeLabel(startsAt ?? '') : utcDayText(date ?? startsAt ?? '')
  const times = series.find(({ buckets }) => buckets.length > 0)?.buckets ?? []
  const last = times.at(-1)
  const unfinished = !timeLabel && last?.date === today ? labelOf(last) : undefined
  const rows = times.map((time, i) => ({
    at: labelOf(time),
    isUnfinished: unfinished !== undefined && i === times.length - 1,
    values: series.map(({ buckets }) => buckets[i]?.value ?? 0),
    before: series.map(({ earlier }) => earlier?.[i]?.value ?? null),
  }))
  const isEmpty = rows.every(({ values, before }) =>
    [...values, ...before].every((value) => !value),
  )
  const Chart = kind === 'area' ? DayAreas : DayBars
  return (
    <figure
      style={{ margin: 0 }}
      aria-label={spokenText({ label, series, isLevel, earlierLabel, unfinished })}
      role="img"
    >
      {isEmpty ? (
        <Center h={height} c="dimmed" fz="sm">
          {texts.nothingToChart}
        </Center>
      ) : (
        <Chart
          h={height}
          rows={rows}
          lines={series.map(({ name, color, earlier }) => ({
            name,
            color,
            before: earlier ? periodTexts.before(name, earlierLabel) : null,
          }))}
          isStacked={kind === 'stack'}
          isLevel={isLevel}
          valueFormatter={isLevel ? numberText : shortNumber}
        />
      )}
    </figure>
  )
}
