-- Batches list their codes. The texts of earlier codes are not stored, so their last characters are unknown.
-- The default stays for servers of the version before, which still run during an upgrade.
ALTER TABLE "campaign_code"
    ADD COLUMN "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    ADD COLUMN "ending" TEXT;
CREATE UNIQUE INDEX "campaign_code_id_key" ON "campaign_code" ("id");
CREATE INDEX "campaign_code_batch_id_id_idx" ON "campaign_code" ("batch_id", "id");
