-- Records what a mutation changes in the tables of a partner's settings, for its entry in the audit log. The mutation
-- sets `tessera.audit` to `[`, and each row adds its changes. Without that setting the triggers do nothing.
-- The arguments of a trigger are columns whose values are secret: an entry records the change without the values.
-- UPDATE OF leaves out columns that change with every play, match, ticket or grant.
CREATE OR REPLACE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  noted text;
BEGIN
  SELECT string_agg(json_build_object('table', TG_TABLE_NAME, 'id', row_id, 'field', key,
      'from', CASE WHEN was IS NOT NULL AND key = ANY (TG_ARGV) THEN '"***"' ELSE was END,
      'to', CASE WHEN becomes IS NOT NULL AND key = ANY (TG_ARGV) THEN '"***"' ELSE becomes END)::text || ',', ''
    ORDER BY key)
  INTO noted
  FROM (
    SELECT key, nullif(o.value, 'null') AS was, nullif(n.value, 'null') AS becomes,
      coalesce(to_jsonb(NEW), to_jsonb(OLD)) -> 'id' AS row_id
    FROM jsonb_each(to_jsonb(OLD)) o FULL JOIN jsonb_each(to_jsonb(NEW)) n USING (key)
  ) c
  WHERE was IS DISTINCT FROM becomes
    AND key NOT IN ('id', 'partner_id', 'environment', 'created_at', 'updated_at', 'revision')
    -- Omits row versions, which are numbers. The version of an arena game is a text of its developer.
    AND NOT (key = 'version' AND jsonb_typeof(coalesce(becomes, was)) = 'number');
  PERFORM set_config('tessera.audit', current_setting('tessera.audit') || coalesce(noted, ''), true);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER partner_audited AFTER INSERT OR UPDATE OR DELETE ON "partner"
  FOR EACH ROW WHEN (current_setting('tessera.audit', true) <> '') EXECUTE FUNCTION note_change();
CREATE OR REPLACE TRIGGER application_audited AFTER INSERT OR UPDATE OR DELETE ON "application"
  FOR EACH ROW WHEN (current_setting('tessera.audit', true) <> '') EXECUTE FUNCTION note_change();
CREATE OR REPLACE TRIGGER api_key_audited AFTER INSERT OR UPDATE OR DELETE ON "api_key"
  FOR EACH ROW WHEN (current_setting('tessera.audit', true) <> '') EXECUTE FUNCTION note_change('hash');
CREATE OR REPLACE TRIGGER member_audited AFTER INSERT OR UPDATE OR DELETE ON "member"
  FOR EACH ROW WHEN (current_setting('tessera.audit', true) <> '') EXECUTE FUNCTION note_change('password_hash');
CREATE OR REPLACE TRIGGER second_factor_audited AFTER INSERT OR UPDATE OR DELETE ON "second_factor"
  FOR EACH ROW WHEN (current_setting('tessera.audit', true) <> '')
  EXECUTE FUNCTION note_change('secret', 'last_step', 'recovery_digests');
CREATE OR REPLACE TRIGGER invitation_audited AFTER INSERT OR UPDATE OR DELETE ON "invitation"
  FOR EACH ROW WHEN (current_setting('tessera.audit', true) <> '') EXECUTE FUNCTION note_change('token_digest');
CREATE OR REPLACE TRIGGER reward_rule_audited AFTER INSERT OR UPDATE OR DELETE ON "reward_rule"
  FOR EACH ROW WHEN (current_setting('tessera.audit', true) <> '') EXECUTE FUNCTION note_change();
CREATE OR REPLACE TRIGGER game_mechanic_audited AFTER INSERT OR UPDATE OR DELETE ON "game_mechanic"
  FOR EACH ROW WHEN (current_setting('tessera.audit', true) <> '') EXECUTE FUNCTION note_change();
CREATE OR REPLACE TRIGGER campaign_audited AFTER INSERT OR UPDATE OR DELETE ON "campaign"
  FOR EACH ROW WHEN (current_setting('tessera.audit', true) <> '') EXECUTE FUNCTION note_change();
CREATE OR REPLACE TRIGGER campaign_event_rule_audited AFTER INSERT OR UPDATE OR DELETE ON "campaign_event_rule"
  FOR EACH ROW WHEN (current_setting('tessera.audit', true) <> '') EXECUTE FUNCTION note_change();
CREATE OR REPLACE TRIGGER prize_tier_audited AFTER INSERT OR DELETE OR
  UPDATE OF name, points, weight, max_wins, position ON "prize_tier"
  FOR EACH ROW WHEN (current_setting('tessera.audit', true) <> '') EXECUTE FUNCTION note_change();
CREATE OR REPLACE TRIGGER code_batch_audited AFTER INSERT OR DELETE OR UPDATE OF revoked_at ON "code_batch"
  FOR EACH ROW WHEN (current_setting('tessera.audit', true) <> '') EXECUTE FUNCTION note_change();
CREATE OR REPLACE TRIGGER lottery_audited AFTER INSERT OR DELETE OR
  UPDATE OF name, description, status, rules, ends_at, draw_delay_seconds, primary_color, logo_url ON "lottery"
  FOR EACH ROW WHEN (current_setting('tessera.audit', true) <> '') EXECUTE FUNCTION note_change();
CREATE OR REPLACE TRIGGER lottery_draw_audited AFTER INSERT OR DELETE OR UPDATE OF status ON "lottery_draw"
  FOR EACH ROW WHEN (current_setting('tessera.audit', true) <> '')
  EXECUTE FUNCTION note_change('sealed_seed', 'seed');
CREATE OR REPLACE TRIGGER classification_settings_audited AFTER INSERT OR UPDATE OR DELETE ON "classification_settings"
  FOR EACH ROW WHEN (current_setting('tessera.audit', true) <> '') EXECUTE FUNCTION note_change();
CREATE OR REPLACE TRIGGER brand_audited AFTER INSERT OR UPDATE OR DELETE ON "brand"
  FOR EACH ROW WHEN (current_setting('tessera.audit', true) <> '') EXECUTE FUNCTION note_change();
CREATE OR REPLACE TRIGGER partner_time_zone_audited AFTER INSERT OR UPDATE OR DELETE ON "partner_time_zone"
  FOR EACH ROW WHEN (current_setting('tessera.audit', true) <> '') EXECUTE FUNCTION note_change();
CREATE OR REPLACE TRIGGER offer_rule_audited AFTER INSERT OR UPDATE OR DELETE ON "offer_rule"
  FOR EACH ROW WHEN (current_setting('tessera.audit', true) <> '') EXECUTE FUNCTION note_change();
CREATE OR REPLACE TRIGGER user_batch_audited AFTER INSERT OR UPDATE OF status ON "user_batch"
  FOR EACH ROW WHEN (current_setting('tessera.audit', true) <> '') EXECUTE FUNCTION note_change();
CREATE OR REPLACE TRIGGER segment_audited AFTER INSERT OR UPDATE OR DELETE ON "segment"
  FOR EACH ROW WHEN (current_setting('tessera.audit', true) <> '') EXECUTE FUNCTION note_change();
CREATE OR REPLACE TRIGGER reward_audited AFTER INSERT OR DELETE OR
  UPDATE OF name, description, image_url, points, stock, archived_at ON "reward"
  FOR EACH ROW WHEN (current_setting('tessera.audit', true) <> '') EXECUTE FUNCTION note_change();
CREATE OR REPLACE TRIGGER goal_audited AFTER INSERT OR DELETE OR
  UPDATE OF slug, name, description, image_url, category, position, status, starts_at, ends_at, started_at, window_kind,
    repeat, max_completions, join_mode, time_limit_hours, requires, segment_id, is_secret, claim, claim_days, hold_days,
    on_reversal, count_from, reward_ids ON "goal"
  FOR EACH ROW WHEN (current_setting('tessera.audit', true) <> '') EXECUTE FUNCTION note_change();
CREATE OR REPLACE TRIGGER goal_task_audited AFTER INSERT OR UPDATE OR DELETE ON "goal_task"
  FOR EACH ROW WHEN (current_setting('tessera.audit', true) <> '') EXECUTE FUNCTION note_change();
CREATE OR REPLACE TRIGGER goal_streak_audited AFTER INSERT OR DELETE OR
  UPDATE OF initial_freezes, max_freezes, freeze_every, weekdays, restore_days, at_risk_hours, milestone_lengths,
    milestone_reward_ids ON "goal_streak"
  FOR EACH ROW WHEN (current_setting('tessera.audit', true) <> '') EXECUTE FUNCTION note_change();
CREATE OR REPLACE TRIGGER streak_change_audited AFTER INSERT OR UPDATE OF until_date ON "streak_change"
  FOR EACH ROW WHEN (current_setting('tessera.audit', true) <> '') EXECUTE FUNCTION note_change();
CREATE OR REPLACE TRIGGER streak_restoration_audited AFTER INSERT ON "streak_restoration"
  FOR EACH ROW WHEN (current_setting('tessera.audit', true) <> '') EXECUTE FUNCTION note_change();
CREATE OR REPLACE TRIGGER webhook_endpoint_audited AFTER INSERT OR DELETE OR
  UPDATE OF url, description, events, status, secret, deleted_at ON "webhook_endpoint"
  FOR EACH ROW WHEN (current_setting('tessera.audit', true) <> '')
  EXECUTE FUNCTION note_change('secret', 'previous_secret');
CREATE OR REPLACE TRIGGER arena_agent_audited AFTER INSERT OR DELETE OR
  UPDATE OF name, display_name, description, avatar_url, thinking_style, model_id, endpoint_url, secret, status,
    is_public ON "arena_agent"
  FOR EACH ROW WHEN (current_setting('tessera.audit', true) <> '') EXECUTE FUNCTION note_change('secret', 'secret_last_four');
CREATE OR REPLACE TRIGGER arena_game_audited AFTER INSERT OR DELETE OR
  UPDATE OF name, status, build_no, entry_fee, updated_at, featured_at ON "arena_game"
  FOR EACH ROW WHEN (current_setting('tessera.audit', true) <> '') EXECUTE FUNCTION note_change();
CREATE OR REPLACE TRIGGER arena_acceptance_audited AFTER INSERT OR UPDATE OR DELETE ON "arena_acceptance"
  FOR EACH ROW WHEN (current_setting('tessera.audit', true) <> '') EXECUTE FUNCTION note_change();

-- Entries of the audit log never change. Only the job that deletes old entries can delete them, by a setting of its
-- transaction.
CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('tessera.forgets_audit', true) = 'on' THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'restrict_violation';
END $$;

CREATE OR REPLACE TRIGGER audit_entry_append_only BEFORE UPDATE OR DELETE ON "audit_entry"
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE OR REPLACE TRIGGER audit_entry_not_truncated BEFORE TRUNCATE ON "audit_entry"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
