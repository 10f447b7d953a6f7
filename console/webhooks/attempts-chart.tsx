import { Text } from '@mantine/core'
import type { OutcomeSeriesFragment } from '../generated/types.ts'
import { earlierBuckets } from '../parts/metrics.tsx'
import type { ComparedPeriod } from '../parts/period.tsx'
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
    .filter((sery) => sery.metric === metric && (outcome === undefined || sery.group === outcome))
    .reduce((sum, { total }) => sum + total, 0)

/** Attempts to deliver, day by day. */
export const AttemptsChart = (props: {
  of: readonly OutcomeSeriesFragment[]
  earlier: readonly OutcomeSeriesFragment[] | undefined
  period: ComparedPeriod
}) => {
  const { of, earlier, period } = props
  const attempts = of.filter(({ metric }) => metric === 'WEBHOOK_ATTEMPTS')
  const before = earlier?.filter(({ metric }) => metric === 'WEBHOOK_ATTEMPTS')
  if (attempts.length === 0) return <Text c="dimmed">{texts.noAttempts}</Text>
  return (
    <TimeChart
      label={texts.attemptsChart}
      kind="stack"
      height={200}
      today={period.today}
      earlierLabel={period.earlierLabel}
      series={outcomes.map(({ outcome, name, color }) => ({
        name,
        color,
        buckets: attempts.find(({ group }) => group === outcome)?.buckets ?? [],
        earlier: earlierBuckets(
          before?.find(({ group }) => group === outcome),
          period,
        ),
      }))}
    />
  )
}
