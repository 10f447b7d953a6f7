-- Rewards, and what users are granted.
CREATE TYPE "RewardKind" AS ENUM ('POINTS', 'BADGE');
CREATE TYPE "GrantStatus" AS ENUM ('HELD', 'READY', 'ISSUED', 'REVOKED', 'EXPIRED', 'FAILED');
CREATE TYPE "GrantSource" AS ENUM ('GIVEN', 'GOAL');
CREATE TYPE "GrantFailure" AS ENUM ('OUT_OF_STOCK');

CREATE TABLE "reward" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "image_url" TEXT,
    "kind" "RewardKind" NOT NULL,
    "points" INTEGER,
    "stock" INTEGER,
    "grant_count" INTEGER NOT NULL DEFAULT 0,
    "archived_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "reward_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "reward_partner_id_environment_name_key" ON "reward" ("partner_id", "environment", "name");
CREATE INDEX "reward_partner_id_environment_id_idx" ON "reward" ("partner_id", "environment", "id");

CREATE TABLE "reward_grant" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "user_id" UUID NOT NULL,
    "reward_id" UUID NOT NULL,
    "status" "GrantStatus" NOT NULL,
    "points" INTEGER,
    "source_kind" "GrantSource" NOT NULL,
    "source_id" TEXT NOT NULL,
    "reward_no" INTEGER NOT NULL DEFAULT 1,
    "round" INTEGER NOT NULL DEFAULT 1,
    "needs_claim" BOOLEAN NOT NULL DEFAULT false,
    "held_until" TIMESTAMPTZ(3),
    "ready_at" TIMESTAMPTZ(3),
    "claimed_at" TIMESTAMPTZ(3),
    "claim_expires_at" TIMESTAMPTZ(3),
    "issued_at" TIMESTAMPTZ(3),
    "expired_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "taken_back_at" TIMESTAMPTZ(3),
    "failure" "GrantFailure",
    "shortfall" INTEGER,
    "entry_id" UUID,
    "refund_entry_id" UUID,
    "reference" TEXT,
    "note" TEXT,
    "member_id" UUID,
    "api_key_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3) GENERATED ALWAYS AS (CASE
        WHEN "status" = 'HELD' THEN "held_until"
        WHEN "status" = 'READY' AND (NOT "needs_claim" OR "claimed_at" IS NOT NULL) THEN "ready_at"
        WHEN "status" = 'READY' THEN "claim_expires_at"
        WHEN "status" = 'REVOKED' AND "issued_at" IS NOT NULL AND "taken_back_at" IS NULL THEN "revoked_at"
        END) STORED,

    CONSTRAINT "reward_grant_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "reward_grant_partner_id_environment_source_kind_source_id_r_key"
    ON "reward_grant" ("partner_id", "environment", "source_kind", "source_id", "reward_no", "round");
CREATE INDEX "reward_grant_partner_id_environment_id_idx" ON "reward_grant" ("partner_id", "environment", "id");
CREATE INDEX "reward_grant_partner_id_environment_status_id_idx"
    ON "reward_grant" ("partner_id", "environment", "status", "id");
CREATE INDEX "reward_grant_user_id_id_idx" ON "reward_grant" ("user_id", "id");
CREATE INDEX "reward_grant_reward_id_id_idx" ON "reward_grant" ("reward_id", "id");

ALTER TABLE "reward_grant"
    ADD CONSTRAINT "reward_grant_reward_id_fkey" FOREIGN KEY ("reward_id") REFERENCES "reward"("id")
        ON DELETE RESTRICT ON UPDATE CASCADE,
    ADD CONSTRAINT "reward_grant_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "end_user"("id")
        ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "reward"
    ADD CONSTRAINT "reward_points_of_kind" CHECK (("kind" = 'POINTS') = ("points" IS NOT NULL)),
    ADD CONSTRAINT "reward_points_positive" CHECK ("points" > 0),
    ADD CONSTRAINT "reward_in_stock" CHECK ("grant_count" >= 0 AND "grant_count" <= "stock");
ALTER TABLE "reward_grant"
    ADD CONSTRAINT "reward_grant_numbers" CHECK ("reward_no" > 0 AND "round" > 0 AND "points" > 0),
    ADD CONSTRAINT "reward_grant_held" CHECK (
        "status" <> 'HELD' OR ("held_until" IS NOT NULL AND "ready_at" IS NULL)),
    ADD CONSTRAINT "reward_grant_ready" CHECK (
        "status" NOT IN ('READY', 'ISSUED', 'EXPIRED') OR "ready_at" IS NOT NULL),
    ADD CONSTRAINT "reward_grant_claimed" CHECK (
        "needs_claim" OR ("claimed_at" IS NULL AND "claim_expires_at" IS NULL)),
    ADD CONSTRAINT "reward_grant_issued" CHECK (
        ("issued_at" IS NOT NULL AND "revoked_at" IS NULL) = ("status" = 'ISSUED')),
    ADD CONSTRAINT "reward_grant_expired" CHECK (("expired_at" IS NOT NULL) = ("status" = 'EXPIRED')),
    ADD CONSTRAINT "reward_grant_revoked" CHECK (("revoked_at" IS NOT NULL) = ("status" = 'REVOKED')),
    ADD CONSTRAINT "reward_grant_failed" CHECK (("status" <> 'FAILED' OR "failure" IS NOT NULL)
        AND ("failure" IS NULL OR "status" IN ('FAILED', 'REVOKED'))),
    ADD CONSTRAINT "reward_grant_paid" CHECK (
        ("entry_id" IS NOT NULL) = ("issued_at" IS NOT NULL AND "points" IS NOT NULL)),
    ADD CONSTRAINT "reward_grant_taken_back" CHECK (("taken_back_at" IS NULL) = ("shortfall" IS NULL)
        AND ("taken_back_at" IS NULL OR ("issued_at" IS NOT NULL AND "revoked_at" IS NOT NULL))
        AND "shortfall" BETWEEN 0 AND coalesce("points", 0)),
    ADD CONSTRAINT "reward_grant_refunded" CHECK (("refund_entry_id" IS NOT NULL)
        = ("taken_back_at" IS NOT NULL AND "shortfall" < coalesce("points", 0)));

-- What the payer has to look at.
CREATE INDEX "reward_grant_due" ON "reward_grant" ("due_at", "id") WHERE "due_at" IS NOT NULL;

-- Rewards count their grants, in no indexed column. Grants change a few times in the first days.
ALTER TABLE "reward" SET (fillfactor = 50);
ALTER TABLE "reward_grant" SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_analyze_scale_factor = 0.02);
