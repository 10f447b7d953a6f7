-- Filters of lists. Plays of all users are read in the order of time for each game and reward.
CREATE INDEX "play_time" ON "play"
    ("partner_id", "environment", "game_type", "reward_tier", "reward_type", "played_at", "id", "mechanic_version");

-- Lists of a campaign are in the order of time, so that a period is a part of its index.
CREATE INDEX "campaign_participant_campaign_id_joined_at_id_idx" ON "campaign_participant" ("campaign_id", "joined_at", "id");
DROP INDEX "campaign_participant_campaign_id_id_idx";
CREATE INDEX "instant_win_campaign_id_won_at_id_idx" ON "instant_win" ("campaign_id", "won_at", "id");
DROP INDEX "instant_win_campaign_id_id_idx";
CREATE INDEX "instant_win_campaign_id_user_id_won_at_id_idx" ON "instant_win" ("campaign_id", "user_id", "won_at", "id");
CREATE INDEX "referral_campaign_id_created_at_id_idx" ON "referral" ("campaign_id", "created_at", "id");
DROP INDEX "referral_campaign_id_id_idx";
CREATE INDEX "referral_campaign_id_referrer_id_created_at_id_idx" ON "referral" ("campaign_id", "referrer_id", "created_at", "id");

-- Tickets of a draw by status: those that won, and the few that were cancelled.
CREATE INDEX "lottery_win_draw_id_partner_id_ticket_no_line_no_idx" ON "lottery_win" ("draw_id", "partner_id", "ticket_no", "line_no");
CREATE INDEX "lottery_ticket_cancelled" ON "lottery_ticket" ("draw_id", "partner_id", "ticket_no") WHERE "cancelled_at" IS NOT NULL;
