-- CreateEnum
CREATE TYPE "PublicProfiles" AS ENUM ('FULL', 'MASKED');

-- AlterTable
ALTER TABLE "application" ADD COLUMN     "public_profiles" "PublicProfiles" NOT NULL DEFAULT 'FULL';

-- AlterTable
-- Nobody knows who set the names and addresses that are there: they count as set by a secret key.
ALTER TABLE "end_user" ADD COLUMN     "display_name_by_secret" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "email_by_secret" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "metadata_by_secret" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "end_user" ALTER COLUMN "display_name_by_secret" SET DEFAULT false,
ALTER COLUMN "email_by_secret" SET DEFAULT false;

-- AlterTable
ALTER TABLE "user_activity" ADD COLUMN     "metadata_is_public" BOOLEAN NOT NULL DEFAULT false;
-- Plays, and what callers of user journeys have sent.
UPDATE "user_activity" SET "metadata_is_public" = true
WHERE "metadata" IS NOT NULL AND ("earned" IS NULL OR "category" = 'GAME_PLAY');

-- AlterTable
ALTER TABLE "user_profile" ADD COLUMN     "phone_by_secret" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "tags_by_secret" BOOLEAN NOT NULL DEFAULT false;
