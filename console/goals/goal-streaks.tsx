import { Center, Select, SimpleGrid, Stack, Text } from '@mantine/core'
import { usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { goalStreaks } from '../generated/streaks.ts'
import type { GoalSetUpFragment, GoalStreaksQuery } from '../generated/types.ts'
import { BarChart, preloadCharts } from '../parts/charts.tsx'
import { chosen } from '../parts/choice-field.tsx'
import { column, menuColumn, wide } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { countText, numberText, shortNumber, utcDateText } from '../parts/formats.ts'
import { IconFlame } from '../parts/icons.ts'
import { PageSkeleton } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { RefusalNotice } from '../parts/refusal-notice.tsx'
import { StatCard } from '../parts/stat-card.tsx'
import { UserLink } from '../parts/user-link.tsx'
import { RestoreStreak } from '../streaks/streak-actions.tsx'
import {
  lengthText,
  pastWindows,
  type StreakWindowKind,
  windowKindOf,
  windowText,
} from '../streaks/streak-text.ts'
import { StreakWindows } from '../streaks/streak-windows.tsx'
import { goalStreaksTexts as texts } from '../texts/streaks-texts.ts'
import { isRestoring, Restorations, RestoreAll } from './restorations.tsx'

preloadCharts(['bar'])

type Found = NonNullable<GoalStreaksQuery['goal']>
type Lengths = NonNullable<Found['streakLengths']>
type Lost = NonNullable<Found['lost']>
type LostStreak = Lost['nodes'][number]

const rangeText = ({ from, to }: Lengths[number]) => {
  if (to === null) return texts.open(numberText(from))
  return from === to ? numberText(from) : texts.range(numberText(from), numberText(to))
}

/** Users by the length of their streak. Screen readers get the numbers. */
const LengthChart = ({ of }: { of: Lengths }) => {
  const height = 220
  const isEmpty = of.every(({ userCount }) => userCount.value === 0)
  const isCut = of.some(({ userCount }) => userCount.precision === 'AT_LEAST')
  const numbers = of.map((item) => `${rangeText(item)}: ${countText(item.userCount)}`)
  if (isEmpty)
    return (
      <Center h={height} c="dimmed" fz="sm">
        {texts.noStreaks}
      </Center>
    )
  return (
    <>
      <figure style={{ margin: 0 }} role="img" aria-label={[texts.chart, ...numbers].join('. ')}>
        <BarChart
          h={height}
          data={of.map((item) => ({
            length: rangeText(item),
            [texts.usersOfLength]: item.userCount.value,
          }))}
          dataKey="length"
          series={[{ name: texts.usersOfLength, color: 'ember.6' }]}
          valueFormatter={shortNumber}
          tickLine="none"
          gridAxis="x"
          xAxisProps={{ interval: 0 }}
          yAxisProps={{ allowDecimals: false }}
          withBarValueLabel
        />
      </figure>
      {isCut && (
        <Text size="sm" c="dimmed">
          {texts.atLeastOne}
        </Text>
      )}
    </>
  )
}

/** How many windows that are over can be looked at. */
const shownWindows = { DAY: 30, WEEK: 12, MONTH: 12 }

/** How often the page is read again while streaks are restored. */
const restoringMs = 1_500

const columns: Column<LostStreak>[] = [
  column(texts.user, ({ user }) => <UserLink of={user} />),
  column(texts.lostLength, ({ lostLength, goal }) =>
    lostLength === null ? texts.unknown : lengthText(lostLength, goal.window),
  ),
  column(texts.longest, ({ longest, goal }) => lengthText(longest, goal.window)),
  wide(
    column(texts.history, ({ history, goal }) =>
      history ? <StreakWindows of={history} kind={windowKindOf(goal.window)} /> : null,
    ),
  ),
  column(texts.restorableUntil, ({ restorableUntil }) =>
    restorableUntil === null ? texts.tooLate : utcDateText(restorableUntil),
  ),
  menuColumn(
    ({ user }) => user.externalId,
    (streak) =>
      streak.restorableUntil === null ? null : (
        <RestoreStreak userId={streak.user.id} of={streak} />
      ),
  ),
]

const WindowField = (props: { kind: StreakWindowKind; windows: string[]; shown: string }) => {
  const { kind, windows, shown } = props
  const [, setSearch] = usePageSearch()
  return (
    <Select
      aria-label={texts.when[kind]}
      allowDeselect={false}
      value={shown}
      onChange={(on) => setSearch({ on: on ?? undefined, after: undefined, before: undefined })}
      data={windows.map((start, n) => ({ value: start, label: windowText(start, kind, n === 0) }))}
      flex={{ base: '1 1 12rem', xs: '0 0 240px' }}
    />
  )
}

/** The streaks of a goal: how long they are, and who has lost one. */
export const GoalStreaks = ({ of }: { of: GoalSetUpFragment }) => {
  const [search] = usePageSearch()
  const kind = windowKindOf(of.window)
  const windows = pastWindows(kind, shownWindows[kind])
  const on = chosen(search['on'], windows) ?? (windows[0] as string)
  const variables = { id: of.id, brokenOn: on, ...pageOf(search, 25) }
  const query = usePage(goalStreaks, variables, {
    refreshMs: (data) => (isRestoring(data?.goal?.streakRestorations) ? restoringMs : 0),
  })
  if (of.status === 'DRAFT') return <EmptyState icon={IconFlame} text={texts.draft} />
  if (query.error) return <RefusalNotice error={query.error} onRetry={query.refetch} />
  const found = query.data?.goal
  if (!found?.streakLengths || !found.alive || !found.long || !found.lost) return <PageSkeleton />
  const { streakLengths, alive, long, lost, streakRestorations } = found
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <StatCard label={texts.alive} value={countText(alive.totalCount)} />
        <StatCard label={texts.week[kind]} value={countText(long.totalCount)} />
        <StatCard
          label={on === windows[0] ? texts.lost[kind] : windowText(on, kind, false)}
          value={countText(lost.totalCount)}
        />
      </SimpleGrid>
      <Panel title={texts.chart} hint={texts.chartHint}>
        <LengthChart of={streakLengths} />
      </Panel>
      <Panel
        title={texts.lostTitle[kind]}
        hint={texts.lostHint}
        isFramed={false}
        actions={
          <>
            <WindowField kind={kind} windows={windows} shown={on} />
            {lost.totalCount.value > 0 && of.status !== 'ENDED' && (
              <RestoreAll of={of} on={on} kind={kind} users={countText(lost.totalCount)} />
            )}
          </>
        }
      >
        <ConnectionTable
          label={texts.lostTitle[kind]}
          of={lost}
          columns={columns}
          idOf={({ user }) => user.id}
          empty={<EmptyState icon={IconFlame} text={texts.nobodyLost} />}
        />
      </Panel>
      {streakRestorations && streakRestorations.nodes.length > 0 && (
        <Restorations of={streakRestorations} kind={kind} />
      )}
    </Stack>
  )
}
