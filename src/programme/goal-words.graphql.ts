/** The enums of goals, and the types of their tasks. */
import type { GoalTask } from '../generated/prisma/client.ts'
import type {
  CountFrom,
  GoalClaim,
  GoalJoinMode,
  GoalRepeat,
  GoalReversal,
  GoalStatus,
  GoalWindow,
  MeasureOf,
} from '../generated/prisma/enums.ts'
import { builder } from '../kit/schema/builder.ts'
import { enumType } from '../kit/schema/input.ts'
import { FactRef } from '../users/fact.graphql.ts'
import { conditionTests, usualOfGoal } from './goal-input.ts'

export const GoalStatusRef = enumType<GoalStatus>('GoalStatus', 'How far a goal is.', {
  DRAFT: 'It is being prepared.',
  ACTIVE: 'Users complete it, from `startedAt` on.',
  PAUSED: 'Nobody joins or completes it. Counting goes on.',
  ENDED: 'What happens now does not count. Reversals of what happened before do.',
})

export const GoalWindowRef = enumType<GoalWindow>(
  'GoalWindow',
  'The dates that are counted together, in the time zone of the user.',
  {
    EVER: 'All dates, as one window.',
    DAY: 'Each date by itself.',
    WEEK: 'Each week, from Monday.',
    MONTH: 'Each month of the calendar.',
    JOIN: 'The time from joining on. Always with OPT_IN.',
  },
)

export const GoalRepeatRef = enumType<GoalRepeat>(
  'GoalRepeat',
  'How often a user can complete a goal.',
  {
    ONCE: 'Once, in whatever window.',
    EACH_WINDOW: 'Once in each window.',
    UNLIMITED: 'At each multiple of the targets, up to `maxCompletions` in a window.',
  },
)

export const GoalJoinModeRef = enumType<GoalJoinMode>('GoalJoinMode', 'How users take part.', {
  AUTO: 'Users take part without joining.',
  OPT_IN: 'By `joinGoal`. What happened before does not count.',
})

export const GoalClaimRef = enumType<GoalClaim>('GoalClaim', 'How users get rewards.', {
  AUTO: 'Users get them without claiming them.',
  BY_USER: 'Users get them when they claim them.',
})

export const GoalReversalRef = enumType<GoalReversal>(
  'GoalReversal',
  'What becomes of rewards when a reversal takes back what completed a goal.',
  {
    REVOKE: 'The rewards of the completion are revoked.',
    KEEP: 'The user keeps them. Completing it again gives nothing.',
  },
)

export const CountFromRef = enumType<CountFrom>('CountFrom', 'The first facts that count.', {
  NOW: 'Those from the start on.',
  START_OF_WINDOW: 'Those of the window in which it starts.',
  EVER: 'All, also those before the start.',
})

const MeasureOfRef = enumType<MeasureOf>('MeasureOf', 'What a measure adds up.', {
  COUNT: 'The number of facts.',
  POINTS: 'The points that they earned.',
  ATTRIBUTE:
    'A number in their metadata, from 0 to a billion, rounded to three decimals. Others count nothing.',
  DAYS: 'The different dates on which they happened.',
})

const ConditionTestRef = enumType('ConditionTest', 'What must be true of a value.', {
  [conditionTests.IS]: 'It is this text, number or boolean.',
  [conditionTests.IS_NOT]: 'It is not, or there is none.',
  [conditionTests.ONE_OF]: 'It is one of these.',
  [conditionTests.AT_LEAST]: 'It is a number, and not less.',
  [conditionTests.LESS_THAN]: 'It is a number, and less.',
  [conditionTests.EXISTS]: 'There is one, and it is not null.',
})

type Condition = {
  key: string
  test: keyof typeof conditionTests
  values?: string[]
  number?: number
}

const FactConditionRef = builder.objectRef<Condition>('FactCondition').implement({
  description: 'A condition on the metadata of a fact.',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'A key of the metadata.' }),
    test: t.expose('test', { type: ConditionTestRef, description: 'What must be true of it.' }),
    values: t.stringList({
      description: 'What it is compared with; empty for AT_LEAST, LESS_THAN and EXISTS.',
      resolve: ({ values }) => values ?? [],
    }),
    number: t.float({
      nullable: true,
      description: 'For AT_LEAST and LESS_THAN.',
      resolve: ({ number }) => number ?? null,
    }),
  }),
})

/** The campaign and the game of a measure are fields of their own domains. */
export const MeasureRef = builder.objectRef<GoalTask>('Measure').implement({
  description: 'Which facts count, and what of them.',
  fields: (t) => ({
    facts: t.expose('facts', { type: [FactRef], description: 'The kinds of facts that count.' }),
    eventTypes: t.exposeStringList('eventTypes', {
      description: 'Only these event types; all if empty.',
    }),
    where: t.field({
      type: [FactConditionRef],
      complexity: { multiplier: usualOfGoal },
      description: 'Conditions on the metadata of the fact, all of which must hold.',
      resolve: ({ conditions }) => conditions as Condition[],
    }),
    of: t.expose('of', { type: MeasureOfRef, description: 'What is added up.' }),
    attribute: t.exposeString('attribute', {
      nullable: true,
      description:
        'The key of the metadata whose number is added up; null unless `of` is ATTRIBUTE.',
    }),
  }),
})

export const GoalTaskRef = builder.objectRef<GoalTask>('GoalTask').implement({
  description: 'A number to reach.',
  fields: (t) => ({
    name: t.exposeString('name', { nullable: true, description: 'What users read about it.' }),
    target: t.float({
      description: 'The number to reach.',
      resolve: ({ target }) => Number(target),
    }),
    measure: t.field({
      type: MeasureRef,
      description: 'What counts for it.',
      resolve: (task) => task,
    }),
  }),
})
