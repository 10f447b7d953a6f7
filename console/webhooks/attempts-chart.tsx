import { Text } from '@mantine/core'
import type { OutcomeSeriesFragment } from '../generated/types.ts'
import { TimeChart } from '../parts/time-chart.tsx'
import { webhooksTexts as texts } from '../texts/webhooks-texts.ts'

const outcomes = [
  { outcome: 'SUCCEEDED', name: texts.outcomes.SUCCEEDED, color: 'teal.6' },
  { outcome: 'FAILED', name: texts.outcomes.FAILED, color: 'red.6' },
] as const

type Outcome = (typeof outcomes)[number]['outcome']

export const totalOf = (
  series: readonly OutcomeSeriesFragment[],
  metric: OutcomeSeriesFragment['metric'],
  outcome?: Outcome,
) =>
  series
    .filter((one) => one.metric === metric && (outcome === undefined || one.group === outcome))
    .reduce((sum, { total }) => sum + total, 0)

/** Attempts to deliver, day by day. */
export const AttemptsChart = ({ of }: { of: readonly OutcomeSeriesFragment[] }) => {
  const attempts = of.filter(({ metric }) => metric === 'WEBHOOK_ATTEMPTS')
  if (attempts.length === 0) return <Text c="dimmed">{texts.noAttempts}</Text>
  return (
    <TimeChart
      label={texts.attemptsChart}
      kind="stack"
      height={200}
      series={outcomes.map(({ outcome, name, color }) => ({
        name,
        color,
        buckets: attempts.find(({ group }) => group === outcome)?.buckets ?? [],
      }))}
    />
  )
}
