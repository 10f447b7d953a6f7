import { Group, Progress, Skeleton, Stack, Text } from '@mantine/core'
import { usePage } from '../client/use-page.ts'
import { goalProgress } from '../generated/goal-progress.ts'
import type { GoalProgressQuery, GoalSetUpFragment } from '../generated/types.ts'
import { column, wide } from '../parts/columns.tsx'
import { type Column, ConnectionTable } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { countText, numberText, utcDateText, wholePercentText } from '../parts/formats.ts'
import { IconUsers } from '../parts/icons.ts'
import { Panel } from '../parts/panel.tsx'
import { RefusalNotice } from '../parts/refusal-notice.tsx'
import { UserLink } from '../parts/user-link.tsx'
import { windowKindOf } from '../streaks/streak-text.ts'
import { goalFunnelTexts as texts } from '../texts/streaks-texts.ts'

type Found = NonNullable<GoalProgressQuery['goal']>
type Funnel = NonNullable<Found['funnel']>
type Close = NonNullable<Found['closeUsers']>
type CloseUser = Close['users'][number]

const Step = (props: { label: string; count: Funnel['startedCount']; first: number }) => {
  const { label, count, first } = props
  const share = first === 0 ? 0 : count.value / first
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <Text size="sm">
          <Text span fw={600} inherit>
            {countText(count)}
          </Text>{' '}
          <Text span c="dimmed" inherit>
            {wholePercentText(share)}
          </Text>
        </Text>
      </Group>
      <Progress
        value={Math.min(1, share) * 100}
        size="lg"
        radius="sm"
        aria-label={texts.ofFirst(`${label}: ${wholePercentText(share)}`)}
      />
    </div>
  )
}

const FunnelSteps = ({ of }: { of: Funnel }) => {
  const { joinedCount, startedCount, completedCount } = of
  const first = joinedCount ?? startedCount
  if (first.value === 0) return <Text c="dimmed">{texts.nobody}</Text>
  return (
    <Stack gap="md">
      {joinedCount && <Step label={texts.joined} count={joinedCount} first={first.value} />}
      <Step label={texts.started} count={startedCount} first={first.value} />
      <Step label={texts.completed} count={completedCount} first={first.value} />
    </Stack>
  )
}

const rounded = (value: number) => Math.round(value * 1_000) / 1_000

/** What is missing of each task, on the way to the next time. */
const missingOf = ({ tasks }: CloseUser) =>
  tasks.flatMap(({ name, target, rate }) => {
    const missing = numberText(rounded(target * (1 - rate)))
    if (rate >= 1) return []
    return name ? texts.missingOf(missing, name) : texts.missingCount(missing)
  })

const columns: Column<CloseUser>[] = [
  column(texts.user, ({ user }) => <UserLink of={user} />),
  wide(
    column(texts.rate, ({ rate, user }) => (
      <Group gap="xs" wrap="nowrap" miw={160}>
        <Progress
          value={rate * 100}
          flex={1}
          size="md"
          radius="xl"
          aria-label={`${texts.rate}: ${user.displayName ?? user.externalId}`}
        />
        <Text size="xs" c="dimmed" w={40} ta="right">
          {wholePercentText(rate)}
        </Text>
      </Group>
    )),
  ),
  column(texts.missing, (item) =>
    missingOf(item).map((text) => (
      <Text key={text} size="sm">
        {text}
      </Text>
    )),
  ),
]

const CloseUsers = ({ of }: { of: Close }) => {
  const count = numberText(of.checkedUserCount)
  return (
    <>
      <ConnectionTable
        label={texts.close}
        of={{ nodes: of.users }}
        columns={columns}
        idOf={({ user }) => user.id}
        empty={<EmptyState icon={IconUsers} text={texts.nobodyClose} />}
      />
      {of.checkedUserCount > 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          {of.accuracy === 'EXACT' ? texts.checkedAll(count) : texts.checkedSome(count)}
        </Text>
      )}
    </>
  )
}

const hintOf = (windowStart: string | null, of: GoalSetUpFragment) =>
  windowStart === null
    ? texts.hintEver
    : texts.hints[windowKindOf(of.window)](utcDateText(windowStart))

/** How far the users of a goal get, and who lacks the least. It is asked apart, because it looks at many users. */
export const GoalFunnel = ({ of }: { of: GoalSetUpFragment }) => {
  const { data, error, refetch } = usePage(goalProgress, { id: of.id })
  if (error) return <RefusalNotice error={error} onRetry={refetch} />
  const found = data?.goal
  if (!found) return <Skeleton h={180} aria-busy />
  const { funnel, closeUsers } = found
  return (
    <>
      {funnel && (
        <Panel title={texts.title} hint={hintOf(funnel.windowStart, of)}>
          <FunnelSteps of={funnel} />
        </Panel>
      )}
      {closeUsers && of.status !== 'ENDED' && (
        <Panel title={texts.close} hint={texts.closeHint} isFramed={false}>
          <CloseUsers of={closeUsers} />
        </Panel>
      )}
    </>
  )
}
