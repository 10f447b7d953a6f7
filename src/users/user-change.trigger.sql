-- Announces to the nodes that listen to a user that something of this user has changed: points and facts are on the
-- timeline, the rest has tables of its own. While nobody listens, it costs one look into an index for each user.
CREATE OR REPLACE FUNCTION announce_user_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce('user:' || l.user_id) FROM (SELECT DISTINCT user_id FROM changed) c
  CROSS JOIN LATERAL (SELECT x.user_id FROM user_listener x WHERE x.user_id = c.user_id LIMIT 1) l;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER user_activity_then_user_changed AFTER INSERT ON "user_activity"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_user_changes();
CREATE OR REPLACE TRIGGER goal_join_user_changed AFTER INSERT ON "goal_join"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_user_changes();
CREATE OR REPLACE TRIGGER goal_completion_made_user_changed AFTER INSERT ON "goal_completion"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_user_changes();
CREATE OR REPLACE TRIGGER goal_completion_user_changed AFTER UPDATE ON "goal_completion"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_user_changes();
CREATE OR REPLACE TRIGGER reward_grant_made_user_changed AFTER INSERT ON "reward_grant"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_user_changes();
CREATE OR REPLACE TRIGGER reward_grant_user_changed AFTER UPDATE ON "reward_grant"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_user_changes();
CREATE OR REPLACE TRIGGER streak_made_user_changed AFTER INSERT ON "streak"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_user_changes();
CREATE OR REPLACE TRIGGER streak_user_changed AFTER UPDATE ON "streak"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_user_changes();
CREATE OR REPLACE TRIGGER offer_made_user_changed AFTER INSERT ON "offer"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_user_changes();
CREATE OR REPLACE TRIGGER offer_user_changed AFTER UPDATE ON "offer"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_user_changes();
CREATE OR REPLACE TRIGGER user_erasure_user_changed AFTER INSERT ON "user_erasure"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_user_changes();
