import { Center } from '@mantine/core'
import { texts } from '../texts/shell-texts.ts'
import { AreaChart, BarChart } from './charts.tsx'
import { numberText, shortNumber, utcDayText } from './formats.ts'

export type TimeSeries = {
  name: string
  color: string
  buckets: readonly { startsAt: string; value: number }[]
}

/** Series of the same time span, one point per bucket. One without buckets is all 0. Screen readers get the totals. */
export const TimeChart = (props: {
  label: string
  series: readonly TimeSeries[]
  kind?: 'area' | 'bar' | 'stack'
  height?: number
  /** True for levels such as ratings: their sum is meaningless, and the axis need not start at zero. */
  isLevel?: boolean
  /** The axis label of a bucket. By default, buckets are UTC days. */
  timeLabel?: (at: string) => string
}) => {
  const { label, series, kind = 'area', height = 260, isLevel = false } = props
  const timeLabel = props.timeLabel ?? utcDayText
  const times = series.find(({ buckets }) => buckets.length > 0)?.buckets ?? []
  const data = times.map(({ startsAt }, i) => ({
    at: timeLabel(startsAt),
    ...Object.fromEntries(series.map(({ name, buckets }) => [name, buckets[i]?.value ?? 0])),
  }))
  const totals = (isLevel ? [] : series).map(
    ({ name, buckets }) =>
      `${name}: ${numberText(buckets.reduce((sum, { value }) => sum + value, 0))}`,
  )
  const isEmpty = data.every(({ at: _, ...values }) =>
    Object.values(values).every((value) => value === 0),
  )
  const Chart = kind === 'area' ? AreaChart : BarChart
  return (
    <figure style={{ margin: 0 }} aria-label={[label, ...totals].join('. ')} role="img">
      {isEmpty ? (
        <Center h={height} c="dimmed" fz="sm">
          {texts.nothingToChart}
        </Center>
      ) : (
        <Chart
          h={height}
          data={data}
          dataKey="at"
          series={series.map(({ name, color }) => ({ name, color }))}
          valueFormatter={isLevel ? numberText : shortNumber}
          withLegend={series.length > 1}
          tickLine="none"
          gridAxis="x"
          xAxisProps={{ interval: 'equidistantPreserveStart', minTickGap: 24 }}
          legendProps={{ itemSorter: null }}
          yAxisProps={{ allowDecimals: false, ...(isLevel && { domain: ['auto', 'auto'] }) }}
          {...(kind === 'stack' && { type: 'stacked' })}
          {...(kind === 'area' && { curveType: 'monotone', withDots: false, fillOpacity: 0.15 })}
        />
      )}
    </figure>
  )
}
