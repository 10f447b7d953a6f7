import { z } from 'zod'
import type { Context } from '../kit/access/context.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { enumType } from '../kit/schema/input.ts'
import { list } from '../kit/schema/list.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { registeredPayload } from '../kit/schema/payload.ts'
import { isTrusted } from '../kit/schema/personal.ts'
import { wholeList } from '../kit/schema/rows.ts'
import { tenantOf } from '../kit/tenant.ts'
import type { UserId } from '../kit/user-id.ts'
import { oneOf, text } from '../kit/validation.ts'
// Its mutation registers the payload of an award.
import '../points/points.graphql.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import { externalIdOf } from '../users/end-user.ts'
import { requireUserToken } from '../users/named-user.ts'
import { GoalRef, isVisible } from './goal.graphql.ts'
import { type FullGoal, findGoals } from './goal.ts'
import { usualOfGoal } from './goal-input.ts'
import { type GoalState, goalStates, type NextAction } from './goal-state.rules.ts'
import { findUserGoals, JoinGoal, joinGoal, type UserGoal } from './user-goal.ts'

const GoalStateRef = enumType<GoalState>('GoalState', 'What a goal is to a user.', {
  LOCKED: 'It has not started, or the user does not meet its conditions.',
  AVAILABLE: 'The user has not begun, or not joined.',
  IN_PROGRESS: 'Something counts already, or the user has joined.',
  COMPLETED: 'It is completed in the present window, as often as it can be.',
  MISSED: 'Its range or the goal has ended, and it was not completed.',
})

const NextActionRef = enumType<NextAction>('GoalAction', 'What the user can do next.', {
  NONE: 'What the goal counts, or nothing.',
  JOIN: 'Take part, with `joinGoal`.',
  CLAIM: 'Claim a reward: `claimGrant`.',
  WAIT: 'Wait: for its start, its next window, or to meet its conditions.',
})

export const UserGoalTaskRef = builder
  .objectRef<UserGoal['tasks'][number]>('UserGoalTask')
  .implement({
    description: 'How far a user is with a task, in the present window.',
    fields: (t) => ({
      name: t.exposeString('name', { nullable: true, description: 'What users read about it.' }),
      value: t.exposeFloat('value', { description: 'What the user has reached.' }),
      target: t.exposeFloat('target', { description: 'The number to reach.' }),
      rate: t.exposeFloat('rate', {
        description:
          'From 0 to 1; of a goal that can be completed again, the way to the next time.',
      }),
    }),
  })

/** The options of a field with the goal of a parent. */
const shownGoal = (description: string) => ({
  type: GoalRef,
  description,
  resolve: ({ goal }: { goal: FullGoal }) => goal,
})

const RequiredGoalRef = builder
  .objectRef<{ goal: FullGoal; isMet: boolean }>('RequiredGoal')
  .implement({
    description: 'A goal that must be completed first.',
    fields: (t) => ({
      goal: t.field(shownGoal('The goal to complete first.')),
      isMet: t.exposeBoolean('isMet', { description: 'Whether the user has completed it.' }),
    }),
  })

export const UserGoalRef = builder.objectRef<UserGoal>('UserGoal').implement({
  description: 'How far a user is with a goal.',
  fields: (t) => ({
    goal: t.field(shownGoal('The goal that the user is to reach.')),
    state: t.expose('state', { type: GoalStateRef, description: 'What it is to the user.' }),
    nextAction: t.expose('nextAction', {
      type: NextActionRef,
      description: 'What the user can do next.',
    }),
    tasks: t.expose('tasks', {
      type: [UserGoalTaskRef],
      description: 'The numbers to reach.',
      complexity: { multiplier: usualOfGoal },
    }),
    windowStart: t.exposeString('windowStart', {
      nullable: true,
      description:
        'The first date of the present window, in the time zone of the user; 1970-01-01 for EVER. Null for a goal that the user has not joined.',
    }),
    joinedAt: t.expose('joinedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the user joined it last; null if they did not.',
    }),
    endsAt: t.expose('endsAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When the present window, the range of the user or the goal ends; null for never.',
    }),
    nextWindowAt: t.expose('nextWindowAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the next window begins; null if none follows.',
    }),
    completionCount: t.exposeInt('completionCount', {
      description: 'How often the user has completed it, in all windows.',
    }),
    isInSegment: t.exposeBoolean('isInSegment', {
      nullable: true,
      description:
        'Whether the user is in the segment that it is for, as far as that is proven if it has rewards. Null if it is for all.',
    }),
    requires: t.field({
      type: [RequiredGoalRef],
      description: 'The goals that it requires, in order. A public key sees those that it may.',
      complexity: { multiplier: usualOfGoal },
      resolve: async ({ required }, _, ctx) => {
        const goals = await Promise.all(required.map(({ goalId }) => load(ctx, findGoals, goalId)))
        return required.flatMap(({ isMet }, n) => {
          const goal = goals[n]
          return goal && isVisible(goal, ctx) ? [{ goal, isMet }] : []
        })
      },
    }),
    isCounting: t.boolean({
      description: 'Whether users are still being counted, so that the numbers can be too small.',
      resolve: ({ goal }) => goal.isCounting,
    }),
  }),
})

const UserGoalFilter = z
  .object({
    states: z
      .array(oneOf('GoalState', goalStates))
      .nullish()
      .describe('Only goals in these states.'),
    categories: z
      .array(text(100))
      .max(100, 'must be at most 100 categories')
      .nullish()
      .describe('Only goals of these categories, at most 100.'),
  })
  .meta({ graphql: 'UserGoalFilter' })
  .describe('Filters the goals of a user.')

/** Whether a caller may see a goal of a user: one that is secret only once it is completed. */
const isShown = ({ goal, completionCount }: UserGoal, ctx: Pick<Context, 'callers'>) =>
  !goal.isSecret || completionCount > 0 || isTrusted(ctx)

const readUserGoals = async (
  work: Parameters<typeof findUserGoals>[0],
  userIds: UserId[],
): Promise<UserGoal[][]> =>
  findUserGoals(
    work,
    userIds.map((userId) => ({ userId })),
  )

/** The goals of a user that the caller may see, by their position. */
export const findShownGoals = async (ctx: Context, userId: UserId): Promise<UserGoal[]> =>
  (await load(ctx, readUserGoals, userId)).filter((item) => isShown(item, ctx))

const goalsOf = async (
  ctx: Context,
  userId: UserId,
  { states, categories }: z.output<typeof UserGoalFilter> = {},
) => {
  const goals = await findShownGoals(ctx, userId)
  const shown = goals.filter(
    (goal) =>
      (!states || states.includes(goal.state)) &&
      (!categories || (goal.goal.category !== null && categories.includes(goal.goal.category))),
  )
  return wholeList(shown, ({ goal }) => [goal.position, goal.id])
}

list([UserRef, 'goals'], {
  description:
    'The goals that have started, by their position, and those that ended in the last 30 days. A goal that is secret is left out for public keys until it is completed.',
  key: 'public',
  of: UserGoalRef,
  filter: UserGoalFilter,
  from: ({ parent: user, filter, ctx }) => goalsOf(ctx, user.id as UserId, filter),
})

list([registeredPayload('AwardPointsPayload'), 'goals'], {
  description:
    'The goals of the user with the award, by their position. What it completes, and the rewards, follow within milliseconds.',
  of: UserGoalRef,
  from: ({ parent, ctx }) => {
    const { ledgerEntry } = parent as { ledgerEntry: { userId: string } }
    return goalsOf(ctx, ledgerEntry.userId as UserId)
  },
})

mutation('joinGoal', {
  description:
    'Has a user take part in a goal with opt-in, from now on. A public key needs a token of the user, whatever its application says. Emits `goal.joined`.',
  key: 'public',
  right: 'PLAY',
  isAudited: false,
  input: JoinGoal,
  payload: { userGoal: UserGoalRef, user: UserRef },
  errors: [
    'USER_NOT_FOUND',
    'GOAL_NOT_FOUND',
    'USER_BLOCKED',
    'GOAL_JOINED',
    'GOAL_NOT_OPEN',
    'GOAL_NOT_ACTIVE',
  ],
  resolve: async ({ user, goal }, ctx, caller) => {
    const externalId = await externalIdOf(ctx, caller, user)
    requireUserToken(ctx, externalId)
    return joinGoal(ctx, { ...tenantOf(caller), externalId, goal })
  },
})
