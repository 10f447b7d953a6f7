-- Says what an entry of a timeline adds to the counter of a task. These functions alone do: the trigger that counts, the
-- recount, the audit and the simulation call them. The planner inlines those without a query of their own, which must not
-- promise more than what they call: the text of an enum is STABLE.

-- Whether all conditions on the metadata of a fact hold. Texts, numbers and booleans are compared as JSON writes them. A key
-- that is absent satisfies only IS_NOT; EXISTS is false for null, too.
CREATE OR REPLACE FUNCTION conditions_hold(conditions jsonb, metadata json) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT NOT EXISTS (
    SELECT FROM jsonb_array_elements(conditions) AS e (c)
    CROSS JOIN LATERAL (SELECT json_typeof(metadata -> (c ->> 'key')) AS type) y
    CROSS JOIN LATERAL (
      SELECT CASE WHEN type IN ('string', 'number', 'boolean') THEN metadata ->> (c ->> 'key') END AS text) v
    WHERE NOT coalesce(CASE c ->> 'test'
      WHEN 'IS' THEN v.text = c -> 'values' ->> 0
      WHEN 'IS_NOT' THEN v.text IS DISTINCT FROM c -> 'values' ->> 0
      WHEN 'ONE_OF' THEN c -> 'values' ? v.text
      WHEN 'AT_LEAST' THEN CASE WHEN type = 'number' THEN v.text::numeric >= (c ->> 'number')::numeric END
      WHEN 'LESS_THAN' THEN CASE WHEN type = 'number' THEN v.text::numeric < (c ->> 'number')::numeric END
      WHEN 'EXISTS' THEN type <> 'null' END, false))
$$;

-- The number of an attribute: from 0 to a billion, rounded to three decimals. Anything else is absent.
CREATE OR REPLACE FUNCTION attribute_of(metadata json, attribute text) RETURNS numeric
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN json_typeof(metadata -> attribute) = 'number'
    AND (metadata ->> attribute)::numeric BETWEEN 0 AND 1000000000
    THEN round((metadata ->> attribute)::numeric, 3) END
$$;

-- What an entry adds to a task, whenever it was; null if it does not match. Dates are counted by the caller.
CREATE OR REPLACE FUNCTION fact_amount(t goal_task, a user_activity) RETURNS numeric
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN (a.fact = ANY (t.facts)
      OR ('GAME_PLAYED' = ANY (t.facts) AND fact_covers(a.fact, 'GAME_PLAYED', a.earned, a.points)))
    AND (coalesce(cardinality(t.event_types), 0) = 0 OR a.event_type = ANY (t.event_types))
    AND (t.campaign_id IS NULL OR (a.category = 'CAMPAIGN' AND a.source_id = t.campaign_id::text))
    AND (t.game_type IS NULL OR a.metadata ->> 'gameType' = t.game_type::text)
    AND (t.conditions = '[]' OR conditions_hold(t.conditions, a.metadata))
    THEN CASE t.of WHEN 'POINTS' THEN points_earned_by(a.earned, a.points)::numeric
      WHEN 'ATTRIBUTE' THEN attribute_of(a.metadata, t.attribute) ELSE 1 END END
$$;

-- When a window is over in every time zone; null for one that does not end. Joins have their own deadline.
CREATE OR REPLACE FUNCTION window_closes_at(g goal, start date, join_ends_at timestamptz) RETURNS timestamptz
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT least(CASE WHEN g.window_kind = 'JOIN' THEN join_ends_at
    ELSE timezone('UTC', (next_window_start(g.window_kind::text, start) + 1)::timestamp) END, g.ends_at)
$$;

-- Whether the counters of a window may be deleted, so that what is counted late needs a recount of all of it.
CREATE OR REPLACE FUNCTION is_long_closed(closes_at timestamptz, at timestamptz) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT coalesce(closes_at < at - interval '60 days', false) $$;

-- What an entry of the user with the profile `p` counts for a task of a goal: its window, its date in the zone of the user
-- and the amount. No row if it does not count: it does not match, was before the goal counted or after its end, or was recorded
-- more than 48 hours after the window had ended. `d` is the row of `newest_time_zone`, or null.
CREATE OR REPLACE FUNCTION counted_fact(g goal, t goal_task, p user_profile, d partner_time_zone, a user_activity)
RETURNS TABLE (window_start date, day date, amount numeric, closes_at timestamptz)
LANGUAGE sql STABLE PARALLEL SAFE ROWS 1 AS $$
  SELECT w.start, x.day, x.amount, window_closes_at(g, w.start, w.ends_at)
  FROM (SELECT profile_local_date(p, d, a.occurred_at) AS day, fact_amount(t, a) AS amount) x
  CROSS JOIN LATERAL (
    SELECT window_start(g.window_kind::text, x.day) AS start, NULL::timestamptz AS ends_at
    WHERE g.window_kind <> 'JOIN'
    UNION ALL
    (SELECT j.window_start, j.ends_at FROM goal_join j
      WHERE g.window_kind = 'JOIN' AND j.goal_id = g.id AND j.user_id = a.user_id
        AND a.occurred_at >= j.joined_at AND (a.occurred_at < j.ends_at) IS NOT FALSE
      ORDER BY j.window_start DESC LIMIT 1)) w
  WHERE x.amount <> 0 AND (a.occurred_at < g.ends_at) IS NOT FALSE
    AND CASE WHEN g.window_kind = 'JOIN' OR g.count_from = 'EVER' THEN true
      WHEN g.count_from = 'NOW' THEN a.occurred_at >= g.started_at
      ELSE w.start >= window_start(g.window_kind::text, profile_local_date(p, d, g.started_at)) END
    AND CASE WHEN a.recorded_at <= a.occurred_at + interval '48 hours' THEN true
      ELSE (a.recorded_at <= interval '48 hours' + least(g.ends_at, CASE WHEN g.window_kind = 'JOIN' THEN w.ends_at
        ELSE window_end_at(a.user_id, g.window_kind::text, w.start) END)) IS NOT FALSE END
$$;

-- How often a counter has reached its target, as far as it matters.
CREATE OR REPLACE FUNCTION reached_steps(value numeric, target numeric, most integer) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT greatest(least(floor(value / target), most, 1000000), 0)::integer
$$;

-- What the timelines of users count for the tasks of a goal, by window and date; reversed entries add nothing. `reached_at` is
-- the latest entry, also of those that were reversed. Users who were erased have none. Only one window if it is given. A preview passes
-- a goal that differs from the stored one.
CREATE OR REPLACE FUNCTION timeline_counts(g goal, users uuid[], in_window date)
RETURNS TABLE (task_id uuid, user_id uuid, window_start date, day date, amount numeric, reached_at timestamptz)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT t.id, p.user_id, c.window_start, c.day,
    sum(c.amount) FILTER (WHERE NOT EXISTS (SELECT FROM user_activity r WHERE r.reverses_id = a.id)),
    max(a.occurred_at)
  FROM goal_task t
  CROSS JOIN unnest(users) u (id)
  JOIN user_profile p ON p.user_id = u.id AND p.user_id = ANY (users)
  LEFT JOIN LATERAL newest_time_zone(p.partner_id, p.environment) d ON true
  JOIN user_activity a ON a.user_id = p.user_id AND a.user_id = ANY (users) AND a.fact IS NOT NULL
    AND a.occurred_at >= greatest(CASE
        WHEN g.window_kind = 'JOIN' THEN (SELECT min(joined_at) FROM goal_join j WHERE j.goal_id = g.id AND j.user_id = u.id)
        WHEN g.count_from = 'NOW' THEN g.started_at
        WHEN g.count_from = 'START_OF_WINDOW' AND g.window_kind <> 'EVER' THEN g.started_at - interval '33 days'
        ELSE '-infinity' END,
      CASE WHEN g.window_kind IN ('DAY', 'WEEK', 'MONTH') THEN timezone('UTC', (in_window - 2)::timestamp) END)
    AND (g.window_kind NOT IN ('DAY', 'WEEK', 'MONTH')
      OR a.occurred_at < timezone('UTC', (next_window_start(g.window_kind::text, in_window) + 2)::timestamp)) IS NOT FALSE
  CROSS JOIN LATERAL counted_fact(g, t, p, d, a) c
  WHERE t.goal_id = g.id AND (c.window_start = in_window) IS NOT FALSE
    AND NOT EXISTS (SELECT FROM user_erasure e WHERE e.user_id = u.id)
  GROUP BY 1, 2, 3, 4
$$;

-- The counters that follow from timelines. Where dates are counted, each with a fact that was not reversed is one.
CREATE OR REPLACE FUNCTION counters_of_timeline(g goal, users uuid[], in_window date)
RETURNS TABLE (task_id uuid, user_id uuid, window_start date, value numeric, reached_at timestamptz)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT c.task_id, c.user_id, c.window_start,
    CASE WHEN t.of = 'DAYS' THEN count(*) FILTER (WHERE c.amount > 0) ELSE coalesce(sum(c.amount), 0) END,
    max(c.reached_at)
  FROM timeline_counts(g, users, in_window) c JOIN goal_task t ON t.id = c.task_id
  GROUP BY c.task_id, c.user_id, c.window_start, t.of
$$;
