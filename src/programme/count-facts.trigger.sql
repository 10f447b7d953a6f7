-- Counts facts for tasks of goals, and leaves a mark where a decision is due. It decides nothing. Its trigger has a name that
-- sorts after that of the roll-up of profiles, which locks the profiles of all users with new entries but corrections. So
-- whoever has locked a profile has its counters to itself.
-- If no measure matches, it costs one look into an index for each tenant, fact and event type.
CREATE OR REPLACE FUNCTION count_facts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  has_facts boolean;
  has_reversals boolean;
BEGIN
  SELECT coalesce(bool_or(k.is_measured), false), coalesce(bool_or(f.is_reversal), false)
  INTO has_facts, has_reversals
  FROM (SELECT DISTINCT partner_id, environment, fact, event_type, reverses_id IS NOT NULL AS is_reversal
    FROM added WHERE fact IS NOT NULL OR reverses_id IS NOT NULL) f
  LEFT JOIN LATERAL (SELECT true AS is_measured FROM measure_key k
    WHERE (k.partner_id, k.environment, k.fact, k.is_open) = (f.partner_id, f.environment, f.fact, true)
      AND k.event_type IN ('', f.event_type)
    LIMIT 1) k ON true;
  IF has_reversals THEN
    has_reversals := EXISTS (SELECT FROM added a
      CROSS JOIN LATERAL (SELECT o.fact FROM user_activity o WHERE o.id = a.reverses_id LIMIT 1) o
      CROSS JOIN LATERAL (SELECT FROM measure_key k
        WHERE (k.partner_id, k.environment, k.fact) = (a.partner_id, a.environment, o.fact) LIMIT 1) k
      WHERE a.reverses_id IS NOT NULL);
    IF has_reversals THEN
      PERFORM FROM user_profile WHERE user_id IN (SELECT user_id FROM added WHERE reverses_id IS NOT NULL)
      ORDER BY user_id FOR NO KEY UPDATE;
    END IF;
  END IF;
  IF has_facts OR has_reversals THEN
    PERFORM add_to_counters(array_agg(id), array_agg(reverses_id)) FROM added
    WHERE fact IS NOT NULL OR reverses_id IS NOT NULL;
  END IF;
  RETURN NULL;
END $$;

-- Counts entries of timelines. Their users' profiles are locked. A reversal takes everything from the entry that it reverses,
-- with a minus sign; of two that reverse the same entry, one counts. Each row is looked up by its key, also by a plan from when
-- the tables were empty.
CREATE OR REPLACE FUNCTION add_to_counters(ids uuid[], reversed uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH source AS (
    SELECT i.id, 1 AS sign, NULL::timestamptz AS at FROM unnest(ids, reversed) i (id, reverses_id)
    WHERE i.reverses_id IS NULL
    UNION ALL
    (SELECT DISTINCT ON (i.reverses_id) i.reverses_id, -1, a.recorded_at
    FROM unnest(ids, reversed) i (id, reverses_id)
    CROSS JOIN LATERAL (SELECT recorded_at FROM user_activity WHERE id = i.id LIMIT 1) a
    WHERE i.reverses_id IS NOT NULL AND NOT EXISTS (SELECT FROM user_activity b
      WHERE b.reverses_id = i.reverses_id AND b.id <> ALL (ids)))
  ), matched AS MATERIALIZED (
    SELECT s.sign, s.at, o.a, k.task_id
    FROM source s
    CROSS JOIN LATERAL (SELECT x AS a FROM user_activity x WHERE x.id = s.id LIMIT 1) o
    JOIN LATERAL (SELECT k.task_id FROM measure_key k
      WHERE (k.partner_id, k.environment, k.fact) = ((o.a).partner_id, (o.a).environment, (o.a).fact)
        AND k.is_open IN (true, s.sign > 0) AND k.event_type IN ('', (o.a).event_type)) k ON true
  ), counted AS MATERIALIZED (
    SELECT (g.g).id AS goal_id, (g.g).max_completions, (t.t).id AS task_id, (t.t).target, (t.t).of, (t.t).partner_id,
      (t.t).environment, (m.a).user_id, c.window_start, c.day, (m.a).occurred_at AS reached_at,
      m.sign * c.amount AS amount, is_long_closed(c.closes_at, m.at) AS is_long_closed
    FROM matched m
    CROSS JOIN LATERAL (SELECT x AS t FROM goal_task x WHERE x.id = m.task_id LIMIT 1) t
    CROSS JOIN LATERAL (SELECT x AS g FROM goal x WHERE x.id = (t.t).goal_id LIMIT 1) g
    CROSS JOIN LATERAL (SELECT x AS p FROM user_profile x WHERE x.user_id = (m.a).user_id LIMIT 1) p
    LEFT JOIN LATERAL newest_time_zone((m.a).partner_id, (m.a).environment) d ON true
    CROSS JOIN LATERAL counted_fact(g.g, t.t, p.p, d, m.a) c
    WHERE NOT EXISTS (SELECT FROM user_erasure e WHERE e.user_id = (m.a).user_id)
  ), day AS (
    INSERT INTO fact_day AS d (task_id, user_id, window_start, day, partner_id, environment, facts)
    SELECT task_id, user_id, window_start, day, partner_id, environment, sum(amount)
    FROM counted WHERE of = 'DAYS' AND NOT is_long_closed GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4
    ON CONFLICT (task_id, user_id, window_start, day) DO UPDATE SET facts = d.facts + excluded.facts
    RETURNING task_id, user_id, window_start, day, facts
  ), change AS (
    SELECT goal_id, max_completions, task_id, target, user_id, window_start, partner_id, environment, reached_at, amount
    FROM counted WHERE of <> 'DAYS' AND NOT is_long_closed
    UNION ALL
    SELECT c.goal_id, c.max_completions, task_id, c.target, user_id, window_start, c.partner_id, c.environment, c.reached_at,
      (d.facts > 0)::int - (d.facts - c.facts > 0)::int
    FROM day d JOIN (
      SELECT goal_id, max_completions, task_id, target, user_id, window_start, day, partner_id, environment,
        max(reached_at) AS reached_at, sum(amount) AS facts
      FROM counted WHERE of = 'DAYS' AND NOT is_long_closed GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9) c
      USING (task_id, user_id, window_start, day)
  ), total AS MATERIALIZED (
    SELECT goal_id, max_completions, task_id, target, user_id, window_start, partner_id, environment,
      max(reached_at) AS reached_at, sum(amount) AS amount
    FROM change GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
  ), counter AS (
    INSERT INTO fact_counter AS c (task_id, user_id, window_start, partner_id, environment, value, reached_at)
    SELECT task_id, user_id, window_start, partner_id, environment, amount, reached_at
    FROM total ORDER BY task_id, user_id, window_start
    ON CONFLICT (task_id, user_id, window_start) DO UPDATE SET value = c.value + excluded.value,
      reached_at = greatest(c.reached_at, excluded.reached_at)
    RETURNING task_id, user_id, window_start, value, decided
  ), due AS (
    SELECT t.goal_id, t.user_id, t.window_start, t.partner_id, t.environment, false AS needs_recount
    FROM counter c JOIN total t USING (task_id, user_id, window_start)
    WHERE reached_steps(c.value, t.target, t.max_completions) <> c.decided
    UNION ALL
    SELECT goal_id, user_id, window_start, partner_id, environment, true FROM counted WHERE is_long_closed
  )
  INSERT INTO goal_mark AS m (goal_id, user_id, window_start, partner_id, environment, needs_recount)
  SELECT goal_id, user_id, window_start, partner_id, environment, bool_or(needs_recount)
  FROM due GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3
  ON CONFLICT (goal_id, user_id, window_start) DO UPDATE SET is_blocked = false,
    needs_recount = m.needs_recount OR excluded.needs_recount
    WHERE m.is_blocked OR (excluded.needs_recount AND NOT m.needs_recount);
END $$;

CREATE OR REPLACE TRIGGER user_activity_then_counted AFTER INSERT ON "user_activity"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_facts();

-- Wakes the deciders of every node after the commit.
CREATE OR REPLACE FUNCTION announce_goal_marks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM changed WHERE NOT is_blocked) THEN
    PERFORM announce('goal');
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER goal_mark_made AFTER INSERT ON "goal_mark"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_goal_marks();
CREATE OR REPLACE TRIGGER goal_mark_changed AFTER UPDATE ON "goal_mark"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_goal_marks();
