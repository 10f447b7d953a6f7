/** Invariants of rewards and grants. */
export const programmeInvariants: Record<string, string> = {
  'a grant that was issued was paid once, by one entry of its points': `
    SELECT 1 FROM (
      SELECT id::text, user_id, entry_id, points FROM reward_grant WHERE issued_at IS NOT NULL AND points IS NOT NULL) g
    FULL JOIN (
      SELECT source_id AS id, user_id, (array_agg(id))[1] AS entry_id, sum(points) AS points, count(*) AS n,
        min(event_type) AS event_type
      FROM ledger_entry WHERE account = 'rewards'
        AND event_type NOT IN ('reward_refund', 'reward_purchase', 'purchase_refund') GROUP BY 1, 2) l USING (id, user_id)
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
  'a grant that was bought was paid for once': `
    SELECT 1 FROM (
      SELECT id::text, user_id, purchase_entry_id AS entry_id, price AS points FROM reward_grant WHERE price IS NOT NULL) g
    FULL JOIN (
      SELECT source_id AS id, user_id, (array_agg(id))[1] AS entry_id, -sum(points) AS points, count(*) AS n
      FROM ledger_entry WHERE account = 'rewards' AND event_type = 'reward_purchase' GROUP BY 1, 2) l USING (id, user_id)
    WHERE (g.entry_id, g.points) IS DISTINCT FROM (l.entry_id, l.points) OR l.n <> 1`,
  'a purchase that was cancelled was given back once': `
    SELECT 1 FROM (
      SELECT id::text, user_id, refund_entry_id AS entry_id, price AS points
      FROM reward_grant WHERE price IS NOT NULL AND status = 'CANCELLED') g
    FULL JOIN (
      SELECT source_id AS id, user_id, (array_agg(id))[1] AS entry_id, sum(points) AS points, count(*) AS n
      FROM ledger_entry WHERE account = 'rewards' AND event_type = 'purchase_refund' GROUP BY 1, 2) l USING (id, user_id)
    WHERE (g.entry_id, g.points) IS DISTINCT FROM (l.entry_id, l.points) OR l.n <> 1`,
  'a code belongs to a grant of its reward that was issued, and is the stock of the reward': `
    SELECT c.id FROM reward_code c LEFT JOIN reward_grant g ON g.id = c.grant_id
    WHERE c.grant_id IS NOT NULL AND (g.reward_id, g.issued_at IS NOT NULL, g.status <> 'CANCELLED')
      IS DISTINCT FROM (c.reward_id, true, true)
    UNION ALL
    SELECT r.id FROM reward r LEFT JOIN (SELECT reward_id, count(*) AS n FROM reward_code GROUP BY 1) c ON c.reward_id = r.id
    WHERE r.kind = 'CODE' AND r.stock <> coalesce(c.n, 0)
    UNION ALL
    SELECT g.id FROM reward_grant g JOIN reward r ON r.id = g.reward_id LEFT JOIN reward_code c ON c.grant_id = g.id
    WHERE r.kind = 'CODE' AND g.status IN ('ISSUED', 'FULFILLED') AND c.id IS NULL`,
  'each free play of a grant was used once': `
    SELECT g.id FROM reward_grant g LEFT JOIN (
      SELECT grant_id, user_id, count(*) AS n, max(points_spent) AS spent, min(game_type::text) AS game, max(game_type::text) AS other
      FROM play WHERE grant_id IS NOT NULL GROUP BY 1, 2) p ON p.grant_id = g.id
    WHERE coalesce(p.n, 0) > coalesce(g.free_plays, 0)
      OR p.n IS NOT NULL AND (p.user_id, p.spent, p.game, p.other)
        IS DISTINCT FROM (g.user_id, 0, g.game_type::text, g.game_type::text)
      OR g.status = 'ISSUED' AND g.free_plays IS NOT NULL AND g.free_plays_left <> g.free_plays - coalesce(p.n, 0)`,
  'the entries of rewards add up to what grants paid, cost and did not get back': `
    SELECT partner_id FROM (
      SELECT partner_id, environment, sum(CASE WHEN issued_at IS NULL THEN 0 ELSE coalesce(points, 0)
          - CASE WHEN taken_back_at IS NULL THEN 0 ELSE coalesce(points, 0) - shortfall END END
        - CASE WHEN status = 'CANCELLED' THEN 0 ELSE coalesce(price, 0) END) AS points
      FROM reward_grant GROUP BY 1, 2) g
    FULL JOIN (
      SELECT partner_id, environment, sum(points) AS points FROM ledger_entry WHERE account = 'rewards' GROUP BY 1, 2) l
      USING (partner_id, environment)
    WHERE coalesce(g.points, 0) <> coalesce(l.points, 0)`,
  'a reward counts its grants, except those that found no stock or were cancelled': `
    SELECT r.id FROM reward r LEFT JOIN (
      SELECT reward_id, count(*) AS n FROM reward_grant WHERE is_counted GROUP BY 1) g ON g.reward_id = r.id
    WHERE r.grant_count <> coalesce(g.n, 0)
    UNION ALL
    SELECT id FROM reward_grant WHERE is_counted = (status = 'CANCELLED' OR failure IS NOT DISTINCT FROM 'OUT_OF_STOCK')`,
  'a grant belongs to the partner and environment of its user and of its reward': `
    SELECT g.id FROM reward_grant g JOIN end_user u ON u.id = g.user_id JOIN reward r ON r.id = g.reward_id
    WHERE (g.partner_id, g.environment) <> (u.partner_id, u.environment)
      OR (g.partner_id, g.environment) <> (r.partner_id, r.environment)
      OR (g.points IS NOT NULL) <> (r.kind = 'POINTS')`,
  'a grant names the goal that was completed, or whose streak has reached a milestone': `
    SELECT g.id FROM reward_grant g LEFT JOIN goal_completion c ON g.source_kind = 'GOAL' AND c.id::text = g.source_id
    LEFT JOIN streak_milestone m ON g.source_kind = 'STREAK' AND m.id::text = g.source_id
    WHERE g.goal_id IS DISTINCT FROM coalesce(c.goal_id, m.goal_id)`,
  'each entry of a reward is on the timeline, where only a purchase is an activity': `
    SELECT l.id FROM ledger_entry l LEFT JOIN user_activity a ON a.id = l.id AND a.points = l.points
      AND a.is_correction = (l.event_type <> 'reward_purchase')
    WHERE l.account = 'rewards' AND a.id IS NULL`,
  'a grant that was issued, fulfilled, revoked, cancelled or has expired is announced once': `
    SELECT 1 FROM (
      SELECT id::text AS id, 'grant.issued' AS type, issued_at AS at FROM reward_grant WHERE issued_at IS NOT NULL
      UNION ALL SELECT id::text, 'grant.revoked', revoked_at FROM reward_grant WHERE revoked_at IS NOT NULL
      UNION ALL SELECT id::text, 'grant.expired', expired_at FROM reward_grant WHERE expired_at IS NOT NULL
      UNION ALL SELECT id::text, 'grant.cancelled', cancelled_at FROM reward_grant WHERE cancelled_at IS NOT NULL
      UNION ALL SELECT id::text, 'grant.fulfilled', fulfilled_at FROM reward_grant WHERE fulfilled_at IS NOT NULL
      UNION ALL SELECT id::text, 'grant.ready', ready_at FROM reward_grant WHERE ready_at IS NOT NULL AND needs_claim) g
    FULL JOIN (SELECT data ->> 'grantId' AS id, type, count(*) AS n FROM event
      -- A grant can fail and be retried several times.
      WHERE type LIKE 'grant.%' AND type <> 'grant.failed' GROUP BY 1, 2) e USING (id, type)
    WHERE g.at IS NULL OR e.n > 1 OR (e.n IS NULL AND g.at > now() - interval '30 days')`,
}
