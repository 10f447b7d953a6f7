-- Codes that are revoked one by one.
ALTER TABLE "code_batch" ADD COLUMN "revoked" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "campaign_code" ADD COLUMN "revoked_at" TIMESTAMPTZ(3);
