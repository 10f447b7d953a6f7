/** How far the users of a goal are, as a whole: its funnel, and who is close. */
import { z } from 'zod'
import { builder } from '../kit/schema/builder.ts'
import { CountRef } from '../kit/schema/connection.ts'
import { load } from '../kit/schema/edge.ts'
import { query } from '../kit/schema/query.ts'
import { tenantOf } from '../kit/tenant.ts'
import { integer } from '../kit/validation.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import { userOf } from '../users/end-user.ts'
import { GoalRef } from './goal.graphql.ts'
import {
  type CloseUsers,
  findCloseUsers,
  findFunnels,
  type GoalFunnel,
  maxCloseUsers,
} from './goal-funnel.ts'
import { usualOfGoal } from './goal-input.ts'
import { PreviewAccuracyRef } from './simulation.graphql.ts'
import { UserGoalTaskRef } from './user-goal.graphql.ts'

const GoalFunnelRef = builder.objectRef<GoalFunnel>('GoalFunnel').implement({
  description:
    'How many users have joined a goal, begun it, and completed it. Each count stops at 10,000.',
  fields: (t) => ({
    windowStart: t.exposeString('windowStart', {
      nullable: true,
      description:
        'The first date of the window that is counted: the present one in your time zone, or the last one before the end. Null for a goal of EVER or JOIN, of which all time is counted.',
    }),
    joinedCount: t.expose('joined', {
      type: CountRef,
      nullable: true,
      description: 'Users who have joined it, ever; null unless it is OPT_IN.',
    }),
    startedCount: t.expose('started', {
      type: CountRef,
      description: 'Users of whom something counts for a task, and those who have completed it.',
    }),
    completedCount: t.expose('completed', {
      type: CountRef,
      description: 'Users who have completed it at least once.',
    }),
  }),
})

query([GoalRef, 'funnel'], {
  description: 'How many users have joined it, begun it, and completed it.',
  key: 'secret',
  complexity: 50,
  type: GoalFunnelRef,
  resolve: (_, ctx, _caller, { id }) => load(ctx, findFunnels, id),
})

type CloseUser = CloseUsers['users'][number] & ReturnType<typeof tenantOf>

const CloseUserRef = builder.objectRef<CloseUser>('CloseUser').implement({
  description: 'A user who has not completed a goal yet, and how far they are.',
  fields: (t) => ({
    user: t.field({
      type: UserRef,
      description: 'The user who has not completed it.',
      resolve: (row, _, ctx) => userOf(ctx, row),
    }),
    rate: t.exposeFloat('rate', {
      description: 'The mean of the rates of the tasks, from 0 to 1.',
    }),
    windowStart: t.exposeString('windowStart', {
      description:
        'The first date of the present window, in the time zone of the user; 1970-01-01 for EVER.',
    }),
    tasks: t.expose('tasks', {
      type: [UserGoalTaskRef],
      description: 'The numbers to reach.',
      complexity: { multiplier: usualOfGoal },
    }),
  }),
})

const CloseUsersRef = builder
  .objectRef<Omit<CloseUsers, 'users'> & { users: CloseUser[] }>('CloseUsers')
  .implement({
    description: 'The users who lack the least to complete a goal.',
    fields: (t) => ({
      users: t.expose('users', {
        type: [CloseUserRef],
        description: 'The users, the closest first.',
        complexity: { multiplier: maxCloseUsers },
      }),
      checkedUserCount: t.exposeInt('checked', { description: 'Users that were looked at.' }),
      accuracy: t.field({
        type: PreviewAccuracyRef,
        description: 'Whether these are all users of yours, or those who were seen last.',
        resolve: ({ isComplete }) => (isComplete ? 'EXACT' : 'AT_LEAST'),
      }),
    }),
  })

query([GoalRef, 'closeUsers'], {
  description:
    'The users who have begun it in the present window and lack the least to complete it, the closest first, among the 10,000 who were seen last. Those who are not eligible are left out. Empty unless the goal is under way.',
  key: 'secret',
  args: z.object({
    first: integer(1, maxCloseUsers).describe(`How many, at most ${maxCloseUsers}.`),
  }),
  type: CloseUsersRef,
  complexity: 300,
  resolve: async ({ first }, ctx, _caller, goal) => {
    const { users, ...found } = await load(ctx, findCloseUsers, goal.id)
    return {
      ...found,
      users: users.slice(0, first).map((user) => ({ ...user, ...tenantOf(goal) })),
    }
  },
})
