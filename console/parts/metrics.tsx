/** Metrics over time: their sums as cards, and their days as charts. */
import { SimpleGrid } from '@mantine/core'
import type { StatisticsMetric } from '../generated/types.ts'
import { periodTexts } from '../texts/period-texts.ts'
import { type ChartKind, preloadCharts } from './charts.tsx'
import { Panel } from './panel.tsx'
import { StatCard } from './stat-card.tsx'
import { TimeChart } from './time-chart.tsx'

type Sums = { metric: StatisticsMetric; total: number; buckets: readonly { value: number }[] }
type Days = { metric: StatisticsMetric; buckets: readonly { startsAt: string; value: number }[] }

/** `isMean`: the mean per day, because a sum would count a user again on each day. */
export type Figure = { metric: StatisticsMetric; label: string; isMean?: true }

const figureOf = (all: readonly Sums[], { metric, isMean }: Figure) => {
  const series = all.find((one) => one.metric === metric)
  if (!series || !isMean) return series?.total ?? 0
  return Math.round(series.total / Math.max(series.buckets.length, 1))
}

/** The totals of a period, compared with the previous one. */
export const MetricFigures = (props: {
  figures: readonly Figure[]
  now: readonly Sums[]
  earlier: readonly Sums[]
  days: number
}) => {
  const { figures, now, earlier, days } = props
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="md">
      {figures.map((figure) => (
        <StatCard
          key={figure.metric}
          label={figure.label}
          value={figureOf(now, figure)}
          before={figureOf(earlier, figure)}
          beforeLabel={periodTexts.before(days)}
        />
      ))}
    </SimpleGrid>
  )
}

export type MetricChart = {
  label: string
  kind: ChartKind
  lines: readonly { metric: StatisticsMetric; name: string; color: string }[]
}

/** Charts of a page, whose code is loaded while the page waits for its data. */
export const metricCharts = (charts: readonly MetricChart[]): readonly MetricChart[] => {
  preloadCharts(charts.map(({ kind }) => kind))
  return charts
}

/** Metrics day by day. */
export const MetricCharts = (props: {
  charts: readonly MetricChart[]
  of: readonly Days[]
  columns?: number
}) => {
  const { charts, of, columns = 1 } = props
  return (
    <SimpleGrid cols={{ base: 1, lg: columns }} spacing="md">
      {charts.map(({ label, kind, lines }) => (
        <Panel key={label} title={label}>
          <TimeChart
            label={label}
            kind={kind}
            height={220}
            series={lines.map(({ metric, name, color }) => ({
              name,
              color,
              buckets: of.find((one) => one.metric === metric)?.buckets ?? [],
            }))}
          />
        </Panel>
      ))}
    </SimpleGrid>
  )
}
