-- Outside a transaction
-- Counting looks for the reversals of an entry. Few entries are reversals.
DROP INDEX CONCURRENTLY IF EXISTS "user_activity_reversals";
CREATE INDEX CONCURRENTLY "user_activity_reversals" ON "user_activity" ("reverses_id") WHERE "reverses_id" IS NOT NULL;
