-- The block of a user begins, ends or changes. Grants that wait for its end are tried again, and streaks are settled by the
-- next run: their pauses have changed. The writer has locked the user; profiles, grants and streaks follow in this order.
CREATE OR REPLACE FUNCTION settle_blocked_users() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  goals uuid[] := ARRAY(SELECT g.goal_id FROM goal_streak g
    WHERE (g.partner_id, g.environment) = (NEW.partner_id, NEW.environment));
BEGIN
  PERFORM FROM user_profile WHERE user_id = NEW.id ORDER BY user_id FOR NO KEY UPDATE;
  UPDATE reward_grant SET deferred_until = NULL WHERE user_id = NEW.id AND deferred_until IS NOT NULL;
  IF cardinality(goals) > 0 THEN
    UPDATE streak SET due_at = 'epoch' WHERE goal_id = ANY (goals) AND user_id = NEW.id AND run_from IS NOT NULL;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER end_user_block_settles AFTER UPDATE OF block_reason, blocked_until ON "end_user"
  FOR EACH ROW WHEN ((OLD.block_reason, OLD.blocked_until) IS DISTINCT FROM (NEW.block_reason, NEW.blocked_until))
  EXECUTE FUNCTION settle_blocked_users();
