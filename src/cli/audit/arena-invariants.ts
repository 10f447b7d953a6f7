/**
 * Invariants of agents, matches, and points that flow between partners
 * (docs/decisions/points-between-partners-are-reserved.md).
 */
export const matchInvariants: Record<string, string> = {
  'ratings of agents sum up to 1200 each': `
    SELECT 1 FROM (SELECT sum(elo_rating) AS elo, count(*) AS n FROM arena_agent) a
    WHERE a.elo <> 1200 * a.n`,
  'a rating is 1200 and what its matches changed, and their counts are right': `
    SELECT a.id FROM arena_agent a LEFT JOIN (
      SELECT agent_id, count(*) AS n, max(number) AS last, sum(elo_after - elo_before) AS gained
      FROM arena_rating GROUP BY agent_id) r ON r.agent_id = a.id
    WHERE (a.total_matches, a.total_matches, a.elo_rating - 1200)
      <> (coalesce(r.n, 0), coalesce(r.last, 0), coalesce(r.gained, 0))`,
  'a ranked match changed two ratings once, by what it says, or none if both agents failed': `
    SELECT m.id FROM arena_match m LEFT JOIN arena_rating r1 ON r1.match_id = m.id
      AND r1.agent_id = m.agent1_id LEFT JOIN arena_rating r2 ON r2.match_id = m.id
      AND r2.agent_id = m.agent2_id
    WHERE m.match_type <> 'VALIDATION' AND (m.elo_change IS DISTINCT FROM r1.elo_after - r1.elo_before
      OR m.elo_change IS DISTINCT FROM r2.elo_before - r2.elo_after)
      AND NOT (m.elo_change = 0 AND m.winner_slot IS NULL AND r1.match_id IS NULL AND r2.match_id IS NULL)`,
  'games of a match are numbered without a gap, and its score is theirs': `
    SELECT m.id FROM arena_match m LEFT JOIN (
      SELECT match_id, count(*) AS n, max(game_number) AS last,
        count(*) FILTER (WHERE winner_slot = 1) AS one, count(*) FILTER (WHERE winner_slot = 2) AS two
      FROM arena_match_game GROUP BY match_id) g ON g.match_id = m.id
    WHERE (m.total_games_played, m.total_games_played, m.agent1_score, m.agent2_score)
      <> (coalesce(g.n, 0), coalesce(g.last, 0), coalesce(g.one, 0), coalesce(g.two, 0))`,
  'events of a match are numbered without a gap': `
    SELECT m.id FROM arena_match m LEFT JOIN (
      SELECT match_id, count(*) AS n, max(seq) AS last FROM arena_match_event GROUP BY match_id) e
      ON e.match_id = m.id
    WHERE (m.seq - m.logged_from + 1, m.seq) <> (coalesce(e.n, 0), coalesce(e.last, 0))`,
  'only of a match that has ended are events deleted, all but the last': `
    SELECT id FROM arena_match WHERE logged_from <> 1 AND (ended_at IS NULL OR logged_from <> seq)`,
  'a match that was completed says so once, in its last event': `
    SELECT m.id FROM arena_match m LEFT JOIN arena_match_event e ON e.match_id = m.id
      AND e.kind IN ('MATCH_COMPLETED', 'MATCH_CANCELLED')
    GROUP BY m.id, m.ended_at, m.seq HAVING coalesce(array_agg(e.seq) FILTER (WHERE e.seq IS NOT NULL), '{}')
      <> CASE WHEN m.ended_at IS NULL THEN '{}'::int[] ELSE ARRAY[m.seq] END`,
  'each game has its event of its end': `
    SELECT g.match_id FROM arena_match_game g
    JOIN arena_match m ON m.id = g.match_id AND m.logged_from = 1 LEFT JOIN arena_match_event e
      ON e.match_id = g.match_id AND e.game_number = g.game_number AND e.kind = 'GAME_COMPLETED'
    GROUP BY g.match_id, g.game_number HAVING count(e.seq) <> 1`,
  "an agent's account is what it was given": `
    SELECT a.id FROM arena_agent a LEFT JOIN point_account p ON p.name = 'agent:' || a.id
    WHERE a.total_support_received <> coalesce(p.balance, 0)`,
  'what agents were given is what wallets gave them': `
    SELECT a.id FROM arena_agent a LEFT JOIN (
      SELECT account, -sum(points) AS points, count(DISTINCT user_id) AS users FROM ledger_entry
      WHERE event_type = 'agent_support' GROUP BY account) l ON l.account = 'agent:' || a.id
    LEFT JOIN (SELECT agent_id, sum(amount) AS points, count(*) AS users FROM arena_supporter GROUP BY agent_id) s
      ON s.agent_id = a.id
    WHERE (a.total_support_received, a.total_support_received, a.total_supporters, a.total_supporters)
      <> (coalesce(l.points, 0), coalesce(s.points, 0), coalesce(s.users, 0), coalesce(l.users, 0))`,
}

/** Invariants of points that flow between partners (docs/decisions/points-between-partners-are-reserved.md). */

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
