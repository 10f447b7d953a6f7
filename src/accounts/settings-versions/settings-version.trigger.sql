-- The history of reward rules, campaigns, lotteries and offer rules: a trigger writes each version of the settings with
-- the change that creates it. Versions never change; they are deleted with their object. Games keep theirs for their
-- plays (mechanic-version.trigger.sql). Mutations set `tessera.actor` to who they run for.

CREATE OR REPLACE FUNCTION insert_settings_version(kind text, object jsonb, settings jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  actor json := nullif(current_setting('tessera.actor', true), '');
BEGIN
  INSERT INTO settings_version (id, partner_id, environment, kind, object_id, version, settings, member_id, api_key_id,
    created_at)
  VALUES (gen_random_uuid(), (object ->> 'partner_id')::uuid, (object ->> 'environment')::"Environment", kind,
    (object ->> 'id')::uuid, (object ->> 'version')::int,
    settings - '{id,partner_id,environment,version,created_at,updated_at}'::text[], (actor ->> 'memberId')::uuid,
    (actor ->> 'apiKeyId')::uuid, (object ->> 'updated_at')::timestamptz);
END $$;

CREATE OR REPLACE FUNCTION keep_settings_version() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  object jsonb := to_jsonb(NEW);
BEGIN
  -- Lotteries count their draws and tickets.
  PERFORM insert_settings_version(TG_TABLE_NAME, object, object - '{draws,tickets}'::text[]);
  RETURN NULL;
END $$;

-- A campaign has its event rules and prizes in tables of their own. They are written before a change of the campaign,
-- but after its creation, which therefore calls this function itself.
CREATE OR REPLACE FUNCTION keep_campaign_version(campaign_id uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  object jsonb;
BEGIN
  SELECT to_jsonb(c) INTO object FROM campaign c WHERE id = campaign_id;
  PERFORM insert_settings_version('campaign', object, object || jsonb_build_object(
    'event_rules', (SELECT coalesce(jsonb_agg(jsonb_build_object('eventType', r.event_type, 'points', r.points)
        ORDER BY r.event_type), '[]')
      FROM campaign_event_rule r WHERE r.campaign_id = keep_campaign_version.campaign_id),
    'prize_tiers', (SELECT coalesce(jsonb_agg(jsonb_build_object('name', t.name, 'points', t.points, 'weight', t.weight,
        'maxWins', t.max_wins, 'rewardId', t.reward_id) ORDER BY t.position), '[]')
      FROM prize_tier t
      -- Without instant win, the prizes stay only for those who have won them.
      WHERE t.campaign_id = keep_campaign_version.campaign_id AND object ->> 'wins_per_million' IS NOT NULL)));
END $$;

CREATE OR REPLACE FUNCTION keep_changed_campaign() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM keep_campaign_version(NEW.id);
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION forget_settings_versions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM settings_version WHERE object_id = OLD.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION refuse_settings_version_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The trigger of their object deletes them.
  IF TG_OP = 'DELETE' AND pg_trigger_depth() > 1 THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'versions of settings are append-only' USING ERRCODE = 'restrict_violation';
END $$;

-- What each version of an object had, games included.
CREATE OR REPLACE VIEW kept_settings AS
  SELECT object_id, kind, version, settings, member_id, api_key_id, created_at FROM settings_version
  UNION ALL
  SELECT mechanic_id, 'game_mechanic', version, jsonb_build_object('name', name, 'description', description,
    'points_to_unlock', points_to_unlock, 'image_url', image_url, 'status', status, 'segments', segments,
    'rewards', rewards), member_id, api_key_id, created_at
  FROM game_mechanic_version;

-- UPDATE OF as in versioned-tables.trigger.sql: exactly what makes a version.
CREATE OR REPLACE TRIGGER reward_rule_version_kept AFTER INSERT OR UPDATE ON "reward_rule"
  FOR EACH ROW EXECUTE FUNCTION keep_settings_version();
CREATE OR REPLACE TRIGGER campaign_version_kept AFTER UPDATE ON "campaign"
  FOR EACH ROW EXECUTE FUNCTION keep_changed_campaign();
CREATE OR REPLACE TRIGGER lottery_version_kept AFTER INSERT OR
  UPDATE OF name, description, status, rules, ends_at, draw_delay_seconds, primary_color, logo_url ON "lottery"
  FOR EACH ROW EXECUTE FUNCTION keep_settings_version();
CREATE OR REPLACE TRIGGER offer_rule_version_kept AFTER INSERT OR UPDATE ON "offer_rule"
  FOR EACH ROW EXECUTE FUNCTION keep_settings_version();

CREATE OR REPLACE TRIGGER reward_rule_versions_forgotten AFTER DELETE ON "reward_rule"
  FOR EACH ROW EXECUTE FUNCTION forget_settings_versions();
CREATE OR REPLACE TRIGGER campaign_versions_forgotten AFTER DELETE ON "campaign"
  FOR EACH ROW EXECUTE FUNCTION forget_settings_versions();
CREATE OR REPLACE TRIGGER lottery_versions_forgotten AFTER DELETE ON "lottery"
  FOR EACH ROW EXECUTE FUNCTION forget_settings_versions();
CREATE OR REPLACE TRIGGER offer_rule_versions_forgotten AFTER DELETE ON "offer_rule"
  FOR EACH ROW EXECUTE FUNCTION forget_settings_versions();

CREATE OR REPLACE TRIGGER settings_version_append_only BEFORE UPDATE OR DELETE ON "settings_version"
  FOR EACH ROW EXECUTE FUNCTION refuse_settings_version_change();
CREATE OR REPLACE TRIGGER settings_version_not_truncated BEFORE TRUNCATE ON "settings_version"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_settings_version_change();
