/** Invariants of goals, of their counters and completions. Users who were erased are left out. */

/** The counters that follow from the timelines, of all goals that have counted all their users. */
const recounted = `
  SELECT g.id AS goal_id, n.* FROM goal g
  CROSS JOIN LATERAL counters_of_timeline(g, ARRAY(SELECT p.user_id FROM user_profile p
    WHERE (p.partner_id, p.environment) = (g.partner_id, g.environment)), NULL) n
  WHERE g.status <> 'DRAFT' AND NOT g.is_counting`

/** The live completions that counters demand, where no decision is due. */
const steps = `
  SELECT g.id AS goal_id, g.repeat, w.user_id, w.window_start,
    min(reached_steps(coalesce(c.value, 0), t.target, g.max_completions)) AS steps
  FROM goal g
  JOIN (SELECT DISTINCT t.goal_id, c.user_id, c.window_start FROM fact_counter c JOIN goal_task t ON t.id = c.task_id) w
    ON w.goal_id = g.id
  JOIN goal_task t ON t.goal_id = g.id
  LEFT JOIN fact_counter c ON (c.task_id, c.user_id, c.window_start) = (t.id, w.user_id, w.window_start)
  LEFT JOIN goal_join j ON (j.goal_id, j.user_id, j.window_start) = (g.id, w.user_id, w.window_start)
  WHERE NOT g.is_counting AND NOT is_long_closed(window_closes_at(g, w.window_start, j.ends_at), now())
    AND g.status IN ('ACTIVE', 'ENDED')
    AND NOT EXISTS (SELECT FROM user_erasure e WHERE e.user_id = w.user_id)
    AND NOT EXISTS (SELECT FROM goal_mark m WHERE m.goal_id = g.id AND m.user_id = w.user_id)
  GROUP BY 1, 2, 3, 4`

export const goalInvariants: Record<string, string> = {
  'a counter is what its timeline says': `
    SELECT 1 FROM (
      SELECT goal_id, user_id, window_start, c.value, c.reached_at, n.value AS counted, n.reached_at AS counted_at
      FROM (${recounted}) n
      FULL JOIN (
        SELECT t.goal_id, c.* FROM fact_counter c JOIN goal_task t ON t.id = c.task_id JOIN goal g ON g.id = t.goal_id
        WHERE NOT g.is_counting AND NOT EXISTS (SELECT FROM user_erasure e WHERE e.user_id = c.user_id)) c
        USING (goal_id, task_id, user_id, window_start)) f
    JOIN goal g ON g.id = f.goal_id
    LEFT JOIN goal_join j ON (j.goal_id, j.user_id, j.window_start) = (g.id, f.user_id, f.window_start)
    WHERE (f.value IS DISTINCT FROM f.counted OR f.reached_at IS DISTINCT FROM f.counted_at)
      -- Counters of windows that have been closed for long are deleted.
      AND NOT (f.value IS NULL AND is_long_closed(window_closes_at(g, f.window_start, j.ends_at), now()))`,
  'the facts of dates are those of the timeline': `
    SELECT 1 FROM (
      SELECT t.task_id, t.user_id, t.window_start, t.day, t.amount FROM goal g
      CROSS JOIN LATERAL timeline_counts(g, ARRAY(SELECT p.user_id FROM user_profile p
        WHERE (p.partner_id, p.environment) = (g.partner_id, g.environment)), NULL) t
      JOIN goal_task k ON k.id = t.task_id AND k.of = 'DAYS'
      LEFT JOIN goal_join j ON (j.goal_id, j.user_id, j.window_start) = (g.id, t.user_id, t.window_start)
      WHERE g.status <> 'DRAFT' AND NOT g.is_counting AND t.amount > 0
        AND NOT is_long_closed(window_closes_at(g, t.window_start, j.ends_at), now())) n
    FULL JOIN (
      SELECT d.task_id, d.user_id, d.window_start, d.day, d.facts FROM fact_day d
      JOIN goal_task k ON k.id = d.task_id JOIN goal g ON g.id = k.goal_id
      LEFT JOIN goal_join j ON (j.goal_id, j.user_id, j.window_start) = (g.id, d.user_id, d.window_start)
      WHERE d.facts <> 0 AND NOT g.is_counting
        AND NOT is_long_closed(window_closes_at(g, d.window_start, j.ends_at), now())
        AND NOT EXISTS (SELECT FROM user_erasure e WHERE e.user_id = d.user_id)) d
      USING (task_id, user_id, window_start, day)
    WHERE n.amount IS DISTINCT FROM d.facts`,
  'a decision is due, or live completions are what the counters say': `
    SELECT s.goal_id FROM (${steps}) s
    LEFT JOIN (SELECT goal_id, user_id, window_start, count(*) AS n FROM goal_completion
      WHERE revoked_at IS NULL GROUP BY 1, 2, 3) c USING (goal_id, user_id, window_start)
    WHERE s.repeat <> 'ONCE' AND s.steps <> coalesce(c.n, 0)
    UNION ALL
    SELECT s.goal_id FROM (SELECT goal_id, user_id, max(steps) AS steps FROM (${steps}) s
      WHERE repeat = 'ONCE' GROUP BY 1, 2) s
    LEFT JOIN (SELECT goal_id, user_id, count(*) AS n FROM goal_completion
      WHERE revoked_at IS NULL GROUP BY 1, 2) c USING (goal_id, user_id)
    WHERE CASE WHEN s.steps > 0 THEN c.n IS DISTINCT FROM 1 ELSE c.n > 1 END`,
  'a goal that is completed only once has one live completion of a user at most': `
    SELECT c.user_id FROM goal_completion c JOIN goal g ON g.id = c.goal_id
    WHERE g.repeat = 'ONCE' AND c.revoked_at IS NULL GROUP BY g.id, c.user_id HAVING count(*) > 1`,
  'completions of a window are numbered from 1': `
    SELECT goal_id FROM goal_completion GROUP BY goal_id, user_id, window_start HAVING max(k) <> count(*)`,
  'each completion has a grant of each of its rewards and rounds, until one is used, and no other': `
    SELECT 1 FROM (
      SELECT c.id::text AS source_id, r.no::int AS reward_no, o.round, r.id AS reward_id, c.user_id
      FROM goal_completion c CROSS JOIN unnest(c.reward_ids) WITH ORDINALITY r (id, no)
      CROSS JOIN generate_series(1, c.round) o (round)) c
    FULL JOIN (SELECT source_id, reward_no, round, reward_id, user_id FROM reward_grant g
      WHERE source_kind = 'GOAL' AND EXISTS (SELECT FROM goal_completion x WHERE x.id::text = g.source_id)) g
      USING (source_id, reward_no, round, reward_id, user_id)
    WHERE c.source_id IS NULL OR (g.source_id IS NULL AND NOT EXISTS (SELECT FROM reward_grant f
      WHERE f.source_kind = 'GOAL' AND (f.status = 'FULFILLED' OR f.free_plays_left < f.free_plays)
        AND (f.source_id, f.reward_no) = (c.source_id, c.reward_no) AND f.round < c.round))`,
  'a reversal revokes the grants of a completion unless its goal keeps them': `
    SELECT g.id FROM reward_grant g JOIN goal_completion c ON g.source_id = c.id::text JOIN goal x ON x.id = c.goal_id
    WHERE g.source_kind = 'GOAL' AND x.on_reversal = 'REVOKE' AND g.status IN ('HELD', 'READY', 'ISSUED', 'FAILED')
      AND (c.revoked_at IS NOT NULL OR g.round < c.round)`,
  'goals, tasks, counters, joins, marks and completions are of one tenant': `
    SELECT g.id FROM goal g JOIN goal_task t ON t.goal_id = g.id
    LEFT JOIN fact_counter c ON c.task_id = t.id
    WHERE (g.partner_id, g.environment) <> (t.partner_id, t.environment)
      OR (g.partner_id, g.environment) <> (c.partner_id, c.environment)
    UNION ALL SELECT c.id FROM goal_completion c JOIN goal g ON g.id = c.goal_id JOIN end_user u ON u.id = c.user_id
    WHERE (c.partner_id, c.environment) <> (g.partner_id, g.environment)
      OR (c.partner_id, c.environment) <> (u.partner_id, u.environment)`,
  'each measure of a goal that has started is found by its facts': `
    SELECT t.id FROM goal_task t JOIN goal g ON g.id = t.goal_id
    WHERE (g.status <> 'DRAFT') <> EXISTS (SELECT FROM measure_key k WHERE k.task_id = t.id)
    UNION ALL SELECT k.task_id FROM measure_key k LEFT JOIN goal_task t ON t.id = k.task_id WHERE t.id IS NULL`,
  'an erased user has no counters, joins, marks and streaks': `
    SELECT e.user_id FROM user_erasure e WHERE e.finished_at IS NOT NULL AND (
      EXISTS (SELECT FROM fact_counter x WHERE x.user_id = e.user_id)
      OR EXISTS (SELECT FROM fact_day x WHERE x.user_id = e.user_id)
      OR EXISTS (SELECT FROM goal_join x WHERE x.user_id = e.user_id)
      OR EXISTS (SELECT FROM goal_mark x WHERE x.user_id = e.user_id)
      OR EXISTS (SELECT FROM streak x WHERE x.user_id = e.user_id)
      OR EXISTS (SELECT FROM streak_change x WHERE x.user_id = e.user_id))`,
  'each milestone of a streak has a grant of each of its rounds, unless its reward was archived, and no other': `
    SELECT 1 FROM (
      SELECT m.id::text AS source_id, o.round, m.user_id FROM streak_milestone m
      CROSS JOIN generate_series(1, m.round) o (round)) m
    FULL JOIN (SELECT source_id, round, user_id, reward_id FROM reward_grant WHERE source_kind = 'STREAK') g
      USING (source_id, round, user_id)
    WHERE m.source_id IS NULL OR (g.source_id IS NULL AND NOT EXISTS (SELECT FROM streak_milestone x
      JOIN reward r ON r.id = x.reward_id WHERE x.id::text = m.source_id AND r.archived_at IS NOT NULL)
      AND NOT EXISTS (SELECT FROM reward_grant f WHERE f.source_kind = 'STREAK'
        AND (f.status = 'FULFILLED' OR f.free_plays_left < f.free_plays) AND f.source_id = m.source_id AND f.round < m.round))`,
  'a milestone that no run reaches has no grant that was not revoked': `
    SELECT g.id FROM reward_grant g JOIN streak_milestone m ON g.source_id = m.id::text
    WHERE g.source_kind = 'STREAK' AND g.status IN ('HELD', 'READY', 'ISSUED', 'FAILED')
      AND (m.revoked_at IS NOT NULL OR g.round < m.round)`,
  'streaks, their changes and milestones are of one tenant': `
    SELECT s.goal_id FROM (
      SELECT goal_id, user_id, partner_id, environment FROM streak
      UNION ALL SELECT goal_id, user_id, partner_id, environment FROM streak_change
      UNION ALL SELECT goal_id, user_id, partner_id, environment FROM streak_milestone) s
    JOIN goal g ON g.id = s.goal_id JOIN end_user u ON u.id = s.user_id
    WHERE (s.partner_id, s.environment) <> (g.partner_id, g.environment)
      OR (s.partner_id, s.environment) <> (u.partner_id, u.environment)`,
  'a completion is announced': `
    SELECT c.id FROM goal_completion c WHERE c.completed_at > now() - interval '20 days'
      AND NOT EXISTS (SELECT FROM event e WHERE e.type = 'goal.completed' AND e.partner_id = c.partner_id
        AND e.occurred_at = c.completed_at AND e.data ->> 'completionId' = c.id::text)`,
}
