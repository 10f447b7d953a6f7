-- Batches make offers to users of a filter, too, and adjust points.
ALTER TYPE "OfferBatchStatus" RENAME TO "UserBatchStatus";
CREATE TYPE "UserBatchKind" AS ENUM ('OFFERS', 'POINTS');

DROP TRIGGER IF EXISTS "offer_batch_audited" ON "offer_batch";
ALTER TABLE "offer_batch" RENAME TO "user_batch";
ALTER TABLE "user_batch" RENAME CONSTRAINT "offer_batch_pkey" TO "user_batch_pkey";
ALTER TABLE "user_batch" RENAME CONSTRAINT "offer_batch_segment_id_fkey" TO "user_batch_segment_id_fkey";
ALTER TABLE "user_batch" RENAME CONSTRAINT "offer_batch_counts" TO "user_batch_counts";
ALTER INDEX "offer_batch_partner_id_environment_id_idx" RENAME TO "user_batch_partner_id_environment_id_idx";
ALTER INDEX "offer_batch_segment_id_idx" RENAME TO "user_batch_segment_id_idx";
ALTER INDEX "offer_batch_open_idx" RENAME TO "user_batch_open_idx";

ALTER TABLE "user_batch" RENAME COLUMN "segment_name" TO "name";
ALTER TABLE "user_batch" RENAME COLUMN "offer_count" TO "done_count";
ALTER TABLE "user_batch"
  ADD COLUMN "kind" "UserBatchKind" NOT NULL DEFAULT 'OFFERS',
  ADD COLUMN "filter" JSON NOT NULL DEFAULT '{}',
  ADD COLUMN "has_segment" BOOLEAN NOT NULL DEFAULT true,
  ADD COLUMN "reason" TEXT,
  ADD COLUMN "expected_users" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "is_expected_exact" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "looked_count" BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN "all_users" BIGINT NOT NULL DEFAULT 0,
  ALTER COLUMN "offer_type" DROP NOT NULL,
  ALTER COLUMN "title" DROP NOT NULL,
  ALTER COLUMN "credits_points" DROP NOT NULL,
  ALTER COLUMN "expires_at" DROP NOT NULL,
  ADD CONSTRAINT "user_batch_content" CHECK (CASE "kind"
    WHEN 'OFFERS' THEN num_nulls("offer_type", "title", "credits_points", "expires_at") = 0 AND "reason" IS NULL
    ELSE num_nonnulls("offer_type", "title", "credits_points", "expires_at", "reward_id", "game_type") = 0
      AND "reason" IS NOT NULL AND "points_value" <> 0 END);
ALTER TABLE "user_batch"
  ALTER COLUMN "kind" DROP DEFAULT,
  ALTER COLUMN "filter" DROP DEFAULT,
  ALTER COLUMN "has_segment" DROP DEFAULT;

-- Exports of users who match a filter.
ALTER TABLE "data_export"
  ADD COLUMN "user_filter" JSON,
  ADD COLUMN "has_segment" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "segment_id" UUID;
