import { List, Text } from '@mantine/core'
import { PageLink } from '../client/link.tsx'
import type { GoalSetUpFragment } from '../generated/types.ts'
import { Facts } from '../parts/facts.tsx'
import { numberText, timeText } from '../parts/formats.ts'
import { goalOverviewTexts as texts, goalLabels as words } from '../texts/goals-texts.ts'
import { recommendationNames, recommendationTexts } from '../texts/recommendation-texts.ts'
import { repeatText, taskText } from './goal-text.ts'

/** What users do, task by task. */
export const GoalTasks = ({ of }: { of: Pick<GoalSetUpFragment, 'tasks'> }) => (
  <List spacing={6} size="sm">
    {of.tasks.map((task, n) => (
      <List.Item key={n}>
        {taskText(task)}
        {task.name && (
          <Text size="xs" c="dimmed">
            {task.name}
          </Text>
        )}
      </List.Item>
    ))}
  </List>
)

const factsOfTime = (of: GoalSetUpFragment) =>
  [
    [texts.counted, words.windows[of.window]],
    [texts.repeats, repeatText(of)],
    [texts.who, words.joinModes[of.joinMode]],
    [texts.timeLimit, of.timeLimitHours && words.hours(numberText(of.timeLimitHours))],
    [texts.countsFrom, of.joinMode === 'AUTO' && words.countFrom[of.countFrom]],
    [texts.started, of.startedAt && timeText(of.startedAt)],
    [texts.starts, !of.startedAt && of.startsAt && timeText(of.startsAt)],
  ] as const

const factsOfRewards = (of: GoalSetUpFragment) =>
  of.rewards.length === 0
    ? []
    : ([
        [texts.claim, words.claims[of.claim]],
        [texts.claimWithin, of.claimDays && words.days(numberText(of.claimDays))],
        [texts.hold, of.holdDays > 0 && words.days(numberText(of.holdDays))],
        [texts.reversal, words.reversals[of.onReversal]],
      ] as const)

const requiredGoals = ({ requires }: GoalSetUpFragment) =>
  [
    texts.requires,
    requires.length > 0 &&
      requires.map(({ id, name }) => (
        <PageLink key={id} page="goals" id={id} size="sm" display="block">
          {name}
        </PageLink>
      )),
  ] as const

/** What cannot be changed once a goal has started. */
export const FixedFacts = ({ of }: { of: GoalSetUpFragment }) => (
  <Facts
    of={[...factsOfTime(of), ...factsOfRewards(of), requiredGoals(of), [texts.slug, of.slug]]}
  />
)

/** How a goal works, beside its tasks. */
export const GoalFacts = ({ of }: { of: GoalSetUpFragment }) => (
  <Facts
    of={[
      ...factsOfTime(of),
      [texts.ends, of.endsAt ? timeText(of.endsAt) : texts.noEnd],
      ...factsOfRewards(of),
      [
        texts.segment,
        of.segment && (
          <PageLink page="segments" id={of.segment.id} size="sm">
            {of.segment.name}
          </PageLink>
        ),
      ],
      requiredGoals(of),
      [texts.secret, of.isSecret && texts.secretHint],
      [
        recommendationTexts.label,
        of.recommendationType && recommendationNames[of.recommendationType],
      ],
      [texts.category, of.category],
      [texts.slug, of.slug],
    ]}
  />
)
