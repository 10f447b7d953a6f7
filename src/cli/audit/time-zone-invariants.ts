/** Invariants of time zones and dates. */

export const timeZoneInvariants: Record<string, string> = {
  "a profile has the newest time zone of its user's history": `
    SELECT 1 FROM (SELECT * FROM user_profile WHERE time_zone_since IS NOT NULL) p
    FULL JOIN (SELECT DISTINCT ON (user_id) * FROM user_time_zone ORDER BY user_id, since DESC) z USING (user_id)
    WHERE (p.time_zone_since, p.time_zone, p.time_zone_not_before, p.time_zone_by_secret, p.partner_id, p.environment)
      IS DISTINCT FROM (z.since, z.zone, z.not_before, z.by_secret, z.partner_id, z.environment)
    UNION ALL SELECT 1 FROM user_profile
    WHERE time_zone_since IS NULL AND (time_zone IS NOT NULL OR time_zone_not_before IS NOT NULL)`,
  'no user had a time zone before their creation, and dates of none run backwards': `
    SELECT z.user_id FROM user_time_zone z JOIN user_profile p USING (user_id)
    WHERE z.since < p.user_created_at OR z.since > p.user_created_at
      AND coalesce(z.not_before < local_date(z.user_id, z.since - interval '1 millisecond'), true)`,
  'dates of no partner run backwards': `
    SELECT z.partner_id FROM (
      SELECT *, lag(zone, 1, 'UTC') OVER history AS zone_before, lag(not_before) OVER history AS date_before
      FROM partner_time_zone WINDOW history AS (PARTITION BY partner_id, environment ORDER BY since)) z
    WHERE not_before < greatest(date_in_zone(zone_before, since - interval '1 millisecond'), date_before)`,
  'the database knows each time zone': `
    SELECT zone FROM (SELECT zone FROM user_time_zone UNION SELECT zone FROM partner_time_zone) z
    WHERE zone NOT IN (SELECT name FROM pg_timezone_names)`,
}
