-- AlterTable
ALTER TABLE "user_activity" ADD COLUMN     "is_correction" BOOLEAN NOT NULL DEFAULT false;
