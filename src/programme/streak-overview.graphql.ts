/** All streaks of a goal: how long they are, and which were lost. */
import { z } from 'zod'
import type { Streak } from '../generated/prisma/client.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import type { Work } from '../kit/runtime.ts'
import { builder } from '../kit/schema/builder.ts'
import { CountRef, type Source } from '../kit/schema/connection.ts'
import { load } from '../kit/schema/edge.ts'
import { isEmpty } from '../kit/schema/filters.ts'
import { list } from '../kit/schema/list.ts'
import { batched, findRowParts, type PartOf } from '../kit/schema/parts.ts'
import { query } from '../kit/schema/query.ts'
import { rows } from '../kit/schema/rows.ts'
import type { UserId } from '../kit/user-id.ts'
import { integer } from '../kit/validation.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import { userOf } from '../users/end-user.ts'
import { GoalRef } from './goal.graphql.ts'
import { findGoals } from './goal.ts'
import { StreakRef } from './streak.graphql.ts'
import type { UserStreak } from './streak.ts'
import {
  findNamedStreaks,
  findStreakLengths,
  isPausedToday,
  lostLengthOf,
  restorableUntilOf,
  type StreakLengths,
} from './streak-overview.ts'

builder.objectFields(StreakRef, (t) => ({
  user: t.field({
    type: UserRef,
    description: 'The user whose streak it is.',
    resolve: ({ tenant, userId }, _, ctx) => userOf(ctx, { ...tenant, userId }),
  }),
  isPaused: t.boolean({
    description: 'Whether you paused it: nothing has to be met today.',
    resolve: isPausedToday,
  }),
  lostLength: t.int({
    nullable: true,
    description:
      'Met windows of the run that was broken; null if it is not broken, or broke more than 70 windows ago.',
    resolve: lostLengthOf,
  }),
  restorableUntil: t.string({
    nullable: true,
    description:
      'The last date on which it can be restored, in the time zone of the user; null if it is not broken, or it is too late.',
    resolve: restorableUntilOf,
  }),
}))

const StreakLengthsRef = builder.objectRef<StreakLengths>('StreakLengths').implement({
  description: 'How many users have a streak of a length.',
  fields: (t) => ({
    from: t.exposeInt('from', { description: 'The smallest length that is counted here.' }),
    to: t.exposeInt('to', {
      nullable: true,
      description: 'The largest length; null for no limit.',
    }),
    userCount: t.expose('users', {
      type: CountRef,
      description: 'Users with a streak of such a length, at most 10,000 of them counted.',
    }),
  }),
})

query([GoalRef, 'streakLengths'], {
  description: 'How many users have streaks of which lengths; null for a goal that is no streak.',
  key: 'secret',
  complexity: 20,
  type: [StreakLengthsRef],
  nullable: true,
  resolve: async (_, ctx, _caller, { id }) =>
    (await load(ctx, findGoals, id))?.streak ? load(ctx, findStreakLengths, id) : null,
})

const StreakFilter = z
  .object({
    lengthFrom: integer(0, 1_000_000).nullish().describe('Only those of this length or longer.'),
    lengthTo: integer(0, 1_000_000).nullish().describe('Only those of this length or shorter.'),
    brokenOn: z.iso
      .date('must be a date, such as 2026-01-31')
      .refine((date) => date >= '1970-01-01', 'must be a date after 1969')
      .nullish()
      .describe(
        'Only those that a window broke, by its first date in the time zone of the user. A streak that has begun again since is not among them.',
      ),
  })
  .describe('Filters the streaks of a goal.')

const findStreaksOfGoals = (work: Work, requested: PartOf[]) =>
  findRowParts(
    work,
    { model: 'Streak', parent: 'goal_id', by: { length: 'int', user_id: 'uuid' } },
    requested,
  )

/** A streak as it is now, with the row that has its place in the list. */
type ListedStreak = UserStreak & { row: Streak }

list([GoalRef, 'streaks'], {
  description:
    'The streaks of its users, the longest first, also broken ones, whose length is 0. Empty for a goal that is no streak.',
  key: 'secret',
  of: StreakRef,
  filter: StreakFilter,
  orders: { LENGTH: { by: ['length', 'userId'], description: 'By the number of met windows.' } },
  order: ['LENGTH', 'DESC'],
  from: ({ parent: goal, filter: { lengthFrom, lengthTo, brokenOn }, order, ctx }) => {
    const length = {
      ...(lengthFrom != null && { gte: lengthFrom }),
      ...(lengthTo != null && { lte: lengthTo }),
    }
    const chosen = {
      ...(!isEmpty(length) && { length }),
      ...(brokenOn != null && { brokenOn: new Date(brokenOn) }),
    }
    const source = rows(ofTenant(ctx.db, goal).streak, {
      where: { goalId: goal.id, ...chosen },
      // All that are broken have the same length.
      order: brokenOn == null ? order : order.slice(1),
      counting: 'AT_LEAST',
    })
    const found = isEmpty(chosen)
      ? batched(source, { parentId: goal.id, order }, (part) => load(ctx, findStreaksOfGoals, part))
      : source
    return {
      ...found,
      placeOf: ({ row }: ListedStreak) => found.placeOf(row),
      fetch: async (part) => {
        const items = await found.fetch(part)
        const streaks = await Promise.all(
          items.map(({ goalId, userId }) =>
            load(ctx, findNamedStreaks, { goalId, userId: userId as UserId }),
          ),
        )
        return streaks.flatMap((streak, n): ListedStreak[] =>
          streak && items[n] ? [{ ...streak, row: items[n] }] : [],
        )
      },
    } satisfies Source<ListedStreak>
  },
})
