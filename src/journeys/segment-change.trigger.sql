-- Adds changes of segments to the feed, and announces them to subscribers of a segment.

CREATE OR REPLACE TRIGGER segment_change_enters_feed BEFORE INSERT ON "segment_change"
  FOR EACH STATEMENT EXECUTE FUNCTION enter_feed();

CREATE OR REPLACE FUNCTION announce_segment_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce('segment:' || segment_id)
  FROM (SELECT DISTINCT segment_id FROM moved) m;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER segment_change_announced AFTER INSERT ON "segment_change"
  REFERENCING NEW TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION announce_segment_changes();
