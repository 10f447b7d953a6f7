-- Events get a partition for each month of their ids. The table of now becomes the partition of all ids without a month, so
-- no row moves and none is read. Months are made after the migration (src/core/db/months.ts).
ALTER TABLE "event" RENAME TO "event_rest";
ALTER INDEX "event_pkey" RENAME TO "event_rest_pkey";
ALTER INDEX "event_partner_id_environment_txid_id_idx" RENAME TO "event_rest_partner_id_environment_txid_id_idx";
ALTER INDEX "event_occurred_at_idx" RENAME TO "event_rest_occurred_at_idx";

CREATE TABLE "event" (LIKE "event_rest" INCLUDING DEFAULTS) PARTITION BY RANGE ("id");
ALTER TABLE "event" ADD CONSTRAINT "event_pkey" PRIMARY KEY ("id");
CREATE INDEX "event_partner_id_environment_txid_id_idx" ON "event" ("partner_id", "environment", "txid", "id");
CREATE INDEX "event_occurred_at_idx" ON "event" ("occurred_at");
ALTER TABLE "event" ATTACH PARTITION "event_rest" DEFAULT;

-- Who may use the table may use the new one.
CREATE FUNCTION take_over_rights(old regclass, new regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  given record;
BEGIN
  FOR given IN SELECT a.grantee, a.privilege_type, a.is_grantable FROM pg_class c, aclexplode(c.relacl) a
    WHERE c.oid = old AND a.grantee <> c.relowner
  LOOP
    EXECUTE format('GRANT %s ON %s TO %s%s', given.privilege_type, new,
      CASE given.grantee WHEN 0 THEN 'PUBLIC' ELSE given.grantee::regrole::text END,
      CASE WHEN given.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END);
  END LOOP;
END $$;
SELECT take_over_rights('event_rest', 'event');

-- Its triggers move with it in this transaction, because nodes of the previous version write events at once. In an empty
-- database there are none yet.
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_trigger WHERE tgrelid = 'event_rest'::regclass AND tgname = 'event_announced') THEN
    DROP TRIGGER "event_enters_feed" ON "event_rest";
    DROP TRIGGER "event_announced" ON "event_rest";
    CREATE TRIGGER "event_enters_feed" BEFORE INSERT ON "event"
      FOR EACH STATEMENT EXECUTE FUNCTION enter_feed();
    CREATE TRIGGER "event_announced" AFTER INSERT ON "event"
      REFERENCING NEW TABLE AS new_event FOR EACH STATEMENT EXECUTE FUNCTION announce_events();
  END IF;
END $$;

-- A ctid names a row within its partition only. The previous version deletes old rows by ctid: from a table with
-- partitions that would take young rows, too. Its job fails until its nodes are replaced.
CREATE FUNCTION refuse_ctid() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows of % are not deleted by ctid, because it has partitions', TG_TABLE_NAME;
END $$;
CREATE TRIGGER "event_not_by_ctid" BEFORE DELETE ON "event"
  FOR EACH STATEMENT WHEN (current_query() ~ '\mctid\M') EXECUTE FUNCTION refuse_ctid();
