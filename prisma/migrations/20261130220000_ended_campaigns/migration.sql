-- When a campaign was ended by hand. Nothing changes a campaign after that.
ALTER TABLE "campaign" ADD COLUMN "ended_at" TIMESTAMPTZ(3);
UPDATE "campaign" SET "ended_at" = "updated_at" WHERE "status" = 'ENDED';
