-- Outside a transaction
-- The completions of a goal, and its grants.
DROP INDEX CONCURRENTLY IF EXISTS "goal_completion_goal_id_id_idx";
CREATE INDEX CONCURRENTLY "goal_completion_goal_id_id_idx" ON "goal_completion" ("goal_id", "id");
DROP INDEX CONCURRENTLY IF EXISTS "reward_grant_of_goal";
CREATE INDEX CONCURRENTLY "reward_grant_of_goal" ON "reward_grant" ("goal_id", "id") WHERE "goal_id" IS NOT NULL;
