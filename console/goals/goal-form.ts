/** The form values of a goal, and their conversion to the input of the API. */
import type { UseFormReturnType } from '@mantine/form'
import type {
  ConditionTest,
  CountFrom,
  Fact,
  FullGoalTaskFragment,
  GameType,
  GoalClaim,
  GoalJoinMode,
  GoalRepeat,
  GoalReversal,
  GoalSetUpFragment,
  GoalTaskInput,
  GoalWindow,
  MeasureOf,
  RecommendationType,
  RewardNameFragment,
  UpdateGoalInput,
} from '../generated/types.ts'
import { flagText, numberText, timeText } from '../parts/formats.ts'
import { type Choice, choiceOf } from '../parts/found-select.tsx'
import type { FormLines } from '../parts/use-versions.ts'
import {
  goalsTexts,
  goalOverviewTexts as overview,
  goalEditorTexts as texts,
  goalLabels as words,
} from '../texts/goals-texts.ts'
import { recommendationNames, recommendationTexts } from '../texts/recommendation-texts.ts'
import { streakEditorTexts as streakTexts } from '../texts/streaks-texts.ts'
import { measureText } from './goal-text.ts'
import {
  inputOfStreak,
  linesOfStreak,
  type StreakValues,
  streakFieldOf,
  valuesOfStreak,
} from './streak-form.ts'

export type ConditionRow = {
  id: string
  key: string
  test: ConditionTest
  values: string[]
  number: number | ''
}

export type TaskRow = {
  id: string
  name: string
  target: number | ''
  of: MeasureOf
  facts: Fact[]
  eventTypes: string[]
  campaign: Choice | null
  gameType: GameType | null
  attribute: string
  where: ConditionRow[]
}

export type RewardChoice = Choice & Pick<RewardNameFragment, 'uuid' | 'kind' | 'points'>

export type GoalValues = {
  name: string
  slug: string
  description: string
  imageUrl: string
  category: string
  position: number
  tasks: TaskRow[]
  joinMode: GoalJoinMode
  timeLimitHours: number | ''
  window: GoalWindow
  repeat: GoalRepeat
  maxCompletions: number | ''
  startsAt: string | null
  endsAt: string | null
  countFrom: CountFrom
  rewards: RewardChoice[]
  claim: GoalClaim
  claimDays: number | ''
  holdDays: number
  onReversal: GoalReversal
  segment: Choice | null
  requires: Choice[]
  isSecret: boolean
  recommendationType: RecommendationType | null
  streak: StreakValues
}

export type GoalForm = UseFormReturnType<GoalValues>

const newId = () => crypto.randomUUID()

export const newCondition = (): ConditionRow => ({
  id: newId(),
  key: '',
  test: 'IS',
  values: [],
  number: '',
})

export const newTask = (): TaskRow => ({
  id: newId(),
  name: '',
  target: 1,
  of: 'COUNT',
  facts: ['POINTS_AWARDED'],
  eventTypes: [],
  campaign: null,
  gameType: null,
  attribute: '',
  where: [],
})

const rowOfTask = ({ name, target, measure }: FullGoalTaskFragment): TaskRow => ({
  id: newId(),
  name: name ?? '',
  target,
  of: measure.of,
  facts: [...measure.facts],
  eventTypes: [...measure.eventTypes],
  campaign: measure.campaign && { value: measure.campaign.id, label: measure.campaign.name },
  gameType: measure.gameType,
  attribute: measure.attribute ?? '',
  where: measure.where.map(({ key, test, values, number }) => ({
    id: newId(),
    key,
    test,
    values: [...values],
    number: number ?? '',
  })),
})

export const choiceOfReward = (of: RewardNameFragment): RewardChoice => {
  const { uuid, kind, points } = of
  return { ...choiceOf(of), uuid, kind, points }
}

export const valuesOfGoal = (of: GoalSetUpFragment): GoalValues => ({
  name: of.name,
  slug: of.slug,
  description: of.description ?? '',
  imageUrl: of.imageUrl ?? '',
  category: of.category ?? '',
  position: of.position,
  tasks: of.tasks.map(rowOfTask),
  joinMode: of.joinMode,
  timeLimitHours: of.timeLimitHours ?? '',
  window: of.window,
  repeat: of.repeat,
  // The limit of another goal is not one of its owner.
  maxCompletions: of.repeat === 'UNLIMITED' ? (of.maxCompletions ?? '') : '',
  startsAt: of.startsAt,
  endsAt: of.endsAt,
  countFrom: of.countFrom,
  rewards: of.rewards.map(choiceOfReward),
  claim: of.claim,
  claimDays: of.claimDays ?? '',
  holdDays: of.holdDays,
  onReversal: of.onReversal,
  segment: of.segment && choiceOf(of.segment),
  requires: of.requires.map(choiceOf),
  isSecret: of.isSecret,
  recommendationType: of.recommendationType,
  streak: valuesOfStreak(of),
})

export const isOfNumber = (test: ConditionTest) => test === 'AT_LEAST' || test === 'LESS_THAN'

const takesValues = (test: ConditionTest) => !isOfNumber(test) && test !== 'EXISTS'

const orNull = <Value>(value: Value | ''): Value | null => (value === '' ? null : value)

/** A condition with only what its test compares with. */
const conditionOf = ({ key, test, values, number }: ConditionRow) => ({
  key,
  test,
  values: takesValues(test) ? values : [],
  number: isOfNumber(test) ? orNull(number) : null,
})

/** What a task of the form counts, in the shape of the API. */
export const measureOf = (task: TaskRow) => ({
  facts: task.facts,
  eventTypes: task.eventTypes,
  gameType: task.gameType,
  of: task.of,
  attribute: task.of === 'ATTRIBUTE' ? task.attribute : null,
  campaign: task.campaign && { id: task.campaign.value, name: task.campaign.label },
  where: task.where.map(conditionOf),
})

const inputOfTask = (task: TaskRow): GoalTaskInput => {
  const { campaign, ...measure } = measureOf(task)
  return {
    name: task.name || null,
    target: Number(task.target),
    measure: { ...measure, campaignId: campaign?.id ?? null },
  }
}

/** What cannot be changed once the goal has started. */
const planOf = (values: GoalValues) => {
  const isOptIn = values.joinMode === 'OPT_IN'
  return {
    slug: values.slug,
    tasks: values.tasks.map(inputOfTask),
    joinMode: values.joinMode,
    timeLimitHours: isOptIn ? orNull(values.timeLimitHours) : null,
    window: isOptIn ? ('JOIN' as const) : values.window,
    repeat: values.repeat,
    maxCompletions: values.repeat === 'UNLIMITED' ? orNull(values.maxCompletions) : null,
    startsAt: values.startsAt,
    countFrom: isOptIn ? ('NOW' as const) : values.countFrom,
    requires: values.requires.map(({ value }) => ({ id: value })),
    claim: values.claim,
    claimDays: values.claim === 'BY_USER' ? orNull(values.claimDays) : null,
    holdDays: values.holdDays,
    onReversal: values.onReversal,
    streak: inputOfStreak(values.streak, values.window),
  }
}

export const inputOfGoal = (
  { id, status }: Pick<GoalSetUpFragment, 'id' | 'status'>,
  expectedVersion: number,
  values: GoalValues,
): UpdateGoalInput => ({
  goal: { id },
  expectedVersion,
  name: values.name,
  description: orNull(values.description),
  imageUrl: orNull(values.imageUrl),
  category: orNull(values.category),
  position: values.position,
  endsAt: values.endsAt,
  segmentId: values.segment?.value ?? null,
  isSecret: values.isSecret,
  recommendationType: values.recommendationType,
  rewards: values.rewards.map(({ value }) => ({ id: value })),
  ...(status === 'DRAFT' && planOf(values)),
})

/** The field of the form that holds a field of the input. */
export const goalFieldOf = (path: string) =>
  path.startsWith('streak')
    ? streakFieldOf(path)
    : path.replace('.measure', '').replace('campaignId', 'campaign').replace('segmentId', 'segment')

const names = (choices: readonly Choice[]) => choices.map(({ label }) => label).join(', ')

const recommendationText = (type: RecommendationType | null) =>
  type ? recommendationNames[type] : ''

const momentText = (at: string | null) => (at ? timeText(at) : '')

export const linesOfGoal = (of: GoalValues): FormLines => [
  [goalsTexts.name, of.name],
  [goalsTexts.slug, of.slug],
  [texts.descriptionLabel, of.description],
  [texts.image, of.imageUrl],
  ...of.tasks.map(
    (task, n) =>
      [
        texts.task(n + 1),
        [task.name, measureText(Number(task.target), measureOf(task))].filter(Boolean).join(': '),
      ] as const,
  ),
  [texts.joinMode, words.joinModes[of.joinMode]],
  [texts.timeLimit, String(of.timeLimitHours)],
  [texts.window, words.windows[of.window]],
  [texts.repeat, words.repeats[of.repeat]],
  [texts.maxCompletions, String(of.maxCompletions)],
  [overview.starts, momentText(of.startsAt)],
  [overview.ends, momentText(of.endsAt)],
  [texts.countFrom, words.countFrom[of.countFrom]],
  [streakTexts.title, flagText(of.streak.isStreak)],
  ...linesOfStreak(of.streak),
  [texts.rewards, names(of.rewards)],
  [texts.claim, words.claims[of.claim]],
  [texts.claimDays, String(of.claimDays)],
  [texts.holdDays, numberText(of.holdDays)],
  [texts.reversal, words.reversals[of.onReversal]],
  [texts.segment, of.segment?.label ?? ''],
  [texts.requires, names(of.requires)],
  [texts.isSecret, flagText(of.isSecret)],
  [recommendationTexts.label, recommendationText(of.recommendationType)],
  [texts.category, of.category],
  [texts.position, String(of.position)],
]
