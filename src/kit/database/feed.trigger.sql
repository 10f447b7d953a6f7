-- Events are ordered by a sequence. A reader that does not read beyond the horizon misses no event, on any cluster to
-- which the database is restored.

-- Identifies the cluster, its timeline (which changes when a standby is promoted, or by a restore to a point in time)
-- and the database. NULL on a standby, where nothing is written.
CREATE OR REPLACE FUNCTION feed_home() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN CASE WHEN NOT pg_is_in_recovery() THEN
    format('%s/%s/%s/%s', (SELECT system_identifier FROM pg_control_system()),
      left(pg_walfile_name(pg_current_wal_insert_lsn()), 8),
      (SELECT oid FROM pg_database WHERE datname = current_database()), 'event'::regclass::oid) END;
END $$;

-- A restored or promoted database may lack the last positions that its predecessor assigned and readers have seen. So its
-- positions continue far above them. Nobody writes ten billion events between two backups.
-- Checked once per connection: a connection never changes its cluster, and on a standby it writes only after promotion.
CREATE OR REPLACE FUNCTION keep_feed_epoch() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  here text;
BEGIN
  IF current_setting('tessera.feed_epoch', true) = 'known' THEN
    RETURN;
  END IF;
  here := feed_home();
  IF here IS NULL THEN
    RETURN;
  END IF;
  IF NOT EXISTS (SELECT FROM feed_epoch WHERE home = here) THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('feed_epoch', 0));
  END IF;
  IF NOT EXISTS (SELECT FROM feed_epoch WHERE home = here) THEN
    PERFORM setval('feed_position', greatest(last_value, (SELECT max(position) FROM segment_change),
      (SELECT max(last.position) FROM partner p CROSS JOIN unnest(enum_range(NULL::"Environment")) AS env
        CROSS JOIN LATERAL (SELECT position FROM event WHERE partner_id = p.id AND environment = env
          ORDER BY position DESC LIMIT 1) last)) + 10000000000)
    FROM feed_position;
    INSERT INTO feed_epoch (home) VALUES (here)
    ON CONFLICT (id) DO UPDATE SET home = excluded.home, begun_at = now();
  END IF;
  PERFORM set_config('tessera.feed_epoch', 'known', false);
END $$;

-- Before a transaction takes its first position, it locks the last assigned position until it ends. All that it writes is
-- above that, so readers that do not read beyond the lowest lock miss nothing. The lock is shared. Its key is the
-- negative position, which no other lock uses.
CREATE OR REPLACE FUNCTION enter_feed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF coalesce(current_setting('tessera.in_feed', true), '') = '' THEN
    PERFORM keep_feed_epoch();
    PERFORM set_config('tessera.in_feed', 'yes', true), pg_advisory_xact_lock_shared(-last_value)
    FROM feed_position;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER event_enters_feed BEFORE INSERT ON "event"
  FOR EACH STATEMENT EXECUTE FUNCTION enter_feed();

-- Open transactions that have entered the feed. What they write is above `place`.
CREATE OR REPLACE VIEW "feed_writer" AS
  SELECT pid, place FROM (
    SELECT pid, -((classid::bigint << 32) | objid::bigint) AS place FROM pg_locks
    WHERE locktype = 'advisory' AND objsubid = 1
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) l
  WHERE place >= 10000000000000;

-- Up to `settled`, every position is either visible to the next statement or will never be used. `given` is the last
-- assigned position. The order of the two reads matters: the second sees every open transaction that took a position
-- before the first.
CREATE OR REPLACE FUNCTION feed_horizon(OUT settled bigint, OUT given bigint) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM keep_feed_epoch();
  given := (SELECT last_value FROM feed_position);
  settled := least(given, (SELECT min(place) FROM feed_writer));
END $$;
