-- Has the deadlines of streaks computed again when something else than a decision moves them. They decide when a streak is
-- announced to be at risk or broken.

-- The time zone of a user changes. The writer has locked the profile. The next run settles the streaks: `due_at` is past.
CREATE OR REPLACE FUNCTION settle_streaks_of_users() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  goals uuid[] := ARRAY(SELECT g.goal_id FROM goal_streak g
    WHERE (g.partner_id, g.environment) IN (SELECT c.partner_id, c.environment FROM changed c));
  users uuid[];
BEGIN
  IF cardinality(goals) > 0 THEN
    users := ARRAY(SELECT user_id FROM changed);
    -- Arrays make it a lookup by key, also while the planner has no statistics.
    UPDATE streak SET due_at = 'epoch' WHERE goal_id = ANY (goals) AND user_id = ANY (users) AND run_from IS NOT NULL;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER user_time_zone_made_settles_streaks AFTER INSERT ON "user_time_zone"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION settle_streaks_of_users();
CREATE OR REPLACE TRIGGER user_time_zone_changed_settles_streaks AFTER UPDATE ON "user_time_zone"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION settle_streaks_of_users();

-- The time zone of a partner changes for users who have none. A job computes the deadlines, however many users there are.
CREATE OR REPLACE FUNCTION compute_deadlines_of_partner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE goal_streak SET due_after_user_id = '00000000-0000-0000-0000-000000000000', due_barrier = NULL
  WHERE (partner_id, environment) = (NEW.partner_id, NEW.environment);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER partner_time_zone_computes_deadlines AFTER INSERT OR UPDATE ON "partner_time_zone"
  FOR EACH ROW EXECUTE FUNCTION compute_deadlines_of_partner();

-- The end of a goal changes. After it, nothing has to be met.
CREATE OR REPLACE FUNCTION compute_deadlines_of_goal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE goal_streak SET due_after_user_id = '00000000-0000-0000-0000-000000000000', due_barrier = NULL
  WHERE goal_id = NEW.id AND NEW.status <> 'DRAFT';
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER goal_end_computes_deadlines AFTER UPDATE OF ends_at ON "goal"
  FOR EACH ROW WHEN (OLD.ends_at IS DISTINCT FROM NEW.ends_at) EXECUTE FUNCTION compute_deadlines_of_goal();
