-- Points that were issued and spent, by event type.
CREATE OR REPLACE FUNCTION facts_of_entry(partner_id uuid, environment "Environment", event_type text, points integer,
  created_at timestamptz) RETURNS statistic_fact LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (partner_id, environment, CASE WHEN points > 0 THEN 'POINTS_ISSUED' ELSE 'POINTS_SPENT' END,
    ARRAY[event_type], created_at, abs(points))::statistic_fact
$$;

CREATE OR REPLACE FUNCTION is_correction(account text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT account IN ('adjustments', 'reversals', 'shortfalls') $$;

-- A correction raises or lowers the points issued, in its own hour: the user has spent nothing.
CREATE OR REPLACE FUNCTION facts_of_correction(partner_id uuid, environment "Environment", event_type text, points integer,
  created_at timestamptz) RETURNS statistic_fact LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (partner_id, environment, 'POINTS_ISSUED', ARRAY[event_type], created_at, points)::statistic_fact
$$;

-- Points of a reward that was revoked: they were issued, and the user has not spent them. Partners choose event types of
-- awards, but no accounts.
CREATE OR REPLACE FUNCTION is_reward_refund(account text, event_type text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT account = 'rewards' AND event_type = 'reward_refund' $$;

CREATE OR REPLACE FUNCTION count_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_statistics(array_agg(CASE WHEN is_correction(account) OR is_reward_refund(account, event_type)
    THEN facts_of_correction(partner_id, environment, event_type, points, created_at)
    ELSE facts_of_entry(partner_id, environment, event_type, points, created_at) END)) FROM added;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER ledger_entry_counted AFTER INSERT ON "ledger_entry"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_entries();
