-- CreateEnum
CREATE TYPE "ArenaAgentProvider" AS ENUM ('BUILTIN', 'CLAUDE', 'OPENAI', 'GEMINI', 'MISTRAL', 'CUSTOM', 'WEBHOOK');

-- CreateEnum
CREATE TYPE "ArenaAgentStatus" AS ENUM ('DRAFT', 'ACTIVE', 'PAUSED', 'SUSPENDED', 'RETIRED');

-- CreateEnum
CREATE TYPE "ArenaMatchType" AS ENUM ('RANKED', 'FRIENDLY', 'VALIDATION');

-- CreateEnum
CREATE TYPE "ArenaMatchStatus" AS ENUM ('SCHEDULED', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED');

-- CreateTable
CREATE TABLE "arena_agent" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "name" TEXT NOT NULL,
    "display_name" TEXT NOT NULL,
    "description" TEXT,
    "avatar_url" TEXT,
    "thinking_style" TEXT,
    "provider" "ArenaAgentProvider" NOT NULL,
    "model_id" TEXT NOT NULL,
    "endpoint_url" TEXT,
    "secret" BYTEA,
    "secret_last_four" TEXT,
    "status" "ArenaAgentStatus" NOT NULL DEFAULT 'DRAFT',
    "is_public" BOOLEAN NOT NULL DEFAULT true,
    "validated_at" TIMESTAMPTZ(3),
    "validation_match_id" UUID,
    "validation_error" TEXT,
    "elo_rating" INTEGER NOT NULL DEFAULT 1200,
    "glicko_rating" DOUBLE PRECISION NOT NULL DEFAULT 1500,
    "rating_deviation" DOUBLE PRECISION NOT NULL DEFAULT 350,
    "rating_volatility" DOUBLE PRECISION NOT NULL DEFAULT 0.06,
    "total_matches" INTEGER NOT NULL DEFAULT 0,
    "wins" INTEGER NOT NULL DEFAULT 0,
    "losses" INTEGER NOT NULL DEFAULT 0,
    "draws" INTEGER NOT NULL DEFAULT 0,
    "last_match_at" TIMESTAMPTZ(3),
    "total_support_received" BIGINT NOT NULL DEFAULT 0,
    "total_supporters" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "arena_agent_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "arena_match" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "match_type" "ArenaMatchType" NOT NULL,
    "game_type" TEXT NOT NULL,
    "best_of" INTEGER NOT NULL,
    "status" "ArenaMatchStatus" NOT NULL DEFAULT 'SCHEDULED',
    "is_public" BOOLEAN NOT NULL,
    "agent1_id" UUID NOT NULL,
    "agent2_id" UUID NOT NULL,
    "partner1_id" UUID NOT NULL,
    "partner2_id" UUID NOT NULL,
    "agent1_score" INTEGER NOT NULL DEFAULT 0,
    "agent2_score" INTEGER NOT NULL DEFAULT 0,
    "agent1_faults" INTEGER NOT NULL DEFAULT 0,
    "agent2_faults" INTEGER NOT NULL DEFAULT 0,
    "total_games_played" INTEGER NOT NULL DEFAULT 0,
    "current_game_number" INTEGER NOT NULL DEFAULT 0,
    "winner_slot" INTEGER,
    "end_reason" TEXT,
    "elo_change" INTEGER,
    "seq" INTEGER NOT NULL DEFAULT 0,
    "scheduled_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "next_game_at" TIMESTAMPTZ(3),
    "due_at" TIMESTAMPTZ(3),
    "lease_token" UUID,
    "lease_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "arena_match_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "arena_match_game" (
    "match_id" UUID NOT NULL,
    "game_number" INTEGER NOT NULL,
    "agent1_action" TEXT NOT NULL,
    "agent2_action" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "winner_slot" INTEGER,
    "agent1_fault" TEXT,
    "agent2_fault" TEXT,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "arena_match_game_pkey" PRIMARY KEY ("match_id","game_number")
);

-- CreateTable
CREATE TABLE "arena_match_event" (
    "match_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "game_number" INTEGER,
    "data" JSON NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "arena_match_event_pkey" PRIMARY KEY ("match_id","seq")
);

-- CreateTable
CREATE TABLE "arena_rating" (
    "agent_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "match_id" UUID NOT NULL,
    "elo_before" INTEGER NOT NULL,
    "elo_after" INTEGER NOT NULL,
    "glicko_rating" DOUBLE PRECISION NOT NULL,
    "rating_deviation" DOUBLE PRECISION NOT NULL,
    "rated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "arena_rating_pkey" PRIMARY KEY ("agent_id","number")
);

-- CreateTable
CREATE TABLE "arena_supporter" (
    "agent_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "amount" BIGINT NOT NULL,
    "first_at" TIMESTAMPTZ(3) NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "arena_supporter_pkey" PRIMARY KEY ("agent_id","user_id")
);

-- CreateTable
CREATE TABLE "arena_audience" (
    "match_id" UUID NOT NULL,
    "node_id" UUID NOT NULL,
    "watching" INTEGER NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "arena_audience_pkey" PRIMARY KEY ("match_id","node_id")
);

-- CreateIndex
CREATE INDEX "arena_agent_partner_id_environment_id_idx" ON "arena_agent"("partner_id", "environment", "id");

-- CreateIndex
CREATE UNIQUE INDEX "arena_agent_partner_id_environment_name_key" ON "arena_agent"("partner_id", "environment", "name");

-- CreateIndex
CREATE INDEX "arena_match_partner_id_environment_id_idx" ON "arena_match"("partner_id", "environment", "id");

-- CreateIndex
CREATE INDEX "arena_match_agent1_id_id_idx" ON "arena_match"("agent1_id", "id" DESC);

-- CreateIndex
CREATE INDEX "arena_match_agent2_id_id_idx" ON "arena_match"("agent2_id", "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "arena_rating_match_id_agent_id_key" ON "arena_rating"("match_id", "agent_id");

-- CreateIndex
CREATE INDEX "arena_supporter_agent_id_amount_user_id_idx" ON "arena_supporter"("agent_id", "amount" DESC, "user_id");

-- CreateIndex
CREATE INDEX "arena_audience_expires_at_idx" ON "arena_audience"("expires_at");

-- AddForeignKey
ALTER TABLE "arena_match_game" ADD CONSTRAINT "arena_match_game_match_id_fkey" FOREIGN KEY ("match_id") REFERENCES "arena_match"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "arena_match_event" ADD CONSTRAINT "arena_match_event_match_id_fkey" FOREIGN KEY ("match_id") REFERENCES "arena_match"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "arena_agent"
  ADD CONSTRAINT "arena_agent_live" CHECK ("environment" = 'LIVE'),
  ADD CONSTRAINT "arena_agent_counts" CHECK ("total_matches" = "wins" + "losses" + "draws"),
  ADD CONSTRAINT "arena_agent_active_is_valid" CHECK ("status" <> 'ACTIVE' OR "validated_at" IS NOT NULL);
ALTER TABLE "arena_match"
  ADD CONSTRAINT "arena_match_live" CHECK ("environment" = 'LIVE'),
  ADD CONSTRAINT "arena_match_best_of" CHECK ("best_of" IN (1, 3, 5, 7)),
  ADD CONSTRAINT "arena_match_slots" CHECK (("agent1_id" = "agent2_id") = ("match_type" = 'VALIDATION')),
  ADD CONSTRAINT "arena_match_winner" CHECK ("winner_slot" IN (1, 2)),
  ADD CONSTRAINT "arena_match_due" CHECK
    (("status" IN ('SCHEDULED', 'IN_PROGRESS')) = ("due_at" IS NOT NULL)),
  ADD CONSTRAINT "arena_match_ended" CHECK
    (("status" IN ('COMPLETED', 'CANCELLED')) = ("ended_at" IS NOT NULL)),
  ADD CONSTRAINT "arena_match_rated" CHECK
    (("elo_change" IS NOT NULL) = ("match_type" = 'RANKED' AND "status" = 'COMPLETED'));
ALTER TABLE "arena_match_game"
  ADD CONSTRAINT "arena_match_game_winner" CHECK ("winner_slot" IN (1, 2));
ALTER TABLE "arena_supporter" ADD CONSTRAINT "arena_supporter_amount" CHECK ("amount" > 0);
ALTER TABLE "arena_audience" ADD CONSTRAINT "arena_audience_watching" CHECK ("watching" >= 0);

-- What the nodes look for, what everybody looks at, and who is ranked.
CREATE INDEX "arena_match_due" ON "arena_match" ("due_at") WHERE "due_at" IS NOT NULL;
CREATE INDEX "arena_match_public" ON "arena_match" ("status", "id" DESC) WHERE "is_public";
CREATE INDEX "arena_match_public_game" ON "arena_match" ("game_type", "status", "id" DESC)
  WHERE "is_public";
CREATE INDEX "arena_agent_ranked" ON "arena_agent" ("elo_rating" DESC, "id")
  WHERE "is_public" AND "status" IN ('ACTIVE', 'PAUSED');
CREATE INDEX "arena_agent_public" ON "arena_agent" ("id" DESC)
  WHERE "is_public" AND "status" IN ('ACTIVE', 'PAUSED');

-- An event of a match is never changed; whoever watches the match is told after commit.
CREATE FUNCTION refuse_match_event_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'events of matches are append-only';
END $$;
CREATE TRIGGER arena_match_event_append_only BEFORE UPDATE ON "arena_match_event"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_match_event_change();

CREATE FUNCTION announce_match_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('tessera', 'match:' || match_id)
  FROM (SELECT DISTINCT match_id FROM new_event) m;
  RETURN NULL;
END $$;
CREATE TRIGGER arena_match_event_announced AFTER INSERT ON "arena_match_event"
  REFERENCING NEW TABLE AS new_event FOR EACH STATEMENT EXECUTE FUNCTION announce_match_events();
