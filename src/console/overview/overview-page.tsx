import { Grid } from '@mantine/core'
import { overview } from '../../generated/operations/overview.ts'
import { usePage } from '../client/use-page.ts'
import { type MetricChart, MetricCharts, MetricFigures } from '../parts/metrics.tsx'
import { Page } from '../parts/page.tsx'
import { PeriodPicker, usePeriod } from '../parts/period.tsx'
import { overviewTexts as texts } from '../texts/overview-texts.ts'
import { EventFeed } from './event-feed.tsx'

const figures = [
  { metric: 'ACTIVE_USERS', label: texts.activeUsers, isMean: true },
  { metric: 'NEW_USERS', label: texts.newUsers },
  { metric: 'POINTS_ISSUED', label: texts.pointsIssued },
  { metric: 'POINTS_SPENT', label: texts.pointsSpent },
  { metric: 'PLAYS', label: texts.plays },
] as const

const charts: readonly MetricChart[] = [
  {
    label: texts.usersChart,
    kind: 'area',
    lines: [
      { metric: 'ACTIVE_USERS', name: texts.activeUsers, color: 'blue.6' },
      { metric: 'NEW_USERS', name: texts.newUsers, color: 'teal.6' },
    ],
  },
  {
    label: texts.pointsChart,
    kind: 'area',
    lines: [
      { metric: 'POINTS_ISSUED', name: texts.pointsIssued, color: 'ember.6' },
      { metric: 'POINTS_SPENT', name: texts.pointsSpent, color: 'grape.6' },
    ],
  },
  {
    label: texts.playsChart,
    kind: 'bar',
    lines: [{ metric: 'PLAYS', name: texts.plays, color: 'ember.5' }],
  },
]

export const OverviewPage = () => {
  const period = usePeriod('30')
  const variables = { from: period.from, to: period.to, before: period.before }
  const asked = usePage(overview, variables, { refreshMs: 60_000 })
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={<PeriodPicker of={period} />}
      operation={overview}
      variables={variables}
      asked={asked}
    >
      {({ now, earlier, events }) => (
        <>
          <MetricFigures figures={figures} now={now} earlier={earlier} days={period.days} />
          <Grid mt="md" gap="md">
            <Grid.Col span={{ base: 12, lg: 8 }}>
              <MetricCharts charts={charts} of={now} />
            </Grid.Col>
            <Grid.Col span={{ base: 12, lg: 4 }}>
              <EventFeed last={events.nodes} />
            </Grid.Col>
          </Grid>
        </>
      )}
    </Page>
  )
}
