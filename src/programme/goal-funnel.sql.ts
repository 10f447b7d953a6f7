/** Statements about how far the users of goals are, as a whole. Each looks at a bounded number of rows. */
import { Prisma } from '../generated/prisma/client.ts'
import { both, inputRows, returns, returnsJson, statement } from '../kit/database/statement.ts'
import type { UserId } from '../kit/user-id.ts'
import { eligibility } from './decision.sql.ts'
import type { UserGoalTask } from './user-goal.sql.ts'

const goalRows = inputRows({ goalId: 'uuid' })

/**
 * How many users have joined goals, have begun, and have completed them: in the window that is present in the time zone of the
 * partner, or ever if a goal has no windows. Looks at no more than `limit` rows of each table and task, and says whether there
 * are more. A user who has completed a goal has begun it, also if the counter was deleted. Rows are read in the order of an index,
 * so that no more are read than that.
 */
export const readFunnels = statement(
  'read_funnels_of_goals',
  returns({
    n: 'int',
    windowStart: 'text?',
    joined: 'int?',
    isJoinedCut: 'boolean?',
    started: 'int',
    completed: 'int',
    isCut: 'boolean',
  }),
  // Long: one statement.
  (goalIds: string[], now: Date, limit: number) => Prisma.sql`
    SELECT i.n, CASE WHEN k.has_windows THEN w.start::text END AS "windowStart", j.users AS joined,
      j.is_cut AS "isJoinedCut", c.started, c.completed, c.is_cut AS "isCut"
    FROM ${goalRows(goalIds.map((goalId) => ({ goalId })))}
    JOIN goal g ON g.id = i.goal_id
    LEFT JOIN LATERAL (SELECT x.zone FROM partner_time_zone x
      WHERE (x.partner_id, x.environment) = (g.partner_id, g.environment) AND x.since <= ${now}::timestamptz
      ORDER BY x.since DESC LIMIT 1) z ON true
    CROSS JOIN LATERAL (SELECT g.window_kind IN ('DAY', 'WEEK', 'MONTH') AS has_windows) k
    CROSS JOIN LATERAL (SELECT window_start(g.window_kind::text, date_in_zone(coalesce(z.zone, 'UTC'),
      least(${now}::timestamptz, g.ends_at - interval '1 millisecond'))) AS start) w
    LEFT JOIN LATERAL (
      SELECT count(DISTINCT x.user_id)::int AS users, count(*) > ${limit}::int AS is_cut
      FROM (SELECT user_id FROM goal_join WHERE goal_id = g.id AND g.join_mode = 'OPT_IN'
        ORDER BY user_id LIMIT ${limit}::int + 1) x
    ) j ON g.join_mode = 'OPT_IN'
    CROSS JOIN LATERAL (
      WITH counted AS MATERIALIZED (
        SELECT t.id AS task_id, f.user_id, f.value FROM goal_task t
        CROSS JOIN LATERAL (
          (SELECT x.user_id, x.value FROM fact_counter x
            WHERE g.window_kind <> 'JOIN' AND x.task_id = t.id AND x.window_start BETWEEN w.start AND w.start
            ORDER BY x.window_start LIMIT ${limit}::int + 1)
          UNION ALL
          (SELECT x.user_id, x.value FROM fact_counter x
            WHERE g.window_kind = 'JOIN' AND x.task_id = t.id ORDER BY x.user_id LIMIT ${limit}::int + 1)) f
        WHERE t.goal_id = g.id
      ), ever AS MATERIALIZED (
        SELECT x.user_id, x.revoked_at FROM goal_completion x
        WHERE x.goal_id = g.id AND NOT k.has_windows ORDER BY x.id LIMIT ${limit}::int + 1
      ), begun AS MATERIALIZED (
        SELECT user_id FROM (
          SELECT user_id FROM counted WHERE value > 0
          UNION SELECT user_id FROM ever WHERE revoked_at IS NULL) b
        LIMIT ${limit}::int + 1
      )
      SELECT (SELECT count(*)::int FROM begun) AS started,
        CASE WHEN k.has_windows THEN
          (SELECT count(l.live)::int FROM begun b CROSS JOIN LATERAL (SELECT (SELECT true FROM goal_completion x
            WHERE x.goal_id = g.id AND x.user_id = b.user_id AND x.window_start = w.start AND x.revoked_at IS NULL
            LIMIT 1) AS live) l)
          ELSE (SELECT count(DISTINCT user_id)::int FROM ever WHERE revoked_at IS NULL) END AS completed,
        EXISTS (SELECT FROM counted GROUP BY task_id HAVING count(*) > ${limit}::int)
          OR (SELECT count(*) FROM ever) > ${limit}::int OR (SELECT count(*) FROM begun) > ${limit}::int AS is_cut
    ) c
    ORDER BY i.n`,
  { isPrepared: false },
)

/**
 * Keeps the planner from JIT-compiling the statements of this transaction. It expects more rows than the limits let through, and
 * compiling them takes longer than running them.
 */
export const withoutJit = statement(
  'without_jit',
  returns({ jit: 'text' }),
  () => Prisma.sql`SELECT set_config('jit', 'off', true) AS jit`,
)

/** A user who has begun a goal in the present window, and what is reached of each task on the way to the next completion. */
export type CloseUserRow = {
  userId: UserId
  rate: number
  windowStart: string
  tasks: (UserGoalTask & { rate: number })[]
}

/**
 * The users who lack the least to complete goals in their present window, among those of the tenant who were seen last. The share of
 * a goal is the mean of the shares of its tasks, each at most 1. Users whom a condition of the goal keeps from completing it, and
 * those who have completed it as often as is possible, are left out.
 */
export const readCloseUsers = statement(
  'read_users_close_to_goals',
  both(
    returns({ n: 'int', checked: 'int', isCut: 'boolean' }),
    returnsJson<CloseUserRow[]>()('users'),
  ),
  // Long: one statement.
  (goalIds: string[], now: Date, userLimit: number, limit: number) => Prisma.sql`
    SELECT i.n, c.checked, c.is_cut AS "isCut", c.users
    FROM ${goalRows(goalIds.map((goalId) => ({ goalId })))}
    JOIN goal g ON g.id = i.goal_id
    LEFT JOIN LATERAL newest_time_zone(g.partner_id, g.environment) d ON true
    CROSS JOIN LATERAL (
      WITH latest AS MATERIALIZED (
        SELECT x.user_id FROM user_profile x WHERE (x.partner_id, x.environment) = (g.partner_id, g.environment)
        ORDER BY x.seen_slot DESC LIMIT ${userLimit}::int + 1
      ), seen AS (
        SELECT user_id FROM latest LIMIT ${userLimit}::int
      ), task AS MATERIALIZED (
        SELECT * FROM goal_task t WHERE t.goal_id = g.id
      ), begun AS MATERIALIZED (
        SELECT s.user_id, w.start
        FROM seen s
        CROSS JOIN LATERAL (SELECT * FROM user_profile x WHERE x.user_id = s.user_id LIMIT 1) p
        CROSS JOIN LATERAL (
          SELECT window_start(g.window_kind::text, profile_local_date(p, d, ${now}::timestamptz)) AS start
          WHERE g.window_kind <> 'JOIN'
          UNION ALL
          (SELECT x.window_start FROM (SELECT * FROM goal_join y WHERE g.window_kind = 'JOIN'
              AND y.goal_id = g.id AND y.user_id = s.user_id ORDER BY y.window_start DESC LIMIT 1) x
            WHERE (x.ends_at <= ${now}::timestamptz) IS NOT TRUE)) w
        WHERE g.status IN ('ACTIVE', 'PAUSED') AND (g.ends_at <= ${now}::timestamptz) IS NOT TRUE
          AND EXISTS (SELECT FROM task t CROSS JOIN LATERAL (SELECT x.value FROM fact_counter x
            WHERE (x.task_id, x.user_id, x.window_start) = (t.id, s.user_id, w.start) LIMIT 1) f WHERE f.value > 0)
      ), near AS MATERIALIZED (
        SELECT b.user_id, b.start, r.rate, r.tasks FROM begun b
        CROSS JOIN LATERAL (SELECT * FROM user_profile x WHERE x.user_id = b.user_id LIMIT 1) p
        ${eligibility(now)}
        CROSS JOIN LATERAL (SELECT count(*)::int AS live FROM goal_completion x
          WHERE x.goal_id = g.id AND x.user_id = b.user_id AND x.window_start = b.start AND x.revoked_at IS NULL) l
        CROSS JOIN LATERAL (
          SELECT avg(o.rate) AS rate, json_agg(json_build_object('id', o.id, 'name', o.name, 'target', o.target,
            'value', o.value, 'rate', o.rate) ORDER BY o.position) AS tasks
          FROM (SELECT t.id, t.name, t.target, t.position, coalesce(f.value, 0) AS value,
              greatest(0, least(1, (coalesce(f.value, 0) - l.live * t.target) / t.target)) AS rate
            FROM task t LEFT JOIN fact_counter f
              ON (f.task_id, f.user_id, f.window_start) = (t.id, b.user_id, b.start)) o) r
        WHERE (l.live >= g.max_completions) IS NOT TRUE AND r.rate > 0
          AND (g.repeat <> 'ONCE' OR (SELECT true FROM goal_completion x
            WHERE x.goal_id = g.id AND x.user_id = b.user_id AND x.revoked_at IS NULL LIMIT 1) IS NULL)
          AND coalesce(e.is_in_segment, true) AND coalesce(e.has_required, true)
        ORDER BY r.rate DESC, b.user_id LIMIT ${limit}::int
      )
      SELECT (SELECT count(*)::int FROM seen) AS checked,
        (SELECT count(*) FROM latest) > ${userLimit}::int AS is_cut,
        (SELECT coalesce(json_agg(json_build_object('userId', user_id, 'rate', rate, 'windowStart', start::text,
          'tasks', tasks) ORDER BY rate DESC, user_id), '[]') FROM near) AS users
    ) c
    ORDER BY i.n`,
  { isPrepared: false },
)
