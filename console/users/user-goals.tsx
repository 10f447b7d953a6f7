import { Group, Progress, Stack, Text } from '@mantine/core'
import { PageButton, PageLink } from '../client/link.tsx'
import type { UserQuery } from '../generated/types.ts'
import { column, wide } from '../parts/columns.tsx'
import { type Column, ConnectionTable } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { numberText, timeText } from '../parts/formats.ts'
import { IconFlag } from '../parts/icons.ts'
import { Status } from '../parts/status.tsx'
import { usersTexts as texts } from '../texts/users-texts.ts'

type Goals = NonNullable<NonNullable<UserQuery['user']>['goals']>
type UserGoal = Goals['nodes'][number]

/** Of a goal that can be completed again, the way to the next time. */
const reachedOf = ({ rate, target }: UserGoal['tasks'][number]) =>
  Math.round(rate * target * 1_000) / 1_000

const Task = ({ of, label }: { of: UserGoal['tasks'][number]; label: string }) => (
  <div>
    <Group justify="space-between" gap="xs" wrap="nowrap">
      {of.name && (
        <Text size="xs" c="dimmed">
          {of.name}
        </Text>
      )}
      <Text size="xs" style={{ whiteSpace: 'nowrap' }}>
        {texts.ofTarget(numberText(reachedOf(of)), numberText(of.target))}
      </Text>
    </Group>
    <Progress value={of.rate * 100} size="md" radius="xl" aria-label={label} />
  </div>
)

const GoalProgress = ({ of }: { of: UserGoal }) => (
  <Stack gap={6} miw={180}>
    {of.tasks.map((task, n) => (
      <Task key={n} of={task} label={task.name ?? of.goal.name} />
    ))}
    {of.isCounting && (
      <Text size="xs" c="dimmed">
        {texts.stillCounting}
      </Text>
    )}
  </Stack>
)

const nextStepOf = ({ state, nextAction }: UserGoal) => {
  if (nextAction !== 'NONE') return texts.nextSteps[nextAction]
  return state === 'AVAILABLE' || state === 'IN_PROGRESS' ? texts.nextSteps.NONE : texts.goalDone
}

/** When it ends, or when the user can complete it again. */
const timeOf = ({ state, endsAt, nextWindowAt }: UserGoal) => {
  if (state === 'COMPLETED' && nextWindowAt) return texts.againAt(timeText(nextWindowAt))
  return endsAt ? texts.until(timeText(endsAt)) : null
}

/** Why the user cannot complete it, as far as the user has something to do with it. */
const locksOf = ({ state, isInSegment, requires }: UserGoal) =>
  state === 'LOCKED'
    ? [
        isInSegment === false && texts.notInSegment,
        ...requires.map(({ goal, isMet }) => !isMet && texts.firstGoal(goal.name)),
      ].filter((text) => text !== false)
    : []

const columns: Column<UserGoal>[] = [
  column(texts.goal, ({ goal }) => (
    <PageLink page="goals" id={goal.id} size="sm" fw={600}>
      {goal.name}
    </PageLink>
  )),
  column(texts.status, (item) => (
    <>
      <Status of={item.state} />
      {locksOf(item).map((text) => (
        <Text key={text} size="xs" c="dimmed" mt={2} maw={220}>
          {text}
        </Text>
      ))}
    </>
  )),
  wide(column(texts.progress, (item) => <GoalProgress of={item} />)),
  column(texts.nextStep, (item) => {
    const time = timeOf(item)
    return (
      <>
        {nextStepOf(item)}
        {time && (
          <Text size="xs" c="dimmed">
            {time}
          </Text>
        )}
      </>
    )
  }),
  column(texts.completions, ({ completionCount }) =>
    completionCount === 0 ? texts.never : texts.times(numberText(completionCount)),
  ),
]

/** The goals that have started, and how far the user is with each. */
export const UserGoals = ({ of }: { of: Goals }) => (
  <ConnectionTable
    label={texts.tabs.goals}
    of={of}
    columns={columns}
    idOf={({ goal }) => goal.id}
    empty={
      <EmptyState
        icon={IconFlag}
        text={texts.noGoals}
        action={<PageButton page="goals">{texts.toGoals}</PageButton>}
      />
    }
  />
)
