-- CreateEnum
CREATE TYPE "PageLanguage" AS ENUM ('EN', 'DE');

-- CreateTable
CREATE TABLE "brand" (
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "logo_url" TEXT,
    "color" TEXT,
    "image_url" TEXT,
    "promoter" TEXT,
    "terms" TEXT,
    "terms_url" TEXT,
    "language" "PageLanguage",
    "version" INTEGER NOT NULL DEFAULT 1,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "brand_pkey" PRIMARY KEY ("partner_id","environment"),
    CONSTRAINT "brand_terms_once" CHECK ("terms" IS NULL OR "terms_url" IS NULL)
);

-- AlterTable
ALTER TABLE "campaign"
  ADD COLUMN "logo_url" TEXT,
  ADD COLUMN "color" TEXT,
  ADD COLUMN "image_url" TEXT,
  ADD COLUMN "promoter" TEXT,
  ADD COLUMN "terms" TEXT,
  ADD COLUMN "terms_url" TEXT,
  ADD COLUMN "language" "PageLanguage",
  ADD CONSTRAINT "campaign_terms_once" CHECK ("terms" IS NULL OR "terms_url" IS NULL);
