-- A user counts as active once in each day, week and month of UTC. Weeks and months are keyed by the cohort: the week
-- or month of the user's first activity.
CREATE OR REPLACE FUNCTION active_units() RETURNS SETOF text
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 3 AS $$ SELECT unnest('{day,week,month}'::text[]) $$;

CREATE OR REPLACE FUNCTION active_user(partner_id uuid, environment "Environment", unit text, first_at timestamptz,
  occurred_at timestamptz, amount integer) RETURNS statistic_fact LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT (partner_id, environment, 'ACTIVE_USERS_' || upper(unit), CASE WHEN unit = 'day' THEN '{}'::text[]
      ELSE ARRAY[to_char(date_trunc(unit, first_at, 'UTC') AT TIME ZONE 'UTC', 'YYYY-MM-DD')] END,
    date_trunc(unit, occurred_at, 'UTC'), amount)::statistic_fact
$$;

CREATE OR REPLACE FUNCTION end_of_active_period(unit text, starts_at timestamptz) RETURNS timestamptz
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT (starts_at AT TIME ZONE 'UTC' + ('1 ' || unit)::interval) AT TIME ZONE 'UTC'
$$;

-- The periods in which late events make users active, and the moves of users to the cohort of an earlier first event.
CREATE OR REPLACE FUNCTION late_active_users(users uuid[], ids uuid[]) RETURNS statistic_fact[] LANGUAGE sql AS $$
  WITH RECURSIVE seen AS (
    SELECT p.user_id, p.partner_id, p.environment, p.first_event_at, (SELECT occurred_at FROM user_activity x
        WHERE x.user_id = p.user_id AND NOT x.is_correction AND x.id <> ALL (ids) ORDER BY occurred_at LIMIT 1) AS first_before
    FROM user_profile p WHERE p.user_id = ANY (users)
  ), added AS (
    SELECT DISTINCT user_id, unit, date_trunc(unit, occurred_at, 'UTC') AS starts_at
    FROM user_activity, active_units() unit WHERE id = ANY (ids)
  ), new AS MATERIALIZED (
    SELECT * FROM added a WHERE NOT EXISTS (SELECT FROM user_activity x
      WHERE x.user_id = a.user_id AND NOT x.is_correction AND x.occurred_at >= a.starts_at
        AND x.occurred_at < end_of_active_period(a.unit, a.starts_at)
        AND x.id <> ALL (ids))
  ), walked AS (
    -- Steps from one active period to the next, however many events are between them.
    SELECT user_id, unit, date_trunc(unit, first_event_at, 'UTC') AS starts_at FROM seen, active_units() unit
    WHERE unit <> 'day' AND date_trunc(unit, first_event_at, 'UTC') <> date_trunc(unit, first_before, 'UTC')
    UNION ALL
    SELECT user_id, unit, (SELECT date_trunc(unit, occurred_at, 'UTC') FROM user_activity x
      WHERE x.user_id = w.user_id AND NOT x.is_correction AND x.occurred_at >= end_of_active_period(unit, starts_at)
      ORDER BY occurred_at LIMIT 1)
    FROM walked w WHERE starts_at IS NOT NULL
  ), moved AS (
    SELECT * FROM walked WHERE starts_at IS NOT NULL EXCEPT SELECT * FROM new
  )
  SELECT array_agg(active_user(partner_id, environment, unit,
    CASE WHEN amount > 0 THEN first_event_at ELSE first_before END, starts_at, amount))
  FROM (SELECT *, 1 AS amount FROM new
    UNION ALL SELECT moved.*, amount FROM moved, unnest(ARRAY[1, -1]) amount) f JOIN seen USING (user_id)
$$;
