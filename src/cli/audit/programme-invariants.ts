/** Invariants of rewards and grants. */
export const programmeInvariants: Record<string, string> = {
  'a grant that was issued was paid once, by one entry of its points': `
    SELECT 1 FROM (
      SELECT id::text, user_id, entry_id, points FROM reward_grant WHERE issued_at IS NOT NULL AND points IS NOT NULL) g
    FULL JOIN (
      SELECT source_id AS id, user_id, (array_agg(id))[1] AS entry_id, sum(points) AS points, count(*) AS n,
        min(event_type) AS event_type
      FROM ledger_entry WHERE account = 'rewards' AND event_type <> 'reward_refund' GROUP BY 1, 2) l USING (id, user_id)
    WHERE (g.entry_id, g.points) IS DISTINCT FROM (l.entry_id, l.points) OR l.n <> 1
      OR l.event_type NOT IN ('reward_given', 'goal_reward', 'streak_reward')`,
  'a grant that was revoked after it was issued was taken back once, but for its shortfall': `
    SELECT 1 FROM (
      SELECT id::text, user_id, refund_entry_id AS entry_id, points - shortfall AS points
      FROM reward_grant WHERE taken_back_at IS NOT NULL AND shortfall < points) g
    FULL JOIN (
      SELECT source_id AS id, user_id, (array_agg(id))[1] AS entry_id, -sum(points) AS points, count(*) AS n
      FROM ledger_entry WHERE account = 'rewards' AND event_type = 'reward_refund' GROUP BY 1, 2) l USING (id, user_id)
    WHERE (g.entry_id, g.points) IS DISTINCT FROM (l.entry_id, l.points) OR l.n <> 1`,
  'the entries of rewards add up to what grants paid and did not get back': `
    SELECT partner_id FROM (
      SELECT partner_id, environment, sum(points - CASE WHEN taken_back_at IS NULL THEN 0 ELSE points - shortfall END) AS points
      FROM reward_grant WHERE issued_at IS NOT NULL AND points IS NOT NULL GROUP BY 1, 2) g
    FULL JOIN (
      SELECT partner_id, environment, sum(points) AS points FROM ledger_entry WHERE account = 'rewards' GROUP BY 1, 2) l
      USING (partner_id, environment)
    WHERE coalesce(g.points, 0) <> coalesce(l.points, 0)`,
  'a reward counts its grants, except those that failed': `
    SELECT r.id FROM reward r LEFT JOIN (
      SELECT reward_id, count(*) AS n FROM reward_grant WHERE failure IS NULL GROUP BY 1) g ON g.reward_id = r.id
    WHERE r.grant_count <> coalesce(g.n, 0)`,
  'a grant belongs to the partner and environment of its user and of its reward': `
    SELECT g.id FROM reward_grant g JOIN end_user u ON u.id = g.user_id JOIN reward r ON r.id = g.reward_id
    WHERE (g.partner_id, g.environment) <> (u.partner_id, u.environment)
      OR (g.partner_id, g.environment) <> (r.partner_id, r.environment)
      OR (g.points IS NOT NULL) <> (r.kind = 'POINTS')`,
  'a grant names the goal that was completed, or whose streak has reached a milestone': `
    SELECT g.id FROM reward_grant g LEFT JOIN goal_completion c ON g.source_kind = 'GOAL' AND c.id::text = g.source_id
    LEFT JOIN streak_milestone m ON g.source_kind = 'STREAK' AND m.id::text = g.source_id
    WHERE g.goal_id IS DISTINCT FROM coalesce(c.goal_id, m.goal_id)`,
  'each line of the timeline about a reward is of its entry or of a badge': `
    SELECT l.id FROM ledger_entry l LEFT JOIN user_activity a ON a.id = l.id AND a.points = l.points AND a.is_correction
    WHERE l.account = 'rewards' AND a.id IS NULL`,
  'a grant that was issued, revoked or has expired is announced once': `
    SELECT 1 FROM (
      SELECT id::text AS id, 'grant.issued' AS type, issued_at AS at FROM reward_grant WHERE issued_at IS NOT NULL
      UNION ALL SELECT id::text, 'grant.revoked', revoked_at FROM reward_grant WHERE revoked_at IS NOT NULL
      UNION ALL SELECT id::text, 'grant.expired', expired_at FROM reward_grant WHERE expired_at IS NOT NULL
      UNION ALL SELECT id::text, 'grant.ready', ready_at FROM reward_grant WHERE ready_at IS NOT NULL AND needs_claim) g
    FULL JOIN (SELECT data ->> 'grantId' AS id, type, count(*) AS n FROM event
      WHERE type LIKE 'grant.%' GROUP BY 1, 2) e USING (id, type)
    WHERE g.at IS NULL OR e.n > 1 OR (e.n IS NULL AND g.at > now() - interval '30 days')`,
}
