import { Group, Paper, SimpleGrid, Title } from '@mantine/core'
import { lineOf, MetricFigures } from '../parts/metrics.tsx'
import { PageSkeleton } from '../parts/page.tsx'
import { type ComparedPeriod, PeriodPicker } from '../parts/period.tsx'
import { TimeChart } from '../parts/time-chart.tsx'
import { campaignResultsTexts as texts } from '../texts/campaigns-texts.ts'
import type { ShownCampaign } from './campaign-lists.tsx'
import { CodeResults, InstantWinResults } from './mechanic-results.tsx'

const figures = [
  { metric: 'CAMPAIGN_PARTICIPANTS', label: texts.joined, color: 'blue.6', chart: 'users' },
  { metric: 'CAMPAIGN_EVENTS', label: texts.events, color: 'ember.6', chart: 'users' },
  { metric: 'INSTANT_WINS', label: texts.wins, color: 'grape.6', chart: 'mechanics' },
  { metric: 'INSTANT_WIN_POINTS', label: texts.winPoints, color: 'grape.6', chart: null },
  { metric: 'CODE_REDEMPTIONS', label: texts.redemptions, color: 'teal.6', chart: 'mechanics' },
  { metric: 'REFERRALS', label: texts.referrals, color: 'yellow.7', chart: 'mechanics' },
] as const

const charts = [
  { name: 'users', label: texts.usersChart, kind: 'area' },
  { name: 'mechanics', label: texts.mechanicsChart, kind: 'bar' },
] as const

/** The results of a campaign: metrics of a period, and the totals of its prizes and codes. */
export const CampaignResults = (props: { of: ShownCampaign; period: ComparedPeriod }) => {
  const { of, period } = props
  const series = of.statistics
  if (!series) return <PageSkeleton />
  return (
    <>
      <Group justify="flex-end" mb="sm">
        <PeriodPicker of={period} />
      </Group>
      <MetricFigures
        figures={figures}
        now={series}
        earlier={of.earlier}
        period={period}
        cols={{ base: 2, sm: 3, lg: 6 }}
      />
      <SimpleGrid cols={{ base: 1, lg: 2 }} my="md">
        {charts.map(({ name, label, kind }) => (
          <Paper key={name} withBorder p="md">
            <Title order={2} size="h5" mb="sm">
              {label}
            </Title>
            <TimeChart
              label={label}
              kind={kind}
              height={220}
              today={period.today}
              earlierLabel={period.earlierLabel}
              series={figures
                .filter(({ chart }) => chart === name)
                .map(({ metric, label, color }) =>
                  lineOf(series, of.earlier, period, { metric, name: label, color }),
                )}
            />
          </Paper>
        ))}
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <InstantWinResults of={of} />
        <CodeResults of={of} />
      </SimpleGrid>
    </>
  )
}
