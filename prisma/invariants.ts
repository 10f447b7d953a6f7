/** What must always be true of the data, each as a query that finds the rows where it is not. */
import type pg from 'pg'

export const invariants: Record<string, string> = {
  "a user's balance is the sum of their ledger entries": `
    SELECT u.id FROM end_user u LEFT JOIN (
      SELECT user_id, sum(points) AS points FROM ledger_entry GROUP BY user_id) l ON l.user_id = u.id
    WHERE u.balance <> coalesce(l.points, 0)`,
  'no balance is negative': 'SELECT id FROM end_user WHERE balance < 0',
  'ledger entries are numbered without a gap': `
    SELECT u.id FROM end_user u LEFT JOIN (
      SELECT user_id, count(*) AS n, max(entry_no) AS last FROM ledger_entry GROUP BY user_id) l
      ON l.user_id = u.id
    WHERE (u.entries, u.entries) <> (coalesce(l.n, 0), coalesce(l.last, 0))`,
  'each ledger entry continues the balance of the one before': `
    SELECT id FROM (
      SELECT id, points, balance_after,
        lag(balance_after, 1, 0) OVER (PARTITION BY user_id ORDER BY entry_no) AS before
      FROM ledger_entry) l
    WHERE balance_after <> before + points`,
  'lifetime points are the sum of what was earned': `
    SELECT u.id FROM end_user u LEFT JOIN (
      SELECT user_id, sum(points) AS points FROM ledger_entry WHERE points > 0 GROUP BY user_id) l
      ON l.user_id = u.id
    WHERE u.lifetime_points <> coalesce(l.points, 0)`,
  'a score is its formula': `
    SELECT id FROM end_user WHERE score <> lifetime_points + rewards_won + 10 * games_played`,
  'play counters are counts of plays': `
    SELECT u.id FROM end_user u LEFT JOIN (
      SELECT user_id, count(*) AS n, count(*) FILTER (WHERE reward_value > 0) AS won, max(play_no) AS last
      FROM play GROUP BY user_id) p ON p.user_id = u.id
    WHERE (u.games_played, u.games_played, u.rewards_won)
      <> (coalesce(p.n, 0), coalesce(p.last, 0), coalesce(p.won, 0))`,
  'each play has its spend entry': `
    SELECT p.id FROM play p LEFT JOIN ledger_entry l ON l.id = p.id
      AND l.user_id = p.user_id AND l.event_type = 'game_play' AND l.points = -p.points_spent
    WHERE l.id IS NULL`,
  'each spend entry has its play': `
    SELECT l.id FROM ledger_entry l LEFT JOIN play p ON p.id = l.id
    WHERE l.account = 'games' AND l.event_type = 'game_play' AND p.id IS NULL`,
  'a play has a reward entry exactly when it won points': `
    SELECT p.id FROM play p FULL JOIN (
      SELECT source_id::uuid AS play_id, points FROM ledger_entry
      WHERE account = 'games' AND event_type = 'game_reward') r ON r.play_id = p.id
    WHERE r.points IS DISTINCT FROM
      (CASE WHEN p.reward_type = 'points' AND p.reward_value > 0 THEN p.reward_value END)`,
  'each play has its event': `
    SELECT p.id FROM play p LEFT JOIN event e ON e.id = p.id AND e.type = 'game.played'
    WHERE e.id IS NULL`,
  'each award has its event': `
    SELECT l.id FROM ledger_entry l LEFT JOIN event e ON e.id = l.id AND e.type = 'points.awarded'
    WHERE l.account = 'issuance' AND e.id IS NULL`,
  'each event has what it announces': `
    SELECT e.id FROM event e
    LEFT JOIN play p ON p.id = e.id LEFT JOIN ledger_entry l ON l.id = e.id
    WHERE (e.type = 'game.played' AND p.id IS NULL) OR (e.type = 'points.awarded' AND l.id IS NULL)`,
  'each play and award is on the timeline': `
    SELECT id FROM (SELECT id FROM play UNION
      SELECT id FROM ledger_entry WHERE account = 'issuance') f
    WHERE NOT EXISTS (SELECT FROM user_activity a WHERE a.id = f.id)`,
  'rows belong to the partner and environment of their user': `
    SELECT x.id FROM (
      SELECT id, user_id, partner_id, environment FROM ledger_entry UNION ALL
      SELECT id, user_id, partner_id, environment FROM play UNION ALL
      SELECT id, user_id, partner_id, environment FROM user_activity) x
    JOIN end_user u ON u.id = x.user_id
    WHERE (x.partner_id, x.environment) <> (u.partner_id, u.environment)`,
  'the counter of users is the number of users': `
    SELECT 1 FROM (SELECT partner_id, environment, count(*) AS n FROM end_user GROUP BY 1, 2) u
    FULL JOIN (SELECT partner_id, environment, sum(value) AS n FROM counter
      WHERE name = 'users' GROUP BY 1, 2) c USING (partner_id, environment)
    WHERE u.n IS DISTINCT FROM c.n`,
}

/** Checks all invariants and gives the number of broken ones; `report` hears of each as it is done. */
export const audit = async (
  pool: pg.Pool,
  report: (name: string, count: number) => void = () => {},
): Promise<number> => {
  let broken = 0
  for (const [name, query] of Object.entries(invariants)) {
    const { rows } = await pool.query({ text: `SELECT count(*)::int AS n FROM (${query}) broken` })
    const count = rows[0].n as number
    report(name, count)
    if (count > 0) broken++
  }
  return broken
}
