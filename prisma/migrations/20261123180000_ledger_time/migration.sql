-- Outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS "ledger_entry_time";
CREATE INDEX CONCURRENTLY "ledger_entry_time" ON "ledger_entry" ("partner_id", "environment", "event_type", "created_at", "id", "points");

-- Plays, adjustments and many awards have no reference: they are no longer in the index of references.
DROP INDEX CONCURRENTLY IF EXISTS "ledger_entry_reference";
CREATE UNIQUE INDEX CONCURRENTLY "ledger_entry_reference" ON "ledger_entry" ("partner_id", "environment", "event_type", "reference") WHERE "reference" IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS "ledger_entry_partner_id_environment_event_type_reference_key";
