-- Gives every moment of a user exactly one date, and tells when dates and windows begin and end. These functions alone do
-- it: Node computes no date. Dates never run backwards, neither when clocks are set back over midnight nor when a user
-- gets another time zone; a date may be long, and a date may never come.

-- The date in a time zone. Where a clock was set back over midnight, the later date stays, once it has begun: `at` less a
-- day tells whether the clock was set back since, and the second condition, whether it had shown midnight before.
CREATE OR REPLACE FUNCTION date_in_zone(zone text, at timestamptz) RETURNS date
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN timezone(zone, at)::date >= (timezone(zone, at - interval '24 hours') + interval '24 hours')::date
      THEN timezone(zone, at)::date
    WHEN timezone(zone, at - (timezone(zone, at - interval '24 hours') + interval '24 hours'
        - date_trunc('day', timezone(zone, at - interval '24 hours') + interval '24 hours')))::date
      > timezone(zone, at)::date
      THEN timezone(zone, at)::date + 1
    ELSE timezone(zone, at)::date END
$$;

-- The first moment at which `date_in_zone` is `day` or later. That is midnight, unless the clocks skip it or show it twice.
CREATE OR REPLACE FUNCTION start_of_date(zone text, day date) RETURNS timestamptz
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
  midnight timestamptz := timezone(zone, day::timestamp);
  -- Seconds since 1970. Clocks change at whole seconds.
  before bigint := floor(extract(epoch FROM midnight))::bigint - 172800;
  after bigint := before + 345600;
  middle bigint;
BEGIN
  IF date_in_zone(zone, midnight) >= day
    AND date_in_zone(zone, midnight - interval '1 millisecond') < day THEN
    RETURN midnight;
  END IF;
  WHILE after - before > 1 LOOP
    middle := (before + after) / 2;
    IF date_in_zone(zone, to_timestamp(middle)) >= day THEN
      after := middle;
    ELSE
      before := middle;
    END IF;
  END LOOP;
  RETURN to_timestamp(after);
END $$;

-- The zone of a user at a moment, and the date that no date of then precedes. A user without a zone has that of the
-- partner; a partner without one has UTC. What was before the creation of the user has the first zone.
CREATE OR REPLACE FUNCTION zone_of_user(of_user uuid, at timestamptz)
RETURNS TABLE (zone text, not_before date) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(o.zone, d.zone, 'UTC'),
    greatest(CASE WHEN at >= o.since THEN o.not_before END,
      CASE WHEN o.zone IS NULL AND at >= d.since THEN d.not_before END)
  -- LIMIT makes it a lookup by key, also while the planner has no statistics.
  FROM (SELECT * FROM user_profile u WHERE u.user_id = of_user LIMIT 1) p
  LEFT JOIN LATERAL (
    SELECT * FROM user_time_zone z WHERE z.user_id = of_user AND z.since <= greatest(at, p.user_created_at)
    ORDER BY z.since DESC LIMIT 1) o ON true
  LEFT JOIN LATERAL (
    SELECT * FROM partner_time_zone z WHERE z.partner_id = p.partner_id AND z.environment = p.environment
      AND z.since <= greatest(at, p.user_created_at)
    ORDER BY z.since DESC LIMIT 1) d ON true
$$;

-- The date of a moment, in the zone that the user had then. For many moments, `profile_local_date` costs less.
CREATE OR REPLACE FUNCTION local_date(of_user uuid, at timestamptz) RETURNS date
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT greatest(date_in_zone(z.zone, at), z.not_before) FROM zone_of_user(of_user, at) z
$$;

-- The newest zone of a partner, which may begin later; no row before it was ever set.
CREATE OR REPLACE FUNCTION newest_time_zone(of_partner uuid, of_environment "Environment")
RETURNS SETOF partner_time_zone LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT * FROM partner_time_zone z WHERE z.partner_id = of_partner AND z.environment = of_environment
  ORDER BY z.since DESC LIMIT 1
$$;

-- The same date as that of `local_date`, from rows that a statement has in hand: the profile `p`, and the row `d` of
-- `newest_time_zone`, or null. It reads the history only for moments before the newest zone.
--   FROM … JOIN user_profile p … LEFT JOIN LATERAL newest_time_zone(p.partner_id, p.environment) d ON true
CREATE OR REPLACE FUNCTION profile_local_date(p user_profile, d partner_time_zone, at timestamptz) RETURNS date
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN at < p.time_zone_since THEN local_date(p.user_id, at)
    WHEN p.time_zone IS NOT NULL THEN greatest(date_in_zone(p.time_zone, at), p.time_zone_not_before)
    WHEN d.zone IS NULL THEN greatest(timezone('UTC', at)::date, p.time_zone_not_before)
    WHEN at >= d.since THEN greatest(date_in_zone(d.zone, at), d.not_before, p.time_zone_not_before)
    ELSE local_date(p.user_id, at) END
$$;

-- The first date of the window that has a date. A window of the kind EVER has all dates.
CREATE OR REPLACE FUNCTION window_start(kind text, day date) RETURNS date
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE kind WHEN 'DAY' THEN day
    WHEN 'WEEK' THEN date_trunc('week', day::timestamp)::date
    WHEN 'MONTH' THEN date_trunc('month', day::timestamp)::date
    WHEN 'EVER' THEN date '1970-01-01' END
$$;

-- The first date after a window; null for EVER.
CREATE OR REPLACE FUNCTION next_window_start(kind text, start date) RETURNS date
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE kind WHEN 'DAY' THEN start + 1 WHEN 'WEEK' THEN start + 7
    WHEN 'MONTH' THEN (start + interval '1 month')::date END
$$;

-- The deadline of a window of a user: the first moment that is no longer in it, with all changes of zone that are known
-- by now. Null for EVER. The deadline of a date that the user never had is that of the date before.
CREATE OR REPLACE FUNCTION window_end_at(of_user uuid, kind text, start date) RETURNS timestamptz
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT min(moment) FROM (
    SELECT CASE WHEN not_before >= next_window_start(kind, start) THEN since
        ELSE greatest(since, start_of_date(zone, next_window_start(kind, start))) END AS moment, until
    FROM (
      SELECT b.since, lead(b.since, 1, 'infinity') OVER (ORDER BY b.since) AS until, z.zone, z.not_before
      FROM user_profile p
      CROSS JOIN LATERAL (
        SELECT '-infinity'::timestamptz AS since
        UNION SELECT u.since FROM user_time_zone u WHERE u.user_id = of_user
        UNION SELECT d.since FROM partner_time_zone d
          WHERE d.partner_id = p.partner_id AND d.environment = p.environment) b
      CROSS JOIN LATERAL zone_of_user(of_user, b.since) z
      WHERE p.user_id = of_user) part) m
  WHERE moment < until AND next_window_start(kind, start) IS NOT NULL
$$;
