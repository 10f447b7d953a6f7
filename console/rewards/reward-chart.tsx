import type { RewardQuery, StatisticsMetric } from '../generated/types.ts'
import { preloadCharts } from '../parts/charts.tsx'
import { numberText } from '../parts/formats.ts'
import { lineOf } from '../parts/metrics.tsx'
import { Panel } from '../parts/panel.tsx'
import { type ComparedPeriod, PeriodPicker } from '../parts/period.tsx'
import { TimeChart } from '../parts/time-chart.tsx'
import { rewardsTexts as texts } from '../texts/rewards-texts.ts'

preloadCharts(['bar'])

type Reward = NonNullable<RewardQuery['reward']>

/** How often a reward was given each day, and how many points that was. */
export const RewardChart = (props: { of: Reward; period: ComparedPeriod }) => {
  const { of, period } = props
  const seriesOf = (metric: StatisticsMetric) =>
    of.statistics?.find((statistic) => statistic.metric === metric)
  const points = numberText(seriesOf('POINTS_GRANTED')?.total ?? 0)
  return (
    <Panel
      title={texts.chart}
      hint={of.kind === 'POINTS' ? texts.pointsGiven(points, String(period.days)) : ''}
      actions={<PeriodPicker of={period} />}
    >
      <TimeChart
        label={texts.chart}
        kind="bar"
        height={200}
        today={period.today}
        earlierLabel={period.earlierLabel}
        series={[
          lineOf(of.statistics ?? [], of.earlier ?? undefined, period, {
            metric: 'GRANTS_ISSUED',
            name: texts.given,
            color: 'ember.6',
          }),
        ]}
      />
    </Panel>
  )
}
