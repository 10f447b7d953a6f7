-- Events of matches never change. Spectators are notified after commit.
CREATE OR REPLACE FUNCTION refuse_match_event_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'events of matches are append-only';
END $$;
CREATE OR REPLACE TRIGGER arena_match_event_append_only BEFORE UPDATE ON "arena_match_event"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_match_event_change();

-- Notifies in the transaction, because spectators do not poll. A node plays at most a hundred matches at a time.
CREATE OR REPLACE FUNCTION announce_match_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('tessera', 'match:' || match_id)
  FROM (SELECT DISTINCT match_id FROM new_event) m;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER arena_match_event_announced AFTER INSERT ON "arena_match_event"
  REFERENCING NEW TABLE AS new_event FOR EACH STATEMENT EXECUTE FUNCTION announce_match_events();
