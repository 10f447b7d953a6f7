/** Metrics over time: their sums as cards, and their days as charts. */
import { SimpleGrid, type SimpleGridProps, Text } from '@mantine/core'
import type { StatisticsMetric } from '../generated/types.ts'
import { periodTexts } from '../texts/period-texts.ts'
import { type ChartKind, preloadCharts } from './charts.tsx'
import { comparedFigure, type DaySeries, hasDataIn } from './figures.ts'
import { Panel } from './panel.tsx'
import type { ComparedPeriod } from './period.tsx'
import { StatCard } from './stat-card.tsx'
import { TimeChart, type TimeSeries } from './time-chart.tsx'

type Days = DaySeries & { metric: StatisticsMetric }

/** `isMean`: the mean per day, because a sum would count a user again on each day. */
export type Figure = { metric: StatisticsMetric; label: string; isMean?: true }

const seriesOf = (all: readonly Days[] | undefined, wanted: StatisticsMetric) =>
  all?.find(({ metric }) => metric === wanted)

/** The figures of a period, compared with the earlier one. */
export const MetricFigures = (props: {
  figures: readonly Figure[]
  now: readonly Days[]
  earlier: readonly Days[] | undefined
  period: ComparedPeriod
  cols?: SimpleGridProps['cols']
}) => {
  const { figures, now, earlier, period, cols = { base: 2, sm: 3, lg: 5 } } = props
  const { today } = period
  return (
    <div>
      <SimpleGrid cols={cols} spacing="md">
        {figures.map(({ metric, label, ...kind }) => (
          <StatCard
            key={metric}
            label={label}
            beforeLabel={periodTexts.against(period.earlierLabel)}
            {...comparedFigure(seriesOf(now, metric), seriesOf(earlier, metric), {
              ...kind,
              today,
              before: period.earlier,
            })}
          />
        ))}
      </SimpleGrid>
      {period.earlier && period.last === today && (
        <Text size="xs" c="dimmed" mt={6}>
          {periodTexts.todayIsLeftOut}
        </Text>
      )}
    </div>
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

/** The values of a metric in the earlier period; undefined if it was not counted then. */
export const earlierBuckets = (
  earlier: Pick<DaySeries, 'countedSince' | 'buckets'> | undefined,
  period: ComparedPeriod,
) => (earlier && period.earlier && hasDataIn(earlier, period.earlier) ? earlier.buckets : undefined)

/** A line of a chart: a metric by day, and in the earlier period. */
export const lineOf = (
  of: readonly Days[] | undefined,
  earlier: readonly Days[] | undefined,
  period: ComparedPeriod,
  { metric, name, color }: { metric: StatisticsMetric; name: string; color: string },
): TimeSeries => ({
  name,
  color,
  buckets: seriesOf(of, metric)?.buckets ?? [],
  earlier: earlierBuckets(seriesOf(earlier, metric), period),
})

/** Metrics day by day. */
export const MetricCharts = (props: {
  charts: readonly MetricChart[]
  of: readonly Days[]
  earlier: readonly Days[] | undefined
  period: ComparedPeriod
  columns?: number
}) => {
  const { charts, of, earlier, period, columns = 1 } = props
  return (
    <SimpleGrid cols={{ base: 1, lg: columns }} spacing="md">
      {charts.map(({ label, kind, lines }) => (
        <Panel key={label} title={label}>
          <TimeChart
            label={label}
            kind={kind}
            height={220}
            today={period.today}
            earlierLabel={period.earlierLabel}
            series={lines.map((line) => lineOf(of, earlier, period, line))}
          />
        </Panel>
      ))}
    </SimpleGrid>
  )
}
