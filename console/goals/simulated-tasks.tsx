import { Badge, Group, List, Paper, Stack, Text } from '@mantine/core'
import type { GoalSetUpFragment, SimulateFactQuery } from '../generated/types.ts'
import { Facts } from '../parts/facts.tsx'
import { numberText, utcDateText } from '../parts/formats.ts'
import { IconCircleCheck, IconCircleX } from '../parts/icons.ts'
import { Panel } from '../parts/panel.tsx'
import { Status } from '../parts/status.tsx'
import { UserLink } from '../parts/user-link.tsx'
import { factSimulationTexts as texts } from '../texts/goals-texts.ts'
import { taskText } from './goal-text.ts'
import { type Condition, conditionsOf, type SimulatedEvent } from './simulated-event.ts'

type Found = NonNullable<SimulateFactQuery['user']>
type Simulated = NonNullable<
  NonNullable<SimulateFactQuery['goal']>['simulatedFact']
>['tasks'][number]
type Task = GoalSetUpFragment['tasks'][number]

/** The first date of the window that has all dates. */
const ever = '1970-01-01'

const doesCount = ({ amount, windowStart }: Simulated) => Boolean(amount) && windowStart !== null

const verdictOf = (of: Simulated, task: Task) => {
  if (!doesCount(of)) return texts.countsNot
  return task.measure.of === 'DAYS' ? texts.countsDay : texts.counts(numberText(of.amount ?? 0))
}

const reasonOf = ({ amount, windowStart }: Simulated, conditions: readonly Condition[]) => {
  if (amount === null && conditions.some(({ isMet }) => !isMet)) return texts.notMatching
  if (!amount) return texts.nothingToAdd
  if (windowStart === null) return texts.outside
  return windowStart === ever ? texts.inAll : texts.inWindow(utcDateText(windowStart))
}

/** One condition: what the task asks for, and what the event has. */
const ConditionLine = ({ of: { name, needed, is, isMet } }: { of: Condition }) => {
  const Sign = isMet ? IconCircleCheck : IconCircleX
  return (
    <List.Item
      icon={
        <Text component="span" c={isMet ? 'teal' : 'red'} display="block" lh={0}>
          <Sign size={20} role="img" aria-label={isMet ? texts.met : texts.notMet} />
        </Text>
      }
    >
      <Text size="sm" fw={600}>
        {name}
      </Text>
      <Text size="sm">{isMet ? is : texts.differs(needed, is)}</Text>
    </List.Item>
  )
}

const SimulatedTask = (props: { of: Simulated; task: Task; event: SimulatedEvent }) => {
  const { of, task, event } = props
  const conditions = conditionsOf(task.measure, event)
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="sm" fw={600}>
          {taskText(task)}
        </Text>
        <Badge color={doesCount(of) ? 'green' : 'gray'}>{verdictOf(of, task)}</Badge>
      </Group>
      <Text size="sm" c="dimmed" mb="xs">
        {reasonOf(of, conditions)}
      </Text>
      <List aria-label={texts.conditions} spacing="xs" size="sm" pl={0}>
        {conditions.map((one) => (
          <ConditionLine key={one.name + one.needed} of={one} />
        ))}
      </List>
    </Paper>
  )
}

/** What the goal is to the user today. */
const Today = ({ of, goal }: { of: Found; goal: GoalSetUpFragment }) => {
  const state = of.goals.nodes.find((one) => one.goal.id === goal.id)
  return (
    <Facts
      of={[
        [texts.user, <UserLink key="user" of={of} />],
        [texts.state, state ? <Status of={state.state} /> : texts.notStarted],
        ...(state?.tasks ?? []).map(
          ({ value, target }, n) =>
            [
              taskText(goal.tasks[n] as Task),
              texts.now(numberText(value), numberText(target)),
            ] as const,
        ),
      ]}
    />
  )
}

/** What a simulated event would count, task by task, with each condition. */
export const SimulatedTasks = (props: {
  goal: GoalSetUpFragment
  user: Found
  of: readonly Simulated[]
  event: SimulatedEvent
}) => {
  const { goal, user, of, event } = props
  return (
    <Panel title={texts.result}>
      <Stack gap="md" role="status">
        {of.map((simulated, n) => (
          <SimulatedTask key={n} of={simulated} task={goal.tasks[n] as Task} event={event} />
        ))}
        <Today of={user} goal={goal} />
      </Stack>
    </Panel>
  )
}
