-- Keeps the totals and hours of a profile in step with its timeline. These functions alone define which activities
-- count, and as what: the triggers, the readers of single activities, the erasure and the audit call them. The planner
-- inlines them. A correction by hand is on the timeline, but it is no activity: nothing here counts it.

CREATE OR REPLACE FUNCTION counts_as_play(category "ActivityCategory") RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT category = 'GAME_PLAY' $$;

-- If a caller does not say whether a play won, it won if it has points.
CREATE OR REPLACE FUNCTION counts_as_win(category "ActivityCategory", won boolean, points integer) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT category = 'GAME_PLAY' AND coalesce(won, points > 0) $$;

CREATE OR REPLACE FUNCTION counts_as_joining(category "ActivityCategory", source_id text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT category = 'CAMPAIGN' AND source_id IS NOT NULL $$;

-- Entries of the server are also counted separately. They have `earned`.
CREATE OR REPLACE FUNCTION is_own_activity(earned integer) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT earned IS NOT NULL $$;

CREATE OR REPLACE FUNCTION points_earned_by(earned integer, points integer) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT coalesce(earned, greatest(points, 0)) $$;

CREATE OR REPLACE FUNCTION hour_of_activity(occurred_at timestamptz) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT date_bin('1 hour', occurred_at, 'epoch') $$;

CREATE OR REPLACE FUNCTION ends_session(pause interval) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT pause >= interval '30 minutes' $$;

-- Runs once for each statement that writes activity. Rows are locked in the order of user ids, after any locks that the
-- writer holds on the users.
CREATE OR REPLACE FUNCTION roll_up_activity() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  -- Users with new events that are not at the end of their timeline.
  late uuid[];
  ids uuid[];
  joins boolean;
  active statistic_fact[];
BEGIN
  WITH profile AS (
    INSERT INTO user_profile AS p (user_id, partner_id, environment, events, plays, wins,
      first_event_at, last_event_at)
    SELECT user_id, partner_id, environment, count(*), count(*) FILTER (WHERE counts_as_play(category)),
      count(*) FILTER (WHERE counts_as_win(category, won, points)), min(occurred_at),
      max(occurred_at)
    FROM added WHERE NOT is_correction GROUP BY 1, 2, 3 ORDER BY 1
    ON CONFLICT (user_id) DO UPDATE SET
      events = p.events + excluded.events, plays = p.plays + excluded.plays,
      wins = p.wins + excluded.wins,
      first_event_at = least(p.first_event_at, excluded.first_event_at),
      last_event_at = greatest(p.last_event_at, excluded.last_event_at),
      previous_event_at = p.last_event_at,
      session_gaps = CASE WHEN ends_session(excluded.first_event_at - p.last_event_at)
        AND excluded.first_event_at = excluded.last_event_at
        THEN p.session_gaps + 1 ELSE p.session_gaps END,
      session_gap_ms = CASE WHEN ends_session(excluded.first_event_at - p.last_event_at)
        AND excluded.first_event_at = excluded.last_event_at
        THEN p.session_gap_ms + extract(epoch FROM excluded.first_event_at - p.last_event_at) * 1000
        ELSE p.session_gap_ms END,
      due_at = CASE WHEN p.events + excluded.events >= p.events_until
          OR p.plays + excluded.plays >= p.plays_until
          OR excluded.first_event_at < p.first_event_at OR p.first_event_at IS NULL
        THEN 'epoch' ELSE p.due_at END
    RETURNING user_id, partner_id, environment, first_event_at, last_event_at, previous_event_at
  ), hour AS (
    INSERT INTO user_hour AS h (user_id, hour, partner_id, environment, plays, points_earned,
      own_plays, own_points)
    SELECT user_id, hour_of_activity(occurred_at), partner_id, environment,
      count(*) FILTER (WHERE counts_as_play(category)), sum(points_earned_by(earned, points)),
      count(*) FILTER (WHERE counts_as_play(category) AND is_own_activity(earned)),
      coalesce(sum(earned), 0)
    FROM added WHERE NOT is_correction GROUP BY 1, 2, 3, 4 ORDER BY 1, 2
    ON CONFLICT (user_id, hour) DO UPDATE SET plays = h.plays + excluded.plays,
      points_earned = h.points_earned + excluded.points_earned,
      own_plays = h.own_plays + excluded.own_plays, own_points = h.own_points + excluded.own_points
  ), seen AS MATERIALIZED (
    SELECT p.*, l.is_late, l.joins FROM profile p JOIN (
      SELECT user_id, bool_or(occurred_at <> last_event_at) AS is_late,
        bool_or(counts_as_joining(category, source_id)) AS joins
      FROM added JOIN profile USING (user_id) WHERE NOT is_correction GROUP BY user_id) l USING (user_id)
  )
  SELECT array_agg(user_id) FILTER (WHERE is_late), bool_or(seen.joins), (
    SELECT array_agg(active_user(partner_id, environment, unit, first_event_at, last_event_at, 1))
    FROM seen, active_units() unit
    WHERE NOT is_late AND (previous_event_at IS NULL
      OR previous_event_at < date_trunc(unit, last_event_at, 'UTC')))
  INTO late, joins, active FROM seen;

  IF late IS NOT NULL THEN
    ids := ARRAY(SELECT id FROM added WHERE user_id = ANY (late) AND NOT is_correction);
    PERFORM fit_in_late_activity(late, ids);
    active := active || late_active_users(late, ids);
  END IF;
  IF active IS NOT NULL THEN
    PERFORM add_to_statistics(active);
  END IF;
  IF joins THEN
    WITH joined AS (
      INSERT INTO joined_campaign AS c (user_id, campaign_id, partner_id, environment, is_own)
      SELECT user_id, source_id, partner_id, environment, bool_or(is_own_activity(earned)) FROM added
      WHERE counts_as_joining(category, source_id) GROUP BY 1, 2, 3, 4 ORDER BY 1, 2
      ON CONFLICT (user_id, campaign_id) DO UPDATE SET is_own = true
        WHERE excluded.is_own AND NOT c.is_own
      RETURNING user_id, is_own, xmax = 0 AS is_new
    )
    UPDATE user_profile p SET campaigns = p.campaigns + j.n, own_campaigns = p.own_campaigns + j.own,
      due_at = 'epoch'
    FROM (SELECT user_id, count(*) FILTER (WHERE is_new) AS n, count(*) FILTER (WHERE is_own) AS own
      FROM joined GROUP BY user_id) j WHERE p.user_id = j.user_id;
  END IF;
  RETURN NULL;
END $$;

-- Late events split pauses that were counted whole. Only their neighbors are read.
CREATE OR REPLACE FUNCTION fit_in_late_activity(users uuid[], ids uuid[]) RETURNS void LANGUAGE sql AS $$
  WITH placed AS (
    SELECT a.user_id, a.id, a.occurred_at, b.occurred_at AS before_at, b.id = ANY (ids) AS before_is_new,
      n.occurred_at AS after_at, coalesce(n.id = ANY (ids), false) AS after_is_new
    FROM user_activity a
    LEFT JOIN LATERAL (
      SELECT id, occurred_at FROM user_activity x
      WHERE x.user_id = a.user_id AND NOT x.is_correction AND (x.occurred_at, x.id) < (a.occurred_at, a.id)
      ORDER BY occurred_at DESC, id DESC LIMIT 1) b ON true
    LEFT JOIN LATERAL (
      SELECT id, occurred_at FROM user_activity x
      WHERE x.user_id = a.user_id AND NOT x.is_correction AND (x.occurred_at, x.id) > (a.occurred_at, a.id)
      ORDER BY occurred_at, id LIMIT 1) n ON true
    WHERE a.id = ANY (ids)
  ), run AS (
    -- New events between the same two old ones.
    SELECT *, count(*) FILTER (WHERE before_is_new IS NOT TRUE)
      OVER (PARTITION BY user_id ORDER BY occurred_at, id) AS nth
    FROM placed
  ), pause AS (
    SELECT user_id, 1 AS sign, occurred_at - before_at AS idle FROM run
    UNION ALL SELECT user_id, 1, after_at - occurred_at FROM run WHERE NOT after_is_new
    UNION ALL SELECT user_id, -1, max(after_at) - min(before_at) FROM run
      GROUP BY user_id, nth
      HAVING count(before_at) = count(*) AND count(after_at) = count(*)
  )
  UPDATE user_profile p SET session_gaps = p.session_gaps + d.gaps,
    session_gap_ms = p.session_gap_ms + d.gap_ms
  FROM (SELECT user_id, sum(sign) AS gaps, sum(sign * extract(epoch FROM idle) * 1000)::bigint AS gap_ms
    FROM pause WHERE ends_session(idle) GROUP BY user_id) d
  WHERE p.user_id = d.user_id AND p.user_id = ANY (users)
$$;

CREATE OR REPLACE TRIGGER user_activity_rolled_up AFTER INSERT ON "user_activity"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION roll_up_activity();
