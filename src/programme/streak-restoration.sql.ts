/** Statements that restore all streaks of a goal that a window broke. */
import { Prisma } from '../generated/prisma/client.ts'
import { lockStatement, returns, returnsNothing, statement } from '../kit/database/statement.ts'
import type { UserId } from '../kit/user-id.ts'

/** The restorations that are not completed, the oldest first. Those of goals that are paused or count their users wait. */
export const findOpenRestorations = statement(
  'find_open_restorations',
  returns({ id: 'uuid' }),
  () => Prisma.sql`
    SELECT r.id FROM streak_restoration r
    CROSS JOIN LATERAL (SELECT * FROM goal x WHERE x.id = r.goal_id LIMIT 1) g
    WHERE r.status <> 'COMPLETED' AND g.status <> 'PAUSED' AND NOT g.is_counting
    ORDER BY r.id LIMIT 1000`,
)

/** Locks a restoration, for the next streaks. No row if it is completed, or if another node is at it. */
export const lockRestoration = lockStatement(
  'lock_restoration',
  returns({ goalId: 'uuid', brokenOn: 'text', afterUserId: 'uuid?', streakCount: 'int?' }),
  (id: string) => Prisma.sql`
    SELECT goal_id AS "goalId", broken_on::text AS "brokenOn", after_user_id AS "afterUserId",
      streak_count AS "streakCount"
    FROM streak_restoration WHERE id = ${id}::uuid AND status <> 'COMPLETED'
    FOR NO KEY UPDATE SKIP LOCKED`,
)

/**
 * The streaks of a goal that a window can have broken: those that broke in it or later, and those of which something is due,
 * because they can have broken in it and not be settled yet.
 */
const candidates = (goalId: string, brokenOn: string, now: Date, more: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`FROM streak WHERE goal_id = ${goalId}::uuid
    AND (last_broken_on >= ${brokenOn}::date OR due_at <= ${now}::timestamptz) ${more}`

/** Counts the streaks that a restoration has to look at. */
export const countCandidates = statement(
  'count_streaks_to_restore',
  returns({ count: 'int' }),
  (goalId: string, brokenOn: string, now: Date) => Prisma.sql`
    SELECT count(*)::int AS count ${candidates(goalId, brokenOn, now, Prisma.empty)}`,
  { isPrepared: false },
)

/** The next users whose streaks a restoration has to look at. */
export const findCandidates = statement(
  'find_streaks_to_restore',
  returns({ userId: 'uuid' }),
  (goalId: string, brokenOn: string, now: Date, after: string | null, limit: number) => Prisma.sql`
    SELECT user_id AS "userId" ${candidates(
      goalId,
      brokenOn,
      now,
      Prisma.sql`AND user_id > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000')`,
    )}
    ORDER BY user_id LIMIT ${limit}::int`,
  { isPrepared: false },
)

/** Notes how many streaks a restoration looks at. */
export const startRestoration = statement(
  'start_restoration',
  returnsNothing,
  (id: string, streakCount: number) => Prisma.sql`
    UPDATE streak_restoration SET status = 'RUNNING', streak_count = ${streakCount}::int WHERE id = ${id}::uuid`,
)

/** Notes what a restoration has done. */
export const advanceRestoration = statement(
  'advance_restoration',
  returnsNothing,
  (
    id: string,
    { checked, restored, after }: { checked: number; restored: number; after: UserId | null },
  ) => Prisma.sql`
    UPDATE streak_restoration SET checked_count = checked_count + ${checked}::int,
      restored_count = restored_count + ${restored}::int, after_user_id = coalesce(${after}::uuid, after_user_id)
    WHERE id = ${id}::uuid`,
)

/** Notes that a restoration has looked at all streaks. Some can have broken since they were counted. */
export const completeRestoration = statement(
  'complete_restoration',
  returnsNothing,
  (id: string, now: Date) => Prisma.sql`
    UPDATE streak_restoration SET status = 'COMPLETED', completed_at = ${now}::timestamptz, streak_count = checked_count
    WHERE id = ${id}::uuid`,
)
