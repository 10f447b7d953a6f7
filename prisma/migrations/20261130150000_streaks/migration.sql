-- Streaks: goals whose windows are to be met one after another.
CREATE TYPE "StreakChangeKind" AS ENUM ('FREEZES', 'PAUSE', 'RESTORE');

ALTER TYPE "GrantSource" ADD VALUE 'STREAK';

CREATE TABLE "goal_streak" (
    "goal_id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "initial_freezes" INTEGER NOT NULL,
    "max_freezes" INTEGER NOT NULL,
    "freeze_every" INTEGER,
    "weekdays" INTEGER[],
    "restore_days" INTEGER NOT NULL,
    "at_risk_hours" INTEGER NOT NULL,
    "milestone_lengths" INTEGER[],
    "milestone_reward_ids" UUID[],

    CONSTRAINT "goal_streak_pkey" PRIMARY KEY ("goal_id")
);

CREATE TABLE "streak" (
    "goal_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "length" INTEGER NOT NULL,
    "longest" INTEGER NOT NULL,
    "freezes" INTEGER NOT NULL,
    "run_from" DATE,
    "broken_on" DATE,
    "at_risk_announced_on" DATE,
    "announced_at" TIMESTAMPTZ(3)[],
    "due_at" TIMESTAMPTZ(3),
    "checkpoint" JSONB,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "streak_pkey" PRIMARY KEY ("goal_id","user_id")
);

CREATE TABLE "streak_change" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "goal_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "kind" "StreakChangeKind" NOT NULL,
    "from_date" DATE NOT NULL,
    "until_date" DATE,
    "count" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "streak_change_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "streak_milestone" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "goal_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "length" INTEGER NOT NULL,
    "reached_on" DATE NOT NULL,
    "reward_id" UUID NOT NULL,
    "round" INTEGER NOT NULL DEFAULT 1,
    "reached_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "streak_milestone_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "streak_goal_id_length_user_id_idx" ON "streak"("goal_id", "length", "user_id");

CREATE INDEX "streak_goal_id_broken_on_user_id_idx" ON "streak"("goal_id", "broken_on", "user_id");

CREATE INDEX "streak_change_goal_id_user_id_id_idx" ON "streak_change"("goal_id", "user_id", "id");

CREATE UNIQUE INDEX "streak_milestone_goal_id_user_id_reached_on_length_key" ON "streak_milestone"("goal_id", "user_id", "reached_on", "length");

ALTER TABLE "goal_streak" ADD CONSTRAINT "goal_streak_goal_id_fkey" FOREIGN KEY ("goal_id") REFERENCES "goal"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Only streaks with something to announce are looked for by time.
CREATE INDEX "streak_due_at_idx" ON "streak"("due_at") WHERE "due_at" IS NOT NULL;
