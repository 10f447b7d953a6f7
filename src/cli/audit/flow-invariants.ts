/** Invariants of points that flow between partners (decision 0105). */

/**
 * What the users of each partner paid, won and earned in sessions with an entry fee and players of several partners.
 */
const stakes = `
  SELECT s.id, s.game_id, s.status, p.partner_id, (s.created_at AT TIME ZONE 'UTC')::date AS day,
    s.entry_fee * count(*) AS paid, s.entry_fee * s.current_players AS pool,
    CASE WHEN bool_or(p.is_winner) THEN s.winner_prize ELSE 0 END AS won,
    CASE WHEN p.partner_id = g.partner_id THEN s.developer_share ELSE 0 END AS earned
  FROM arena_session s JOIN arena_game g ON g.id = s.game_id JOIN arena_player p ON p.session_id = s.id
  WHERE s.entry_fee > 0 GROUP BY s.id, s.game_id, s.status, s.created_at, s.entry_fee, s.current_players, s.winner_prize,
    s.developer_share, g.partner_id, p.partner_id
  HAVING count(*) < s.current_players`

export const flowInvariants: Record<string, string> = {
  'a prize pool takes users of other partners than its maker only where each has accepted the game, and nobody reports alone for themselves': `
    SELECT s.id FROM arena_session s JOIN (
      SELECT session_id, partner_id FROM arena_player UNION
      SELECT id, partner_id FROM arena_session) p ON p.session_id = s.id
    LEFT JOIN arena_acceptance a ON (a.partner_id, a.game_id) = (p.partner_id, s.game_id)
    WHERE s.entry_fee > 0
      AND EXISTS (SELECT FROM arena_player o WHERE o.session_id = s.id AND o.partner_id <> s.partner_id)
      AND (a.id IS NULL OR s.result_policy NOT IN ('QUORUM', 'SERVER'))`,
  'points between partners are within the caps that were in force': `
    SELECT partner_id FROM arena_flow WHERE points_in > max_in OR points_out > max_out`,
  'points between partners are what their sessions moved, and can still move': `
    SELECT 1 FROM arena_flow f FULL JOIN (
      SELECT partner_id, game_id, day,
        sum(CASE status WHEN 'COMPLETED' THEN greatest(won - paid, 0) WHEN 'EXPIRED' THEN 0
          ELSE pool - paid END) AS points_in,
        sum(CASE status WHEN 'COMPLETED' THEN greatest(paid - won - earned, 0) WHEN 'EXPIRED' THEN 0
          ELSE paid END) AS points_out
      FROM (${stakes}) s GROUP BY partner_id, game_id, day) s USING (partner_id, game_id, day)
    WHERE (coalesce(f.points_in, 0), coalesce(f.points_out, 0))
      <> (coalesce(s.points_in, 0), coalesce(s.points_out, 0))`,
}
