-- A reversal of points of a campaign also takes them from the participant, where the campaign says so.
CREATE TYPE "CampaignReversal" AS ENUM ('KEEP', 'REVOKE');

ALTER TABLE "campaign" ADD COLUMN "on_reversal" "CampaignReversal" NOT NULL DEFAULT 'KEEP';

ALTER TABLE "ledger_correction" ADD COLUMN "campaign_points" INTEGER NOT NULL DEFAULT 0,
    ADD CONSTRAINT "ledger_correction_campaign_points" CHECK ("campaign_points" >= 0);
