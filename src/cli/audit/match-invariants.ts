/** Invariants of agents and matches. */
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
