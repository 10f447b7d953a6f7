-- CreateEnum
CREATE TYPE "CampaignStatus" AS ENUM ('DRAFT', 'ACTIVE', 'PAUSED', 'ENDED');

-- CreateTable
CREATE TABLE "campaign" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "status" "CampaignStatus" NOT NULL DEFAULT 'DRAFT',
    "starts_at" TIMESTAMPTZ(3),
    "ends_at" TIMESTAMPTZ(3),
    "max_plays_per_user" INTEGER,
    "credits_wallet" BOOLEAN NOT NULL DEFAULT true,
    "wins_per_million" INTEGER,
    "win_code_days" INTEGER NOT NULL DEFAULT 30,
    "referrer_reward" INTEGER,
    "referee_reward" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "campaign_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "campaign_event_rule" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "campaign_id" UUID NOT NULL,
    "event_type" TEXT NOT NULL,
    "points" INTEGER NOT NULL,

    CONSTRAINT "campaign_event_rule_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "prize_tier" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "campaign_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "points" INTEGER NOT NULL,
    "weight" INTEGER NOT NULL,
    "max_wins" INTEGER NOT NULL,
    "wins" INTEGER NOT NULL DEFAULT 0,
    "position" INTEGER NOT NULL,

    CONSTRAINT "prize_tier_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "campaign_participant" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "campaign_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "external_id" TEXT NOT NULL,
    "total_points" BIGINT NOT NULL DEFAULT 0,
    "plays" INTEGER NOT NULL DEFAULT 0,
    "wins" INTEGER NOT NULL DEFAULT 0,
    "referral_code" TEXT,
    "referral_count" INTEGER NOT NULL DEFAULT 0,
    "referral_rewards" BIGINT NOT NULL DEFAULT 0,
    "points_reached_at" TIMESTAMPTZ(3) NOT NULL,
    "joined_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "campaign_participant_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "campaign_event" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "campaign_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "play_no" INTEGER NOT NULL,
    "play_limit" INTEGER,
    "event_type" TEXT NOT NULL,
    "points" INTEGER NOT NULL,
    "drawn" BOOLEAN NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "campaign_event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "instant_win" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "campaign_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "tier_id" UUID NOT NULL,
    "points" INTEGER NOT NULL,
    "code_hash" BYTEA NOT NULL,
    "won_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "redeemed_at" TIMESTAMPTZ(3),
    "redemption_id" UUID,

    CONSTRAINT "instant_win_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "referral" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "campaign_id" UUID NOT NULL,
    "referrer_id" UUID NOT NULL,
    "referee_id" UUID NOT NULL,
    "referrer_reward" INTEGER NOT NULL,
    "referee_reward" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "referral_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "code_batch" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "campaign_id" UUID NOT NULL,
    "batch_size" INTEGER NOT NULL,
    "points_value" INTEGER NOT NULL,
    "label" TEXT,
    "expires_at" TIMESTAMPTZ(3),
    "redeemed" INTEGER NOT NULL DEFAULT 0,
    "revoked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "code_batch_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "campaign_code" (
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "hash" BYTEA NOT NULL,
    "batch_id" UUID NOT NULL,
    "redeemed_at" TIMESTAMPTZ(3),
    "user_id" UUID,
    "redemption_id" UUID,

    CONSTRAINT "campaign_code_pkey" PRIMARY KEY ("partner_id","environment","hash")
);

-- CreateIndex
CREATE UNIQUE INDEX "campaign_partner_id_environment_slug_key" ON "campaign"("partner_id", "environment", "slug");

-- CreateIndex
CREATE UNIQUE INDEX "campaign_event_rule_campaign_id_event_type_key" ON "campaign_event_rule"("campaign_id", "event_type");

-- CreateIndex
CREATE UNIQUE INDEX "prize_tier_campaign_id_name_key" ON "prize_tier"("campaign_id", "name");

-- CreateIndex
CREATE INDEX "campaign_leaderboard" ON "campaign_participant"("campaign_id", "total_points" DESC, "points_reached_at", "external_id");

-- CreateIndex
CREATE UNIQUE INDEX "campaign_participant_campaign_id_user_id_key" ON "campaign_participant"("campaign_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "campaign_participant_campaign_id_referral_code_key" ON "campaign_participant"("campaign_id", "referral_code");

-- CreateIndex
CREATE UNIQUE INDEX "campaign_event_campaign_id_user_id_play_no_key" ON "campaign_event"("campaign_id", "user_id", "play_no");

-- CreateIndex
CREATE INDEX "instant_win_tier_id_idx" ON "instant_win"("tier_id");

-- CreateIndex
CREATE UNIQUE INDEX "instant_win_partner_id_environment_code_hash_key" ON "instant_win"("partner_id", "environment", "code_hash");

-- CreateIndex
CREATE UNIQUE INDEX "referral_campaign_id_referee_id_key" ON "referral"("campaign_id", "referee_id");

-- CreateIndex
CREATE INDEX "code_batch_partner_id_environment_id_idx" ON "code_batch"("partner_id", "environment", "id");

-- CreateIndex
CREATE INDEX "code_batch_campaign_id_id_idx" ON "code_batch"("campaign_id", "id");

-- AddForeignKey
ALTER TABLE "campaign_event_rule" ADD CONSTRAINT "campaign_event_rule_campaign_id_fkey" FOREIGN KEY ("campaign_id") REFERENCES "campaign"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "prize_tier" ADD CONSTRAINT "prize_tier_campaign_id_fkey" FOREIGN KEY ("campaign_id") REFERENCES "campaign"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "campaign_participant" ADD CONSTRAINT "campaign_participant_campaign_id_fkey" FOREIGN KEY ("campaign_id") REFERENCES "campaign"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "campaign_participant" ADD CONSTRAINT "campaign_participant_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "end_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "campaign_event" ADD CONSTRAINT "campaign_event_campaign_id_fkey" FOREIGN KEY ("campaign_id") REFERENCES "campaign"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "campaign_event" ADD CONSTRAINT "campaign_event_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "end_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "instant_win" ADD CONSTRAINT "instant_win_campaign_id_fkey" FOREIGN KEY ("campaign_id") REFERENCES "campaign"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "instant_win" ADD CONSTRAINT "instant_win_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "end_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "instant_win" ADD CONSTRAINT "instant_win_tier_id_fkey" FOREIGN KEY ("tier_id") REFERENCES "prize_tier"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "referral" ADD CONSTRAINT "referral_campaign_id_fkey" FOREIGN KEY ("campaign_id") REFERENCES "campaign"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "referral" ADD CONSTRAINT "referral_referrer_id_fkey" FOREIGN KEY ("referrer_id") REFERENCES "end_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "referral" ADD CONSTRAINT "referral_referee_id_fkey" FOREIGN KEY ("referee_id") REFERENCES "end_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "code_batch" ADD CONSTRAINT "code_batch_campaign_id_fkey" FOREIGN KEY ("campaign_id") REFERENCES "campaign"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "campaign_code" ADD CONSTRAINT "campaign_code_batch_id_fkey" FOREIGN KEY ("batch_id") REFERENCES "code_batch"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "campaign_code" ADD CONSTRAINT "campaign_code_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "end_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma's schema language cannot say.

ALTER TABLE "campaign"
    ADD CONSTRAINT "campaign_slug_not_reserved" CHECK ("slug" <> 'codes'),
    ADD CONSTRAINT "campaign_max_plays_positive" CHECK ("max_plays_per_user" > 0),
    ADD CONSTRAINT "campaign_chance" CHECK ("wins_per_million" BETWEEN 0 AND 1000000),
    ADD CONSTRAINT "campaign_win_code_days_positive" CHECK ("win_code_days" > 0),
    ADD CONSTRAINT "campaign_ends_after_start" CHECK ("ends_at" > "starts_at"),
    ADD CONSTRAINT "campaign_referral_rewards" CHECK (
        ("referrer_reward" IS NULL) = ("referee_reward" IS NULL)
        AND "referrer_reward" >= 0 AND "referee_reward" >= 0);
ALTER TABLE "campaign_event_rule"
    ADD CONSTRAINT "campaign_event_rule_points_positive" CHECK ("points" > 0);
ALTER TABLE "prize_tier"
    ADD CONSTRAINT "prize_tier_stock" CHECK ("wins" BETWEEN 0 AND "max_wins"),
    ADD CONSTRAINT "prize_tier_points_not_negative" CHECK ("points" >= 0),
    ADD CONSTRAINT "prize_tier_weight_positive" CHECK ("weight" > 0);
ALTER TABLE "campaign_event"
    ADD CONSTRAINT "campaign_event_within_limit" CHECK ("play_no" <= "play_limit");
ALTER TABLE "instant_win"
    ADD CONSTRAINT "instant_win_redeemed_whole" CHECK (
        ("redeemed_at" IS NULL) = ("redemption_id" IS NULL));
ALTER TABLE "referral"
    ADD CONSTRAINT "referral_of_another" CHECK ("referrer_id" <> "referee_id");
ALTER TABLE "code_batch"
    ADD CONSTRAINT "code_batch_size" CHECK ("batch_size" BETWEEN 1 AND 10000),
    ADD CONSTRAINT "code_batch_points_positive" CHECK ("points_value" > 0),
    ADD CONSTRAINT "code_batch_redeemed" CHECK ("redeemed" BETWEEN 0 AND "batch_size");
ALTER TABLE "campaign_code"
    ADD CONSTRAINT "campaign_code_redeemed_whole" CHECK (
        ("redeemed_at" IS NULL) = ("user_id" IS NULL)
        AND ("redeemed_at" IS NULL) = ("redemption_id" IS NULL));

-- These rows are updated by what happens all the time: leave room on their pages.
ALTER TABLE "campaign_participant" SET (fillfactor = 80);
ALTER TABLE "prize_tier" SET (fillfactor = 50);
ALTER TABLE "code_batch" SET (fillfactor = 80);
