-- Has goals decided again for users who were not eligible, when their segments change.

-- A user has entered a segment. The writer has locked the profile, and marks come last in the order of locks.
CREATE OR REPLACE FUNCTION unblock_goal_marks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE goal_mark m SET is_blocked = false
  FROM moved s JOIN goal g ON g.segment_id = s.segment_id
  WHERE s.move = 'entered' AND m.goal_id = g.id AND m.user_id = s.user_id AND m.is_blocked;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER segment_change_unblocks_goals AFTER INSERT ON "segment_change"
  REFERENCING NEW TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION unblock_goal_marks();

-- The filter of a segment has changed. Counting the users of its goals again leaves a mark for each who is due.
CREATE OR REPLACE FUNCTION recount_goals_of_segment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE goal SET is_counting = true, count_barrier = NULL, counted_until = NULL, counted_user_id = NULL
  WHERE segment_id = NEW.id AND status IN ('ACTIVE', 'PAUSED');
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER segment_recounts_goals AFTER UPDATE OF stage, tier, tag, tag_value, country, device, source,
    balance_min, balance_max, lifetime_points_min, lifetime_points_max, recent_plays_min, recent_plays_max, seen_from,
    seen_to, seen_days_min, seen_days_max, user_created_from, user_created_to, user_created_days_min,
    user_created_days_max
  ON "segment" FOR EACH ROW EXECUTE FUNCTION recount_goals_of_segment();
