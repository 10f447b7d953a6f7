/** Statements that compute deadlines of streaks again. `streak-deadlines.trigger.sql` says of which goals. */
import { Prisma } from '../generated/prisma/client.ts'
import {
  type ItemsOf,
  inputRows,
  lockStatement,
  returns,
  returnsNothing,
  statement,
} from '../kit/database/statement.ts'
import type { UserId } from '../kit/user-id.ts'

/**
 * Notes for goals which transactions may have computed deadlines from what was there before: those before the next one. Call
 * it in a transaction that began after the change had committed. A barrier beyond the present is of another database, from a
 * backup, and is replaced.
 */
export const setDeadlineBarriers = statement(
  'set_deadline_barriers',
  returnsNothing,
  () => Prisma.sql`
    UPDATE goal_streak SET due_barrier = pg_snapshot_xmax(pg_current_snapshot())::text::bigint
    WHERE goal_id IN (SELECT goal_id FROM goal_streak WHERE due_after_user_id IS NOT NULL AND (due_barrier IS NULL
        OR due_barrier > pg_snapshot_xmax(pg_current_snapshot())::text::bigint)
      ORDER BY goal_id FOR NO KEY UPDATE SKIP LOCKED)`,
)

/** The goals whose deadlines can be computed: every transaction that was open at the barrier has ended. */
export const findGoalsWithDeadlines = statement(
  'find_goals_with_deadlines',
  returns({ goalId: 'uuid' }),
  () => Prisma.sql`
    SELECT goal_id AS "goalId" FROM goal_streak WHERE due_after_user_id IS NOT NULL
      AND due_barrier <= pg_snapshot_xmin(pg_current_snapshot())::text::bigint
    ORDER BY goal_id`,
)

/** Locks a goal that still has deadlines to compute, for the next users. No row if it has none, or if it is locked. */
export const lockGoalWithDeadlines = lockStatement(
  'lock_goal_with_deadlines',
  returns({ after: 'uuid?' }),
  (goalId: string) => Prisma.sql`
    SELECT due_after_user_id AS after FROM goal_streak
    WHERE goal_id = ${goalId}::uuid AND due_after_user_id IS NOT NULL AND due_barrier IS NOT NULL
    FOR NO KEY UPDATE SKIP LOCKED`,
)

/** The next users of a goal who have a run. */
export const findUsersWithRuns = statement(
  'find_users_with_runs',
  returns({ userId: 'uuid' }),
  (goalId: string, after: string, limit: number) => Prisma.sql`
    SELECT user_id AS "userId" FROM streak
    WHERE goal_id = ${goalId}::uuid AND user_id > ${after}::uuid AND run_from IS NOT NULL
    ORDER BY user_id LIMIT ${limit}::int`,
)

const dueRows = inputRows({ goalId: 'uuid', userId: 'uuid', dueAt: 'timestamptz?' })

/** Sets when there is something to announce. The profiles are locked. */
export const setDueTimes = statement(
  'set_due_times_of_streaks',
  returnsNothing,
  (due: ItemsOf<typeof dueRows>) => Prisma.sql`
    UPDATE streak s SET due_at = i.due_at FROM ${dueRows(due)}
    WHERE (s.goal_id, s.user_id) = (i.goal_id, i.user_id)
      AND s.goal_id = ANY (${[...new Set(due.map(({ goalId }) => goalId))]}::uuid[])
      AND s.user_id = ANY (${due.map(({ userId }) => userId)}::uuid[])
      AND s.due_at IS DISTINCT FROM i.due_at`,
)

/** Notes how far the deadlines of a goal are computed; null for all. */
export const setDeadlinesDone = statement(
  'set_deadlines_done',
  returnsNothing,
  (goalId: string, after: UserId | null) => Prisma.sql`
    UPDATE goal_streak SET due_after_user_id = ${after}::uuid,
      due_barrier = CASE WHEN ${after}::uuid IS NULL THEN NULL ELSE due_barrier END
    WHERE goal_id = ${goalId}::uuid`,
)
