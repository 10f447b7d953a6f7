-- Matches by game, for the partners of both agents; sessions and their prize pools by game, for the partner who
-- created them.
CREATE OR REPLACE FUNCTION count_match() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_statistics(array_agg(
    (partner, NEW.environment, 'MATCHES', ARRAY[NEW.game_type], NEW.ended_at, 1)::statistic_fact))
  FROM (SELECT NEW.partner1_id AS partner UNION SELECT NEW.partner2_id) p;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER arena_match_counted AFTER UPDATE OF "status" ON "arena_match"
  FOR EACH ROW WHEN (OLD.status <> 'COMPLETED' AND NEW.status = 'COMPLETED') EXECUTE FUNCTION count_match();

CREATE OR REPLACE FUNCTION facts_of_session(partner_id uuid, environment "Environment", game_id uuid, prize_pool integer,
  completed_at timestamptz) RETURNS statistic_fact[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ARRAY[(partner_id, environment, 'SESSIONS', ARRAY[game_id::text], completed_at, 1),
    (partner_id, environment, 'PRIZE_POOLS', ARRAY[game_id::text], completed_at, prize_pool)]::statistic_fact[]
$$;

CREATE OR REPLACE FUNCTION count_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_statistics(facts_of_session(NEW.partner_id, NEW.environment, NEW.game_id, NEW.prize_pool,
    NEW.completed_at));
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER arena_session_counted AFTER UPDATE OF "status" ON "arena_session"
  FOR EACH ROW WHEN (OLD.status <> 'COMPLETED' AND NEW.status = 'COMPLETED') EXECUTE FUNCTION count_session();
