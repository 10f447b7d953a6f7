import { Alert, Group, Progress, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { Facts } from '../parts/facts.tsx'
import { moneyText, numberText, percentText, timeText } from '../parts/formats.ts'
import { PageSkeleton } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { Status } from '../parts/status.tsx'
import { RelativeTime } from '../parts/when.tsx'
import { lotteriesTexts, drawsTexts as texts } from '../texts/lotteries-texts.ts'
import { DrawActions } from './draw-actions.tsx'
import { DrawProof } from './draw-proof.tsx'
import { DrawPrizes, DrawWinners } from './draw-winners.tsx'
import { Numbers } from './numbers.tsx'
import type { ShownDraw } from './shown-draw.ts'
import type { ShownLottery } from './shown-lottery.ts'

const Moment = ({ at }: { at: string }) => (
  <>
    {timeText(at)}{' '}
    <Text span size="sm" c="dimmed">
      (<RelativeTime at={at} />)
    </Text>
  </>
)

const DrawFacts = ({ of }: { of: ShownDraw }) => (
  <Panel title={texts.draw}>
    {of.main.length > 0 && (
      <Group mb="md">
        <Numbers of={of} size="xl" />
      </Group>
    )}
    {of.status === 'DRAWING' && (
      <>
        <Text size="sm">
          {texts.settling}: {percentText(of.settledRate)}
        </Text>
        <Progress value={100 * of.settledRate} aria-label={texts.settling} mb="md" animated />
      </>
    )}
    <Facts
      of={[
        [texts.opens, <Moment key="opens" at={of.opensAt} />],
        [texts.closes, <Moment key="closes" at={of.closesAt} />],
        [texts.draws, <Moment key="draws" at={of.drawsAt} />],
        [texts.completed, of.completedAt && <Moment key="completed" at={of.completedAt} />],
        [texts.tickets, numberText(of.ticketCount)],
        [texts.pot, of.finalPot && moneyText(of.finalPot)],
        [texts.payout, of.payout && moneyText(of.payout)],
      ]}
    />
  </Panel>
)

/** One draw: its numbers, prizes, winners, and the proof. */
export const DrawDetails = ({ of }: { of: ShownLottery }) => {
  const { draw } = of
  if (draw === undefined) return <PageSkeleton />
  return (
    <Stack gap="md">
      {draw === null ? (
        <Alert color="gray">{texts.noSuchDraw}</Alert>
      ) : (
        <>
          <Group justify="space-between">
            <Group gap="sm">
              <Title order={2} size="h3">
                {lotteriesTexts.drawName(draw.number)}
              </Title>
              <Status of={draw.status} />
            </Group>
            <DrawActions lottery={of} draw={draw} />
          </Group>
          <SimpleGrid cols={{ base: 1, lg: 2 }}>
            <DrawFacts of={draw} />
            <DrawProof of={draw} />
          </SimpleGrid>
          {draw.tiers.length > 0 && <DrawPrizes of={draw} />}
          <DrawWinners of={draw} />
        </>
      )}
    </Stack>
  )
}
