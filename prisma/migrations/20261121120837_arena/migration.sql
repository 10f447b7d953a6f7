-- CreateEnum
CREATE TYPE "ArenaCategory" AS ENUM ('ACTION', 'PUZZLE', 'STRATEGY', 'RACING', 'SPORTS', 'CARD', 'BOARD', 'TRIVIA', 'ARCADE', 'OTHER');

-- CreateEnum
CREATE TYPE "ArenaEngine" AS ENUM ('UNITY', 'GODOT', 'HTML5');

-- CreateEnum
CREATE TYPE "ArenaPlayerMode" AS ENUM ('PVP', 'PVE', 'PV_AI', 'AI_VS_AI', 'FFA');

-- CreateEnum
CREATE TYPE "ArenaGameStatus" AS ENUM ('PENDING_REVIEW', 'APPROVED', 'REJECTED', 'ARCHIVED');

-- CreateEnum
CREATE TYPE "ArenaVerdict" AS ENUM ('APPROVED', 'REJECTED');

-- CreateEnum
CREATE TYPE "ArenaResultPolicy" AS ENUM ('OPEN', 'TOKEN', 'QUORUM');

-- CreateEnum
CREATE TYPE "ArenaSessionStatus" AS ENUM ('WAITING', 'IN_PROGRESS', 'COMPLETED', 'EXPIRED');

-- CreateEnum
CREATE TYPE "ArenaPlayerType" AS ENUM ('HUMAN', 'AGENT');

-- CreateTable
CREATE TABLE "arena_game" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL DEFAULT 'LIVE',
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "category" "ArenaCategory" NOT NULL,
    "description" TEXT,
    "rules" TEXT,
    "thumbnail_url" TEXT,
    "cover_image_url" TEXT,
    "engine" "ArenaEngine" NOT NULL,
    "player_mode" "ArenaPlayerMode" NOT NULL,
    "min_players" INTEGER NOT NULL,
    "max_players" INTEGER NOT NULL,
    "estimated_duration" INTEGER,
    "supports_agents" BOOLEAN NOT NULL DEFAULT false,
    "entry_fee" INTEGER NOT NULL DEFAULT 0,
    "developer_revenue_share" INTEGER NOT NULL DEFAULT 30,
    "result_policy" "ArenaResultPolicy",
    "status" "ArenaGameStatus" NOT NULL DEFAULT 'PENDING_REVIEW',
    "build_no" INTEGER NOT NULL DEFAULT 1,
    "build_url" TEXT NOT NULL,
    "version" TEXT,
    "serving_build_url" TEXT,
    "serving_version" TEXT,
    "review_notes" TEXT,
    "reviewed_at" TIMESTAMPTZ(3),
    "featured_at" TIMESTAMPTZ(3),
    "total_sessions" INTEGER NOT NULL DEFAULT 0,
    "total_players" INTEGER NOT NULL DEFAULT 0,
    "total_earnings" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "arena_game_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "arena_build" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL DEFAULT 'LIVE',
    "game_id" UUID NOT NULL,
    "build_no" INTEGER NOT NULL,
    "build_url" TEXT NOT NULL,
    "version" TEXT,
    "submitted_at" TIMESTAMPTZ(3) NOT NULL,
    "verdict" "ArenaVerdict",
    "review_notes" TEXT,
    "reviewed_at" TIMESTAMPTZ(3),
    "reviewer_id" UUID,

    CONSTRAINT "arena_build_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "arena_session" (
    "id" UUID NOT NULL,
    "game_id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL DEFAULT 'LIVE',
    "status" "ArenaSessionStatus" NOT NULL DEFAULT 'WAITING',
    "entry_fee" INTEGER NOT NULL,
    "developer_revenue_share" INTEGER NOT NULL,
    "result_policy" "ArenaResultPolicy" NOT NULL,
    "min_players" INTEGER NOT NULL,
    "max_players" INTEGER NOT NULL,
    "play_seconds" INTEGER NOT NULL,
    "current_players" INTEGER NOT NULL DEFAULT 0,
    "prize_pool" INTEGER NOT NULL DEFAULT 0,
    "developer_share" INTEGER,
    "winner_prize" INTEGER,
    "winner_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "arena_session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "arena_player" (
    "id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL DEFAULT 'LIVE',
    "slot" INTEGER NOT NULL,
    "type" "ArenaPlayerType" NOT NULL DEFAULT 'HUMAN',
    "user_id" UUID,
    "agent_id" UUID,
    "score" INTEGER,
    "is_winner" BOOLEAN NOT NULL DEFAULT false,
    "joined_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "arena_player_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "arena_report" (
    "id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "player_id" UUID,
    "winner_id" UUID NOT NULL,
    "scores" JSON NOT NULL,
    "results_json" TEXT,
    "reported_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "arena_report_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "point_account" (
    "name" TEXT NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "balance" BIGINT NOT NULL DEFAULT 0,
    "entries" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "point_account_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "account_entry" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "holder" TEXT NOT NULL,
    "entry_no" INTEGER NOT NULL,
    "event_type" TEXT NOT NULL,
    "points" INTEGER NOT NULL,
    "balance_after" BIGINT NOT NULL,
    "account" TEXT NOT NULL,
    "source_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "account_entry_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "arena_game_slug_key" ON "arena_game"("slug");

-- CreateIndex
CREATE INDEX "arena_game_partner_id_environment_id_idx" ON "arena_game"("partner_id", "environment", "id" DESC);

-- CreateIndex
CREATE INDEX "arena_game_status_id_idx" ON "arena_game"("status", "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "arena_build_game_id_build_no_key" ON "arena_build"("game_id", "build_no");

-- CreateIndex
CREATE INDEX "arena_session_game_id_id_idx" ON "arena_session"("game_id", "id" DESC);

-- CreateIndex
CREATE INDEX "arena_session_game_id_status_id_idx" ON "arena_session"("game_id", "status", "id" DESC);

-- CreateIndex
CREATE INDEX "arena_session_status_expires_at_idx" ON "arena_session"("status", "expires_at");

-- CreateIndex
CREATE INDEX "arena_player_user_id_idx" ON "arena_player"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "arena_player_session_id_slot_key" ON "arena_player"("session_id", "slot");

-- CreateIndex
CREATE UNIQUE INDEX "arena_player_session_id_user_id_key" ON "arena_player"("session_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "arena_player_session_id_agent_id_key" ON "arena_player"("session_id", "agent_id");

-- CreateIndex
CREATE UNIQUE INDEX "arena_report_session_id_player_id_key" ON "arena_report"("session_id", "player_id");

-- CreateIndex
CREATE INDEX "point_account_partner_id_environment_idx" ON "point_account"("partner_id", "environment");

-- CreateIndex
CREATE INDEX "account_entry_account_idx" ON "account_entry"("account");

-- CreateIndex
CREATE UNIQUE INDEX "account_entry_holder_entry_no_key" ON "account_entry"("holder", "entry_no");

-- CreateIndex
CREATE UNIQUE INDEX "account_entry_holder_event_type_source_id_key" ON "account_entry"("holder", "event_type", "source_id");

-- AddForeignKey
ALTER TABLE "arena_build" ADD CONSTRAINT "arena_build_game_id_fkey" FOREIGN KEY ("game_id") REFERENCES "arena_game"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "arena_session" ADD CONSTRAINT "arena_session_game_id_fkey" FOREIGN KEY ("game_id") REFERENCES "arena_game"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "arena_player" ADD CONSTRAINT "arena_player_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "arena_session"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "arena_player" ADD CONSTRAINT "arena_player_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "end_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "arena_report" ADD CONSTRAINT "arena_report_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "arena_session"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account_entry" ADD CONSTRAINT "account_entry_holder_fkey" FOREIGN KEY ("holder") REFERENCES "point_account"("name") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma's schema language cannot say.

ALTER TABLE "arena_game"
    ADD CONSTRAINT "arena_game_live" CHECK ("environment" = 'LIVE'),
    ADD CONSTRAINT "arena_game_players" CHECK (1 <= "min_players" AND "min_players" <= "max_players"),
    ADD CONSTRAINT "arena_game_fee_not_negative" CHECK ("entry_fee" >= 0),
    ADD CONSTRAINT "arena_game_pool_fits" CHECK ("entry_fee"::bigint * "max_players" <= 2147483647),
    ADD CONSTRAINT "arena_game_share" CHECK ("developer_revenue_share" BETWEEN 0 AND 50);
ALTER TABLE "arena_build" ADD CONSTRAINT "arena_build_live" CHECK ("environment" = 'LIVE');
ALTER TABLE "arena_session"
    ADD CONSTRAINT "arena_session_live" CHECK ("environment" = 'LIVE'),
    ADD CONSTRAINT "arena_session_players" CHECK ("current_players" BETWEEN 0 AND "max_players"),
    ADD CONSTRAINT "arena_session_started" CHECK ("status" IN ('WAITING', 'EXPIRED') OR "current_players" >= "min_players"),
    ADD CONSTRAINT "arena_session_pool" CHECK ("prize_pool" = CASE WHEN "status" = 'EXPIRED' THEN 0 ELSE "entry_fee" * "current_players" END),
    ADD CONSTRAINT "arena_session_paid_out" CHECK (CASE WHEN "status" = 'COMPLETED'
        THEN "winner_id" IS NOT NULL AND "completed_at" IS NOT NULL AND "developer_share" >= 0 AND "winner_prize" >= 0
            AND "developer_share" IS NOT NULL AND "winner_prize" IS NOT NULL
            AND "developer_share" + "winner_prize" = "prize_pool"
        ELSE "winner_id" IS NULL AND "developer_share" IS NULL AND "winner_prize" IS NULL END);
ALTER TABLE "arena_player"
    ADD CONSTRAINT "arena_player_live" CHECK ("environment" = 'LIVE'),
    ADD CONSTRAINT "arena_player_slot" CHECK ("slot" >= 1),
    ADD CONSTRAINT "arena_player_human" CHECK (("type" = 'HUMAN') = ("user_id" IS NOT NULL)),
    ADD CONSTRAINT "arena_player_agent" CHECK (("type" = 'AGENT') = ("agent_id" IS NOT NULL));
ALTER TABLE "point_account" ADD CONSTRAINT "point_account_balance_not_negative" CHECK ("balance" >= 0);
ALTER TABLE "account_entry" ADD CONSTRAINT "account_entry_balance_not_negative" CHECK ("balance_after" >= 0);

-- Entries of accounts are append-only, like those of wallets.
CREATE TRIGGER "account_entry_append_only" BEFORE UPDATE OR DELETE ON "account_entry"
    FOR EACH ROW EXECUTE FUNCTION "refuse_ledger_change"();
CREATE TRIGGER "account_entry_not_truncated" BEFORE TRUNCATE ON "account_entry"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_ledger_change"();
