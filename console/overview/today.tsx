import { Group, Paper, SimpleGrid, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { HomeQuery } from '../generated/types.ts'
import { numberText, shortNumber, wholePercentText } from '../parts/formats.ts'
import { IconTrendingDown, IconTrendingUp } from '../parts/icons.ts'
import { Panel } from '../parts/panel.tsx'
import { Sparkline } from '../parts/sparkline.tsx'
import { overviewTexts as texts } from '../texts/overview-texts.ts'
import { changeOf, type HomeTimes } from './home-times.ts'

/** A change in words. What users can still spend is no gain, so its change has no color. */
const Change = (props: { of: number; than: string; isNeutral?: boolean }) => {
  const { of, than, isNeutral } = props
  const Trend = of < 0 ? IconTrendingDown : IconTrendingUp
  return (
    <Group
      gap={4}
      wrap="nowrap"
      align="flex-start"
      c={isNeutral ? 'dimmed' : of < 0 ? 'red' : 'teal'}
    >
      <Trend size={16} aria-hidden style={{ flex: 'none' }} />
      <Text size="xs">
        {(of < 0 ? texts.less : texts.more)(wholePercentText(Math.abs(of)), than)}
      </Text>
    </Group>
  )
}

const Figure = (props: { label: string; value: number; children?: ReactNode }) => {
  const { label, value, children } = props
  return (
    <Paper withBorder p="md">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fz={26} fw={650} lh={1.3}>
        {value < 1_000_000 ? numberText(value) : shortNumber(value)}
      </Text>
      {children}
    </Paper>
  )
}

const counted = [
  { metric: 'NEW_USERS', label: texts.newUsers },
  { metric: 'PLAYS', label: texts.plays },
  { metric: 'POINTS_ISSUED', label: texts.pointsIssued },
  { metric: 'POINTS_SPENT', label: texts.pointsSpent },
] as const

const Outstanding = ({ of: { points, buckets } }: { of: HomeQuery['outstandingPoints'] }) => {
  const values = buckets.map(({ value }) => value)
  const first = values[0] ?? 0
  return (
    <Figure label={texts.outstanding} value={points}>
      {first > 0 && <Change of={points / first - 1} than={texts.monthAgo} isNeutral />}
      <Sparkline values={values} />
    </Figure>
  )
}

/** What has happened today, against the same time of the same weekday before, and what users can still spend. */
export const Today = ({ of, times }: { of: HomeQuery; times: HomeTimes }) => {
  const find = (series: HomeQuery['today'], metric: string) =>
    series.find((sery) => sery.metric === metric)
  const weekday = times.weekday
  return (
    <Panel title={texts.today} hint={texts.todayHint(weekday)} isFramed={false}>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="md">
        <Figure label={texts.activeUsers} value={of.activeToday[0]?.total ?? 0}>
          <Text size="xs" c="dimmed">
            {texts.wholeDay(numberText(of.activeEarlier[0]?.total ?? 0), weekday)}
          </Text>
        </Figure>
        {counted.map(({ metric, label }) => {
          const today = find(of.today, metric)
          const hours = find(of.earlier, metric)?.buckets ?? []
          const change = changeOf(today?.total ?? 0, hours, Date.now())
          return (
            <Figure key={metric} label={label} value={today?.total ?? 0}>
              {change !== null && <Change of={change} than={texts.lastDay(weekday)} />}
            </Figure>
          )
        })}
        <Outstanding of={of.outstandingPoints} />
      </SimpleGrid>
    </Panel>
  )
}
