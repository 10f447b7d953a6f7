import { Group, Text } from '@mantine/core'
import { PageButton, PageLink } from '../client/link.tsx'
import type { UserQuery } from '../generated/types.ts'
import { column, menuColumn, wide } from '../parts/columns.tsx'
import { type Column, ConnectionTable } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { numberText, utcDateText } from '../parts/formats.ts'
import { IconFlame, IconSnowflake } from '../parts/icons.ts'
import { Status } from '../parts/status.tsx'
import { RelativeTime } from '../parts/when.tsx'
import { StreakActions } from '../streaks/streak-actions.tsx'
import { lengthText, stateText, windowKindOf } from '../streaks/streak-text.ts'
import { StreakWindows } from '../streaks/streak-windows.tsx'
import { userStreaksTexts as texts } from '../texts/streaks-texts.ts'
import { usersTexts } from '../texts/users-texts.ts'

type Streaks = NonNullable<NonNullable<UserQuery['user']>['streaks']>
type Streak = Streaks['nodes'][number]

/** When a streak broke, and until when it can go on. */
const breakOf = ({ brokenOn, lostLength, restorableUntil, goal }: Streak) =>
  brokenOn === null
    ? []
    : [
        texts.brokenOn(utcDateText(brokenOn)),
        ...(lostLength === null ? [] : [texts.lost(lengthText(lostLength, goal.window))]),
        restorableUntil === null
          ? texts.notRestorable
          : texts.restorable(utcDateText(restorableUntil)),
      ]

const columnsFor = (userId: string): Column<Streak>[] => [
  column(texts.goal, ({ goal }) => (
    <PageLink page="goals" id={goal.id} size="sm" fw={600}>
      {goal.name}
    </PageLink>
  )),
  column(texts.state, (streak) => (
    <>
      <Status of={streak.state ?? 'NOT_BEGUN'} label={stateText(streak)} />
      {breakOf(streak).map((text) => (
        <Text key={text} size="xs" c="dimmed" mt={2} maw={220}>
          {text}
        </Text>
      ))}
    </>
  )),
  column(texts.length, ({ length, longest, goal }) => (
    <>
      <Text fw={600} size="sm" style={{ whiteSpace: 'nowrap' }}>
        {lengthText(length, goal.window)}
      </Text>
      <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        {texts.longest(lengthText(longest, goal.window))}
      </Text>
    </>
  )),
  wide(
    column(texts.history, ({ history, goal }) =>
      history?.length ? <StreakWindows of={history} kind={windowKindOf(goal.window)} /> : null,
    ),
  ),
  column(texts.deadline, ({ deadline }) =>
    deadline ? <RelativeTime at={deadline} /> : texts.noDeadline,
  ),
  column(texts.freezes, ({ freezes }) => (
    <Group gap={4} wrap="nowrap" display="inline-flex" style={{ verticalAlign: 'middle' }}>
      <IconSnowflake size={16} aria-hidden />
      {numberText(freezes)}
    </Group>
  )),
  menuColumn(
    ({ goal }) => goal.name,
    (streak) => <StreakActions userId={userId} of={streak} />,
  ),
]

/** The streaks of a user, and what can be done to them. */
export const UserStreaks = ({ userId, of }: { userId: string; of: Streaks }) => (
  <ConnectionTable
    label={usersTexts.tabs.streaks}
    of={of}
    columns={columnsFor(userId)}
    idOf={({ goal }) => goal.id}
    empty={
      <EmptyState
        icon={IconFlame}
        text={texts.none}
        action={<PageButton page="goals">{texts.toGoals}</PageButton>}
      />
    }
  />
)
