/** The inputs of goals, and what fits together in them. */
import { z } from 'zod'
import {
  CountFrom,
  Fact,
  GameType,
  GoalClaim,
  GoalJoinMode,
  GoalRepeat,
  GoalReversal,
  GoalWindow,
  MeasureOf,
  RecommendationType,
} from '../generated/prisma/enums.ts'
import { nodeId, oneKey } from '../kit/node-id.ts'
import {
  flag,
  httpsUrl,
  integer,
  moment,
  oneOf,
  reference,
  text,
  title,
} from '../kit/validation.ts'
import { RewardBy } from './reward.ts'
import { GoalStreak } from './streak-input.ts'

/** The format of a slug. */
const goalSlugFormat = /^[a-z\d]+(-[a-z\d]+)*$/

const slug = () =>
  text(64)
    .regex(
      goalSlugFormat,
      'must be lower-case letters and digits in words joined by single hyphens',
    )
    .describe('What you call it. Unique, also among goals that have ended.')

export const GoalBy = oneKey({
  id: nodeId('Goal').describe('The global id or the UUID.'),
  slug: text(64).describe('The slug.'),
})
  .meta({ graphql: 'GoalBy' })
  .describe('Exactly one key of a goal.')

export type GoalBy = z.output<typeof GoalBy>

/** The most tasks, rewards and required goals of a goal, and conditions of a task. */
const maxOfGoal = 8

/** How many of them goals usually have, for the cost of a request. */
export const usualOfGoal = 3

/** A number with at most three decimals. */
const amount = (min: number, max: number) =>
  z
    .number({ error: (issue) => (issue.input == null ? 'is required' : 'must be a number') })
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`)
    .refine(
      (value) => Math.abs(value * 1000 - Math.round(value * 1000)) < 1e-6,
      'must have at most three decimals',
    )
    .meta({ graphql: 'Float' })

export const conditionTests = {
  IS: 'IS',
  IS_NOT: 'IS_NOT',
  ONE_OF: 'ONE_OF',
  AT_LEAST: 'AT_LEAST',
  LESS_THAN: 'LESS_THAN',
  EXISTS: 'EXISTS',
} as const

const valueCount = { IS: [1, 1], IS_NOT: [1, 1], ONE_OF: [1, 50] } as const

const Condition = z
  .object({
    key: text(100).describe('A key of the metadata of the fact.'),
    test: oneOf('ConditionTest', conditionTests).describe('What must be true of its value.'),
    values: z
      .array(text(255))
      .nullish()
      .describe(
        'What it is compared with, as JSON writes it: one for IS and IS_NOT, 1 to 50 for ONE_OF.',
      ),
    number: z
      .number('must be a number')
      .meta({ graphql: 'Float' })
      .nullish()
      .describe('For AT_LEAST and LESS_THAN.'),
  })
  .superRefine(({ test, values, number }, ctx) => {
    const refuse = (path: string, message: string) =>
      ctx.addIssue({ code: 'custom', path: [path], message })
    const [least, most] = valueCount[test as keyof typeof valueCount] ?? [0, 0]
    const count = values?.length ?? 0
    if (count < least) refuse('values', 'is required')
    else if (count > most) refuse('values', `must be at most ${most} values`)
    const isOfNumber = test === 'AT_LEAST' || test === 'LESS_THAN'
    if (isOfNumber !== (number != null))
      refuse('number', isOfNumber ? 'is required' : `must not be given for ${test}`)
  })
  .meta({ graphql: 'FactConditionInput' })
  .describe('A condition on the metadata of a fact.')

const Measure = z
  .object({
    facts: z
      .array(oneOf('Fact', Fact))
      .min(1, 'is required')
      .max(9, 'must be at most 9 facts')
      .describe('The kinds of facts that count.'),
    eventTypes: z
      .array(reference())
      .max(20, 'must be at most 20 event types')
      .nullish()
      .describe('Only these event types, at most 20. All by default.'),
    campaignId: nodeId('Campaign').nullish().describe('Only facts of this campaign.'),
    gameType: oneOf('GameType', GameType).nullish().describe('Only plays of this game.'),
    where: z
      .array(Condition)
      .max(maxOfGoal, `must be at most ${maxOfGoal} conditions`)
      .nullish()
      .describe('At most 8 conditions on the metadata of the fact, all of which must hold.'),
    of: oneOf('MeasureOf', MeasureOf).nullish().describe('What is added up. Defaults to COUNT.'),
    attribute: text(100)
      .nullish()
      .describe('The key of the metadata whose number is added up. For ATTRIBUTE only.'),
  })
  .superRefine(({ of, attribute }, ctx) => {
    const isOfAttribute = of === 'ATTRIBUTE'
    if (isOfAttribute === (attribute != null)) return
    const message = isOfAttribute ? 'is required' : 'must not be given unless of is ATTRIBUTE'
    ctx.addIssue({ code: 'custom', path: ['attribute'], message })
  })
  .meta({ graphql: 'MeasureInput' })
  .describe('Which facts count, and what of them.')

const Task = z
  .object({
    name: title(100).nullish().describe('What users read about it.'),
    target: amount(0.001, 1_000_000_000).describe(
      'The number to reach, with up to three decimals.',
    ),
    measure: Measure,
  })
  .meta({ graphql: 'GoalTaskInput' })
  .describe('A number to reach.')

export type NewTask = z.output<typeof Task>

const tasks = () =>
  z
    .array(Task)
    .min(1, 'is required')
    .max(maxOfGoal, `must be at most ${maxOfGoal} tasks`)
    .describe('One to eight tasks.')

/** What can change at any time. */
const texts = {
  description: text(2000).nullish().describe('What users read about it.'),
  imageUrl: httpsUrl().nullish().describe('URL of a picture, https.'),
  category: text(100).nullish().describe('For your own use.'),
  position: integer(-1_000_000, 1_000_000)
    .nullish()
    .describe('Goals are shown in this order. Defaults to 0.'),
  endsAt: moment().nullish().describe('What happens from then on does not count. Null for never.'),
  segmentId: nodeId('Segment')
    .nullish()
    .describe('Only users who are in this segment when it is decided. Null for all.'),
  recommendationType: oneOf('RecommendationType', RecommendationType)
    .nullish()
    .describe('The recommendation of users that leads to it. Null for none.'),
  isSecret: flag().nullish().describe('Whether it is shown only to users who have completed it.'),
  rewards: z
    .array(RewardBy)
    .max(maxOfGoal, `must be at most ${maxOfGoal} rewards`)
    .nullish()
    .describe('What later completions give, at most 8 rewards.'),
}

/** What cannot change once it has started. */
const plan = {
  startsAt: moment().nullish().describe('When it is to start. Null for when it is started.'),
  window: oneOf('GoalWindow', GoalWindow)
    .nullish()
    .describe('The dates that are counted together. Required, except with OPT_IN.'),
  maxCompletions: integer(1, 1_000_000)
    .nullish()
    .describe('The most completions in a window. Only with UNLIMITED.'),
  joinMode: oneOf('GoalJoinMode', GoalJoinMode)
    .nullish()
    .describe('How users take part. Defaults to AUTO.'),
  timeLimitHours: integer(1, 8760)
    .nullish()
    .describe('Hours from joining within which it is to be completed. Only with OPT_IN.'),
  requires: z
    .array(GoalBy)
    .max(maxOfGoal, `must be at most ${maxOfGoal} goals`)
    .nullish()
    .describe('Goals that a user must have completed, at most 8.'),
  claim: oneOf('GoalClaim', GoalClaim)
    .nullish()
    .describe('How users get rewards. Defaults to AUTO.'),
  claimDays: integer(1, 365)
    .nullish()
    .describe('Days within which a reward is to be claimed. Only with BY_USER.'),
  holdDays: integer(0, 365).nullish().describe('Days for which rewards are held. Defaults to 0.'),
  onReversal: oneOf('GoalReversal', GoalReversal)
    .nullish()
    .describe(
      'What becomes of rewards when a reversal takes back what completed it. Defaults to REVOKE.',
    ),
  countFrom: oneOf('CountFrom', CountFrom)
    .nullish()
    .describe('The first facts that count. Defaults to NOW.'),
  streak: GoalStreak.nullish().describe(
    'Makes it a streak. Only with a window DAY, WEEK or MONTH that repeats.',
  ),
}

/** What a goal needs from the beginning. */
const core = {
  slug: slug(),
  name: title(100).describe('The name that users read.'),
  tasks: tasks(),
  repeat: oneOf('GoalRepeat', GoalRepeat).describe('How often a user can complete it.'),
}

type Plan = {
  window?: GoalWindow | null | undefined
  joinMode?: GoalJoinMode | null | undefined
  repeat: GoalRepeat
  maxCompletions?: number | null | undefined
  timeLimitHours?: number | null | undefined
  claim?: GoalClaim | null | undefined
  claimDays?: number | null | undefined
  startsAt?: Date | null | undefined
  endsAt?: Date | null | undefined
  streak?: { weekdays?: readonly unknown[] | null | undefined } | null | undefined
}

/** What does not fit together: the field, and what is wrong with it. */
export const faultsOfPlan = (goal: Plan): [field: string, message: string][] => {
  const isOptIn = goal.joinMode === 'OPT_IN'
  const hasWindows = goal.window === 'DAY' || goal.window === 'WEEK' || goal.window === 'MONTH'
  const isOfDays = goal.window === 'DAY'
  const faults: [string, string | false | null | undefined][] = [
    ['window', !isOptIn && goal.window == null && 'is required'],
    ['window', !isOptIn && goal.window === 'JOIN' && 'must not be JOIN unless joinMode is OPT_IN'],
    [
      'window',
      isOptIn && goal.window != null && goal.window !== 'JOIN' && 'must not be given with OPT_IN',
    ],
    [
      'timeLimitHours',
      !isOptIn && goal.timeLimitHours != null && 'must not be given unless joinMode is OPT_IN',
    ],
    [
      'maxCompletions',
      goal.repeat !== 'UNLIMITED' &&
        goal.maxCompletions != null &&
        'must not be given unless repeat is UNLIMITED',
    ],
    [
      'claimDays',
      goal.claim !== 'BY_USER' &&
        goal.claimDays != null &&
        'must not be given unless claim is BY_USER',
    ],
    [
      'streak',
      goal.streak && !hasWindows && 'must not be given unless window is DAY, WEEK or MONTH',
    ],
    ['streak', goal.streak && goal.repeat === 'ONCE' && 'must not be given with ONCE'],
    [
      'streak',
      (goal.streak?.weekdays ?? []).length > 0 &&
        !isOfDays &&
        'must not have weekdays unless window is DAY',
    ],
    [
      'endsAt',
      goal.startsAt && goal.endsAt && goal.endsAt <= goal.startsAt && 'must be after the start',
    ],
  ]
  return faults.flatMap(([field, message]) => (message ? [[field, message]] : []))
}

export const CreateGoal = z
  .object({ ...core, ...texts, ...plan })
  .superRefine((goal, ctx) => {
    for (const [field, message] of faultsOfPlan(goal))
      ctx.addIssue({ code: 'custom', path: [field], message })
  })
  .describe('A goal, as a draft.')

/** The same fields for a patch, which leaves unchanged what it omits: their texts name no default. */
const withoutDefaults = <S extends Record<string, z.ZodType>>(shape: S): S =>
  Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [
      name,
      field.describe((field.description ?? '').split('Defaults to ')[0]?.trim() ?? ''),
    ]),
  ) as S

export const UpdateGoal = z
  .object({
    goal: GoalBy.describe('The goal, by id or slug.'),
    slug: slug().nullish(),
    name: title(100).nullish().describe('The name that users read.'),
    tasks: tasks().nullish(),
    repeat: oneOf('GoalRepeat', GoalRepeat).nullish().describe('How often a user can complete it.'),
    ...withoutDefaults(texts),
    ...withoutDefaults(plan),
  })
  .describe(
    'Changes to a goal. Omitted fields are unchanged; null clears one that has no default. Once it has started, only texts, picture, category, position, end, segment, secrecy and rewards can change.',
  )

/** The fields of an update that a started goal refuses. */
export const frozenFields = ['slug', 'tasks', 'repeat', ...Object.keys(plan)] as const

export const NamedGoal = z
  .object({ goal: GoalBy.describe('The goal, by id or slug.') })
  .describe('The goal that the mutation changes.')

export const CloneGoal = z
  .object({
    goal: GoalBy.describe('The goal to copy.'),
    slug: slug(),
    name: title(100).nullish().describe('What users read. Defaults to that of the other goal.'),
  })
  .describe('A copy of a goal, as a draft.')
