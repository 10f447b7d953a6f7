-- Rewards that users buy, items and codes that partners hand out, and free plays.
ALTER TYPE "RewardKind" ADD VALUE 'ITEM';
ALTER TYPE "RewardKind" ADD VALUE 'CODE';
ALTER TYPE "RewardKind" ADD VALUE 'FREE_PLAYS';

ALTER TYPE "GrantStatus" ADD VALUE 'FULFILLED';
ALTER TYPE "GrantStatus" ADD VALUE 'CANCELLED';

ALTER TYPE "GrantSource" ADD VALUE 'BOUGHT';
ALTER TYPE "GrantSource" ADD VALUE 'OFFER';
ALTER TYPE "GrantSource" ADD VALUE 'INSTANT_WIN';

ALTER TYPE "GrantFailure" ADD VALUE 'NOT_FULFILLED';

CREATE TYPE "LimitWindow" AS ENUM ('EVER', 'DAY', 'WEEK', 'MONTH');

ALTER TABLE "reward" ADD COLUMN "slug" TEXT,
ADD COLUMN "game_type" "GameType",
ADD COLUMN "free_plays" INTEGER,
ADD COLUMN "valid_days" INTEGER,
ADD COLUMN "price" INTEGER,
ADD COLUMN "limit_max" INTEGER,
ADD COLUMN "limit_window" "LimitWindow",
ADD COLUMN "segment_id" UUID,
ADD COLUMN "starts_at" TIMESTAMPTZ(3),
ADD COLUMN "ends_at" TIMESTAMPTZ(3),
ADD COLUMN "position" INTEGER NOT NULL DEFAULT 0;

-- The words of the name. Rewards whose names have the same words are numbered.
UPDATE "reward" r SET "slug" = s.slug || CASE WHEN s.nth > 1 THEN '-' || s.nth ELSE '' END
FROM (
  SELECT id, slug, row_number() OVER (PARTITION BY partner_id, environment, slug ORDER BY id) AS nth
  FROM (
    SELECT id, partner_id, environment, coalesce(nullif(rtrim(left(
      btrim(regexp_replace(lower(name), '[^a-z0-9]+', '-', 'g'), '-'), 56), '-'), ''), 'reward') AS slug
    FROM "reward") w
) s WHERE s.id = r.id;

ALTER TABLE "reward" ALTER COLUMN "slug" SET NOT NULL;
DROP INDEX "reward_partner_id_environment_name_key";
CREATE UNIQUE INDEX "reward_partner_id_environment_slug_key" ON "reward"("partner_id", "environment", "slug");
CREATE INDEX "reward_partner_id_environment_name_id_idx" ON "reward"("partner_id", "environment", "name", "id");
CREATE INDEX "reward_partner_id_environment_position_id_idx" ON "reward"("partner_id", "environment", "position", "id");

CREATE INDEX "reward_segment_id_idx" ON "reward"("segment_id");

ALTER TABLE "reward" ADD CONSTRAINT "reward_segment_id_fkey" FOREIGN KEY ("segment_id") REFERENCES "segment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "reward" ADD CONSTRAINT "reward_limit" CHECK (("limit_max" IS NULL) = ("limit_window" IS NULL)),
ADD CONSTRAINT "reward_free_plays" CHECK (("game_type" IS NULL) = ("free_plays" IS NULL));

ALTER TABLE "reward_grant" ADD COLUMN "price" INTEGER,
ADD COLUMN "game_type" "GameType",
ADD COLUMN "free_plays" INTEGER,
ADD COLUMN "valid_days" INTEGER,
ADD COLUMN "free_plays_left" INTEGER,
ADD COLUMN "playable_until" TIMESTAMPTZ(3),
ADD COLUMN "is_counted" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN "fulfilled_at" TIMESTAMPTZ(3),
ADD COLUMN "failed_at" TIMESTAMPTZ(3),
ADD COLUMN "failure_times" TIMESTAMPTZ(3)[],
ADD COLUMN "cancelled_at" TIMESTAMPTZ(3),
ADD COLUMN "message" TEXT,
ADD COLUMN "code_shown_at" TIMESTAMPTZ(3),
ADD COLUMN "purchase_entry_id" UUID;

UPDATE "reward_grant" SET "is_counted" = false, "failed_at" = "created_at" WHERE "failure" IS NOT NULL;

-- What a status says of a grant. Statuses are compared as text: new values of an enum cannot be used in the transaction
-- that adds them.
ALTER TABLE "reward_grant" DROP CONSTRAINT "reward_grant_issued",
    DROP CONSTRAINT "reward_grant_failed",
    DROP CONSTRAINT "reward_grant_refunded",
    ADD CONSTRAINT "reward_grant_issued" CHECK (
        ("status"::text NOT IN ('ISSUED', 'FULFILLED') OR "issued_at" IS NOT NULL)
        AND ("status"::text NOT IN ('HELD', 'READY', 'EXPIRED') OR "issued_at" IS NULL)),
    ADD CONSTRAINT "reward_grant_failed" CHECK (
        (("status"::text = 'FAILED') <= ("failure" IS NOT NULL AND "failed_at" IS NOT NULL))
        AND ("failure" IS NULL OR "status"::text IN ('FAILED', 'REVOKED', 'CANCELLED'))),
    ADD CONSTRAINT "reward_grant_fulfilled" CHECK (("fulfilled_at" IS NOT NULL) = ("status"::text = 'FULFILLED')),
    ADD CONSTRAINT "reward_grant_cancelled" CHECK (("cancelled_at" IS NOT NULL) = ("status"::text = 'CANCELLED')),
    ADD CONSTRAINT "reward_grant_bought" CHECK (("price" IS NOT NULL) = ("purchase_entry_id" IS NOT NULL)
        AND "price" > 0),
    ADD CONSTRAINT "reward_grant_refunded" CHECK (("refund_entry_id" IS NOT NULL) = (
        ("taken_back_at" IS NOT NULL AND "shortfall" < coalesce("points", 0))
        OR ("cancelled_at" IS NOT NULL AND "price" IS NOT NULL))),
    ADD CONSTRAINT "reward_grant_free_plays" CHECK ("free_plays_left" BETWEEN 0 AND "free_plays");

-- What a user has bought of a reward since a moment.
CREATE INDEX "reward_grant_bought_idx" ON "reward_grant"("user_id", "reward_id", "created_at") WHERE "price" IS NOT NULL;
-- The free plays of a user, the first to end first.
CREATE INDEX "reward_grant_free_plays_idx" ON "reward_grant"("user_id", "playable_until", "id") WHERE "free_plays_left" > 0;

CREATE TABLE "reward_code" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "reward_id" UUID NOT NULL,
    "code_hash" BYTEA NOT NULL,
    "sealed_code" BYTEA,
    "grant_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "reward_code_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "reward_code_grant_id_key" ON "reward_code"("grant_id");
CREATE UNIQUE INDEX "reward_code_reward_id_code_hash_key" ON "reward_code"("reward_id", "code_hash");
-- The codes of a reward that are free, the oldest first.
CREATE INDEX "reward_code_free_idx" ON "reward_code"("reward_id", "id") WHERE "grant_id" IS NULL;

ALTER TABLE "reward_code" ADD CONSTRAINT "reward_code_reward_id_fkey" FOREIGN KEY ("reward_id") REFERENCES "reward"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "reward_code" ADD CONSTRAINT "reward_code_grant_id_fkey" FOREIGN KEY ("grant_id") REFERENCES "reward_grant"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- Until when a user may have free plays, so that plays of users without any do not look for them.
ALTER TABLE "end_user" ADD COLUMN "free_plays_until" TIMESTAMPTZ(3);

-- The grant that paid for a play.
ALTER TABLE "play" ADD COLUMN "grant_id" UUID;

-- What offers give.
CREATE TABLE "offer_reward" (
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "offer_type" "OfferType" NOT NULL,
    "reward_id" UUID NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "offer_reward_pkey" PRIMARY KEY ("partner_id","environment","offer_type")
);

CREATE INDEX "offer_reward_reward_id_idx" ON "offer_reward"("reward_id");

ALTER TABLE "offer_reward" ADD CONSTRAINT "offer_reward_reward_id_fkey" FOREIGN KEY ("reward_id") REFERENCES "reward"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "offer" ADD COLUMN "reward_id" UUID;
ALTER TABLE "offer_rule" ADD COLUMN "reward_id" UUID,
ADD COLUMN "paused_at" TIMESTAMPTZ(3);

-- What winning a prize gives at once.
ALTER TABLE "prize_tier" ADD COLUMN "reward_id" UUID;
