-- The score of a user follows from the counts, so the database generates it. Writers of the version before cannot write
-- it any more.
DROP INDEX "end_user_leaderboard";
ALTER TABLE "end_user"
    DROP COLUMN "score",
    ADD COLUMN "score" BIGINT NOT NULL GENERATED ALWAYS AS ("lifetime_points" + "rewards_won" + 10 * "games_played"::bigint) STORED;
CREATE INDEX "end_user_leaderboard"
    ON "end_user" ("partner_id", "environment", "score" DESC, "score_reached_at", "external_id");
UPDATE "schema_compatibility" SET "compatible_from" = '20261129020000_generated_score';
