import { Group, Paper, SimpleGrid, Title } from '@mantine/core'
import { moneyText } from '../parts/formats.ts'
import { PageSkeleton } from '../parts/page.tsx'
import { PeriodPicker, type usePeriod } from '../parts/period.tsx'
import { StatCard } from '../parts/stat-card.tsx'
import { TimeChart } from '../parts/time-chart.tsx'
import { lotteriesTexts as texts } from '../texts/lotteries-texts.ts'
import type { ShownLottery } from './shown-lottery.ts'

/** Tickets and winnings in a period. */
export const LotteryResults = (props: {
  of: ShownLottery
  period: ReturnType<typeof usePeriod>
}) => {
  const { of, period } = props
  if (!of.statistics) return <PageSkeleton />
  const seriesOf = (wanted: string) => of.statistics?.find(({ metric }) => metric === wanted)
  const tickets = seriesOf('LOTTERY_TICKETS')
  const winnings = seriesOf('LOTTERY_WINNINGS')?.totalAmount
  return (
    <>
      <Group justify="flex-end" mb="sm">
        <PeriodPicker of={period} />
      </Group>
      <SimpleGrid cols={{ base: 1, xs: 2 }} mb="md">
        <StatCard label={texts.ticketsSold} value={tickets?.total ?? 0} />
        <StatCard label={texts.winnings} value={winnings ? moneyText(winnings) : 0} />
      </SimpleGrid>
      <Paper withBorder p="md">
        <Title order={2} size="h5" mb="sm">
          {texts.ticketsChart}
        </Title>
        <TimeChart
          label={texts.ticketsChart}
          kind="bar"
          series={[{ name: texts.ticketsSold, color: 'ember.5', buckets: tickets?.buckets ?? [] }]}
        />
      </Paper>
    </>
  )
}
