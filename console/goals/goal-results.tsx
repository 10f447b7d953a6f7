import { Group, Stack } from '@mantine/core'
import type { GoalQuery } from '../generated/types.ts'
import { EmptyState } from '../parts/empty-state.tsx'
import { IconFlag } from '../parts/icons.ts'
import { type Figure, MetricCharts, MetricFigures, metricCharts } from '../parts/metrics.tsx'
import { PageSkeleton } from '../parts/page.tsx'
import { type ComparedPeriod, PeriodPicker } from '../parts/period.tsx'
import { goalResultsTexts as texts } from '../texts/goals-texts.ts'
import { GoalCompletions } from './goal-completions.tsx'
import { GoalFunnel } from './goal-funnel.tsx'

type GoalWithResults = NonNullable<GoalQuery['goal']>

const figures: readonly Figure[] = [
  { metric: 'GOALS_COMPLETED', label: texts.completed },
  { metric: 'GRANTS_ISSUED', label: texts.given },
  { metric: 'POINTS_GRANTED', label: texts.points },
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
export const GoalResults = (props: { of: GoalWithResults; period: ComparedPeriod }) => {
  const { of, period } = props
  const { statistics, earlier, status, completions } = of
  if (status === 'DRAFT') return <EmptyState icon={IconFlag} text={texts.draft} />
  if (!statistics) return <PageSkeleton />
  return (
    <Stack gap="md">
      <Group justify="flex-end">
        <PeriodPicker of={period} />
      </Group>
      <MetricFigures
        figures={figures}
        now={statistics}
        earlier={earlier}
        period={period}
        cols={{ base: 1, xs: 3 }}
      />
      <MetricCharts charts={charts} of={statistics} earlier={earlier} period={period} columns={2} />
      <GoalFunnel of={of} />
      {completions && <GoalCompletions goalId={of.id} of={completions} />}
    </Stack>
  )
}
