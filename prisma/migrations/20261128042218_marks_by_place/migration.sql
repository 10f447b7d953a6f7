-- CreateIndex
CREATE INDEX "campaign_mark_campaign_id_ahead_idx" ON "campaign_mark"("campaign_id", "ahead");

-- CreateIndex
CREATE INDEX "leaderboard_mark_partner_id_environment_ahead_idx" ON "leaderboard_mark"("partner_id", "environment", "ahead");
