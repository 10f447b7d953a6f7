-- CreateTable
CREATE TABLE "leaderboard_mark" (
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "no" INTEGER NOT NULL,
    "score" BIGINT NOT NULL,
    "reached_at" TIMESTAMPTZ(3) NOT NULL,
    "ahead" INTEGER NOT NULL,
    "counted_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "leaderboard_mark_pkey" PRIMARY KEY ("partner_id","environment","no")
);

-- CreateIndex
CREATE INDEX "leaderboard_mark_partner_id_environment_score_ahead_idx" ON "leaderboard_mark"("partner_id", "environment", "score", "ahead" DESC);
