-- The list of users has a filter and an order, each with an index. An index of the exact time of the last activity would make
-- every award and play write to all indexes of the profile, so the index has slots of ten minutes.
ALTER TABLE "user_profile"
    ADD COLUMN "user_created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    ADD COLUMN "seen_slot" INTEGER NOT NULL GENERATED ALWAYS AS
        ((extract(epoch FROM coalesce(greatest("last_event_at", "identified_at"), "user_created_at") AT TIME ZONE 'UTC') / 600)::integer) STORED;
UPDATE "user_profile" p SET "user_created_at" = u."created_at" FROM "end_user" u WHERE u."id" = p."user_id";

DROP INDEX "user_profile_partner_id_environment_stage_user_id_idx";
DROP INDEX "user_profile_partner_id_environment_user_id_idx";
CREATE INDEX "user_profile_by_creation" ON "user_profile" ("partner_id", "environment", "user_created_at", "user_id");
CREATE INDEX "user_profile_by_last_seen" ON "user_profile" ("partner_id", "environment", "seen_slot");
CREATE INDEX "user_profile_by_stage" ON "user_profile" ("partner_id", "environment", "stage", "seen_slot");
CREATE INDEX "user_profile_by_tier" ON "user_profile" ("partner_id", "environment", "tier", "seen_slot");
CREATE INDEX "end_user_by_balance" ON "end_user" ("partner_id", "environment", "balance", "id");
CREATE INDEX "end_user_by_lifetime_points" ON "end_user" ("partner_id", "environment", "lifetime_points", "id");

-- Many users have none of these.
CREATE INDEX "user_profile_by_country" ON "user_profile" ("partner_id", "environment", "country", "seen_slot")
    WHERE "country" IS NOT NULL;
CREATE INDEX "user_profile_by_device" ON "user_profile" ("partner_id", "environment", "device", "seen_slot")
    WHERE "device" IS NOT NULL;
CREATE INDEX "user_profile_by_source" ON "user_profile" ("partner_id", "environment", "source", "seen_slot")
    WHERE "source" IS NOT NULL;
