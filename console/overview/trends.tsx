import { Grid, Stack } from '@mantine/core'
import { usePage } from '../client/use-page.ts'
import { overview } from '../generated/overview.ts'
import { charts, figures } from '../parts/metric-lists.ts'
import { MetricCharts, MetricFigures } from '../parts/metrics.tsx'
import { PageSkeleton } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { PeriodPicker, usePeriod } from '../parts/period.tsx'
import { RefusalNotice } from '../parts/refusal-notice.tsx'
import { WhenSeen } from '../parts/when-seen.tsx'
import { overviewTexts as texts } from '../texts/overview-texts.ts'
import { EventFeed, feedNames } from './event-feed.tsx'

const { activeUsers, newUsers, pointsIssued, pointsSpent, plays } = figures

/** Their code is a third of the console, and they are below what a manager looks at first. */
const shownCharts = [charts.users, charts.points, charts.plays]

/** The figures of a period, day by day, and events as they happen. */
export const Trends = () => {
  const period = usePeriod()
  const variables = { ...period.variables, names: feedNames }
  const { data, error, refetch } = usePage(overview, variables, { refreshMs: 60_000 })
  return (
    <Panel title={texts.trends} actions={<PeriodPicker of={period} />} isFramed={false}>
      {error && <RefusalNotice error={error} onRetry={refetch} />}
      {data === undefined ? (
        !error && <PageSkeleton />
      ) : (
        <Stack gap="md">
          <MetricFigures
            figures={[activeUsers, newUsers, pointsIssued, pointsSpent, plays]}
            now={data.now}
            earlier={data.earlier}
            period={period}
          />
          <Grid gap="md">
            <Grid.Col span={{ base: 12, lg: 8 }}>
              <WhenSeen height={880}>
                <MetricCharts
                  charts={shownCharts}
                  of={data.now}
                  earlier={data.earlier}
                  period={period}
                />
              </WhenSeen>
            </Grid.Col>
            <Grid.Col span={{ base: 12, lg: 4 }}>
              <EventFeed last={data.events.nodes} />
            </Grid.Col>
          </Grid>
        </Stack>
      )}
    </Panel>
  )
}
