import { Alert, Grid, Group } from '@mantine/core'
import { PageButton } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { useMissingRight } from '../client/viewer.tsx'
import { overview } from '../generated/overview.ts'
import { charts, figures } from '../parts/metric-lists.ts'
import { MetricCharts, MetricFigures, metricCharts } from '../parts/metrics.tsx'
import { Page } from '../parts/page.tsx'
import { PeriodPicker, usePeriod } from '../parts/period.tsx'
import { overviewTexts as texts } from '../texts/overview-texts.ts'
import { pageNames } from '../texts/shell-texts.ts'
import { EventFeed } from './event-feed.tsx'

const { activeUsers, newUsers, pointsIssued, pointsSpent, plays } = figures

const shownCharts = metricCharts([charts.users, charts.points, charts.plays])

/** Leads a partner without any activity to the first steps. */
const FirstSteps = () =>
  useMissingRight('KEYS_READ') === null && (
    <Alert role="note" mb="md">
      <Group>
        {texts.nothingYet}
        <PageButton page="start">{pageNames.start}</PageButton>
      </Group>
    </Alert>
  )

export const OverviewPage = () => {
  const period = usePeriod()
  const asked = usePage(overview, period.variables, { refreshMs: 60_000 })
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={<PeriodPicker of={period} />}
      operation={overview}
      variables={period.variables}
      asked={asked}
    >
      {({ now, earlier, events }) => (
        <>
          {events.nodes.length === 0 && <FirstSteps />}
          <MetricFigures
            figures={[activeUsers, newUsers, pointsIssued, pointsSpent, plays]}
            now={now}
            earlier={earlier}
            period={period}
          />
          <Grid mt="md" gap="md">
            <Grid.Col span={{ base: 12, lg: 8 }}>
              <MetricCharts charts={shownCharts} of={now} earlier={earlier} period={period} />
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
