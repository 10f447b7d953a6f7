-- Outside a transaction
-- The lists of grants, with the time of each as the last column, so that a list of a period reads only its own rows.
DROP INDEX CONCURRENTLY IF EXISTS "reward_grant_partner_id_environment_id_created_at_idx";
CREATE INDEX CONCURRENTLY "reward_grant_partner_id_environment_id_created_at_idx" ON "reward_grant" ("partner_id", "environment", "id", "created_at");
DROP INDEX CONCURRENTLY IF EXISTS "reward_grant_partner_id_environment_id_idx";
DROP INDEX CONCURRENTLY IF EXISTS "reward_grant_partner_id_environment_status_id_created_at_idx";
CREATE INDEX CONCURRENTLY "reward_grant_partner_id_environment_status_id_created_at_idx" ON "reward_grant" ("partner_id", "environment", "status", "id", "created_at");
DROP INDEX CONCURRENTLY IF EXISTS "reward_grant_partner_id_environment_status_id_idx";
