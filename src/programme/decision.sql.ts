/** Statements of the decider: what is due, what the counters say, and what it makes of them. */
import { Prisma } from '../generated/prisma/client.ts'
import { newIdAt } from '../kit/database/session.sql.ts'
import {
  both,
  type ItemsOf,
  inputRows,
  returns,
  returnsJson,
  returnsNothing,
  statement,
} from '../kit/database/statement.ts'
import { emit } from '../kit/streams/events.ts'
import type { UserId } from '../kit/user-id.ts'
import type { Contradicted } from './decision.rules.ts'
import { goalCompleted, goalRevoked } from './goal.events.ts'
import { isInRanges, looksAtLastSeen } from './segment-range.sql.ts'

/** The goal, the user and the window of a decision. */
const windowRows = inputRows({ goalId: 'uuid', userId: 'uuid', windowStart: 'date' })

export type Due = ItemsOf<typeof windowRows>[number]

const windowColumns = Prisma.sql`m.goal_id AS "goalId", m.user_id AS "userId", m.window_start::text AS "windowStart"`

/**
 * Decisions that are due, some of each goal, without those of some users. Goals that are paused, not started or still counting
 * are left out: their marks wait.
 */
export const findDueDecisions = statement(
  'find_due_decisions',
  returns({ goalId: 'uuid', userId: 'uuid', windowStart: 'text' }),
  (now: Date, without: UserId[], limit: number) => Prisma.sql`
    WITH RECURSIVE due AS (
      (SELECT goal_id FROM goal_mark WHERE NOT is_blocked ORDER BY goal_id LIMIT 1)
      UNION ALL
      SELECT (SELECT m.goal_id FROM goal_mark m WHERE NOT m.is_blocked AND m.goal_id > d.goal_id
        ORDER BY m.goal_id LIMIT 1)
      FROM due d WHERE d.goal_id IS NOT NULL
    )
    SELECT ${windowColumns}
    FROM due d
    CROSS JOIN LATERAL (SELECT * FROM goal x WHERE x.id = d.goal_id LIMIT 1) g
    CROSS JOIN LATERAL (SELECT * FROM goal_mark x
      WHERE x.goal_id = g.id AND NOT x.is_blocked AND x.user_id <> ALL (${without}::uuid[])
      ORDER BY x.user_id LIMIT ${limit}::int) m
    WHERE g.status IN ('ACTIVE', 'ENDED') AND g.started_at <= ${now}::timestamptz AND NOT g.is_counting
    LIMIT ${limit}::int`,
)

/** The rewards that decisions may grant. Those of completions may differ from those of the goal. */
export const findRewardsOfDue = statement(
  'find_rewards_of_decisions',
  returns({ rewardId: 'uuid' }),
  (due: readonly Due[]) => Prisma.sql`
    WITH due AS MATERIALIZED (SELECT * FROM ${windowRows(due)})
    SELECT DISTINCT unnest(r.reward_ids) AS "rewardId" FROM (
      SELECT g.reward_ids FROM (SELECT DISTINCT goal_id FROM due) d JOIN goal g ON g.id = d.goal_id
      UNION ALL
      SELECT s.milestone_reward_ids FROM (SELECT DISTINCT goal_id FROM due) d JOIN goal_streak s USING (goal_id)
      UNION ALL
      SELECT c.reward_ids FROM due d
      -- LIMIT makes it a lookup by key, also while the planner has no statistics.
      CROSS JOIN LATERAL (SELECT reward_ids FROM goal_completion c
        WHERE (c.goal_id, c.user_id, c.window_start) = (d.goal_id, d.user_id, d.window_start)
          AND c.revoked_at IS NOT NULL
        LIMIT 1000000) c) r`,
)

/** The marks among these that must be counted again first. */
export const findRecounts = statement(
  'find_recounts',
  returns({ goalId: 'uuid', userId: 'uuid', windowStart: 'text' }),
  (due: readonly Due[]) => Prisma.sql`
    SELECT ${windowColumns} FROM ${windowRows(due)}
    CROSS JOIN LATERAL (SELECT * FROM goal_mark m
      WHERE (m.goal_id, m.user_id, m.window_start) = (i.goal_id, i.user_id, i.window_start) LIMIT 1) m
    WHERE m.needs_recount`,
)

const contradicted = (where: Prisma.Sql): Prisma.Sql => Prisma.sql`
  (SELECT coalesce(json_agg(json_build_object('id', c.id, 'k', c.k, 'round', c.round, 'rewardIds', c.reward_ids)
      ORDER BY c.k), '[]')
    FROM (SELECT * FROM goal_completion c
      WHERE (c.goal_id, c.user_id, c.window_start) = (m.goal_id, m.user_id, m.window_start) AND ${where}
      ORDER BY c.k LIMIT 1000) c)`

/**
 * Whether a user `p` is in the segment `s` now. Where something of value is given, only what a secret key has set and what the
 * server's own records prove count.
 */
export const isInSegment = (now: Date): Prisma.Sql => Prisma.sql`
  (s.stage IS NULL OR (s.stage = p.stage AND (p.stage_is_proven OR NOT v.has_value)))
  AND (s.tier IS NULL OR (s.tier = p.tier AND (p.tier_is_proven OR NOT v.has_value)))
  AND (s.tag IS NULL OR (p.tags ? s.tag AND (p.tags_by_secret OR NOT v.has_value)))
  AND (s.tag_value IS NULL OR p.tags ->> s.tag = s.tag_value)
  AND (s.country IS NULL OR (s.country = p.country AND NOT v.has_value))
  AND (s.device IS NULL OR (s.device = p.device AND NOT v.has_value))
  AND (s.source IS NULL OR (s.source = p.source AND NOT v.has_value))
  AND (NOT v.has_value OR NOT ${looksAtLastSeen}) AND ${isInRanges(Prisma.raw('p.user_id'), now)}`

/** The conditions on a user `p` that a goal `g` has; null for none. */
export const eligibility = (now: Date): Prisma.Sql => Prisma.sql`
  CROSS JOIN LATERAL (SELECT cardinality(g.reward_ids) > 0 OR EXISTS (SELECT FROM goal_streak x
    WHERE x.goal_id = g.id AND cardinality(x.milestone_reward_ids) > 0) AS has_value) v
  CROSS JOIN LATERAL (SELECT
    CASE WHEN g.segment_id IS NOT NULL THEN coalesce(
      (SELECT ${isInSegment(now)} FROM segment s WHERE s.id = g.segment_id), false) END AS is_in_segment,
    CASE WHEN g.requires <> '{}' THEN NOT EXISTS (SELECT FROM unnest(g.requires) r
      WHERE NOT EXISTS (SELECT FROM goal_completion c
        WHERE c.goal_id = r AND c.user_id = p.user_id AND c.revoked_at IS NULL)) END AS has_required) e`

/** A goal that a user must have completed. */
export type RequiredGoal = { goalId: string; isMet: boolean }

/** Each goal that a goal `g` requires, and whether a user `p` has completed it. */
export const requiredGoals = Prisma.sql`
  (SELECT coalesce(json_agg(json_build_object('goalId', o.id, 'isMet', EXISTS (SELECT FROM goal_completion c
      WHERE c.goal_id = o.id AND c.user_id = p.user_id AND c.revoked_at IS NULL)) ORDER BY o.place), '[]')
    FROM unnest(g.requires) WITH ORDINALITY o (id, place))`

/**
 * What there is to decide, as it is now; no row for a mark that is gone. The profiles are locked. Windows of a user and goal
 * come in their order.
 */
export const readSituations = statement(
  'read_situations',
  both(
    returns({
      goalId: 'uuid',
      userId: 'uuid',
      windowStart: 'text',
      partnerId: 'uuid',
      environment: 'Environment',
      slug: 'text',
      steps: 'int',
      live: 'int',
      made: 'int',
      isOnce: 'boolean',
      liveElsewhere: 'int',
      isEligible: 'boolean',
      claim: 'GoalClaim',
      claimDays: 'int?',
      holdDays: 'int',
      onReversal: 'GoalReversal',
      rewardIds: 'uuid[]',
      isStreak: 'boolean',
    }),
    both(returnsJson<Contradicted[]>()('beyond'), returnsJson<Contradicted[]>()('within')),
  ),
  // Long: one statement.
  (due: readonly Due[], now: Date) => Prisma.sql`
    SELECT ${windowColumns}, g.partner_id AS "partnerId", g.environment, g.slug, n.steps, l.live, l.made,
      g.repeat = 'ONCE' AS "isOnce", CASE WHEN g.repeat = 'ONCE' THEN (
        SELECT count(*)::int FROM goal_completion c WHERE c.goal_id = g.id AND c.user_id = m.user_id
          AND c.window_start <> m.window_start AND c.revoked_at IS NULL) ELSE 0 END AS "liveElsewhere",
      coalesce(e.is_in_segment, true) AND coalesce(e.has_required, true) AND u.erased IS NULL AS "isEligible",
      g.claim, g.claim_days AS "claimDays", g.hold_days AS "holdDays", g.on_reversal AS "onReversal",
      ARRAY(SELECT r.id FROM unnest(g.reward_ids) WITH ORDINALITY o (id, place) JOIN reward r ON r.id = o.id
        WHERE r.archived_at IS NULL ORDER BY o.place) AS "rewardIds",
      EXISTS (SELECT FROM goal_streak x WHERE x.goal_id = g.id) AS "isStreak",
      ${contradicted(Prisma.sql`c.k > n.steps AND c.revoked_at IS NULL`)} AS beyond,
      ${contradicted(Prisma.sql`c.k <= n.steps AND c.revoked_at IS NOT NULL`)} AS within
    FROM ${windowRows(due)}
    CROSS JOIN LATERAL (SELECT * FROM goal_mark x
      WHERE (x.goal_id, x.user_id, x.window_start) = (i.goal_id, i.user_id, i.window_start) LIMIT 1) m
    CROSS JOIN LATERAL (SELECT * FROM goal x WHERE x.id = m.goal_id LIMIT 1) g
    CROSS JOIN LATERAL (SELECT * FROM user_profile x WHERE x.user_id = m.user_id LIMIT 1) p
    CROSS JOIN LATERAL (SELECT max(true::int) AS erased FROM user_erasure x WHERE x.user_id = m.user_id) u
    CROSS JOIN LATERAL (
      -- The counters of a user who was erased are deleted. That takes nothing back.
      SELECT CASE WHEN u.erased IS NULL
        THEN min(reached_steps(coalesce(c.value, 0), t.target, g.max_completions)) ELSE 1000000 END AS steps
      FROM goal_task t LEFT JOIN fact_counter c
        ON (c.task_id, c.user_id, c.window_start) = (t.id, m.user_id, m.window_start)
      WHERE t.goal_id = g.id) n
    CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE c.revoked_at IS NULL)::int AS live,
        coalesce(max(c.k), 0) AS made FROM goal_completion c
      WHERE (c.goal_id, c.user_id, c.window_start) = (m.goal_id, m.user_id, m.window_start)) l
    ${eligibility(now)}
    WHERE g.status IN ('ACTIVE', 'ENDED') AND NOT g.is_counting AND n.steps IS NOT NULL
    ORDER BY m.goal_id, m.user_id, m.window_start`,
)

const completionRows = inputRows({
  id: 'uuid',
  partnerId: 'uuid',
  environment: 'Environment',
  goalId: 'uuid',
  userId: 'uuid',
  windowStart: 'date',
  k: 'int',
  round: 'int',
  rewardIds: 'uuid[]',
  keepsRewards: 'boolean',
})

/** The grants of completions, in their present round, that can still be revoked. */
export const findGrantsOfCompletions = statement(
  'find_grants_of_completions',
  returns({ id: 'uuid' }),
  (completions: ItemsOf<typeof completionRows>) => Prisma.sql`
    SELECT r.id FROM ${completionRows(completions)}
    JOIN reward_grant r ON (r.partner_id, r.environment, r.source_kind, r.source_id)
      = (i.partner_id, i.environment, 'GOAL', i.id::text)
    WHERE r.round = i.round AND r.status IN ('HELD', 'READY', 'ISSUED', 'FAILED')
    ORDER BY r.id`,
)

export type CompletionRow = ItemsOf<typeof completionRows>[number]

const announced = (moment: string, now: Date, more = Prisma.empty): Prisma.Sql => Prisma.sql`
  SELECT ${newIdAt(now)} AS id, c.partner_id, c.environment, ${now}::timestamptz AS occurred_at,
    json_build_object('goalId', c.goal_id, 'slug', g.slug, 'userId', u.external_id, 'windowStart', c.window_start::text,
      'completionId', c.id, 'number', c.k, 'round', c.round, ${more} ${moment}::text, ${now.toISOString()}::text) AS data`

const userAndGoal = Prisma.sql`
  CROSS JOIN LATERAL (SELECT * FROM end_user x WHERE x.id = c.user_id LIMIT 1) u
  CROSS JOIN LATERAL (SELECT * FROM goal x WHERE x.id = c.goal_id LIMIT 1) g`

/** Writes completions, new ones and those that are completed again, and announces them. The users are locked. */
export const insertCompletions = statement(
  'complete_goals',
  returnsNothing,
  (completions: ItemsOf<typeof completionRows>, now: Date) => Prisma.sql`
    WITH done AS MATERIALIZED (
      INSERT INTO goal_completion AS c (id, partner_id, environment, goal_id, user_id, window_start, k, round,
        reward_ids, completed_at, announced_at)
      SELECT id, partner_id, environment, goal_id, user_id, window_start, k, round, reward_ids, ${now}::timestamptz,
        ARRAY[${now}::timestamptz]
      FROM ${completionRows(completions)} ORDER BY goal_id, user_id, window_start, k
      ON CONFLICT (goal_id, user_id, window_start, k) DO UPDATE SET round = excluded.round, revoked_at = NULL,
        completed_at = excluded.completed_at, announced_at = c.announced_at || excluded.completed_at
      RETURNING c.*
    )
    ${emit(goalCompleted, Prisma.sql`${announced('completedAt', now)} FROM done c ${userAndGoal}`)}`,
)

/** Revokes completions, and announces it. The users are locked. */
export const revokeCompletions = statement(
  'revoke_completions',
  returnsNothing,
  (completions: ItemsOf<typeof completionRows>, now: Date) => Prisma.sql`
    WITH undone AS MATERIALIZED (
      UPDATE goal_completion c SET revoked_at = ${now}::timestamptz,
        announced_at = c.announced_at || ${now}::timestamptz
      FROM ${completionRows(completions)}
      WHERE c.id = i.id AND c.id = ANY (${completions.map(({ id }) => id)}::uuid[])
      RETURNING c.*, i.keeps_rewards
    )
    ${emit(
      goalRevoked,
      Prisma.sql`${announced('revokedAt', now, Prisma.sql`'keepsRewards', c.keeps_rewards,`)}
        FROM undone c ${userAndGoal}`,
    )}`,
)

const decidedRows = inputRows({
  goalId: 'uuid',
  userId: 'uuid',
  windowStart: 'date',
  isBlocked: 'boolean',
  isUnfinished: 'boolean',
  isRevoked: 'boolean',
})

/**
 * Notes what was decided: counters remember their steps, and marks go. Those of users who are not eligible stay, and of windows
 * with more to do. Where a goal that is completed only once was revoked, another window may complete it now.
 */
export const settleMarks = statement(
  'settle_goal_marks',
  returnsNothing,
  (decided: ItemsOf<typeof decidedRows>) => Prisma.sql`
    WITH input AS MATERIALIZED (
      SELECT * FROM ${decidedRows(decided)}
    ), counted AS (
      UPDATE fact_counter c SET decided = reached_steps(c.value, t.target, g.max_completions)
      FROM input i JOIN goal_task t ON t.goal_id = i.goal_id JOIN goal g ON g.id = i.goal_id
      WHERE (c.task_id, c.user_id, c.window_start) = (t.id, i.user_id, i.window_start)
        AND NOT i.is_blocked AND NOT i.is_unfinished
        AND c.decided <> reached_steps(c.value, t.target, g.max_completions)
    ), gone AS (
      DELETE FROM goal_mark m USING input i
      WHERE (m.goal_id, m.user_id, m.window_start) = (i.goal_id, i.user_id, i.window_start)
        AND NOT i.is_blocked AND NOT i.is_unfinished
    ), waiting AS (
      UPDATE goal_mark m SET is_blocked = i.is_blocked, needs_recount = false FROM input i
      WHERE (m.goal_id, m.user_id, m.window_start) = (i.goal_id, i.user_id, i.window_start)
        AND (i.is_blocked OR i.is_unfinished)
    ), other AS (
      SELECT DISTINCT i.goal_id, i.user_id, c.window_start, c.partner_id, c.environment
      FROM input i JOIN goal g ON g.id = i.goal_id JOIN goal_task t ON t.goal_id = i.goal_id
      JOIN fact_counter c ON c.task_id = t.id AND c.user_id = i.user_id
      WHERE i.is_revoked AND g.repeat = 'ONCE' AND g.window_kind <> 'EVER' AND c.decided > 0
        AND NOT EXISTS (SELECT FROM input x
          WHERE (x.goal_id, x.user_id, x.window_start) = (i.goal_id, i.user_id, c.window_start))
    )
    INSERT INTO goal_mark AS m (goal_id, user_id, window_start, partner_id, environment)
    SELECT * FROM other ORDER BY 1, 2, 3
    ON CONFLICT (goal_id, user_id, window_start) DO UPDATE SET is_blocked = false WHERE m.is_blocked`,
  { isPrepared: false },
)

const completedRows = inputRows({ goalId: 'uuid', userId: 'uuid' })

/** Has decisions made again that waited for these goals to be completed. The profiles of the users are locked. */
export const unblockRequiring = statement(
  'unblock_goals_that_require',
  returnsNothing,
  (completed: ItemsOf<typeof completedRows>) => Prisma.sql`
    UPDATE goal_mark m SET is_blocked = false
    FROM ${completedRows(completed)}
    JOIN goal x ON x.id = i.goal_id
    JOIN goal g ON (g.partner_id, g.environment) = (x.partner_id, x.environment) AND i.goal_id = ANY (g.requires)
    WHERE (m.goal_id, m.user_id) = (g.id, i.user_id) AND m.is_blocked`,
)
