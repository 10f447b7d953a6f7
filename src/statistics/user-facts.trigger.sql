-- The facts of one user, read from their tables: there are no statistics per user.

-- Entries and plays of a user are numbered without gaps, in the order in which they were written. The first number
-- since a time is found by binary search, from a day earlier on, because the clocks of nodes differ.
CREATE OR REPLACE FUNCTION first_number_since(owner uuid, kind text, moment timestamptz) RETURNS integer
LANGUAGE plpgsql STABLE AS $$
DECLARE
  low integer := 0;
  high integer;
  middle integer;
  written_at timestamptz;
BEGIN
  SELECT CASE kind WHEN 'play' THEN games_played ELSE entries END + 1 INTO high FROM end_user WHERE id = owner;
  WHILE high - low > 1 LOOP
    middle := (low + high) / 2;
    IF kind = 'play' THEN
      SELECT played_at INTO written_at FROM play WHERE user_id = owner AND play_no = middle;
    ELSE
      SELECT created_at INTO written_at FROM ledger_entry WHERE user_id = owner AND entry_no = middle;
    END IF;
    IF written_at < moment - interval '1 day' THEN
      low := middle;
    ELSE
      high := middle;
    END IF;
  END LOOP;
  RETURN high;
END $$;

-- The facts of a metric in a span of time. Ledger entries give the facts of both of their metrics. Reads at most `most`
-- entries, plays or activities.
CREATE OR REPLACE FUNCTION facts_of_user(owner uuid, asked text, begins_at timestamptz, ends_at timestamptz, most integer)
RETURNS SETOF statistic_fact LANGUAGE plpgsql STABLE AS $$
DECLARE
  kind CONSTANT text := CASE WHEN asked LIKE 'POINTS%' THEN 'entry' ELSE 'play' END;
  first integer;
  after integer;
BEGIN
  IF asked = 'ACTIVITIES' THEN
    RETURN QUERY SELECT a.partner_id, a.environment, asked, ARRAY[a.category::text, a.event_type], a.occurred_at, 1::bigint
    FROM user_activity a
    WHERE a.user_id = owner AND NOT a.is_correction AND a.occurred_at >= begins_at AND a.occurred_at < ends_at
    LIMIT most;
    RETURN;
  END IF;
  first := first_number_since(owner, kind, begins_at);
  after := first_number_since(owner, kind, ends_at + interval '2 days');
  IF kind = 'entry' THEN
    RETURN QUERY SELECT f.* FROM (
        SELECT * FROM ledger_entry
        WHERE user_id = owner AND entry_no >= first AND entry_no < after
          AND created_at >= begins_at AND created_at < ends_at
        LIMIT most) l,
      unnest(ARRAY[CASE WHEN is_correction(account) OR is_reward_refund(account, l.event_type)
        THEN facts_of_correction(l.partner_id, l.environment, l.event_type, l.points, l.created_at)
        ELSE facts_of_entry(l.partner_id, l.environment, l.event_type, l.points, l.created_at) END]) f;
  ELSE
    RETURN QUERY SELECT f.* FROM (
        SELECT * FROM play
        WHERE user_id = owner AND play_no >= first AND play_no < after
          AND played_at >= begins_at AND played_at < ends_at
        LIMIT most) p,
      unnest(facts_of_play(p.partner_id, p.environment, p.game_type, p.points_spent, p.reward_tier, p.reward_type,
        p.reward_value, p.played_at)) f
    WHERE f.metric = asked;
  END IF;
END $$;
