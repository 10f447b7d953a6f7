/** Invariants of ledger entries that were made by hand. */
export const correctionInvariants: Record<string, string> = {
  'an entry that was made by hand says by whom, is announced, and is on the timeline': `
    SELECT 1 FROM (SELECT * FROM ledger_entry WHERE account IN ('adjustments', 'reversals', 'spending')) l
    FULL JOIN ledger_correction c ON c.entry_id = l.id
    LEFT JOIN user_activity a ON a.id = l.id AND a.points = l.points
    LEFT JOIN event e ON e.id = l.id
      AND e.type = CASE l.account WHEN 'reversals' THEN 'points.reversed'
        WHEN 'spending' THEN 'points.spent' ELSE 'points.adjusted' END
    WHERE l.id IS NULL OR c.entry_id IS NULL OR a.id IS NULL
      OR (c.reverses_id IS NOT NULL) <> (l.account = 'reversals')
      OR e.id IS NULL AND l.created_at > now() - interval '30 days'`,
  'what a user owes is what reversals could not take, less what was repaid': `
    SELECT u.id FROM end_user u LEFT JOIN (
      SELECT user_id, sum(amount) AS amount FROM (
        SELECT l.user_id, c.shortfall AS amount FROM ledger_correction c JOIN ledger_entry l ON l.id = c.entry_id
        WHERE c.shortfall > 0
        UNION ALL SELECT user_id, points FROM ledger_entry WHERE account = 'shortfalls') s GROUP BY 1) s ON s.user_id = u.id
    WHERE u.shortfall <> coalesce(s.amount, 0)`,
  'a reversal takes its entry back': `
    SELECT c.entry_id FROM ledger_correction c JOIN ledger_entry r ON r.id = c.entry_id
    LEFT JOIN ledger_entry l ON l.id = c.reverses_id
    WHERE c.reverses_id IS NOT NULL AND ((l.user_id, -l.points) IS DISTINCT FROM (r.user_id, r.points - c.shortfall)
      OR l.account = 'reversals')`,
}
