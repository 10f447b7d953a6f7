-- What happened in a campaign, by when.
CREATE INDEX "campaign_event_campaign_id_id_idx" ON "campaign_event"("campaign_id", "id");
CREATE INDEX "campaign_participant_campaign_id_id_idx" ON "campaign_participant"("campaign_id", "id");
CREATE INDEX "instant_win_campaign_id_id_idx" ON "instant_win"("campaign_id", "id");
CREATE INDEX "referral_campaign_id_id_idx" ON "referral"("campaign_id", "id");

-- The campaigns of a user.
CREATE INDEX "campaign_participant_user_id_id_idx" ON "campaign_participant"("user_id", "id");

-- Redeemed codes of a batch. Those that were not redeemed are many, and not in it.
CREATE INDEX "campaign_code_redeemed" ON "campaign_code" ("batch_id", "redemption_id") WHERE "redemption_id" IS NOT NULL;
