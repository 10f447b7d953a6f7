/** Statements about the goals of users: how far they are, and that they take part. */
import { Prisma } from '../generated/prisma/client.ts'
import { newIdAt } from '../kit/database/session.sql.ts'
import {
  both,
  type ItemsOf,
  inputRows,
  returns,
  returnsJson,
  statement,
} from '../kit/database/statement.ts'
import { emit } from '../kit/streams/events.ts'
import type { UserId } from '../kit/user-id.ts'
import { eligibility, type RequiredGoal, requiredGoals } from './decision.sql.ts'
import { goalJoined } from './goal.events.ts'

const keyRows = inputRows({ userId: 'uuid', goalId: 'uuid?' })

export type UserGoalTask = { id: string; value: number; target: number; name: string | null }

/**
 * Goals of users, or one goal of each, as they are now: those that have started, and those that ended in the last 30 days. The
 * window is the present one, or the last before the end; of a goal with opt-in the latest range, or null.
 */
export const readUserGoals = statement(
  'read_goals_of_users',
  both(
    returns({
      n: 'int',
      goalId: 'uuid',
      windowStart: 'text?',
      windowEndsAt: 'timestamptz?',
      joinedAt: 'timestamptz?',
      live: 'int',
      ever: 'int',
      isInSegment: 'boolean?',
      hasRequired: 'boolean?',
      isClaimable: 'boolean',
    }),
    both(returnsJson<UserGoalTask[]>()('tasks'), returnsJson<RequiredGoal[]>()('required')),
  ),
  // Long: one statement.
  (keys: ItemsOf<typeof keyRows>, now: Date) => Prisma.sql`
    SELECT k.n, g.id AS "goalId", w.start::text AS "windowStart",
      CASE WHEN g.window_kind = 'JOIN' THEN w.ends_at
        ELSE window_end_at(p.user_id, g.window_kind::text, w.start) END AS "windowEndsAt",
      w.joined_at AS "joinedAt", c.live, c.ever, e.is_in_segment AS "isInSegment", e.has_required AS "hasRequired",
      EXISTS (SELECT FROM goal_completion x JOIN reward_grant r
          ON (r.partner_id, r.environment, r.source_kind, r.source_id)
            = (x.partner_id, x.environment, 'GOAL', x.id::text)
        WHERE x.goal_id = g.id AND x.user_id = p.user_id AND r.status = 'READY' AND r.needs_claim
          AND r.claimed_at IS NULL AND (r.claim_expires_at <= ${now}::timestamptz) IS NOT TRUE) AS "isClaimable",
      (SELECT json_agg(json_build_object('id', t.id, 'name', t.name, 'target', t.target, 'value',
          coalesce(f.value, 0)) ORDER BY t.position)
        FROM goal_task t LEFT JOIN fact_counter f
          ON (f.task_id, f.user_id, f.window_start) = (t.id, p.user_id, w.start)
        WHERE t.goal_id = g.id) AS tasks, ${requiredGoals} AS required
    FROM ${keyRows(keys, 'k')}
    CROSS JOIN LATERAL (SELECT * FROM user_profile x WHERE x.user_id = k.user_id LIMIT 1) p
    JOIN goal g ON g.partner_id = p.partner_id AND g.environment = p.environment
      AND (g.id = k.goal_id OR k.goal_id IS NULL) AND g.status <> 'DRAFT'
      AND (g.status <> 'ENDED' OR g.ends_at > ${now}::timestamptz - interval '30 days')
    LEFT JOIN LATERAL (
      SELECT window_start(g.window_kind::text, local_date(p.user_id,
          least(${now}::timestamptz, g.ends_at - interval '1 millisecond'))) AS start,
        NULL::timestamptz AS joined_at, NULL::timestamptz AS ends_at
      WHERE g.window_kind <> 'JOIN'
      UNION ALL
      (SELECT j.window_start, j.joined_at, j.ends_at FROM goal_join j
        WHERE g.window_kind = 'JOIN' AND j.goal_id = g.id AND j.user_id = p.user_id
        ORDER BY j.window_start DESC LIMIT 1)) w ON true
    CROSS JOIN LATERAL (SELECT count(*)::int AS ever,
        count(*) FILTER (WHERE x.window_start = w.start)::int AS live
      FROM goal_completion x
      WHERE x.goal_id = g.id AND x.user_id = p.user_id AND x.revoked_at IS NULL) c
    ${eligibility(now)}
    ORDER BY k.n, g.position, g.id`,
)

/** Notes that a user takes part in a goal from now on, and announces it. The user and the profile are locked. */
export const insertJoin = statement(
  'join_goal',
  returns({ windowStart: 'text', joinedAt: 'timestamptz', endsAt: 'timestamptz?' }),
  (goalId: string, userId: UserId, now: Date) => Prisma.sql`
    WITH made AS MATERIALIZED (
      INSERT INTO goal_join AS j (goal_id, user_id, window_start, partner_id, environment, joined_at, ends_at)
      SELECT g.id, u.id, greatest(local_date(u.id, ${now}::timestamptz),
          (SELECT max(x.window_start) + 1 FROM goal_join x WHERE x.goal_id = g.id AND x.user_id = u.id)),
        g.partner_id, g.environment, ${now}::timestamptz,
        ${now}::timestamptz + g.time_limit_hours * interval '1 hour'
      FROM goal g, end_user u WHERE g.id = ${goalId}::uuid AND u.id = ${userId}::uuid
      RETURNING j.*
    ), announced AS (${emit(
      goalJoined,
      Prisma.sql`SELECT ${newIdAt(now)} AS id, j.partner_id, j.environment, j.joined_at AS occurred_at,
          json_strip_nulls(json_build_object('goalId', j.goal_id, 'slug', g.slug, 'userId', u.external_id,
            'windowStart', j.window_start::text, 'joinedAt', ${now.toISOString()}::text,
            'endsAt', to_char(j.ends_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) AS data
        FROM made j JOIN goal g ON g.id = j.goal_id JOIN end_user u ON u.id = j.user_id`,
    )})
    SELECT window_start::text AS "windowStart", joined_at AS "joinedAt", ends_at AS "endsAt" FROM made`,
)
