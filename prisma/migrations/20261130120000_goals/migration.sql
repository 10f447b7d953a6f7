-- Goals of users, the counters behind them, and what was completed.
ALTER TABLE "user_profile"
    ADD COLUMN "stage_is_proven" BOOLEAN NOT NULL DEFAULT false,
    ADD COLUMN "tier_is_proven" BOOLEAN NOT NULL DEFAULT false;

CREATE TYPE "GoalStatus" AS ENUM ('DRAFT', 'ACTIVE', 'PAUSED', 'ENDED');
CREATE TYPE "GoalWindow" AS ENUM ('EVER', 'DAY', 'WEEK', 'MONTH', 'JOIN');
CREATE TYPE "GoalRepeat" AS ENUM ('ONCE', 'EACH_WINDOW', 'UNLIMITED');
CREATE TYPE "GoalJoinMode" AS ENUM ('AUTO', 'OPT_IN');
CREATE TYPE "GoalClaim" AS ENUM ('AUTO', 'BY_USER');
CREATE TYPE "GoalReversal" AS ENUM ('REVOKE', 'KEEP');
CREATE TYPE "CountFrom" AS ENUM ('NOW', 'START_OF_WINDOW', 'EVER');
CREATE TYPE "MeasureOf" AS ENUM ('COUNT', 'POINTS', 'ATTRIBUTE', 'DAYS');

CREATE TABLE "goal" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "image_url" TEXT,
    "category" TEXT,
    "position" INTEGER NOT NULL DEFAULT 0,
    "status" "GoalStatus" NOT NULL DEFAULT 'DRAFT',
    "starts_at" TIMESTAMPTZ(3),
    "ends_at" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3),
    "window_kind" "GoalWindow" NOT NULL,
    "repeat" "GoalRepeat" NOT NULL,
    "max_completions" INTEGER,
    "join_mode" "GoalJoinMode" NOT NULL,
    "time_limit_hours" INTEGER,
    "requires" UUID[],
    "segment_id" UUID,
    "is_secret" BOOLEAN NOT NULL DEFAULT false,
    "claim" "GoalClaim" NOT NULL DEFAULT 'AUTO',
    "claim_days" INTEGER,
    "hold_days" INTEGER NOT NULL DEFAULT 0,
    "on_reversal" "GoalReversal" NOT NULL DEFAULT 'REVOKE',
    "count_from" "CountFrom" NOT NULL DEFAULT 'NOW',
    "reward_ids" UUID[],
    "is_counting" BOOLEAN NOT NULL DEFAULT false,
    "count_barrier" BIGINT,
    "counted_until" TIMESTAMPTZ(3),
    "counted_user_id" UUID,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "goal_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "goal_task" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "goal_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "name" TEXT,
    "target" DECIMAL(15,3) NOT NULL,
    "facts" "Fact"[],
    "event_types" TEXT[],
    "campaign_id" UUID,
    "game_type" "GameType",
    "conditions" JSONB NOT NULL DEFAULT '[]',
    "of" "MeasureOf" NOT NULL,
    "attribute" TEXT,

    CONSTRAINT "goal_task_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "measure_key" (
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "fact" "Fact" NOT NULL,
    "is_open" BOOLEAN NOT NULL,
    "event_type" TEXT NOT NULL,
    "task_id" UUID NOT NULL,

    CONSTRAINT "measure_key_pkey" PRIMARY KEY ("partner_id","environment","fact","is_open","event_type","task_id")
);

CREATE TABLE "fact_counter" (
    "task_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "window_start" DATE NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "value" DECIMAL(18,3) NOT NULL,
    "reached_at" TIMESTAMPTZ(3) NOT NULL,
    "decided" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "fact_counter_pkey" PRIMARY KEY ("task_id","user_id","window_start")
);

CREATE TABLE "fact_day" (
    "task_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "window_start" DATE NOT NULL,
    "day" DATE NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "facts" INTEGER NOT NULL,

    CONSTRAINT "fact_day_pkey" PRIMARY KEY ("task_id","user_id","window_start","day")
);

CREATE TABLE "goal_mark" (
    "goal_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "window_start" DATE NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "is_blocked" BOOLEAN NOT NULL DEFAULT false,
    "needs_recount" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "goal_mark_pkey" PRIMARY KEY ("goal_id","user_id","window_start")
);

CREATE TABLE "goal_join" (
    "goal_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "window_start" DATE NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "joined_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3),

    CONSTRAINT "goal_join_pkey" PRIMARY KEY ("goal_id","user_id","window_start")
);

CREATE TABLE "goal_completion" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "goal_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "window_start" DATE NOT NULL,
    "k" INTEGER NOT NULL,
    "round" INTEGER NOT NULL DEFAULT 1,
    "reward_ids" UUID[],
    "completed_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "announced_at" TIMESTAMPTZ(3)[],

    CONSTRAINT "goal_completion_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "goal_partner_id_environment_id_idx" ON "goal"("partner_id", "environment", "id");
CREATE INDEX "goal_partner_id_environment_position_id_idx" ON "goal"("partner_id", "environment", "position", "id");
CREATE INDEX "goal_segment_id_idx" ON "goal"("segment_id");
CREATE UNIQUE INDEX "goal_partner_id_environment_slug_key" ON "goal"("partner_id", "environment", "slug");
CREATE UNIQUE INDEX "goal_task_goal_id_position_key" ON "goal_task"("goal_id", "position");
CREATE INDEX "measure_key_task_id_idx" ON "measure_key"("task_id");
CREATE INDEX "fact_counter_task_id_window_start_idx" ON "fact_counter"("task_id", "window_start");
CREATE INDEX "fact_day_task_id_window_start_idx" ON "fact_day"("task_id", "window_start");
CREATE INDEX "goal_completion_user_id_id_idx" ON "goal_completion"("user_id", "id");
CREATE INDEX "goal_completion_partner_id_environment_id_idx" ON "goal_completion"("partner_id", "environment", "id");
CREATE UNIQUE INDEX "goal_completion_goal_id_user_id_window_start_k_key" ON "goal_completion"("goal_id", "user_id", "window_start", "k");
ALTER TABLE "goal" ADD CONSTRAINT "goal_segment_id_fkey" FOREIGN KEY ("segment_id") REFERENCES "segment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "goal_task" ADD CONSTRAINT "goal_task_goal_id_fkey" FOREIGN KEY ("goal_id") REFERENCES "goal"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "goal_completion" ADD CONSTRAINT "goal_completion_goal_id_fkey" FOREIGN KEY ("goal_id") REFERENCES "goal"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "goal_completion" ADD CONSTRAINT "goal_completion_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "end_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "goal"
    ADD CONSTRAINT "goal_started" CHECK (("status" = 'DRAFT') = ("started_at" IS NULL)),
    ADD CONSTRAINT "goal_ended" CHECK ("status" <> 'ENDED' OR "ends_at" IS NOT NULL),
    ADD CONSTRAINT "goal_join_window" CHECK (("window_kind" = 'JOIN') = ("join_mode" = 'OPT_IN')),
    ADD CONSTRAINT "goal_time_limit" CHECK (
        "time_limit_hours" IS NULL OR ("time_limit_hours" > 0 AND "join_mode" = 'OPT_IN')),
    ADD CONSTRAINT "goal_limit" CHECK ("max_completions" > 0 AND ("repeat" = 'UNLIMITED' OR "max_completions" = 1)),
    ADD CONSTRAINT "goal_repeat" CHECK ("repeat" = 'UNLIMITED' OR "max_completions" IS NOT NULL),
    ADD CONSTRAINT "goal_days" CHECK ("hold_days" >= 0 AND ("claim_days" IS NULL OR ("claim_days" > 0 AND "claim" = 'BY_USER'))),
    ADD CONSTRAINT "goal_counted" CHECK (("counted_until" IS NULL) = ("counted_user_id" IS NULL)
        AND ("count_barrier" IS NULL OR "is_counting"));
ALTER TABLE "goal_task"
    ADD CONSTRAINT "goal_task_target" CHECK ("target" > 0),
    ADD CONSTRAINT "goal_task_facts" CHECK (cardinality("facts") > 0),
    ADD CONSTRAINT "goal_task_attribute" CHECK (("of" = 'ATTRIBUTE') = ("attribute" IS NOT NULL));
ALTER TABLE "fact_counter" ADD CONSTRAINT "fact_counter_decided" CHECK ("decided" >= 0);
ALTER TABLE "goal_completion" ADD CONSTRAINT "goal_completion_numbers" CHECK ("k" > 0 AND "round" > 0);

-- The decisions that are due.
CREATE INDEX "goal_mark_due" ON "goal_mark" ("goal_id", "user_id") WHERE NOT "is_blocked";

-- Goals that still have to count users, and those that have to end.
CREATE INDEX "goal_counting" ON "goal" ("id") WHERE "is_counting";
CREATE INDEX "goal_to_end" ON "goal" ("ends_at") WHERE "status" IN ('ACTIVE', 'PAUSED');

-- Counters change with facts, in no indexed column.
ALTER TABLE "fact_counter" SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE "fact_day" SET (fillfactor = 90);
ALTER TABLE "goal_mark" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
