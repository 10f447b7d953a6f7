/** Statements that say what goals would do. They write nothing. */
import { Prisma } from '../generated/prisma/client.ts'
import { both, returns, returnsJson, statement } from '../kit/database/statement.ts'
import type { Tenant } from '../kit/tenant.ts'
import type { UserId } from '../kit/user-id.ts'
import { eligibility, type RequiredGoal, requiredGoals } from './decision.sql.ts'

/** A made-up entry of a timeline, with the names of its columns. */
export type MadeUpEntry = Record<string, unknown>

/**
 * What a fact would count for each task of a goal: `amount` if it matches the measure, and the window in which it counts, or
 * null. A draft is looked at as if it started now. Nothing is written.
 */
export const simulateFact = statement(
  'simulate_fact',
  returns({
    taskId: 'uuid',
    name: 'text?',
    amount: 'float8?',
    windowStart: 'text?',
  }),
  (goalId: string, userId: UserId, entry: MadeUpEntry, now: Date) => Prisma.sql`
    SELECT t.id AS "taskId", t.name, fact_amount(t, f.a)::float8 AS amount, c.window_start::text AS "windowStart"
    FROM (SELECT CASE WHEN x.started_at IS NULL
        THEN jsonb_populate_record(x, jsonb_build_object('started_at', ${now}::timestamptz)) ELSE x END AS g
      FROM goal x WHERE x.id = ${goalId}::uuid) o
    JOIN goal_task t ON t.goal_id = (o.g).id
    JOIN user_profile p ON p.user_id = ${userId}::uuid
    LEFT JOIN LATERAL newest_time_zone(p.partner_id, p.environment) d ON true
    CROSS JOIN LATERAL (SELECT jsonb_populate_record(NULL::user_activity, ${JSON.stringify(entry)}::jsonb) AS a) f
    LEFT JOIN LATERAL counted_fact(o.g, t, p, d, f.a) c ON true
    ORDER BY t.position`,
  { isPrepared: false },
)

/**
 * What a user is to a goal as far as its conditions on users are concerned, now. Completions are those of a window, or of the
 * window of a moment if it is null; of a goal that is completed only once, all. Nothing is written.
 */
export const readConditions = statement(
  'read_conditions_of_goal',
  both(
    returns({
      isInSegment: 'boolean?',
      joinedAt: 'timestamptz?',
      isJoined: 'boolean',
      completions: 'int',
    }),
    returnsJson<RequiredGoal[]>()('required'),
  ),
  (goalId: string, userId: UserId, at: Date, windowStart: string | null) => Prisma.sql`
    SELECT e.is_in_segment AS "isInSegment", j.joined_at AS "joinedAt",
      coalesce(${at}::timestamptz >= j.joined_at AND (${at}::timestamptz < j.ends_at) IS NOT FALSE, false) AS "isJoined",
      (SELECT count(*)::int FROM goal_completion x
        WHERE x.goal_id = g.id AND x.user_id = p.user_id AND x.revoked_at IS NULL
          AND (g.repeat = 'ONCE' OR x.window_start = coalesce(${windowStart}::date, CASE WHEN g.window_kind = 'JOIN'
            THEN j.window_start ELSE window_start(g.window_kind::text, local_date(p.user_id, ${at}::timestamptz)) END)))
        AS completions,
      ${requiredGoals} AS required
    FROM goal g
    JOIN user_profile p ON p.user_id = ${userId}::uuid
    LEFT JOIN LATERAL (SELECT * FROM goal_join x WHERE x.goal_id = g.id AND x.user_id = p.user_id
      ORDER BY x.window_start DESC LIMIT 1) j ON true
    ${eligibility(at)}
    WHERE g.id = ${goalId}::uuid`,
  { isPrepared: false },
)

/** The users of a tenant who were seen last, the latest first. */
export const findUsersSeenLast = statement(
  'find_users_seen_last',
  returns({ userId: 'uuid' }),
  ({ partnerId, environment }: Tenant, limit: number) => Prisma.sql`
    SELECT user_id AS "userId" FROM user_profile
    WHERE (partner_id, environment) = (${partnerId}::uuid, ${environment}::"Environment")
    ORDER BY seen_slot DESC LIMIT ${limit}::int`,
  { isPrepared: false },
)

/**
 * How many of these users would have completed a goal, and how often, if it had counted since a moment, or as it counts if that
 * is earlier. The range of a join is all of that time. Conditions on users are looked at as they are now. Nothing is written.
 */
export const previewOfUsers = statement(
  'preview_goal',
  returns({ users: 'int', completions: 'int' }),
  (goalId: string, userIds: UserId[], since: Date, now: Date) => Prisma.sql`
    WITH goal_then AS MATERIALIZED (
      SELECT jsonb_populate_record(x, jsonb_build_object('started_at', ${since}::timestamptz, 'ends_at', NULL)
        || CASE WHEN x.window_kind = 'JOIN' THEN '{"window_kind":"EVER","count_from":"NOW"}'::jsonb ELSE '{}' END) AS g
      FROM goal x WHERE x.id = ${goalId}::uuid
    ), reached AS (
      SELECT n.user_id, n.window_start, min(reached_steps(n.value, t.target, (o.g).max_completions)) AS steps,
        count(*) AS tasks
      FROM goal_then o
      CROSS JOIN LATERAL counters_of_timeline(o.g, ${userIds}::uuid[], NULL) n
      JOIN goal_task t ON t.id = n.task_id
      GROUP BY 1, 2
    ), completed AS (
      SELECT r.user_id, CASE WHEN (o.g).repeat = 'ONCE' THEN 1 ELSE sum(r.steps)::int END AS completions
      FROM goal_then o CROSS JOIN reached r
      CROSS JOIN LATERAL (SELECT (o.g).*) g
      CROSS JOIN LATERAL (SELECT * FROM user_profile x WHERE x.user_id = r.user_id LIMIT 1) p
      ${eligibility(now)}
      WHERE r.steps > 0 AND r.tasks = (SELECT count(*) FROM goal_task t WHERE t.goal_id = g.id)
        AND coalesce(e.is_in_segment, true) AND coalesce(e.has_required, true)
      GROUP BY r.user_id, (o.g).repeat
    )
    SELECT count(*)::int AS users, coalesce(sum(completions), 0)::int AS completions FROM completed`,
  { isPrepared: false },
)
