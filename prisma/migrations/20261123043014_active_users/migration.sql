-- AlterTable
ALTER TABLE "user_profile" ADD COLUMN     "previous_event_at" TIMESTAMPTZ(3);
