-- CreateTable
CREATE TABLE "campaign_mark" (
    "campaign_id" UUID NOT NULL,
    "no" INTEGER NOT NULL,
    "score" BIGINT NOT NULL,
    "reached_at" TIMESTAMPTZ(3) NOT NULL,
    "ahead" INTEGER NOT NULL,
    "counted_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "campaign_mark_pkey" PRIMARY KEY ("campaign_id","no")
);

-- CreateIndex
CREATE INDEX "campaign_mark_campaign_id_score_ahead_idx" ON "campaign_mark"("campaign_id", "score", "ahead" DESC);
