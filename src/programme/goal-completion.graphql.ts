/** Completions of goals, and their grants. */
import { z } from 'zod'
import { requireCaller } from '../kit/access/context.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import type { Work } from '../kit/runtime.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { isEmpty, isSet, Period, within } from '../kit/schema/filters.ts'
import { list } from '../kit/schema/list.ts'
import { batched, findRowParts, type PartOf } from '../kit/schema/parts.ts'
import { query } from '../kit/schema/query.ts'
import { rows } from '../kit/schema/rows.ts'
import { tenantOf } from '../kit/tenant.ts'
import { knownUserOf, UserRef } from '../users/end-user.graphql.ts'
import { rowsOfUser, UserBy } from '../users/end-user.ts'
import { whereOfNamed } from '../users/named-user.ts'
import { GoalRef } from './goal.graphql.ts'
import { findGoals } from './goal.ts'
import { usualOfGoal } from './goal-input.ts'
import { GrantRef } from './grant.graphql.ts'
import { findGrantsOfRounds } from './grant.ts'
import { findCompletions } from './user-goal.ts'

export const GoalCompletionRef = builder.prismaNode('GoalCompletion', {
  description: 'A user has completed a goal.',
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, ctx) => ({ id, ...whereOfNamed(requireCaller(ctx, 'public')) }),
  fields: (t) => ({
    user: t.field({
      type: UserRef,
      description: 'The user who has completed it.',
      resolve: (completion, _, ctx, info) => knownUserOf(ctx, completion, info),
    }),
    goal: t.field({
      type: GoalRef,
      description: 'The goal that was completed.',
      resolve: async ({ goalId }, _, ctx) => (await load(ctx, findGoals, goalId)) as never,
    }),
    windowStart: t.string({
      description:
        'The first date of the window, in the time zone of the user; 1970-01-01 for EVER.',
      resolve: ({ windowStart }) => windowStart.toISOString().slice(0, 10),
    }),
    number: t.exposeInt('k', { description: '1, 2, 3, … in its window.' }),
    round: t.exposeInt('round', {
      description: '1, and one more each time it was completed again after a reversal.',
    }),
    completedAt: t.expose('completedAt', {
      type: 'DateTime',
      description: 'When it was completed, in the present round.',
    }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When a reversal took it back; null if it counts.',
    }),
  }),
})

query([GoalCompletionRef, 'grants'], {
  description:
    'What it gave in its present round, in the order of the rewards. `Query.grants` has those of earlier rounds, too.',
  key: 'secret',
  type: [GrantRef],
  complexity: () => ({ field: 1, multiplier: usualOfGoal }),
  resolve: (_, ctx, _caller, completion) => {
    const { id, round } = completion
    return load(ctx, findGrantsOfRounds, { ...tenantOf(completion), completionId: id, round })
  },
})

builder.objectField(GrantRef, 'goalCompletion', (t) =>
  t.field({
    type: GoalCompletionRef,
    nullable: true,
    description: 'What the user had completed; null unless the source is GOAL.',
    resolve: async ({ sourceKind, sourceId }, _, ctx) =>
      sourceKind === 'GOAL' ? ((await load(ctx, findCompletions, sourceId)) as never) : null,
  }),
)

const orders = { CREATED_AT: { by: ['id'], description: 'By time of creation.' } } as const

const completions = { model: 'GoalCompletion', by: { id: 'uuid' } } as const

const findCompletionsOfUsers = (work: Work, requested: PartOf[]) =>
  findRowParts(work, { ...completions, parent: 'user_id' }, requested)

const findCompletionsOfGoals = (work: Work, requested: PartOf[]) =>
  findRowParts(work, { ...completions, parent: 'goal_id' }, requested)

list([UserRef, 'goalCompletions'], {
  description: 'What this user has completed, newest first, also what was revoked.',
  key: 'public',
  of: GoalCompletionRef,
  orders,
  order: ['CREATED_AT', 'DESC'],
  from: ({ parent: user, order, ctx }) =>
    batched(
      rows(ofTenant(ctx.db, user).goalCompletion, { where: { userId: user.id }, order }),
      { parentId: user.id, order },
      (part) => load(ctx, findCompletionsOfUsers, part),
    ),
})

const GoalCompletionFilter = z
  .object({
    user: UserBy.nullish().describe(
      'Only completions of this user. None if there is no such user.',
    ),
    isRevoked: z
      .boolean('must be a boolean')
      .nullish()
      .describe('Only those that a reversal took back, or only those that count.'),
    completedAt: Period.nullish().describe(
      'Only those completed in this period, in their present round.',
    ),
  })
  .describe('Filters the completions of a goal.')

list([GoalRef, 'completions'], {
  description: 'Its completions by users, newest first, also those that were revoked.',
  key: 'secret',
  of: GoalCompletionRef,
  filter: GoalCompletionFilter,
  orders,
  order: ['CREATED_AT', 'DESC'],
  from: async ({ parent: goal, filter: { user, isRevoked, completedAt }, order, ctx }) => {
    const chosen = {
      ...(await rowsOfUser(ctx, goal, user)),
      ...isSet({ revokedAt: isRevoked }),
      ...within({ completedAt }),
    }
    const source = rows(ofTenant(ctx.db, goal).goalCompletion, {
      where: { goalId: goal.id, ...chosen },
      order,
      counting: 'AT_LEAST',
    })
    if (!isEmpty(chosen)) return source
    return batched(source, { parentId: goal.id, order }, (part) =>
      load(ctx, findCompletionsOfGoals, part),
    )
  },
})
