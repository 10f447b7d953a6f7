-- Outside a transaction
-- BRIN keeps the oldest time of a block range that has been filled again, so that old rows were searched everywhere.
DROP INDEX CONCURRENTLY IF EXISTS "event_occurred_at_idx";
CREATE INDEX CONCURRENTLY "event_occurred_at_idx" ON "event" ("occurred_at");
DROP INDEX CONCURRENTLY IF EXISTS "user_hour_hour_idx";
CREATE INDEX CONCURRENTLY "user_hour_hour_idx" ON "user_hour" ("hour");
DROP INDEX CONCURRENTLY IF EXISTS "segment_change_changed_at_idx";
CREATE INDEX CONCURRENTLY "segment_change_changed_at_idx" ON "segment_change" ("changed_at");
-- Old deliveries are found by the index of their endpoint.
DROP INDEX CONCURRENTLY IF EXISTS "webhook_delivery_created_at_idx";
DROP INDEX CONCURRENTLY IF EXISTS "sign_in_expires_at_idx";
CREATE INDEX CONCURRENTLY "sign_in_expires_at_idx" ON "sign_in" ("expires_at");
DROP INDEX CONCURRENTLY IF EXISTS "mail_expires_at_idx";
CREATE INDEX CONCURRENTLY "mail_expires_at_idx" ON "mail" ("expires_at");
DROP INDEX CONCURRENTLY IF EXISTS "user_token_revocation_revoked_at_idx";
CREATE INDEX CONCURRENTLY "user_token_revocation_revoked_at_idx" ON "user_token_revocation" ("revoked_at");
DROP INDEX CONCURRENTLY IF EXISTS "arena_match_whole_log";
CREATE INDEX CONCURRENTLY "arena_match_whole_log" ON "arena_match" ("ended_at") WHERE "logged_from" = 1 AND "seq" > 1 AND "ended_at" IS NOT NULL;
