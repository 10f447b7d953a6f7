-- A partner may cancel an active offer. The version before cannot read the new status.
ALTER TYPE "OfferStatus" ADD VALUE 'cancelled';
ALTER TABLE "offer" ADD COLUMN "cancelled_at" TIMESTAMPTZ(3);
UPDATE "schema_compatibility" SET "compatible_from" = '20261129102700_cancelled_offers';
