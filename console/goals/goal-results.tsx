import { Group, SimpleGrid, Stack } from '@mantine/core'
import type { GoalQuery, StatisticsMetric } from '../generated/types.ts'
import { EmptyState } from '../parts/empty-state.tsx'
import { IconFlag } from '../parts/icons.ts'
import { MetricCharts, metricCharts } from '../parts/metrics.tsx'
import { PageSkeleton } from '../parts/page.tsx'
import { PeriodPicker, type usePeriod } from '../parts/period.tsx'
import { StatCard } from '../parts/stat-card.tsx'
import { goalResultsTexts as texts } from '../texts/goals-texts.ts'
import { periodTexts } from '../texts/period-texts.ts'
import { GoalCompletions } from './goal-completions.tsx'
import { GoalFunnel } from './goal-funnel.tsx'

type GoalWithResults = NonNullable<GoalQuery['goal']>

const figures: [StatisticsMetric, string][] = [
  ['GOALS_COMPLETED', texts.completed],
  ['GRANTS_ISSUED', texts.given],
  ['POINTS_GRANTED', texts.points],
]

const charts = metricCharts([
  {
    label: texts.completedChart,
    kind: 'bar',
    lines: [
      { metric: 'GOALS_COMPLETED', name: texts.completed, color: 'ember.6' },
      { metric: 'GRANTS_ISSUED', name: texts.given, color: 'grape.6' },
    ],
  },
  {
    label: texts.pointsChart,
    kind: 'bar',
    lines: [{ metric: 'POINTS_GRANTED', name: texts.points, color: 'yellow.7' }],
  },
])

/** What a goal has done in a period: completions, and what they gave. */
export const GoalResults = (props: {
  of: GoalWithResults
  period: ReturnType<typeof usePeriod>
}) => {
  const { of, period } = props
  const { statistics, earlier, status, completions } = of
  if (status === 'DRAFT') return <EmptyState icon={IconFlag} text={texts.draft} />
  if (!statistics) return <PageSkeleton />
  const totalIn = (series: typeof earlier, metric: StatisticsMetric) =>
    series?.find((one) => one.metric === metric)?.total ?? 0
  return (
    <Stack gap="md">
      <Group justify="flex-end">
        <PeriodPicker of={period} />
      </Group>
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        {figures.map(([metric, label]) => (
          <StatCard
            key={metric}
            label={label}
            value={totalIn(statistics, metric)}
            before={totalIn(earlier, metric)}
            beforeLabel={periodTexts.before(period.days)}
          />
        ))}
      </SimpleGrid>
      <MetricCharts charts={charts} of={statistics} columns={2} />
      <GoalFunnel of={of} />
      {completions && <GoalCompletions of={completions} />}
    </Stack>
  )
}
