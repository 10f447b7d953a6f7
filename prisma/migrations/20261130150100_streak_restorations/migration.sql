-- Restorations of all streaks that a window broke, and deadlines that are computed again.
-- CreateEnum
CREATE TYPE "StreakRestorationStatus" AS ENUM ('QUEUED', 'RUNNING', 'COMPLETED');

-- AlterTable
ALTER TABLE "goal_streak" ADD COLUMN     "due_after_user_id" UUID,
ADD COLUMN     "due_barrier" BIGINT;

-- AlterTable
ALTER TABLE "streak" ADD COLUMN     "last_broken_on" DATE;

-- CreateTable
CREATE TABLE "streak_restoration" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "goal_id" UUID NOT NULL,
    "broken_on" DATE NOT NULL,
    "status" "StreakRestorationStatus" NOT NULL DEFAULT 'QUEUED',
    "streak_count" INTEGER,
    "checked_count" INTEGER NOT NULL DEFAULT 0,
    "restored_count" INTEGER NOT NULL DEFAULT 0,
    "after_user_id" UUID,
    "member_id" UUID,
    "api_key_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "streak_restoration_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "streak_restoration_goal_id_id_idx" ON "streak_restoration"("goal_id", "id");

-- CreateIndex
CREATE INDEX "goal_streak_partner_id_environment_idx" ON "goal_streak"("partner_id", "environment");

-- Only goals whose deadlines are to be computed again, and restorations that are not completed, are looked for.
CREATE INDEX "goal_streak_due_idx" ON "goal_streak"("goal_id") WHERE "due_after_user_id" IS NOT NULL;
CREATE INDEX "streak_restoration_open_idx" ON "streak_restoration"("id") WHERE "status" <> 'COMPLETED';
