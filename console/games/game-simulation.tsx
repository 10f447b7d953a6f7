import { Button, Group, Paper, Text, Title } from '@mantine/core'
import { useMemo, useState } from 'react'
import { BarChart } from '../parts/charts.tsx'
import { numberText, percentText, wholePercentText } from '../parts/formats.ts'
import { gamesTexts as texts } from '../texts/games-texts.ts'
import type { RewardRow } from './game-form.ts'
import { meanPayoutOf, meanWorthOf, rowChancesOf, simulate, worthOf } from './odds.ts'

const plays = 10_000

/** What the odds mean: what a play gives back, and how often each reward came up in simulated plays. */
export const GameSimulation = ({ rewards, cost }: { rewards: RewardRow[]; cost: number }) => {
  const [run, setRun] = useState(0)
  const weights = JSON.stringify(rewards.map(({ weight }) => weight))
  // A changed label does not require another simulation.
  const counts = useMemo(() => simulate(rewards, plays), [weights, run])
  const payout = meanPayoutOf(rewards)
  const worth = meanWorthOf(rewards)
  const probabilities = rowChancesOf(rewards)
  const won = rewards.reduce((sum, reward, i) => sum + (worthOf(reward) ?? 0) * (counts[i] ?? 0), 0)
  const unknown = rewards.filter((reward) => worthOf(reward) === null && Number(reward.weight) > 0)
  const data = rewards.map(({ label }, i) => ({
    label: label || '–',
    [texts.simulated]: counts[i] ?? 0,
    [texts.expectedCount]: Math.round((probabilities[i] ?? 0) * plays),
  }))
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          {texts.simulation}
        </Title>
        <Button size="xs" variant="default" onClick={() => setRun(run + 1)}>
          {texts.simulate}
        </Button>
      </Group>
      <Text size="sm">{texts.payoutOf(payout.toFixed(1), numberText(cost))}</Text>
      <Text size="sm">
        {texts.worthOfPlay(worth.toFixed(1))}{' '}
        {cost > 0 && texts.returned(wholePercentText(worth / cost))}
      </Text>
      {unknown.length > 0 && (
        <Text size="sm" c="dimmed">
          {texts.notCounted(unknown.map(({ label }) => label || '–').join(', '))}
        </Text>
      )}
      <Text size="sm" c="dimmed" mb="md">
        {cost > 0 && texts.simulatedPayout(numberText(won), percentText(won / (cost * plays)))}
        {cost > 0 && worth > cost && ` ${texts.generous}`}
      </Text>
      <figure style={{ margin: 0 }} role="img" aria-label={texts.simulation}>
        <BarChart
          h={240}
          data={data}
          dataKey="label"
          series={[
            { name: texts.simulated, color: 'ember.5' },
            { name: texts.expectedCount, color: 'gray.5' },
          ]}
          valueFormatter={numberText}
          withLegend
          legendProps={{ itemSorter: null }}
          tickLine="none"
        />
      </figure>
    </Paper>
  )
}
