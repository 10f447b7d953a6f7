/** Invariants of ledger entries that were archived (decision 0207). */

/** A condition: an entry from `at` cannot have been archived, so it must be in the ledger. */
export const isLive = (
  userId: string,
  at: string,
): string => `NOT EXISTS (SELECT FROM ledger_checkpoint c
  WHERE c.user_id = ${userId} AND ${at} < c.until)`

/** Archived entries of an account, for each partner and environment. */
const archivedOf = (account: string, eventTypes: string[] = []): string => `
  SELECT partner_id, environment, sum(entries) AS entries, sum(received - given) AS points FROM archived_account
  WHERE account = '${account}'${eventTypes.length > 0 ? ` AND event_type = ANY ('{${eventTypes.join()}}')` : ''} GROUP BY 1, 2`

/** Entries of an account that are still in the ledger, likewise. */
const liveOf = (account: string, eventTypes: string[] = []): string => `
  SELECT partner_id, environment, count(*) AS entries, sum(points) AS points FROM ledger_entry
  WHERE account = '${account}'${eventTypes.length > 0 ? ` AND event_type = ANY ('{${eventTypes.join()}}')` : ''} GROUP BY 1, 2`

/** Compares the count and points of entries, archived or not, with those of their causes, which are kept forever. */
const sumsUp = (causes: string, account: string, eventTypes: string[] = []): string => `
  SELECT 1 FROM (
    SELECT partner_id, environment, sum(entries) AS entries, sum(points) AS points FROM (
      ${liveOf(account, eventTypes)} UNION ALL ${archivedOf(account, eventTypes)}) e GROUP BY 1, 2) l
  FULL JOIN (${causes}) k USING (partner_id, environment)
  WHERE (l.entries, l.points) IS DISTINCT FROM (k.entries, k.points)`

export const archiveInvariants: Record<string, string> = {
  'a user has a checkpoint exactly when entries were archived, and it stands for all of them': `
    SELECT u.id FROM end_user u FULL JOIN ledger_checkpoint c ON c.user_id = u.id
    WHERE u.id IS NULL OR u.archived_entries <> coalesce(c.entries, 0)`,
  'checkpoints sum up to what was archived of all accounts': `
    SELECT 1 FROM (SELECT partner_id, environment, sum(entries) AS entries, sum(points) AS points
      FROM ledger_checkpoint GROUP BY 1, 2) c
    FULL JOIN (SELECT partner_id, environment, sum(entries) AS entries, sum(received - given) AS points
      FROM archived_account GROUP BY 1, 2) a USING (partner_id, environment)
    WHERE (c.entries, c.points) IS DISTINCT FROM (a.entries, a.points)`,
  'each archived reference is kept': `
    SELECT 1 FROM (SELECT partner_id, sum(with_reference) AS n FROM archived_account GROUP BY 1
      HAVING sum(with_reference) > 0) a
    FULL JOIN (SELECT partner_id, count(*) AS n FROM archived_reference GROUP BY 1) r USING (partner_id)
    WHERE a.n IS DISTINCT FROM r.n`,
  'each event type with archived references has the highest of them': `
    SELECT 1 FROM (SELECT partner_id, environment, event_type FROM archived_account
      GROUP BY 1, 2, 3 HAVING sum(with_reference) > 0) a
    FULL JOIN highest_archived_reference h USING (partner_id, environment, event_type)
    WHERE a.partner_id IS NULL OR h.partner_id IS NULL`,
  'no reference of the ledger is an archived one': `
    SELECT l.id FROM ledger_entry l JOIN archived_reference r ON (r.partner_id, r.hash)
      = (l.partner_id, reference_hash(l.environment, l.event_type, l.reference))`,
  'plays sum up to the entries that paid for them, archived or not': sumsUp(
    `SELECT partner_id, environment, count(*) AS entries, -sum(points_spent) AS points FROM play GROUP BY 1, 2`,
    'games',
    ['game_play'],
  ),
  'plays sum up to the entries that they have won, archived or not': sumsUp(
    `SELECT partner_id, environment, count(*) AS entries, sum(reward_value) AS points FROM play
     WHERE reward_type = 'points' AND reward_value > 0 GROUP BY 1, 2`,
    'games',
    ['game_reward'],
  ),
  'claimed offers sum up to their entries, archived or not': sumsUp(
    `SELECT partner_id, environment, count(*) AS entries, sum(points_value) AS points FROM offer
     WHERE status = 'claimed' AND credits_points AND points_value <> 0 GROUP BY 1, 2`,
    'offers',
  ),
  'entries that were made by hand are as many as their corrections, archived or not': `
    SELECT 1 FROM (SELECT partner_id, environment, sum(n) AS n FROM (
      SELECT partner_id, environment, account, 1 AS n FROM ledger_entry UNION ALL
      SELECT partner_id, environment, account, entries FROM archived_account) e
      WHERE account IN ('adjustments', 'reversals') GROUP BY 1, 2) l
    FULL JOIN (SELECT partner_id, environment, count(*) AS n FROM ledger_correction GROUP BY 1, 2) c
      USING (partner_id, environment)
    WHERE l.n IS DISTINCT FROM c.n`,
}
