import { Badge, Group, List, Paper, Stack, Text } from '@mantine/core'
import type { GoalSetUpFragment, SimulateFactQuery } from '../generated/types.ts'
import { Facts } from '../parts/facts.tsx'
import { humanized, numberText, timeText, utcDateText } from '../parts/formats.ts'
import { IconCircleCheck, IconCircleX } from '../parts/icons.ts'
import { Panel } from '../parts/panel.tsx'
import { Status } from '../parts/status.tsx'
import { UserLink } from '../parts/user-link.tsx'
import { factSimulationTexts as texts } from '../texts/goals-texts.ts'
import { everStart, taskText } from './goal-text.ts'
import { type Condition, conditionsOf, type SimulatedEvent } from './simulated-event.ts'

type Found = NonNullable<SimulateFactQuery['user']>
type Simulation = NonNullable<NonNullable<SimulateFactQuery['goal']>['simulatedFact']>
type Simulated = Simulation['tasks'][number]
type OnUser = Simulation['conditions'][number]
type Task = GoalSetUpFragment['tasks'][number]

const doesCount = ({ amount, windowStart }: Simulated) => Boolean(amount) && windowStart !== null

const verdictOf = (of: Simulated, task: Task) => {
  if (!doesCount(of)) return texts.countsNot
  return task.measure.of === 'DAYS' ? texts.countsDay : texts.counts(numberText(of.amount ?? 0))
}

const reasonOf = ({ amount, windowStart }: Simulated, conditions: readonly Condition[]) => {
  if (amount === null && conditions.some(({ isMet }) => !isMet)) return texts.notMatching
  if (!amount) return texts.nothingToAdd
  if (windowStart === null) return texts.outside
  return windowStart === everStart ? texts.inAll : texts.inWindow(utcDateText(windowStart))
}

/** One condition: what it is about, and what there is of it. */
const ConditionLine = (props: { name: string; text: string; isMet: boolean }) => {
  const { name, text, isMet } = props
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
      <Text size="sm">{text}</Text>
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
        {conditions.map((condition) => (
          <ConditionLine
            key={condition.name + condition.needed}
            name={condition.name}
            text={condition.isMet ? condition.is : texts.differs(condition.needed, condition.is)}
            isMet={condition.isMet}
          />
        ))}
      </List>
    </Paper>
  )
}

/** What a condition beside the tasks is about, and what there is of it. */
const onUserText = (of: OnUser): [name: string, text: string] => {
  const words = texts.onUser
  const { goal, segment, joinedAt, status, completionCount, maxCompletions } = of
  if (of.kind === 'STATUS')
    return [words.status, status === 'DRAFT' ? words.asIfStarted : humanized(status ?? '')]
  if (of.kind === 'COUNTED') return [words.counted, of.isMet ? words.allCounted : words.counting]
  if (of.kind === 'JOINED') return [words.joined, joinedAt ? timeText(joinedAt) : words.notJoined]
  if (of.kind === 'SEGMENT')
    return [words.segment(segment?.name ?? ''), of.isMet ? words.isIn : words.isOut]
  if (of.kind === 'REQUIRED_GOAL')
    return [words.requires(goal?.name ?? ''), of.isMet ? words.done : words.notDone]
  const [count, most] = [numberText(completionCount ?? 0), numberText(maxCompletions ?? 0)]
  return [words.completions, words.ofCompletions(count, most)]
}

/** The conditions beside the tasks, which are looked at when the goal is decided. */
const OnUserConditions = ({ of }: { of: readonly OnUser[] }) => (
  <Paper withBorder p="sm">
    <Group justify="space-between" gap="xs" mb="xs">
      <Text size="sm" fw={600}>
        {texts.onUser.title}
      </Text>
      <Badge color={of.every(({ isMet }) => isMet) ? 'green' : 'gray'}>
        {of.every(({ isMet }) => isMet) ? texts.onUser.may : texts.onUser.mayNot}
      </Badge>
    </Group>
    <List aria-label={texts.onUser.title} spacing="xs" size="sm" pl={0}>
      {of.map((item) => {
        const [name, text] = onUserText(item)
        return <ConditionLine key={item.kind + name} name={name} text={text} isMet={item.isMet} />
      })}
    </List>
  </Paper>
)

/** What the goal is to the user today. */
const Today = ({ of, goal }: { of: Found; goal: GoalSetUpFragment }) => {
  const state = of.goals.nodes.find((node) => node.goal.id === goal.id)
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
  of: Simulation
  event: SimulatedEvent
}) => {
  const { goal, user, of, event } = props
  return (
    <Panel title={texts.result} {...(of.asIfActive && { hint: texts.asIfActive })}>
      <Stack gap="md" role="status">
        {of.tasks.map((simulated, n) => (
          <SimulatedTask key={n} of={simulated} task={goal.tasks[n] as Task} event={event} />
        ))}
        <OnUserConditions of={of.conditions} />
        <Today of={user} goal={goal} />
      </Stack>
    </Panel>
  )
}
