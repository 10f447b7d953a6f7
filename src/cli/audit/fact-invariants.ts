/** Invariants of facts. Entries that a backfill has not reached (`recorded_at` is null) are left out. */

export const factInvariants: Record<string, string> = {
  'what callers sent is a fact if no public key may see it, and no other': `
    SELECT id FROM user_activity WHERE recorded_at IS NOT NULL AND (fact = 'ACTIVITY'
      AND (earned IS NOT NULL OR metadata_is_public) OR reference IS NOT NULL
      AND (fact IS NOT DISTINCT FROM 'ACTIVITY') = metadata_is_public)`,
  'each award is a fact': `
    SELECT a.id FROM ledger_entry l JOIN user_activity a ON a.id = l.id
    WHERE l.account = 'issuance' AND a.recorded_at IS NOT NULL AND a.fact IS DISTINCT FROM 'POINTS_AWARDED'`,
  'each recorded event of a campaign is a fact': `
    SELECT a.id FROM campaign_event e JOIN user_activity a ON a.id = e.id
    WHERE a.recorded_at IS NOT NULL AND a.fact IS DISTINCT FROM 'CAMPAIGN_EVENT'`,
  'a play is a fact only as it ended': `
    SELECT a.id FROM user_activity a LEFT JOIN play p ON p.id = a.id
    WHERE a.fact IN ('GAME_PLAYED', 'GAME_WON') AND (p.id IS NULL OR a.fact::text <> CASE
      WHEN p.reward_value > 0 THEN 'GAME_WON' WHEN p.points_spent > 0 THEN 'GAME_PLAYED' ELSE '' END)`,
  'a correction is no fact, and a reversal of an award or a campaign credit names its entry': `
    SELECT a.id FROM user_activity a LEFT JOIN ledger_correction c ON c.entry_id = a.id
    LEFT JOIN ledger_entry l ON l.id = c.reverses_id
    WHERE (a.is_correction OR a.reverses_id IS NOT NULL) AND a.recorded_at IS NOT NULL
      AND (a.fact IS NOT NULL OR a.reverses_id IS DISTINCT FROM CASE WHEN l.account = 'issuance' THEN l.id
        WHEN l.account LIKE 'campaign:%' THEN l.source_id::uuid END)`,
}
