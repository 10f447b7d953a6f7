-- CreateEnum
CREATE TYPE "ApplicationStatus" AS ENUM ('ACTIVE', 'INACTIVE');

-- CreateEnum
CREATE TYPE "ApiKeyKind" AS ENUM ('PUBLIC', 'SECRET');

-- CreateEnum
CREATE TYPE "MemberRole" AS ENUM ('DEVELOPER', 'ADMIN');

-- CreateEnum
CREATE TYPE "Environment" AS ENUM ('TEST', 'LIVE');

-- CreateEnum
CREATE TYPE "GameType" AS ENUM ('NEON_WHEEL', 'COSMIC_SLOTS', 'ENIGMA_BOXES');

-- CreateEnum
CREATE TYPE "MechanicStatus" AS ENUM ('ACTIVE', 'INACTIVE');

-- CreateEnum
CREATE TYPE "RewardTier" AS ENUM ('epic', 'rare', 'common');

-- CreateEnum
CREATE TYPE "RewardType" AS ENUM ('cashback', 'xp', 'points', 'item', 'special');

-- CreateEnum
CREATE TYPE "ActivityCategory" AS ENUM ('GAME_PLAY', 'CAMPAIGN', 'POINTS', 'PAGE_VIEW', 'SESSION', 'CUSTOM');

-- CreateTable
CREATE TABLE "partner" (
    "id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "partner_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "application" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "status" "ApplicationStatus" NOT NULL DEFAULT 'ACTIVE',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "application_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_key" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "application_id" UUID NOT NULL,
    "kind" "ApiKeyKind" NOT NULL,
    "label" TEXT,
    "hash" BYTEA NOT NULL,
    "last_four" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "member" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "role" "MemberRole" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "member_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotent_request" (
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "status" INTEGER,
    "content_type" TEXT,
    "body" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotent_request_pkey" PRIMARY KEY ("partner_id","environment","key")
);

-- CreateTable
CREATE TABLE "event" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "type" TEXT NOT NULL,
    "data" JSON NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "game_mechanic" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "game_type" "GameType" NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "points_to_unlock" INTEGER NOT NULL,
    "image_url" TEXT,
    "status" "MechanicStatus" NOT NULL DEFAULT 'ACTIVE',
    "segments" INTEGER NOT NULL,
    "rewards" JSON NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "game_mechanic_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "play" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "user_id" UUID NOT NULL,
    "play_no" INTEGER NOT NULL,
    "game_type" "GameType" NOT NULL,
    "points_spent" INTEGER NOT NULL,
    "outcome" JSON NOT NULL,
    "reward_tier" "RewardTier" NOT NULL,
    "reward_type" "RewardType" NOT NULL,
    "reward_value" INTEGER NOT NULL,
    "reward_label" TEXT NOT NULL,
    "played_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "play_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "reward_rule" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "event_type" TEXT NOT NULL,
    "points" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "reward_rule_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ledger_entry" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "user_id" UUID NOT NULL,
    "entry_no" INTEGER NOT NULL,
    "event_type" TEXT NOT NULL,
    "points" INTEGER NOT NULL,
    "balance_after" BIGINT NOT NULL,
    "account" TEXT NOT NULL,
    "reference" TEXT,
    "source_id" TEXT,
    "metadata" JSON,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ledger_entry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "end_user" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "external_id" TEXT NOT NULL,
    "display_name" TEXT,
    "email" TEXT,
    "metadata" JSON,
    "balance" BIGINT NOT NULL DEFAULT 0,
    "lifetime_points" BIGINT NOT NULL DEFAULT 0,
    "games_played" INTEGER NOT NULL DEFAULT 0,
    "rewards_won" INTEGER NOT NULL DEFAULT 0,
    "entries" INTEGER NOT NULL DEFAULT 0,
    "score" BIGINT NOT NULL DEFAULT 0,
    "score_reached_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "end_user_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "user_activity" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "user_id" UUID NOT NULL,
    "category" "ActivityCategory" NOT NULL,
    "event_type" TEXT NOT NULL,
    "source_id" TEXT,
    "points" INTEGER NOT NULL DEFAULT 0,
    "metadata" JSON,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "user_activity_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "counter" (
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "name" TEXT NOT NULL,
    "shard" INTEGER NOT NULL,
    "value" BIGINT NOT NULL,

    CONSTRAINT "counter_pkey" PRIMARY KEY ("partner_id","environment","name","shard")
);

-- CreateIndex
CREATE UNIQUE INDEX "partner_slug_key" ON "partner"("slug");

-- CreateIndex
CREATE INDEX "application_partner_id_idx" ON "application"("partner_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_hash_key" ON "api_key"("hash");

-- CreateIndex
CREATE INDEX "api_key_partner_id_environment_id_idx" ON "api_key"("partner_id", "environment", "id");

-- CreateIndex
CREATE UNIQUE INDEX "member_email_key" ON "member"("email");

-- CreateIndex
CREATE INDEX "member_partner_id_idx" ON "member"("partner_id");

-- CreateIndex
CREATE INDEX "idempotent_request_created_at_idx" ON "idempotent_request"("created_at");

-- CreateIndex
CREATE INDEX "event_partner_id_environment_id_idx" ON "event"("partner_id", "environment", "id");

-- CreateIndex
CREATE UNIQUE INDEX "game_mechanic_partner_id_environment_game_type_key" ON "game_mechanic"("partner_id", "environment", "game_type");

-- CreateIndex
CREATE UNIQUE INDEX "play_user_id_play_no_key" ON "play"("user_id", "play_no");

-- CreateIndex
CREATE UNIQUE INDEX "reward_rule_partner_id_environment_event_type_key" ON "reward_rule"("partner_id", "environment", "event_type");

-- CreateIndex
CREATE UNIQUE INDEX "ledger_entry_user_id_entry_no_key" ON "ledger_entry"("user_id", "entry_no");

-- CreateIndex
CREATE UNIQUE INDEX "ledger_entry_partner_id_environment_event_type_reference_key" ON "ledger_entry"("partner_id", "environment", "event_type", "reference");

-- CreateIndex
CREATE INDEX "end_user_leaderboard" ON "end_user"("partner_id", "environment", "score" DESC, "score_reached_at", "external_id");

-- CreateIndex
CREATE UNIQUE INDEX "end_user_partner_id_environment_external_id_key" ON "end_user"("partner_id", "environment", "external_id");

-- CreateIndex
CREATE INDEX "user_activity_user_id_occurred_at_id_idx" ON "user_activity"("user_id", "occurred_at" DESC, "id" DESC);

-- AddForeignKey
ALTER TABLE "application" ADD CONSTRAINT "application_partner_id_fkey" FOREIGN KEY ("partner_id") REFERENCES "partner"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_partner_id_fkey" FOREIGN KEY ("partner_id") REFERENCES "partner"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "application"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "member" ADD CONSTRAINT "member_partner_id_fkey" FOREIGN KEY ("partner_id") REFERENCES "partner"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "play" ADD CONSTRAINT "play_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "end_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "end_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "user_activity" ADD CONSTRAINT "user_activity_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "end_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma's schema language cannot say.

ALTER TABLE "end_user"
    ADD CONSTRAINT "end_user_balance_not_negative" CHECK ("balance" >= 0),
    ADD CONSTRAINT "end_user_score" CHECK ("score" = "lifetime_points" + "rewards_won" + 10 * "games_played"::bigint);
ALTER TABLE "reward_rule" ADD CONSTRAINT "reward_rule_points_positive" CHECK ("points" > 0);
ALTER TABLE "game_mechanic"
    ADD CONSTRAINT "game_mechanic_price_not_negative" CHECK ("points_to_unlock" >= 0),
    ADD CONSTRAINT "game_mechanic_segments_positive" CHECK ("segments" > 0);
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_balance_not_negative" CHECK ("balance_after" >= 0);

-- A wallet row is updated by each award and play: leave room on its page.
ALTER TABLE "end_user" SET (fillfactor = 80);

-- The ledger is append-only.
CREATE FUNCTION "refuse_ledger_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the ledger is append-only' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER "ledger_entry_append_only" BEFORE UPDATE OR DELETE ON "ledger_entry"
    FOR EACH ROW EXECUTE FUNCTION "refuse_ledger_change"();
CREATE TRIGGER "ledger_entry_not_truncated" BEFORE TRUNCATE ON "ledger_entry"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_ledger_change"();
