-- Offers to all users of a segment, which are made in the background.
CREATE TYPE "OfferBatchStatus" AS ENUM ('QUEUED', 'RUNNING', 'COMPLETED', 'CANCELLED');

CREATE TABLE "offer_batch" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "segment_id" UUID,
    "segment_name" TEXT NOT NULL,
    "offer_type" "OfferType" NOT NULL,
    "game_type" "GameType",
    "title" TEXT NOT NULL,
    "description" TEXT,
    "points_value" INTEGER NOT NULL,
    "credits_points" BOOLEAN NOT NULL,
    "reward_id" UUID,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "status" "OfferBatchStatus" NOT NULL DEFAULT 'QUEUED',
    "user_count" INTEGER NOT NULL DEFAULT 0,
    "offer_count" INTEGER NOT NULL DEFAULT 0,
    "after_external_id" TEXT NOT NULL DEFAULT '',
    "member_id" UUID,
    "api_key_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "offer_batch_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "offer_batch_counts" CHECK ("offer_count" BETWEEN 0 AND "user_count"),
    CONSTRAINT "offer_batch_segment_id_fkey" FOREIGN KEY ("segment_id") REFERENCES "segment"("id") ON DELETE SET NULL ON UPDATE CASCADE
);

CREATE INDEX "offer_batch_partner_id_environment_id_idx" ON "offer_batch"("partner_id", "environment", "id");
CREATE INDEX "offer_batch_segment_id_idx" ON "offer_batch"("segment_id");

-- Only batches that are not completed are looked for.
CREATE INDEX "offer_batch_open_idx" ON "offer_batch"("id") WHERE "status" IN ('QUEUED', 'RUNNING');

ALTER TABLE "offer" ADD COLUMN "batch_id" UUID;
CREATE INDEX "offer_batch_id_id_idx" ON "offer"("batch_id", "id") WHERE "batch_id" IS NOT NULL;

ALTER TYPE "ExportKind" ADD VALUE 'OFFERS';
