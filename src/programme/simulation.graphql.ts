import { z } from 'zod'
import { Fact } from '../generated/prisma/enums.ts'
import { nodeId } from '../kit/node-id.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { enumType } from '../kit/schema/input.ts'
import { query } from '../kit/schema/query.ts'
import type { UserId } from '../kit/user-id.ts'
import { integer, jsonObject, maxPoints, moment, oneOf, reference } from '../kit/validation.ts'
import { findUserBy, UserBy } from '../users/end-user.ts'
import { GoalRef } from './goal.graphql.ts'
import { findGoal, findGoals } from './goal.ts'
import { GoalBy, usualOfGoal } from './goal-input.ts'
import { GoalStatusRef } from './goal-words.graphql.ts'
import type { MadeUpEntry } from './simulation.sql.ts'
import {
  type GoalCondition,
  type Preview,
  previewGoal,
  type Simulation,
  simulate,
} from './simulation.ts'

const SimulatedFact = z
  .object({
    fact: oneOf('Fact', Fact).describe('The kind of fact that is simulated.'),
    eventType: reference().describe('Its event type.'),
    points: integer(0, maxPoints).nullish().describe('Points that it earned. Defaults to 0.'),
    campaignId: nodeId('Campaign').nullish().describe('The campaign that it belongs to.'),
    metadata: jsonObject()
      .nullish()
      .describe('Its metadata. That of a play has a `gameType`: `{"gameType":"NEON_WHEEL"}`.'),
  })
  .meta({ graphql: 'SimulatedFactInput' })
  .describe('A fact that did not happen.')

const SimulatedTaskRef = builder.objectRef<Simulation['tasks'][number]>('SimulatedTask').implement({
  description: 'What a fact would count for a task.',
  fields: (t) => ({
    name: t.exposeString('name', { nullable: true, description: 'What users read about it.' }),
    amount: t.exposeFloat('amount', {
      nullable: true,
      description: 'What it would add; null if it does not match the measure.',
    }),
    windowStart: t.exposeString('windowStart', {
      nullable: true,
      description:
        'The first date of the window in which it would count; null if it would not: it was before the goal counts, after its end, or too late, or the user has not joined.',
    }),
  }),
})

const ConditionKindRef = enumType<GoalCondition['kind']>(
  'GoalConditionKind',
  'What a goal requires beside its numbers.',
  {
    STATUS:
      'It has started, is not paused, and ends later than the fact. A draft counts as started.',
    COUNTED: 'All users have been counted: `isCounting` is false.',
    JOINED: 'The user takes part. Only of a goal with opt-in.',
    SEGMENT: 'The user is in its segment, as far as that is proven if it has rewards.',
    REQUIRED_GOAL: 'The user has completed a goal that it requires.',
    MAX_COMPLETIONS: 'The user has completed it fewer times than is possible.',
  },
)

/** The part of a condition of one kind; undefined for the others. */
const of = <K extends GoalCondition['kind']>(condition: GoalCondition, kind: K) =>
  condition.kind === kind ? (condition as Extract<GoalCondition, { kind: K }>) : undefined

export const GoalConditionRef = builder.objectRef<GoalCondition>('GoalCondition').implement({
  description: 'A condition of a goal, what there is of it, and whether it is met.',
  fields: (t) => ({
    kind: t.expose('kind', { type: ConditionKindRef, description: 'What the condition requires.' }),
    isMet: t.exposeBoolean('isMet', {
      description: 'Whether the goal can be completed, as far as this goes.',
    }),
    status: t.field({
      type: GoalStatusRef,
      nullable: true,
      description: 'How far the goal is; null unless this is STATUS.',
      resolve: (item) => of(item, 'STATUS')?.status,
    }),
    joinedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the user joined it last; null if they did not, and unless this is JOINED.',
      resolve: (item) => of(item, 'JOINED')?.joinedAt,
    }),
    goal: t.field({
      type: GoalRef,
      nullable: true,
      description: 'The required goal; null unless this is REQUIRED_GOAL.',
      resolve: async (item, _, ctx) => {
        const id = of(item, 'REQUIRED_GOAL')?.goalId
        return id === undefined ? null : ((await load(ctx, findGoals, id)) as never)
      },
    }),
    completionCount: t.int({
      nullable: true,
      description:
        'How often the user has completed it in the window of the fact, or at all if that is possible only once. Null unless this is MAX_COMPLETIONS.',
      resolve: (item) => of(item, 'MAX_COMPLETIONS')?.completionCount,
    }),
    maxCompletions: t.int({
      nullable: true,
      description: 'The most completions; null unless this is MAX_COMPLETIONS.',
      resolve: (item) => of(item, 'MAX_COMPLETIONS')?.maxCompletions,
    }),
  }),
})

const SimulationRef = builder.objectRef<Simulation>('GoalSimulation').implement({
  description: 'What a fact of a user would do to a goal.',
  fields: (t) => ({
    asIfActive: t.exposeBoolean('asIfActive', {
      description: 'Whether the goal is a draft and was looked at as if it was started.',
    }),
    tasks: t.expose('tasks', {
      type: [SimulatedTaskRef],
      description: 'What it would count for each task.',
      complexity: { multiplier: usualOfGoal },
    }),
    conditions: t.expose('conditions', {
      type: [GoalConditionRef],
      description:
        'What else is required, as it is now. Numbers count also while a condition is not met, but nothing is completed.',
      complexity: { multiplier: usualOfGoal },
    }),
  }),
})

/** The line of the timeline that a fact would be. A play that cost points is a play, whatever it won. */
const entryOf = (
  { fact, eventType, points, campaignId, metadata }: z.output<typeof SimulatedFact>,
  userId: UserId,
  at: Date,
  now: Date,
): MadeUpEntry => {
  const earned = points ?? 0
  const isOfCaller = fact === 'ACTIVITY'
  return {
    user_id: userId,
    fact,
    event_type: eventType,
    category: campaignId == null ? 'CUSTOM' : 'CAMPAIGN',
    source_id: campaignId ?? null,
    points: fact === 'GAME_WON' ? earned - 1 : earned,
    earned: isOfCaller ? null : earned,
    metadata: metadata ?? null,
    occurred_at: at,
    recorded_at: now,
  }
}

query([GoalRef, 'simulatedFact'], {
  description:
    'What a fact of a user would count for each task, and each condition on the user with its verdict, without writing anything; null if there is no such user. A draft is looked at as if it started now.',
  key: 'secret',
  args: z.object({
    user: UserBy.describe('The user, by id or external id.'),
    fact: SimulatedFact.describe('The fact whose effect is computed.'),
    at: moment().nullish().describe('When it happened. Defaults to now.'),
  }),
  type: SimulationRef,
  nullable: true,
  resolve: async ({ user: by, fact, at: given }, ctx, caller, goal) => {
    const user = await findUserBy(ctx, caller, by)
    if (!user) return null
    const now = ctx.clock()
    const userId = user.id as UserId
    const at = given ?? now
    // One moment for all: a draft is looked at as if it started when the fact happens.
    return simulate({ ...ctx, clock: () => now }, goal, userId, entryOf(fact, userId, at, now), at)
  },
})

export const PreviewAccuracyRef = enumType(
  'PreviewAccuracy',
  'Whether a preview has looked at all users.',
  {
    EXACT: 'It has looked at all.',
    AT_LEAST: 'It has looked at the 10,000 who were seen last, or for five seconds.',
  },
)

const GoalPreviewRef = builder.objectRef<Preview>('GoalPreview').implement({
  description: 'What a goal would have done.',
  fields: (t) => ({
    checkedUserCount: t.exposeInt('checked', { description: 'Users that were looked at.' }),
    userCount: t.exposeInt('users', { description: 'Users who would have completed it.' }),
    completionCount: t.exposeInt('completions', { description: 'How often, in all.' }),
    accuracy: t.field({
      type: PreviewAccuracyRef,
      description: 'Whether these are all users.',
      resolve: ({ isComplete }) => (isComplete ? 'EXACT' : 'AT_LEAST'),
    }),
  }),
})

const dayMs = 86_400_000

query('previewGoal', {
  description:
    'How many users would have completed a goal if it had started earlier. Conditions on users are looked at as they are now. Nothing is written.',
  key: 'secret',
  args: z.object({
    by: GoalBy,
    since: moment().nullish().describe('When it would have started. Defaults to 30 days ago.'),
  }),
  type: GoalPreviewRef,
  nullable: true,
  complexity: 500,
  resolve: async ({ by, since }, ctx, caller) => {
    const goal = await findGoal(ctx, caller, by)
    return goal && previewGoal(ctx, goal, since ?? new Date(ctx.clock().getTime() - 30 * dayMs))
  },
})
