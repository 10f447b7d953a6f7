-- What entries of timelines prove, which goals count. The version before writes no facts, and cannot write references
-- without the index that the next migration replaces.
CREATE TYPE "Fact" AS ENUM ('POINTS_AWARDED', 'GAME_PLAYED', 'GAME_WON', 'CAMPAIGN_EVENT', 'REFERRAL_MADE',
    'CODE_REDEEMED', 'OFFER_CLAIMED', 'SESSION_WON', 'ACTIVITY');
ALTER TABLE "user_activity"
    ADD COLUMN "fact" "Fact",
    ADD COLUMN "reverses_id" UUID,
    ADD COLUMN "recorded_at" TIMESTAMPTZ(3);
UPDATE "schema_compatibility" SET "compatible_from" = '20261130090000_facts';
