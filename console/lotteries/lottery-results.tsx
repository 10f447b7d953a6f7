import { Group, Paper, SimpleGrid, Title } from '@mantine/core'
import { comparedFigure } from '../parts/figures.ts'
import { moneyText } from '../parts/formats.ts'
import { lineOf } from '../parts/metrics.tsx'
import { PageSkeleton } from '../parts/page.tsx'
import { type ComparedPeriod, PeriodPicker } from '../parts/period.tsx'
import { StatCard } from '../parts/stat-card.tsx'
import { TimeChart } from '../parts/time-chart.tsx'
import { lotteriesTexts as texts } from '../texts/lotteries-texts.ts'
import { periodTexts } from '../texts/period-texts.ts'
import type { ShownLottery } from './shown-lottery.ts'

const isTickets = ({ metric }: { metric: string }) => metric === 'LOTTERY_TICKETS'

/** Tickets and winnings in a period. */
export const LotteryResults = (props: { of: ShownLottery; period: ComparedPeriod }) => {
  const { of, period } = props
  if (!of.statistics) return <PageSkeleton />
  const seriesOf = (wanted: string) => of.statistics?.find(({ metric }) => metric === wanted)
  const tickets = of.statistics.find(isTickets)
  const winnings = seriesOf('LOTTERY_WINNINGS')?.totalAmount
  return (
    <>
      <Group justify="flex-end" mb="sm">
        <PeriodPicker of={period} />
      </Group>
      <SimpleGrid cols={{ base: 1, xs: 2 }} mb="md">
        <StatCard
          label={texts.ticketsSold}
          beforeLabel={periodTexts.against(period.earlierLabel)}
          {...comparedFigure(tickets, of.earlier?.find(isTickets), {
            today: period.today,
            before: period.earlier,
          })}
        />
        <StatCard label={texts.winnings} value={winnings ? moneyText(winnings) : 0} />
      </SimpleGrid>
      <Paper withBorder p="md">
        <Title order={2} size="h5" mb="sm">
          {texts.ticketsChart}
        </Title>
        <TimeChart
          label={texts.ticketsChart}
          kind="bar"
          today={period.today}
          earlierLabel={period.earlierLabel}
          series={[
            lineOf(of.statistics, of.earlier, period, {
              metric: 'LOTTERY_TICKETS',
              name: texts.ticketsSold,
              color: 'ember.5',
            }),
          ]}
        />
      </Paper>
    </>
  )
}
