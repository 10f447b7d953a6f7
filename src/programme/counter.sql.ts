/** Statements that count users again from their timelines. What an entry counts, `measure.trigger.sql` says. */
import { Prisma } from '../generated/prisma/client.ts'
import { lockStatement, returns, returnsNothing, statement } from '../kit/database/statement.ts'
import type { UserId } from '../kit/user-id.ts'

/** Locks profiles, so that nothing is counted for their users meanwhile. */
export const lockProfiles = lockStatement(
  'lock_profiles_to_count',
  returns({ userId: 'uuid' }),
  (userIds: UserId[]) => Prisma.sql`
    SELECT p.user_id AS "userId" FROM (SELECT DISTINCT id FROM unnest(${userIds}::uuid[]) u (id) ORDER BY id) u
    CROSS JOIN LATERAL (SELECT user_id FROM user_profile x WHERE x.user_id = u.id
      LIMIT 1 FOR NO KEY UPDATE) p`,
)

/** The window that a recount is limited to; null for all windows. Of EVER, it is 1970-01-01. */
type Window = string | null

/**
 * Sets the counters of users, whose profiles are locked, to what their timelines say, and leaves marks where decisions
 * are due.
 */
export const recountUsers = statement(
  'recount_users',
  returnsNothing,
  // Long: one statement.
  (goalId: string, userIds: UserId[], window: Window) => Prisma.sql`
    WITH task AS MATERIALIZED (
      SELECT t.*, g.max_completions FROM goal_task t JOIN goal g ON g.id = t.goal_id
      WHERE g.id = ${goalId}::uuid
    ), found AS MATERIALIZED (
      SELECT n.* FROM goal g
      CROSS JOIN LATERAL timeline_counts(g, ${userIds}::uuid[], ${window}::date) n
      WHERE g.id = ${goalId}::uuid AND g.status <> 'DRAFT'
    ), found_day AS MATERIALIZED (
      SELECT f.* FROM found f JOIN task t ON t.id = f.task_id WHERE t.of = 'DAYS' AND f.amount > 0
    ), lost_day AS (
      DELETE FROM fact_day d USING task t
      WHERE d.task_id = t.id AND d.user_id = ANY (${userIds}::uuid[])
        AND (d.window_start = ${window}::date) IS NOT FALSE
        AND NOT EXISTS (SELECT FROM found_day f
          WHERE (f.task_id, f.user_id, f.window_start, f.day) = (d.task_id, d.user_id, d.window_start, d.day))
    ), day AS (
      INSERT INTO fact_day AS d (task_id, user_id, window_start, day, partner_id, environment, facts)
      SELECT f.task_id, f.user_id, f.window_start, f.day, t.partner_id, t.environment, f.amount
      FROM found_day f JOIN task t ON t.id = f.task_id ORDER BY 1, 2, 3, 4
      ON CONFLICT (task_id, user_id, window_start, day) DO UPDATE SET facts = excluded.facts
    ), total AS MATERIALIZED (
      SELECT n.* FROM goal g
      CROSS JOIN LATERAL counters_of_timeline(g, ${userIds}::uuid[], ${window}::date) n
      WHERE g.id = ${goalId}::uuid AND g.status <> 'DRAFT'
    ), lost AS (
      DELETE FROM fact_counter c USING task t
      WHERE c.task_id = t.id AND c.user_id = ANY (${userIds}::uuid[])
        AND (c.window_start = ${window}::date) IS NOT FALSE
        AND NOT EXISTS (SELECT FROM total n
          WHERE (n.task_id, n.user_id, n.window_start) = (c.task_id, c.user_id, c.window_start))
      RETURNING c.task_id, c.user_id, c.window_start, 0::numeric AS value, c.decided
    ), counter AS (
      INSERT INTO fact_counter AS c (task_id, user_id, window_start, partner_id, environment, value, reached_at)
      SELECT n.task_id, n.user_id, n.window_start, t.partner_id, t.environment, n.value, n.reached_at
      FROM total n JOIN task t ON t.id = n.task_id ORDER BY 1, 2, 3
      ON CONFLICT (task_id, user_id, window_start) DO UPDATE SET value = excluded.value,
        reached_at = excluded.reached_at
      RETURNING c.task_id, c.user_id, c.window_start, c.value, c.decided
    ), due AS (
      SELECT t.goal_id, c.user_id, c.window_start, t.partner_id, t.environment
      FROM (SELECT * FROM counter UNION ALL SELECT * FROM lost) c JOIN task t ON t.id = c.task_id
      WHERE reached_steps(c.value, t.target, t.max_completions) <> c.decided
    )
    INSERT INTO goal_mark AS m (goal_id, user_id, window_start, partner_id, environment)
    SELECT DISTINCT goal_id, user_id, window_start, partner_id, environment FROM due ORDER BY 1, 2, 3
    ON CONFLICT (goal_id, user_id, window_start) DO UPDATE SET is_blocked = false WHERE m.is_blocked`,
  { isPrepared: false },
)

/**
 * Notes for goals which transactions may have missed their present measures: those before the next one. Call it in a
 * transaction that began after the change of the measures had committed. A barrier beyond the present is of another
 * database, from a backup, and is replaced.
 */
export const setBarriers = statement(
  'set_count_barriers',
  returnsNothing,
  () => Prisma.sql`
    UPDATE goal SET count_barrier = pg_snapshot_xmax(pg_current_snapshot())::text::bigint
    WHERE id IN (SELECT id FROM goal WHERE is_counting AND (count_barrier IS NULL
        OR count_barrier > pg_snapshot_xmax(pg_current_snapshot())::text::bigint)
      ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)`,
)

/**
 * The goals whose users can be counted: every transaction that was open at the barrier has ended, and each entry of a timeline
 * has its fact.
 */
export const findGoalsToCount = statement(
  'find_goals_to_count',
  returns({ id: 'uuid' }),
  () => Prisma.sql`
    SELECT id FROM goal WHERE is_counting
      AND count_barrier <= pg_snapshot_xmin(pg_current_snapshot())::text::bigint
      AND NOT EXISTS (SELECT FROM backfill WHERE name = 'facts' AND finished_at IS NULL)
    ORDER BY id`,
)

/** Locks a goal that is still to count users, for the next of them. No row if there is none. */
export const lockGoalToCount = lockStatement(
  'lock_goal_to_count',
  returns({
    partnerId: 'uuid',
    environment: 'Environment',
    countedUntil: 'timestamptz?',
    countedUserId: 'uuid?',
    since: 'timestamptz?',
  }),
  (goalId: string) => Prisma.sql`
    SELECT partner_id AS "partnerId", environment, counted_until AS "countedUntil",
      counted_user_id AS "countedUserId",
      CASE WHEN count_from = 'NOW' OR window_kind = 'JOIN' THEN started_at
        WHEN count_from = 'START_OF_WINDOW' AND window_kind <> 'EVER' THEN started_at - interval '33 days' END AS since
    FROM goal WHERE id = ${goalId}::uuid AND is_counting AND count_barrier IS NOT NULL
    FOR NO KEY UPDATE SKIP LOCKED`,
)

/**
 * The next users of a tenant by creation, and whether they can have facts since a moment: null for ever. Users who have
 * counters already are counted again, because a change can also leave out what was counted. Those who were erased are not.
 */
export const findUsersToCount = statement(
  'find_users_to_count',
  returns({ userId: 'uuid', userCreatedAt: 'timestamptz', isDue: 'boolean' }),
  (
    goalId: string,
    {
      partnerId,
      environment,
      countedUntil,
      countedUserId,
      since,
    }: {
      partnerId: string
      environment: string
      countedUntil: Date | null
      countedUserId: string | null
      since: Date | null
    },
    limit: number,
  ) => Prisma.sql`
    SELECT user_id AS "userId", user_created_at AS "userCreatedAt",
      (coalesce(last_event_at >= coalesce(${since}::timestamptz, '-infinity'), false) OR EXISTS (
        SELECT FROM goal_task t JOIN fact_counter c ON c.task_id = t.id
        WHERE t.goal_id = ${goalId}::uuid AND c.user_id = p.user_id))
      AND NOT EXISTS (SELECT FROM user_erasure e WHERE e.user_id = p.user_id) AS "isDue"
    FROM user_profile p
    WHERE partner_id = ${partnerId}::uuid AND environment = ${environment}::"Environment"
      AND (user_created_at, user_id) > (coalesce(${countedUntil}::timestamptz, '-infinity'),
        coalesce(${countedUserId}::uuid, '00000000-0000-0000-0000-000000000000'))
    ORDER BY user_created_at, user_id LIMIT ${limit}::int`,
  { isPrepared: false },
)

/** Notes how far a goal has counted. */
export const setCounted = statement(
  'set_counted',
  returnsNothing,
  (goalId: string, until: Date, userId: UserId) => Prisma.sql`
    UPDATE goal SET counted_until = ${until}::timestamptz, counted_user_id = ${userId}::uuid
    WHERE id = ${goalId}::uuid`,
)

/** Notes that a goal has counted all users. */
export const finishCounting = statement(
  'finish_counting',
  returnsNothing,
  (goalId: string) => Prisma.sql`
    UPDATE goal SET is_counting = false, count_barrier = NULL, counted_until = NULL, counted_user_id = NULL
    WHERE id = ${goalId}::uuid`,
)

/** Has the users of goals counted again, because something changed that decides what counts, or for whom. */
export const countAgain = statement(
  'count_again',
  returnsNothing,
  (goalIds: string[]) => Prisma.sql`
    UPDATE goal SET is_counting = true, count_barrier = NULL, counted_until = NULL, counted_user_id = NULL
    WHERE id = ANY (${goalIds}::uuid[]) AND status <> 'DRAFT'`,
)

/** Deletes the next counters of windows that have been closed for 62 days, and are decided. */
export const deleteClosedCounters = statement(
  'delete_closed_counters',
  returns({ taskId: 'uuid' }),
  (now: Date, limit: number) => Prisma.sql`
    WITH old AS MATERIALIZED (
      SELECT c.task_id, c.user_id, c.window_start
      FROM goal g JOIN goal_task t ON t.goal_id = g.id
      CROSS JOIN LATERAL (SELECT c.*, j.ends_at FROM fact_counter c
        LEFT JOIN goal_join j ON (j.goal_id, j.user_id, j.window_start) = (g.id, c.user_id, c.window_start)
        WHERE c.task_id = t.id AND (g.window_kind IN ('EVER', 'JOIN') OR c.window_start < ${now}::timestamptz::date - 62)
          AND window_closes_at(g, c.window_start, j.ends_at) < ${now}::timestamptz - interval '62 days'
          AND NOT EXISTS (SELECT FROM goal_mark m
            WHERE (m.goal_id, m.user_id, m.window_start) = (g.id, c.user_id, c.window_start))
        LIMIT ${limit}::int) c
      WHERE g.status <> 'DRAFT' AND NOT g.is_counting
      LIMIT ${limit}::int
    ), locked AS MATERIALIZED (
      SELECT user_id FROM user_profile WHERE user_id IN (SELECT user_id FROM old)
      ORDER BY user_id FOR NO KEY UPDATE SKIP LOCKED
    ), days AS (
      DELETE FROM fact_day d USING old o JOIN locked l USING (user_id)
      WHERE (d.task_id, d.user_id, d.window_start) = (o.task_id, o.user_id, o.window_start)
    )
    DELETE FROM fact_counter c USING old o JOIN locked l USING (user_id)
    WHERE (c.task_id, c.user_id, c.window_start) = (o.task_id, o.user_id, o.window_start)
      AND NOT EXISTS (SELECT FROM goal_task t JOIN goal_mark m ON m.goal_id = t.goal_id
        WHERE t.id = c.task_id AND (m.user_id, m.window_start) = (c.user_id, c.window_start))
    RETURNING c.task_id AS "taskId"`,
  { isPrepared: false },
)

/** Deletes counters, joins and marks of a user, whose profile is locked. They are found by the goals of the tenant. */
export const deleteCountersOf = statement(
  'delete_counters_of_user',
  returnsNothing,
  (userId: UserId) => Prisma.sql`
    WITH own AS MATERIALIZED (
      SELECT g.id AS goal_id, t.id AS task_id
      FROM user_profile p JOIN goal g ON (g.partner_id, g.environment) = (p.partner_id, p.environment)
      JOIN goal_task t ON t.goal_id = g.id
      WHERE p.user_id = ${userId}::uuid
    ), days AS (
      DELETE FROM fact_day WHERE user_id = ${userId}::uuid AND task_id IN (SELECT task_id FROM own)
    ), counters AS (
      DELETE FROM fact_counter WHERE user_id = ${userId}::uuid AND task_id IN (SELECT task_id FROM own)
    ), joins AS (
      DELETE FROM goal_join WHERE user_id = ${userId}::uuid AND goal_id IN (SELECT goal_id FROM own)
    )
    DELETE FROM goal_mark WHERE user_id = ${userId}::uuid AND goal_id IN (SELECT goal_id FROM own)`,
  { isPrepared: false },
)
