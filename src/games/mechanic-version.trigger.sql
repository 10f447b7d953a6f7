-- The history of games of chance: a trigger writes each version of a mechanic with the change that creates it. Versions
-- never change. Mutations set `tessera.actor` to who they run for.

-- The points that a play wins on average, in thousandths, rounded.
CREATE OR REPLACE FUNCTION expected_payout_of(rewards json) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT round(1000 * sum(CASE WHEN type = 'points' THEN value * weight ELSE 0 END) / sum(weight))
  FROM json_to_recordset(rewards) AS r (type text, value bigint, weight bigint)
$$;

CREATE OR REPLACE FUNCTION keep_mechanic_version() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  actor json := nullif(current_setting('tessera.actor', true), '');
BEGIN
  INSERT INTO game_mechanic_version (id, partner_id, environment, mechanic_id, version, name, description,
    points_to_unlock, image_url, status, segments, rewards, expected_payout, member_id, api_key_id, created_at)
  VALUES (gen_random_uuid(), NEW.partner_id, NEW.environment, NEW.id, NEW.version, NEW.name, NEW.description,
    NEW.points_to_unlock, NEW.image_url, NEW.status, NEW.segments, NEW.rewards, expected_payout_of(NEW.rewards),
    (actor ->> 'memberId')::uuid, (actor ->> 'apiKeyId')::uuid, NEW.updated_at);
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION refuse_mechanic_version_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'versions of games are append-only' USING ERRCODE = 'restrict_violation';
END $$;

CREATE OR REPLACE TRIGGER game_mechanic_version_kept AFTER INSERT OR UPDATE ON "game_mechanic"
  FOR EACH ROW EXECUTE FUNCTION keep_mechanic_version();
CREATE OR REPLACE TRIGGER game_mechanic_version_append_only BEFORE UPDATE OR DELETE ON "game_mechanic_version"
  FOR EACH ROW EXECUTE FUNCTION refuse_mechanic_version_change();
CREATE OR REPLACE TRIGGER game_mechanic_version_not_truncated BEFORE TRUNCATE ON "game_mechanic_version"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_mechanic_version_change();
