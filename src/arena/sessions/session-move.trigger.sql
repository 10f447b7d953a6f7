-- Watchers of a session are notified after commit of moves and status changes. The transaction notifies them itself,
-- because they do not poll. Each notification is for one session.
CREATE OR REPLACE FUNCTION announce_session_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('tessera', 'session:' || session_id) FROM (SELECT DISTINCT session_id FROM new_move) m;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER arena_session_move_announced AFTER INSERT ON "arena_session_move"
  REFERENCING NEW TABLE AS new_move FOR EACH STATEMENT EXECUTE FUNCTION announce_session_moves();

CREATE OR REPLACE FUNCTION announce_session_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('tessera', 'session:' || NEW.id);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER arena_session_announced AFTER UPDATE OF "status" ON "arena_session"
  FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION announce_session_status();
