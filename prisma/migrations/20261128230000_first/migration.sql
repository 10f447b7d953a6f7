-- The whole schema of the first release: the tables of each file of prisma/schema with their indexes, as Prisma writes
-- them, the foreign keys, and what the language of Prisma cannot express. Triggers and their functions live with their
-- domains, in src/**/*.trigger.sql.

-- base.prisma
CREATE TYPE "Environment" AS ENUM ('TEST', 'LIVE');

CREATE TABLE "master_key_version" (
    "version" INTEGER NOT NULL,
    "pepper" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "master_key_version_pkey" PRIMARY KEY ("version")
);

-- accounts.prisma
CREATE TYPE "ApplicationStatus" AS ENUM ('ACTIVE', 'INACTIVE');
CREATE TYPE "PublicProfiles" AS ENUM ('FULL', 'MASKED');
CREATE TYPE "UserTokens" AS ENUM ('OPTIONAL', 'REQUIRED');
CREATE TYPE "ApiKeyKind" AS ENUM ('PUBLIC', 'SECRET');
CREATE TYPE "MemberRole" AS ENUM ('OWNER', 'ADMIN', 'EDITOR', 'ANALYST', 'DEVELOPER');
CREATE TYPE "MailKind" AS ENUM ('INVITATION', 'PASSWORD_RESET');

CREATE TABLE "partner" (
    "id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "partner_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "partner_slug_key" ON "partner" ("slug");

CREATE TABLE "application" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "status" "ApplicationStatus" NOT NULL DEFAULT 'ACTIVE',
    "public_profiles" "PublicProfiles" NOT NULL DEFAULT 'FULL',
    "user_tokens" "UserTokens" NOT NULL DEFAULT 'OPTIONAL',
    "user_token_jwks_url" TEXT,
    "user_token_keys" JSON,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "application_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "application_partner_id_idx" ON "application" ("partner_id");

CREATE TABLE "api_key" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "application_id" UUID NOT NULL,
    "kind" "ApiKeyKind" NOT NULL,
    "label" TEXT,
    "hash" BYTEA NOT NULL,
    "last_four" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "allowed_networks" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "scopes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "created_by_id" UUID,
    "last_used_at" TIMESTAMPTZ(3),
    "replaced_by_id" UUID,

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "api_key_hash_key" ON "api_key" ("hash");
CREATE INDEX "api_key_partner_id_environment_id_idx" ON "api_key" ("partner_id", "environment", "id");

CREATE TABLE "member" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "role" "MemberRole" NOT NULL,
    "is_operator" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "member_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "member_email_idx" ON "member" ("email");
CREATE UNIQUE INDEX "member_partner_id_email_key" ON "member" ("partner_id", "email");

CREATE TABLE "second_factor" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL DEFAULT 'LIVE',
    "member_id" UUID NOT NULL,
    "secret" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "confirmed_at" TIMESTAMPTZ(3),
    "last_step" INTEGER NOT NULL DEFAULT 0,
    "recovery_digests" TEXT[] DEFAULT ARRAY[]::TEXT[],

    CONSTRAINT "second_factor_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "second_factor_member_id_key" ON "second_factor" ("member_id");

CREATE TABLE "invitation" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "role" "MemberRole" NOT NULL,
    "token_digest" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "accepted_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "invitation_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "invitation_token_digest_key" ON "invitation" ("token_digest");
CREATE UNIQUE INDEX "invitation_partner_id_email_key" ON "invitation" ("partner_id", "email");

CREATE TABLE "password_reset" (
    "member_id" UUID NOT NULL,
    "token_digest" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "password_reset_pkey" PRIMARY KEY ("member_id")
);

CREATE UNIQUE INDEX "password_reset_token_digest_key" ON "password_reset" ("token_digest");

CREATE TABLE "mail" (
    "id" UUID NOT NULL,
    "kind" "MailKind" NOT NULL,
    "recipient" TEXT NOT NULL,
    "invitation_id" UUID,
    "address" TEXT,
    "user_agent" TEXT,
    "request_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mail_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "mail_invitation_id_key" ON "mail" ("invitation_id");
CREATE INDEX "mail_due_at_idx" ON "mail" ("due_at");
CREATE INDEX "mail_expires_at_idx" ON "mail" ("expires_at");

CREATE TABLE "sign_in" (
    "id" UUID NOT NULL,
    "member_id" UUID NOT NULL,
    "generation" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "refreshed_at" TIMESTAMPTZ(3),
    "refreshed_from" TEXT,
    "user_agent" TEXT,
    "network" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "origin" TEXT,

    CONSTRAINT "sign_in_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "sign_in_member_id_idx" ON "sign_in" ("member_id");
CREATE INDEX "sign_in_origin_idx" ON "sign_in" ("origin");
CREATE INDEX "sign_in_expires_at_idx" ON "sign_in" ("expires_at");

CREATE TABLE "throttle" (
    "key" TEXT NOT NULL,
    "tries" INTEGER NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "throttle_pkey" PRIMARY KEY ("key")
);

CREATE INDEX "throttle_since_idx" ON "throttle" ("since");

CREATE TABLE "idempotent_request" (
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "status" INTEGER,
    "content_type" TEXT,
    "body" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotent_request_pkey" PRIMARY KEY ("partner_id","environment","key")
);

CREATE INDEX "idempotent_request_created_at_idx" ON "idempotent_request" ("created_at");

-- arena.prisma
CREATE TYPE "ArenaCategory" AS ENUM (
    'ACTION', 'PUZZLE', 'STRATEGY', 'RACING', 'SPORTS', 'CARD', 'BOARD', 'TRIVIA', 'ARCADE', 'OTHER'
);
CREATE TYPE "ArenaEngine" AS ENUM ('UNITY', 'GODOT', 'HTML5');
CREATE TYPE "ArenaPlayerMode" AS ENUM ('PVP', 'PVE', 'PV_AI', 'AI_VS_AI', 'FFA');
CREATE TYPE "ArenaGameStatus" AS ENUM ('PENDING_REVIEW', 'APPROVED', 'REJECTED', 'ARCHIVED');
CREATE TYPE "ArenaVerdict" AS ENUM ('APPROVED', 'REJECTED');
CREATE TYPE "ArenaResultPolicy" AS ENUM ('OPEN', 'TOKEN', 'QUORUM', 'SERVER');
CREATE TYPE "ArenaSessionStatus" AS ENUM ('WAITING', 'IN_PROGRESS', 'COMPLETED', 'EXPIRED');
CREATE TYPE "ArenaPlayerType" AS ENUM ('HUMAN', 'AGENT');

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

CREATE UNIQUE INDEX "arena_game_slug_key" ON "arena_game" ("slug");
CREATE INDEX "arena_game_partner_id_environment_id_idx" ON "arena_game" ("partner_id", "environment", "id" DESC);
CREATE INDEX "arena_game_status_id_idx" ON "arena_game" ("status", "id" DESC);

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

CREATE UNIQUE INDEX "arena_build_game_id_build_no_key" ON "arena_build" ("game_id", "build_no");

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
    "is_public" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "arena_session_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "arena_session_game_id_id_idx" ON "arena_session" ("game_id", "id" DESC);
CREATE INDEX "arena_session_game_id_status_id_idx" ON "arena_session" ("game_id", "status", "id" DESC);
CREATE INDEX "arena_session_status_expires_at_idx" ON "arena_session" ("status", "expires_at");

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

CREATE INDEX "arena_player_user_id_idx" ON "arena_player" ("user_id");
CREATE UNIQUE INDEX "arena_player_session_id_slot_key" ON "arena_player" ("session_id", "slot");
CREATE UNIQUE INDEX "arena_player_session_id_user_id_key" ON "arena_player" ("session_id", "user_id");
CREATE UNIQUE INDEX "arena_player_session_id_agent_id_key" ON "arena_player" ("session_id", "agent_id");

CREATE TABLE "arena_session_move" (
    "session_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "player_id" UUID NOT NULL,
    "reference" TEXT,
    "data" JSON NOT NULL,
    "total_bytes" INTEGER NOT NULL,
    "sent_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "arena_session_move_pkey" PRIMARY KEY ("session_id","seq")
);

CREATE INDEX "arena_session_move_player_id_seq_idx" ON "arena_session_move" ("player_id", "seq" DESC);
CREATE UNIQUE INDEX "arena_session_move_player_id_reference_key" ON "arena_session_move" ("player_id", "reference");

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

CREATE UNIQUE INDEX "arena_report_session_id_player_id_key" ON "arena_report" ("session_id", "player_id");

CREATE TABLE "arena_acceptance" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL DEFAULT 'LIVE',
    "game_id" UUID NOT NULL,
    "entry_fee" INTEGER NOT NULL,
    "developer_revenue_share" INTEGER NOT NULL,
    "result_policy" "ArenaResultPolicy" NOT NULL,
    "max_points_in_per_day" INTEGER NOT NULL,
    "max_points_out_per_day" INTEGER NOT NULL,
    "accepted_at" TIMESTAMPTZ(3) NOT NULL,
    "withdrawn_at" TIMESTAMPTZ(3),

    CONSTRAINT "arena_acceptance_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "arena_acceptance_partner_id_environment_id_idx"
    ON "arena_acceptance" ("partner_id", "environment", "id" DESC);
CREATE UNIQUE INDEX "arena_acceptance_partner_id_game_id_key" ON "arena_acceptance" ("partner_id", "game_id");

CREATE TABLE "arena_flow" (
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL DEFAULT 'LIVE',
    "game_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "points_in" INTEGER NOT NULL,
    "points_out" INTEGER NOT NULL,
    "max_in" INTEGER NOT NULL,
    "max_out" INTEGER NOT NULL,

    CONSTRAINT "arena_flow_pkey" PRIMARY KEY ("partner_id","game_id","day")
);

-- audit.prisma
CREATE TYPE "AuditActorKind" AS ENUM ('MEMBER', 'KEY', 'OPERATOR', 'UNKNOWN', 'SYSTEM');

CREATE TABLE "audit_entry" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment",
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor_kind" "AuditActorKind" NOT NULL,
    "actor_id" UUID,
    "actor_name" TEXT,
    "address" TEXT NOT NULL,
    "user_agent" TEXT,
    "request_id" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "refusal" TEXT,
    "target_type" TEXT,
    "target_id" UUID,
    "changes" JSON NOT NULL,

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "audit_entry_partner_id_at_id_idx" ON "audit_entry" ("partner_id", "at" DESC, "id" DESC);
CREATE INDEX "audit_entry_partner_id_actor_id_at_id_idx"
    ON "audit_entry" ("partner_id", "actor_id", "at" DESC, "id" DESC);
CREATE INDEX "audit_entry_partner_id_target_id_at_id_idx"
    ON "audit_entry" ("partner_id", "target_id", "at" DESC, "id" DESC);
CREATE INDEX "audit_entry_partner_id_action_at_id_idx" ON "audit_entry" ("partner_id", "action", "at" DESC, "id" DESC);
CREATE INDEX "audit_entry_at_id_idx" ON "audit_entry" ("at", "id");

-- campaigns.prisma
CREATE TYPE "CampaignStatus" AS ENUM ('DRAFT', 'ACTIVE', 'PAUSED', 'ENDED');

CREATE TABLE "campaign" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "status" "CampaignStatus" NOT NULL DEFAULT 'DRAFT',
    "starts_at" TIMESTAMPTZ(3),
    "ends_at" TIMESTAMPTZ(3),
    "max_plays_per_user" INTEGER,
    "credits_wallet" BOOLEAN NOT NULL DEFAULT true,
    "wins_per_million" INTEGER,
    "win_code_days" INTEGER NOT NULL DEFAULT 30,
    "referrer_reward" INTEGER,
    "referee_reward" INTEGER,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "campaign_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "campaign_partner_id_environment_slug_key" ON "campaign" ("partner_id", "environment", "slug");

CREATE TABLE "campaign_event_rule" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "campaign_id" UUID NOT NULL,
    "event_type" TEXT NOT NULL,
    "points" INTEGER NOT NULL,

    CONSTRAINT "campaign_event_rule_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "campaign_event_rule_campaign_id_event_type_key"
    ON "campaign_event_rule" ("campaign_id", "event_type");

CREATE TABLE "prize_tier" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "campaign_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "points" INTEGER NOT NULL,
    "weight" INTEGER NOT NULL,
    "max_wins" INTEGER NOT NULL,
    "wins" INTEGER NOT NULL DEFAULT 0,
    "position" INTEGER NOT NULL,

    CONSTRAINT "prize_tier_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "prize_tier_campaign_id_name_key" ON "prize_tier" ("campaign_id", "name");

CREATE TABLE "campaign_participant" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "campaign_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "external_id" TEXT NOT NULL,
    "total_points" BIGINT NOT NULL DEFAULT 0,
    "plays" INTEGER NOT NULL DEFAULT 0,
    "wins" INTEGER NOT NULL DEFAULT 0,
    "referral_code" TEXT,
    "referral_count" INTEGER NOT NULL DEFAULT 0,
    "referral_rewards" BIGINT NOT NULL DEFAULT 0,
    "points_reached_at" TIMESTAMPTZ(3) NOT NULL,
    "joined_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "campaign_participant_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "campaign_leaderboard"
    ON "campaign_participant" ("campaign_id", "total_points" DESC, "points_reached_at", "external_id");
CREATE INDEX "campaign_participant_campaign_id_id_idx" ON "campaign_participant" ("campaign_id", "id");
CREATE INDEX "campaign_participant_user_id_id_idx" ON "campaign_participant" ("user_id", "id");
CREATE UNIQUE INDEX "campaign_participant_campaign_id_user_id_key" ON "campaign_participant" ("campaign_id", "user_id");
CREATE UNIQUE INDEX "campaign_participant_campaign_id_referral_code_key"
    ON "campaign_participant" ("campaign_id", "referral_code");

CREATE TABLE "campaign_mark" (
    "campaign_id" UUID NOT NULL,
    "no" INTEGER NOT NULL,
    "score" BIGINT NOT NULL,
    "reached_at" TIMESTAMPTZ(3) NOT NULL,
    "ahead" INTEGER NOT NULL,
    "counted_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "campaign_mark_pkey" PRIMARY KEY ("campaign_id","no")
);

CREATE INDEX "campaign_mark_campaign_id_score_ahead_idx" ON "campaign_mark" ("campaign_id", "score", "ahead" DESC);
CREATE INDEX "campaign_mark_campaign_id_ahead_idx" ON "campaign_mark" ("campaign_id", "ahead");

CREATE TABLE "campaign_event" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "campaign_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "play_no" INTEGER NOT NULL,
    "play_limit" INTEGER,
    "event_type" TEXT NOT NULL,
    "points" INTEGER NOT NULL,
    "drawn" BOOLEAN NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "campaign_event_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "campaign_event_campaign_id_id_idx" ON "campaign_event" ("campaign_id", "id");
CREATE UNIQUE INDEX "campaign_event_campaign_id_user_id_play_no_key"
    ON "campaign_event" ("campaign_id", "user_id", "play_no");

CREATE TABLE "instant_win" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "campaign_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "tier_id" UUID NOT NULL,
    "points" INTEGER NOT NULL,
    "code_hash" BYTEA NOT NULL,
    "won_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "redeemed_at" TIMESTAMPTZ(3),
    "redemption_id" UUID,

    CONSTRAINT "instant_win_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "instant_win_tier_id_idx" ON "instant_win" ("tier_id");
CREATE INDEX "instant_win_campaign_id_id_idx" ON "instant_win" ("campaign_id", "id");
CREATE UNIQUE INDEX "instant_win_partner_id_environment_code_hash_key"
    ON "instant_win" ("partner_id", "environment", "code_hash");

CREATE TABLE "referral" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "campaign_id" UUID NOT NULL,
    "referrer_id" UUID NOT NULL,
    "referee_id" UUID NOT NULL,
    "referrer_reward" INTEGER NOT NULL,
    "referee_reward" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "referral_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "referral_campaign_id_id_idx" ON "referral" ("campaign_id", "id");
CREATE UNIQUE INDEX "referral_campaign_id_referee_id_key" ON "referral" ("campaign_id", "referee_id");

CREATE TABLE "code_batch" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "campaign_id" UUID NOT NULL,
    "batch_size" INTEGER NOT NULL,
    "points_value" INTEGER NOT NULL,
    "label" TEXT,
    "expires_at" TIMESTAMPTZ(3),
    "redeemed" INTEGER NOT NULL DEFAULT 0,
    "revoked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "code_batch_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "code_batch_partner_id_environment_id_idx" ON "code_batch" ("partner_id", "environment", "id");
CREATE INDEX "code_batch_campaign_id_id_idx" ON "code_batch" ("campaign_id", "id");

CREATE TABLE "campaign_code" (
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "hash" BYTEA NOT NULL,
    "batch_id" UUID NOT NULL,
    "redeemed_at" TIMESTAMPTZ(3),
    "user_id" UUID,
    "redemption_id" UUID,

    CONSTRAINT "campaign_code_pkey" PRIMARY KEY ("partner_id","environment","hash")
);

-- events.prisma

-- Events and changes of segments take the next number of a sequence. It begins high: its negative is the key
-- of a lock, and no other lock has such a key. A function, because Prisma takes a bare sequence for one of its own.
CREATE SEQUENCE "feed_position" AS bigint;
SELECT setval('feed_position', 10000000000000);
CREATE FUNCTION next_feed_position() RETURNS bigint LANGUAGE sql AS $$ SELECT nextval('feed_position') $$;

-- A partition for each month of the ids, which begin with the time. Months are made after the migration
-- (src/kit/database/months.ts); the default partition takes all ids without one.
CREATE TABLE "event" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "type" TEXT NOT NULL,
    "data" JSON NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "position" BIGINT NOT NULL DEFAULT next_feed_position(),
    "trace_parent" TEXT,

    CONSTRAINT "event_pkey" PRIMARY KEY ("id")
) PARTITION BY RANGE ("id");
CREATE TABLE "event_rest" PARTITION OF "event" DEFAULT;

CREATE INDEX "event_partner_id_environment_position_idx" ON "event" ("partner_id", "environment", "position");
CREATE INDEX "event_occurred_at_idx" ON "event" ("occurred_at");

CREATE TABLE "feed_epoch" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "home" TEXT NOT NULL,
    "begun_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "feed_epoch_pkey" PRIMARY KEY ("id")
);

-- exports.prisma
CREATE TYPE "ExportKind" AS ENUM ('LEDGER', 'USERS', 'PLAYS', 'CODES', 'TICKETS', 'DELIVERIES');
CREATE TYPE "ExportFormat" AS ENUM ('JSONL', 'CSV');
CREATE TYPE "ExportStatus" AS ENUM ('QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED', 'EXPIRED');

CREATE TABLE "data_export" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "kind" "ExportKind" NOT NULL,
    "format" "ExportFormat" NOT NULL,
    "status" "ExportStatus" NOT NULL DEFAULT 'QUEUED',
    "code_batch_id" UUID,
    "created_from" TIMESTAMPTZ(3),
    "created_to" TIMESTAMPTZ(3),
    "place" JSON,
    "rows" BIGINT NOT NULL DEFAULT 0,
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "text_bytes" BIGINT NOT NULL DEFAULT 0,
    "checksum" BIGINT NOT NULL DEFAULT 0,
    "chunks" INTEGER NOT NULL DEFAULT 0,
    "member_id" UUID,
    "api_key_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "data_export_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "data_export_partner_id_environment_id_idx" ON "data_export" ("partner_id", "environment", "id");

CREATE TABLE "export_chunk" (
    "export_id" UUID NOT NULL,
    "chunk_no" INTEGER NOT NULL,
    "data" BYTEA NOT NULL,

    CONSTRAINT "export_chunk_pkey" PRIMARY KEY ("export_id","chunk_no")
);

-- games.prisma
CREATE TYPE "GameType" AS ENUM ('NEON_WHEEL', 'COSMIC_SLOTS', 'ENIGMA_BOXES');
CREATE TYPE "MechanicStatus" AS ENUM ('ACTIVE', 'INACTIVE');
CREATE TYPE "RewardTier" AS ENUM ('epic', 'rare', 'common');
CREATE TYPE "RewardType" AS ENUM ('cashback', 'xp', 'points', 'item', 'special');

CREATE TABLE "game_mechanic" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "game_type" "GameType" NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "points_to_unlock" INTEGER NOT NULL,
    "image_url" TEXT,
    "status" "MechanicStatus" NOT NULL DEFAULT 'ACTIVE',
    "segments" INTEGER NOT NULL,
    "rewards" JSON NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "game_mechanic_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "game_mechanic_partner_id_environment_game_type_key"
    ON "game_mechanic" ("partner_id", "environment", "game_type");

CREATE TABLE "game_mechanic_version" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "mechanic_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "points_to_unlock" INTEGER NOT NULL,
    "image_url" TEXT,
    "status" "MechanicStatus" NOT NULL,
    "segments" INTEGER NOT NULL,
    "rewards" JSON NOT NULL,
    "expected_payout" BIGINT NOT NULL,
    "member_id" UUID,
    "api_key_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "game_mechanic_version_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "game_mechanic_version_mechanic_id_version_key"
    ON "game_mechanic_version" ("mechanic_id", "version");

CREATE TABLE "play" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "user_id" UUID NOT NULL,
    "play_no" INTEGER NOT NULL,
    "game_type" "GameType" NOT NULL,
    "points_spent" INTEGER NOT NULL,
    "outcome" JSON NOT NULL,
    "reward_tier" "RewardTier" NOT NULL,
    "reward_type" "RewardType" NOT NULL,
    "reward_value" INTEGER NOT NULL,
    "reward_label" TEXT NOT NULL,
    "mechanic_version" INTEGER NOT NULL,
    "seed_no" INTEGER NOT NULL,
    "played_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "play_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "play_user_id_play_no_key" ON "play" ("user_id", "play_no");

CREATE TABLE "play_seed" (
    "user_id" UUID NOT NULL,
    "seed_no" INTEGER NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "client_seed" TEXT,
    "is_erased" BOOLEAN NOT NULL DEFAULT false,
    "revealed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "play_seed_pkey" PRIMARY KEY ("user_id","seed_no")
);

-- jobs.prisma
CREATE TABLE "job_run" (
    "name" TEXT NOT NULL,
    "succeeded_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "job_run_pkey" PRIMARY KEY ("name")
);

-- journeys.prisma
CREATE TYPE "LifecycleStage" AS ENUM ('new', 'active', 'engaged', 'power_user', 'at_risk', 'churned');
CREATE TYPE "EngagementTier" AS ENUM ('casual', 'regular', 'power_user', 'whale');
CREATE TYPE "Device" AS ENUM ('mobile', 'desktop', 'tablet');
CREATE TYPE "OfferType" AS ENUM (
    'welcome_free_play', 'welcome_bonus', 'win_back_play', 'return_bonus', 'retention_play',
    'vip_play', 'multiplier_bonus', 'daily_free_spin'
);
CREATE TYPE "OfferStatus" AS ENUM ('active', 'claimed', 'expired');
CREATE TYPE "SegmentMove" AS ENUM ('entered', 'left');

CREATE TABLE "user_profile" (
    "user_id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "phone" TEXT,
    "country" TEXT,
    "device" "Device",
    "source" TEXT,
    "tags" JSONB,
    "phone_by_secret" BOOLEAN NOT NULL DEFAULT false,
    "tags_by_secret" BOOLEAN NOT NULL DEFAULT false,
    "identified_at" TIMESTAMPTZ(3),
    "events" INTEGER NOT NULL DEFAULT 0,
    "plays" INTEGER NOT NULL DEFAULT 0,
    "wins" INTEGER NOT NULL DEFAULT 0,
    "campaigns" INTEGER NOT NULL DEFAULT 0,
    "own_campaigns" INTEGER NOT NULL DEFAULT 0,
    "first_event_at" TIMESTAMPTZ(3),
    "last_event_at" TIMESTAMPTZ(3),
    "previous_event_at" TIMESTAMPTZ(3),
    "session_gaps" INTEGER NOT NULL DEFAULT 0,
    "session_gap_ms" BIGINT NOT NULL DEFAULT 0,
    "stage" "LifecycleStage",
    "tier" "EngagementTier",
    "events_until" INTEGER NOT NULL DEFAULT 1,
    "plays_until" INTEGER NOT NULL DEFAULT 1,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT '1970-01-01 00:00:00 +00:00',

    CONSTRAINT "user_profile_pkey" PRIMARY KEY ("user_id")
);

CREATE INDEX "user_profile_partner_id_environment_stage_user_id_idx"
    ON "user_profile" ("partner_id", "environment", "stage", "user_id");
CREATE INDEX "user_profile_partner_id_environment_user_id_idx"
    ON "user_profile" ("partner_id", "environment", "user_id");
CREATE INDEX "user_profile_due_at_idx" ON "user_profile" ("due_at");

CREATE TABLE "user_hour" (
    "user_id" UUID NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "plays" INTEGER NOT NULL,
    "points_earned" BIGINT NOT NULL,
    "own_plays" INTEGER NOT NULL DEFAULT 0,
    "own_points" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "user_hour_pkey" PRIMARY KEY ("user_id","hour")
);

CREATE INDEX "user_hour_hour_idx" ON "user_hour" ("hour");

CREATE TABLE "joined_campaign" (
    "user_id" UUID NOT NULL,
    "campaign_id" TEXT NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "is_own" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "joined_campaign_pkey" PRIMARY KEY ("user_id","campaign_id")
);

CREATE TABLE "stage_change" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "user_id" UUID NOT NULL,
    "from_stage" "LifecycleStage",
    "to_stage" "LifecycleStage" NOT NULL,
    "reason" TEXT NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "stage_change_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "stage_change_user_id_id_idx" ON "stage_change" ("user_id", "id");

CREATE TABLE "classification_settings" (
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "rules" JSON NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "classification_settings_pkey" PRIMARY KEY ("partner_id","environment")
);

CREATE TABLE "offer" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "user_id" UUID NOT NULL,
    "offer_type" "OfferType" NOT NULL,
    "game_type" "GameType",
    "title" TEXT NOT NULL,
    "description" TEXT,
    "points_value" INTEGER NOT NULL,
    "credits_points" BOOLEAN NOT NULL,
    "status" "OfferStatus" NOT NULL DEFAULT 'active',
    "place" INTEGER NOT NULL,
    "metadata" JSON,
    "rule_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "claimed_at" TIMESTAMPTZ(3),

    CONSTRAINT "offer_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "offer_partner_id_environment_id_idx" ON "offer" ("partner_id", "environment", "id");
CREATE INDEX "offer_user_id_id_idx" ON "offer" ("user_id", "id");

CREATE TABLE "offer_rule" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "stage" "LifecycleStage" NOT NULL,
    "offer_type" "OfferType" NOT NULL,
    "game_type" "GameType",
    "title" TEXT NOT NULL,
    "description" TEXT,
    "points_value" INTEGER NOT NULL,
    "credits_points" BOOLEAN NOT NULL,
    "valid_hours" INTEGER NOT NULL,
    "cooldown_days" INTEGER NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "offer_rule_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "offer_rule_partner_id_environment_stage_offer_type_key"
    ON "offer_rule" ("partner_id", "environment", "stage", "offer_type");

CREATE TABLE "segment" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "name" TEXT NOT NULL,
    "stage" "LifecycleStage",
    "tier" "EngagementTier",
    "tag" TEXT,
    "tag_value" TEXT,
    "country" TEXT,
    "device" "Device",
    "source" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "segment_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "segment_partner_id_environment_name_key" ON "segment" ("partner_id", "environment", "name");

CREATE TABLE "segment_change" (
    "id" UUID NOT NULL,
    "position" BIGINT NOT NULL DEFAULT next_feed_position(),
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "segment_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "move" "SegmentMove" NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "segment_change_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "segment_change_segment_id_position_idx" ON "segment_change" ("segment_id", "position");
CREATE INDEX "segment_change_changed_at_idx" ON "segment_change" ("changed_at");

-- lotteries.prisma
CREATE TYPE "LotteryStatus" AS ENUM ('DRAFT', 'ACTIVE', 'PAUSED', 'COMPLETED', 'EXPIRED');
CREATE TYPE "LotteryFrequency" AS ENUM ('DAILY', 'WEEKLY', 'MONTHLY', 'CUSTOM');
CREATE TYPE "DrawStatus" AS ENUM ('SCHEDULED', 'OPEN', 'CLOSED', 'DRAWING', 'COMPLETED', 'CANCELLED');
CREATE TYPE "EntryMethod" AS ENUM ('PARTNER_API');

CREATE TABLE "lottery" (
    "id" UUID NOT NULL,
    "partner_id" UUID,
    "environment" "Environment" NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "status" "LotteryStatus" NOT NULL,
    "frequency" "LotteryFrequency" NOT NULL,
    "rules" JSON NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "first_closes_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3),
    "draw_delay_seconds" INTEGER NOT NULL,
    "primary_color" TEXT,
    "logo_url" TEXT,
    "draws" INTEGER NOT NULL DEFAULT 0,
    "tickets" INTEGER NOT NULL DEFAULT 0,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "lottery_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "lottery_environment_slug_idx" ON "lottery" ("environment", "slug");

CREATE TABLE "lottery_draw" (
    "id" UUID NOT NULL,
    "lottery_id" UUID NOT NULL,
    "partner_id" UUID,
    "environment" "Environment" NOT NULL,
    "draw_no" INTEGER NOT NULL,
    "status" "DrawStatus" NOT NULL,
    "opens_at" TIMESTAMPTZ(3) NOT NULL,
    "closes_at" TIMESTAMPTZ(3) NOT NULL,
    "draws_at" TIMESTAMPTZ(3) NOT NULL,
    "rules" TEXT,
    "commitment" BYTEA,
    "sealed_seed" BYTEA,
    "seed" BYTEA,
    "tickets" INTEGER NOT NULL DEFAULT 0,
    "cancelled" INTEGER NOT NULL DEFAULT 0,
    "root" BYTEA,
    "main" INTEGER[],
    "bonus" INTEGER[],
    "settled" INTEGER NOT NULL DEFAULT 0,
    "pot_cents" BIGINT,
    "payout_cents" BIGINT,
    "results" JSON,
    "opened_at" TIMESTAMPTZ(3),
    "closed_at" TIMESTAMPTZ(3),
    "drawn_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "lottery_draw_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "lottery_draw_lottery_id_status_closes_at_idx" ON "lottery_draw" ("lottery_id", "status", "closes_at");
CREATE INDEX "lottery_draw_status_closes_at_idx" ON "lottery_draw" ("status", "closes_at");
CREATE UNIQUE INDEX "lottery_draw_lottery_id_draw_no_key" ON "lottery_draw" ("lottery_id", "draw_no");

CREATE TABLE "lottery_ticket" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "lottery_id" UUID NOT NULL,
    "draw_id" UUID NOT NULL,
    "ticket_no" INTEGER NOT NULL,
    "entry_no" INTEGER NOT NULL,
    "ticket_ref" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "external_user_id" TEXT,
    "entry_method" "EntryMethod" NOT NULL,
    "lines" JSON NOT NULL,
    "line_count" SMALLINT NOT NULL,
    "masks" VARBIT NOT NULL,
    "salt" BYTEA NOT NULL,
    "holder" BYTEA NOT NULL,
    "leaf" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "cancelled_at" TIMESTAMPTZ(3),

    CONSTRAINT "lottery_ticket_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "lottery_ticket_draw_id_partner_id_ticket_no_idx"
    ON "lottery_ticket" ("draw_id", "partner_id", "ticket_no");
CREATE UNIQUE INDEX "lottery_ticket_draw_id_ticket_no_key" ON "lottery_ticket" ("draw_id", "ticket_no");
CREATE UNIQUE INDEX "lottery_ticket_partner_id_environment_lottery_id_entry_no_key"
    ON "lottery_ticket" ("partner_id", "environment", "lottery_id", "entry_no");
CREATE UNIQUE INDEX "lottery_ticket_lottery_id_ticket_ref_key" ON "lottery_ticket" ("lottery_id", "ticket_ref");

CREATE TABLE "lottery_account" (
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "lottery_id" UUID NOT NULL,
    "entries" INTEGER NOT NULL,

    CONSTRAINT "lottery_account_pkey" PRIMARY KEY ("partner_id","environment","lottery_id")
);

CREATE TABLE "lottery_entrant" (
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "draw_id" UUID NOT NULL,
    "entrant" TEXT NOT NULL,
    "tickets" INTEGER NOT NULL,
    "max_tickets" INTEGER NOT NULL,

    CONSTRAINT "lottery_entrant_pkey" PRIMARY KEY ("partner_id","environment","draw_id","entrant")
);

CREATE TABLE "lottery_node" (
    "draw_id" UUID NOT NULL,
    "node_no" INTEGER NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "lottery_node_pkey" PRIMARY KEY ("draw_id","node_no")
);

CREATE TABLE "lottery_win" (
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "draw_id" UUID NOT NULL,
    "ticket_no" INTEGER NOT NULL,
    "line_no" SMALLINT NOT NULL,
    "tier_no" SMALLINT NOT NULL,
    "amount_cents" BIGINT,

    CONSTRAINT "lottery_win_pkey" PRIMARY KEY ("draw_id","ticket_no","line_no")
);

CREATE INDEX "lottery_win_draw_id_partner_id_tier_no_ticket_no_line_no_idx"
    ON "lottery_win" ("draw_id", "partner_id", "tier_no", "ticket_no", "line_no");

-- matches.prisma
CREATE TYPE "ArenaAgentProvider" AS ENUM ('BUILTIN', 'CLAUDE', 'OPENAI', 'GEMINI', 'MISTRAL', 'CUSTOM', 'WEBHOOK');
CREATE TYPE "ArenaAgentStatus" AS ENUM ('DRAFT', 'ACTIVE', 'PAUSED', 'SUSPENDED', 'RETIRED');
CREATE TYPE "ArenaMatchType" AS ENUM ('RANKED', 'FRIENDLY', 'VALIDATION');
CREATE TYPE "ArenaMatchStatus" AS ENUM ('SCHEDULED', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED');

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

CREATE INDEX "arena_agent_partner_id_environment_id_idx" ON "arena_agent" ("partner_id", "environment", "id");
CREATE UNIQUE INDEX "arena_agent_partner_id_environment_name_key"
    ON "arena_agent" ("partner_id", "environment", "name");

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
    "logged_from" INTEGER NOT NULL DEFAULT 1,
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

CREATE INDEX "arena_match_partner_id_environment_id_idx" ON "arena_match" ("partner_id", "environment", "id");
CREATE INDEX "arena_match_agent1_id_id_idx" ON "arena_match" ("agent1_id", "id" DESC);
CREATE INDEX "arena_match_agent2_id_id_idx" ON "arena_match" ("agent2_id", "id" DESC);

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

CREATE TABLE "arena_match_event" (
    "match_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "game_number" INTEGER,
    "data" JSON NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "arena_match_event_pkey" PRIMARY KEY ("match_id","seq")
);

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

CREATE UNIQUE INDEX "arena_rating_match_id_agent_id_key" ON "arena_rating" ("match_id", "agent_id");

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

CREATE INDEX "arena_supporter_agent_id_amount_user_id_idx" ON "arena_supporter" ("agent_id", "amount" DESC, "user_id");

CREATE TABLE "arena_audience" (
    "match_id" UUID NOT NULL,
    "node_id" UUID NOT NULL,
    "watching" INTEGER NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "arena_audience_pkey" PRIMARY KEY ("match_id","node_id")
);

CREATE INDEX "arena_audience_expires_at_idx" ON "arena_audience" ("expires_at");

-- migrations.prisma
CREATE TABLE "schema_compatibility" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "compatible_from" TEXT NOT NULL,

    CONSTRAINT "schema_compatibility_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "backfill" (
    "name" TEXT NOT NULL,
    "statement" TEXT NOT NULL,
    "expected" BIGINT,
    "done" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "backfill_pkey" PRIMARY KEY ("name")
);

CREATE TABLE "applied_trigger" (
    "name" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "applied_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "applied_trigger_pkey" PRIMARY KEY ("name")
);

-- points.prisma
CREATE TABLE "reward_rule" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "event_type" TEXT NOT NULL,
    "points" INTEGER NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "reward_rule_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "reward_rule_partner_id_environment_event_type_key"
    ON "reward_rule" ("partner_id", "environment", "event_type");

CREATE TABLE "ledger_entry" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "user_id" UUID NOT NULL,
    "entry_no" INTEGER NOT NULL,
    "event_type" TEXT NOT NULL,
    "points" INTEGER NOT NULL,
    "balance_after" BIGINT NOT NULL,
    "account" TEXT NOT NULL,
    "reference" TEXT,
    "source_id" TEXT,
    "metadata" JSON,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ledger_entry_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "ledger_entry_time"
    ON "ledger_entry" ("partner_id", "environment", "event_type", "created_at", "id", "points");
CREATE UNIQUE INDEX "ledger_entry_user_id_entry_no_key" ON "ledger_entry" ("user_id", "entry_no");

CREATE TABLE "ledger_correction" (
    "entry_id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "reason" TEXT,
    "reverses_id" UUID,
    "member_id" UUID,
    "api_key_id" UUID,

    CONSTRAINT "ledger_correction_pkey" PRIMARY KEY ("entry_id")
);

CREATE UNIQUE INDEX "ledger_correction_reverses_id_key" ON "ledger_correction" ("reverses_id");

CREATE TABLE "point_account" (
    "name" TEXT NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "balance" BIGINT NOT NULL DEFAULT 0,
    "entries" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "point_account_pkey" PRIMARY KEY ("name")
);

CREATE INDEX "point_account_partner_id_environment_idx" ON "point_account" ("partner_id", "environment");

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

CREATE INDEX "account_entry_account_idx" ON "account_entry" ("account");
CREATE UNIQUE INDEX "account_entry_holder_entry_no_key" ON "account_entry" ("holder", "entry_no");
CREATE UNIQUE INDEX "account_entry_holder_event_type_source_id_key"
    ON "account_entry" ("holder", "event_type", "source_id");

-- statistics.prisma
CREATE TABLE "statistic" (
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "metric" TEXT NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "key" TEXT NOT NULL,
    "shard" SMALLINT NOT NULL,
    "q1" BIGINT NOT NULL,
    "q2" BIGINT NOT NULL,
    "q3" BIGINT NOT NULL,
    "q4" BIGINT NOT NULL,

    CONSTRAINT "statistic_pkey" PRIMARY KEY ("partner_id","environment","metric","hour","key","shard")
);

CREATE INDEX "statistic_hour_idx" ON "statistic" ("hour");

CREATE TABLE "statistic_day" (
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "metric" TEXT NOT NULL,
    "day" TIMESTAMPTZ(3) NOT NULL,
    "key" TEXT NOT NULL,
    "quarters" SMALLINT[] NOT NULL,
    "sums" BIGINT[] NOT NULL,

    CONSTRAINT "statistic_day_pkey" PRIMARY KEY ("partner_id","environment","metric","day","key")
);

-- users.prisma
CREATE TYPE "ActivityCategory" AS ENUM ('GAME_PLAY', 'CAMPAIGN', 'POINTS', 'PAGE_VIEW', 'SESSION', 'CUSTOM');

CREATE TABLE "end_user" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "external_id" TEXT NOT NULL,
    "display_name" TEXT,
    "email" TEXT,
    "metadata" JSON,
    "display_name_by_secret" BOOLEAN NOT NULL DEFAULT false,
    "email_by_secret" BOOLEAN NOT NULL DEFAULT false,
    "metadata_by_secret" BOOLEAN NOT NULL DEFAULT false,
    "balance" BIGINT NOT NULL DEFAULT 0,
    "lifetime_points" BIGINT NOT NULL DEFAULT 0,
    "games_played" INTEGER NOT NULL DEFAULT 0,
    "rewards_won" INTEGER NOT NULL DEFAULT 0,
    "entries" INTEGER NOT NULL DEFAULT 0,
    "score" BIGINT NOT NULL DEFAULT 0,
    "score_reached_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seed_no" INTEGER NOT NULL DEFAULT 1,
    "client_seed" TEXT,

    CONSTRAINT "end_user_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "end_user_leaderboard"
    ON "end_user" ("partner_id", "environment", "score" DESC, "score_reached_at", "external_id");
CREATE UNIQUE INDEX "end_user_partner_id_environment_external_id_key"
    ON "end_user" ("partner_id", "environment", "external_id");

CREATE TABLE "leaderboard_mark" (
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "no" INTEGER NOT NULL,
    "score" BIGINT NOT NULL,
    "reached_at" TIMESTAMPTZ(3) NOT NULL,
    "ahead" INTEGER NOT NULL,
    "counted_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "leaderboard_mark_pkey" PRIMARY KEY ("partner_id","environment","no")
);

CREATE INDEX "leaderboard_mark_partner_id_environment_score_ahead_idx"
    ON "leaderboard_mark" ("partner_id", "environment", "score", "ahead" DESC);
CREATE INDEX "leaderboard_mark_partner_id_environment_ahead_idx"
    ON "leaderboard_mark" ("partner_id", "environment", "ahead");

-- With the collation "C", a prefix is a range of the index.
CREATE TABLE "user_term" (
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "term" TEXT COLLATE "C" NOT NULL,
    "user_id" UUID NOT NULL,

    CONSTRAINT "user_term_pkey" PRIMARY KEY ("partner_id","environment","term","user_id")
);

CREATE TABLE "user_activity" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "user_id" UUID NOT NULL,
    "category" "ActivityCategory" NOT NULL,
    "event_type" TEXT NOT NULL,
    "source_id" TEXT,
    "points" INTEGER NOT NULL DEFAULT 0,
    "earned" INTEGER,
    "won" BOOLEAN,
    "reference" TEXT,
    "metadata" JSON,
    "metadata_is_public" BOOLEAN NOT NULL DEFAULT false,
    "is_correction" BOOLEAN NOT NULL DEFAULT false,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "user_activity_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "user_activity_user_id_occurred_at_id_idx" ON "user_activity" ("user_id", "occurred_at" DESC, "id" DESC);

CREATE TABLE "user_erasure" (
    "user_id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "pseudonym" TEXT NOT NULL,
    "holders" JSON NOT NULL,
    "reached_at" TIMESTAMPTZ(3),
    "reached_id" UUID,
    "is_walked" BOOLEAN NOT NULL DEFAULT false,
    "erased_count" INTEGER NOT NULL DEFAULT 0,
    "events_left" INTEGER,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "user_erasure_pkey" PRIMARY KEY ("user_id")
);

CREATE INDEX "user_erasure_finished_at_requested_at_idx" ON "user_erasure" ("finished_at", "requested_at");

CREATE TABLE "counter" (
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "name" TEXT NOT NULL,
    "shard" INTEGER NOT NULL,
    "value" BIGINT NOT NULL,

    CONSTRAINT "counter_pkey" PRIMARY KEY ("partner_id","environment","name","shard")
);

CREATE TABLE "user_token_revocation" (
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "user_digest" BYTEA NOT NULL,
    "revoked_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "user_token_revocation_pkey" PRIMARY KEY ("partner_id","environment","user_digest")
);

CREATE INDEX "user_token_revocation_revoked_at_idx" ON "user_token_revocation" ("revoked_at");

-- webhooks.prisma
CREATE TYPE "WebhookEndpointStatus" AS ENUM ('ACTIVE', 'DISABLED');
CREATE TYPE "WebhookDeliveryStatus" AS ENUM ('PENDING', 'DELIVERED', 'FAILED');

CREATE TABLE "webhook_endpoint" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT,
    "events" TEXT[] NOT NULL,
    "status" "WebhookEndpointStatus" NOT NULL DEFAULT 'ACTIVE',
    "disabled_reason" TEXT,
    "secret" BYTEA NOT NULL,
    "previous_secret" BYTEA,
    "previous_secret_until" TIMESTAMPTZ(3),
    "failing_since" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_endpoint_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "webhook_endpoint_partner_id_environment_id_idx" ON "webhook_endpoint" ("partner_id", "environment", "id");

CREATE TABLE "webhook_delivery" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "event_type" TEXT NOT NULL,
    "status" "WebhookDeliveryStatus" NOT NULL DEFAULT 'PENDING',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,
    "response_status" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "webhook_delivery_endpoint_id_created_at_id_idx"
    ON "webhook_delivery" ("endpoint_id", "created_at" DESC, "id" DESC);
CREATE INDEX "webhook_delivery_partner_id_environment_created_at_id_idx"
    ON "webhook_delivery" ("partner_id", "environment", "created_at" DESC, "id" DESC);
CREATE UNIQUE INDEX "webhook_delivery_endpoint_id_event_id_key" ON "webhook_delivery" ("endpoint_id", "event_id");

CREATE TABLE "webhook_attempt" (
    "delivery_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "response_status" INTEGER,
    "response_body" TEXT,
    "error" TEXT,

    CONSTRAINT "webhook_attempt_pkey" PRIMARY KEY ("delivery_id","number")
);

-- Foreign keys. Three relations of Prisma have none: every statement that writes entries of the ledger, activities or
-- plays has the user from a row of "end_user" that it has just changed or locked, and users are never deleted.
-- `npm run audit` looks for rows without a user.
ALTER TABLE "application" ADD CONSTRAINT "application_partner_id_fkey"
    FOREIGN KEY ("partner_id") REFERENCES "partner"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_partner_id_fkey"
    FOREIGN KEY ("partner_id") REFERENCES "partner"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_application_id_fkey"
    FOREIGN KEY ("application_id") REFERENCES "application"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "member" ADD CONSTRAINT "member_partner_id_fkey"
    FOREIGN KEY ("partner_id") REFERENCES "partner"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "second_factor" ADD CONSTRAINT "second_factor_member_id_fkey"
    FOREIGN KEY ("member_id") REFERENCES "member"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "invitation" ADD CONSTRAINT "invitation_partner_id_fkey"
    FOREIGN KEY ("partner_id") REFERENCES "partner"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "password_reset" ADD CONSTRAINT "password_reset_member_id_fkey"
    FOREIGN KEY ("member_id") REFERENCES "member"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "mail" ADD CONSTRAINT "mail_invitation_id_fkey"
    FOREIGN KEY ("invitation_id") REFERENCES "invitation"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "sign_in" ADD CONSTRAINT "sign_in_member_id_fkey"
    FOREIGN KEY ("member_id") REFERENCES "member"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "arena_game" ADD CONSTRAINT "arena_game_partner_id_fkey"
    FOREIGN KEY ("partner_id") REFERENCES "partner"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "arena_build" ADD CONSTRAINT "arena_build_game_id_fkey"
    FOREIGN KEY ("game_id") REFERENCES "arena_game"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "arena_session" ADD CONSTRAINT "arena_session_game_id_fkey"
    FOREIGN KEY ("game_id") REFERENCES "arena_game"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "arena_player" ADD CONSTRAINT "arena_player_session_id_fkey"
    FOREIGN KEY ("session_id") REFERENCES "arena_session"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "arena_player" ADD CONSTRAINT "arena_player_user_id_fkey"
    FOREIGN KEY ("user_id") REFERENCES "end_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "arena_session_move" ADD CONSTRAINT "arena_session_move_session_id_fkey"
    FOREIGN KEY ("session_id") REFERENCES "arena_session"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "arena_report" ADD CONSTRAINT "arena_report_session_id_fkey"
    FOREIGN KEY ("session_id") REFERENCES "arena_session"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "arena_acceptance" ADD CONSTRAINT "arena_acceptance_game_id_fkey"
    FOREIGN KEY ("game_id") REFERENCES "arena_game"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "arena_flow" ADD CONSTRAINT "arena_flow_partner_id_game_id_fkey"
    FOREIGN KEY ("partner_id", "game_id") REFERENCES "arena_acceptance"("partner_id", "game_id")
    ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "campaign_event_rule" ADD CONSTRAINT "campaign_event_rule_campaign_id_fkey"
    FOREIGN KEY ("campaign_id") REFERENCES "campaign"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "prize_tier" ADD CONSTRAINT "prize_tier_campaign_id_fkey"
    FOREIGN KEY ("campaign_id") REFERENCES "campaign"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "campaign_participant" ADD CONSTRAINT "campaign_participant_campaign_id_fkey"
    FOREIGN KEY ("campaign_id") REFERENCES "campaign"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "campaign_participant" ADD CONSTRAINT "campaign_participant_user_id_fkey"
    FOREIGN KEY ("user_id") REFERENCES "end_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "campaign_event" ADD CONSTRAINT "campaign_event_campaign_id_fkey"
    FOREIGN KEY ("campaign_id") REFERENCES "campaign"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "campaign_event" ADD CONSTRAINT "campaign_event_user_id_fkey"
    FOREIGN KEY ("user_id") REFERENCES "end_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "instant_win" ADD CONSTRAINT "instant_win_campaign_id_fkey"
    FOREIGN KEY ("campaign_id") REFERENCES "campaign"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "instant_win" ADD CONSTRAINT "instant_win_user_id_fkey"
    FOREIGN KEY ("user_id") REFERENCES "end_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "instant_win" ADD CONSTRAINT "instant_win_tier_id_fkey"
    FOREIGN KEY ("tier_id") REFERENCES "prize_tier"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "referral" ADD CONSTRAINT "referral_campaign_id_fkey"
    FOREIGN KEY ("campaign_id") REFERENCES "campaign"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "referral" ADD CONSTRAINT "referral_referrer_id_fkey"
    FOREIGN KEY ("referrer_id") REFERENCES "end_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "referral" ADD CONSTRAINT "referral_referee_id_fkey"
    FOREIGN KEY ("referee_id") REFERENCES "end_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "code_batch" ADD CONSTRAINT "code_batch_campaign_id_fkey"
    FOREIGN KEY ("campaign_id") REFERENCES "campaign"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "campaign_code" ADD CONSTRAINT "campaign_code_batch_id_fkey"
    FOREIGN KEY ("batch_id") REFERENCES "code_batch"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "campaign_code" ADD CONSTRAINT "campaign_code_user_id_fkey"
    FOREIGN KEY ("user_id") REFERENCES "end_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "export_chunk" ADD CONSTRAINT "export_chunk_export_id_fkey"
    FOREIGN KEY ("export_id") REFERENCES "data_export"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "game_mechanic_version" ADD CONSTRAINT "game_mechanic_version_mechanic_id_fkey"
    FOREIGN KEY ("mechanic_id") REFERENCES "game_mechanic"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "play_seed" ADD CONSTRAINT "play_seed_user_id_fkey"
    FOREIGN KEY ("user_id") REFERENCES "end_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "user_profile" ADD CONSTRAINT "user_profile_user_id_fkey"
    FOREIGN KEY ("user_id") REFERENCES "end_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "stage_change" ADD CONSTRAINT "stage_change_user_id_fkey"
    FOREIGN KEY ("user_id") REFERENCES "user_profile"("user_id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "offer" ADD CONSTRAINT "offer_user_id_fkey"
    FOREIGN KEY ("user_id") REFERENCES "user_profile"("user_id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "segment_change" ADD CONSTRAINT "segment_change_segment_id_fkey"
    FOREIGN KEY ("segment_id") REFERENCES "segment"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "segment_change" ADD CONSTRAINT "segment_change_user_id_fkey"
    FOREIGN KEY ("user_id") REFERENCES "user_profile"("user_id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "lottery_draw" ADD CONSTRAINT "lottery_draw_lottery_id_fkey"
    FOREIGN KEY ("lottery_id") REFERENCES "lottery"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "lottery_ticket" ADD CONSTRAINT "lottery_ticket_lottery_id_fkey"
    FOREIGN KEY ("lottery_id") REFERENCES "lottery"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "lottery_ticket" ADD CONSTRAINT "lottery_ticket_draw_id_fkey"
    FOREIGN KEY ("draw_id") REFERENCES "lottery_draw"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "lottery_account" ADD CONSTRAINT "lottery_account_lottery_id_fkey"
    FOREIGN KEY ("lottery_id") REFERENCES "lottery"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "lottery_entrant" ADD CONSTRAINT "lottery_entrant_draw_id_fkey"
    FOREIGN KEY ("draw_id") REFERENCES "lottery_draw"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "lottery_node" ADD CONSTRAINT "lottery_node_draw_id_fkey"
    FOREIGN KEY ("draw_id") REFERENCES "lottery_draw"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "lottery_win" ADD CONSTRAINT "lottery_win_draw_id_ticket_no_fkey"
    FOREIGN KEY ("draw_id", "ticket_no") REFERENCES "lottery_ticket"("draw_id", "ticket_no")
    ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "arena_agent" ADD CONSTRAINT "arena_agent_partner_id_fkey"
    FOREIGN KEY ("partner_id") REFERENCES "partner"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "arena_match_game" ADD CONSTRAINT "arena_match_game_match_id_fkey"
    FOREIGN KEY ("match_id") REFERENCES "arena_match"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "arena_match_event" ADD CONSTRAINT "arena_match_event_match_id_fkey"
    FOREIGN KEY ("match_id") REFERENCES "arena_match"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "ledger_correction" ADD CONSTRAINT "ledger_correction_entry_id_fkey"
    FOREIGN KEY ("entry_id") REFERENCES "ledger_entry"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "account_entry" ADD CONSTRAINT "account_entry_holder_fkey"
    FOREIGN KEY ("holder") REFERENCES "point_account"("name") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "user_erasure" ADD CONSTRAINT "user_erasure_user_id_fkey"
    FOREIGN KEY ("user_id") REFERENCES "end_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_endpoint_id_fkey"
    FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoint"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "webhook_attempt" ADD CONSTRAINT "webhook_attempt_delivery_id_fkey"
    FOREIGN KEY ("delivery_id") REFERENCES "webhook_delivery"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Checks that hold whatever the code does.
ALTER TABLE "arena_game"
    ADD CONSTRAINT "arena_game_live" CHECK ("environment" = 'LIVE'),
    ADD CONSTRAINT "arena_game_players" CHECK (1 <= "min_players" AND "min_players" <= "max_players"),
    ADD CONSTRAINT "arena_game_fee_not_negative" CHECK ("entry_fee" >= 0),
    ADD CONSTRAINT "arena_game_pool_fits" CHECK ("entry_fee"::bigint * "max_players" <= 2147483647),
    ADD CONSTRAINT "arena_game_share" CHECK ("developer_revenue_share" BETWEEN 0 AND 50);
ALTER TABLE "arena_build"
    ADD CONSTRAINT "arena_build_live" CHECK ("environment" = 'LIVE');
ALTER TABLE "arena_session"
    ADD CONSTRAINT "arena_session_live" CHECK ("environment" = 'LIVE'),
    ADD CONSTRAINT "arena_session_players" CHECK ("current_players" BETWEEN 0 AND "max_players"),
    ADD CONSTRAINT "arena_session_started" CHECK (
        "status" IN ('WAITING', 'EXPIRED') OR "current_players" >= "min_players"),
    ADD CONSTRAINT "arena_session_pool" CHECK (
        "prize_pool" = CASE WHEN "status" = 'EXPIRED' THEN 0 ELSE "entry_fee" * "current_players" END),
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
ALTER TABLE "arena_acceptance"
    ADD CONSTRAINT "arena_acceptance_live" CHECK ("environment" = 'LIVE'),
    ADD CONSTRAINT "arena_acceptance_terms" CHECK ("entry_fee" > 0 AND "result_policy" NOT IN ('OPEN', 'TOKEN')),
    ADD CONSTRAINT "arena_acceptance_caps" CHECK ("max_points_in_per_day" >= 0 AND "max_points_out_per_day" >= 0);
ALTER TABLE "arena_flow"
    ADD CONSTRAINT "arena_flow_live" CHECK ("environment" = 'LIVE'),
    ADD CONSTRAINT "arena_flow_in" CHECK (0 <= "points_in" AND "points_in" <= "max_in"),
    ADD CONSTRAINT "arena_flow_out" CHECK (0 <= "points_out" AND "points_out" <= "max_out");
ALTER TABLE "campaign"
    ADD CONSTRAINT "campaign_slug_not_reserved" CHECK ("slug" <> 'codes'),
    ADD CONSTRAINT "campaign_max_plays_positive" CHECK ("max_plays_per_user" > 0),
    ADD CONSTRAINT "campaign_chance" CHECK ("wins_per_million" BETWEEN 0 AND 1000000),
    ADD CONSTRAINT "campaign_win_code_days_positive" CHECK ("win_code_days" > 0),
    ADD CONSTRAINT "campaign_ends_after_start" CHECK ("ends_at" > "starts_at"),
    ADD CONSTRAINT "campaign_referral_rewards" CHECK (
        ("referrer_reward" IS NULL) = ("referee_reward" IS NULL)
        AND "referrer_reward" >= 0 AND "referee_reward" >= 0);
ALTER TABLE "campaign_event_rule"
    ADD CONSTRAINT "campaign_event_rule_points_positive" CHECK ("points" > 0);
ALTER TABLE "prize_tier"
    ADD CONSTRAINT "prize_tier_stock" CHECK ("wins" BETWEEN 0 AND "max_wins"),
    ADD CONSTRAINT "prize_tier_points_not_negative" CHECK ("points" >= 0),
    ADD CONSTRAINT "prize_tier_weight_positive" CHECK ("weight" > 0);
ALTER TABLE "campaign_event"
    ADD CONSTRAINT "campaign_event_within_limit" CHECK ("play_no" <= "play_limit");
ALTER TABLE "instant_win"
    ADD CONSTRAINT "instant_win_redeemed_whole" CHECK (("redeemed_at" IS NULL) = ("redemption_id" IS NULL));
ALTER TABLE "referral"
    ADD CONSTRAINT "referral_of_another" CHECK ("referrer_id" <> "referee_id");
ALTER TABLE "code_batch"
    ADD CONSTRAINT "code_batch_size" CHECK ("batch_size" BETWEEN 1 AND 10000),
    ADD CONSTRAINT "code_batch_points_positive" CHECK ("points_value" > 0),
    ADD CONSTRAINT "code_batch_redeemed" CHECK ("redeemed" BETWEEN 0 AND "batch_size");
ALTER TABLE "campaign_code"
    ADD CONSTRAINT "campaign_code_redeemed_whole" CHECK (
        ("redeemed_at" IS NULL) = ("user_id" IS NULL)
        AND ("redeemed_at" IS NULL) = ("redemption_id" IS NULL));
ALTER TABLE "feed_epoch"
    ADD CONSTRAINT "feed_epoch_one_row" CHECK ("id" = 1);
ALTER TABLE "game_mechanic"
    ADD CONSTRAINT "game_mechanic_price_not_negative" CHECK ("points_to_unlock" >= 0),
    ADD CONSTRAINT "game_mechanic_segments_positive" CHECK ("segments" > 0);
ALTER TABLE "offer"
    ADD CONSTRAINT "offer_place" CHECK ("place" BETWEEN 1 AND 3),
    ADD CONSTRAINT "offer_points_not_negative" CHECK ("points_value" >= 0),
    ADD CONSTRAINT "offer_claimed_at" CHECK (("status" = 'claimed') = ("claimed_at" IS NOT NULL));
ALTER TABLE "lottery"
    ADD CONSTRAINT "lottery_closes_after_start" CHECK ("first_closes_at" > "starts_at"),
    ADD CONSTRAINT "lottery_delay_not_negative" CHECK ("draw_delay_seconds" >= 0);
ALTER TABLE "lottery_draw"
    ADD CONSTRAINT "lottery_draw_times" CHECK ("opens_at" < "closes_at" AND "closes_at" <= "draws_at"),
    ADD CONSTRAINT "lottery_draw_published" CHECK ("status" IN ('SCHEDULED', 'CANCELLED')
        OR ("rules" IS NOT NULL AND "commitment" IS NOT NULL AND "sealed_seed" IS NOT NULL
            AND "opened_at" IS NOT NULL)),
    ADD CONSTRAINT "lottery_draw_seed_after_root" CHECK ("seed" IS NULL OR "root" IS NOT NULL),
    ADD CONSTRAINT "lottery_draw_seed_when_drawn" CHECK (("seed" IS NOT NULL) = ("status" IN ('DRAWING', 'COMPLETED'))),
    ADD CONSTRAINT "lottery_draw_seed_is_committed" CHECK ("seed" IS NULL OR sha256("seed") = "commitment"),
    ADD CONSTRAINT "lottery_draw_settled" CHECK ("settled" BETWEEN 0 AND "tickets"
        AND ("status" <> 'COMPLETED' OR ("settled" = "tickets" AND "payout_cents" IS NOT NULL))),
    ADD CONSTRAINT "lottery_draw_cancelled" CHECK ("cancelled" BETWEEN 0 AND "tickets");
ALTER TABLE "lottery_ticket"
    ADD CONSTRAINT "lottery_ticket_lines" CHECK ("line_count" BETWEEN 1 AND 10);
ALTER TABLE "lottery_entrant"
    ADD CONSTRAINT "lottery_entrant_maximum" CHECK ("tickets" BETWEEN 0 AND "max_tickets");
ALTER TABLE "arena_agent"
    ADD CONSTRAINT "arena_agent_live" CHECK ("environment" = 'LIVE'),
    ADD CONSTRAINT "arena_agent_counts" CHECK ("total_matches" = "wins" + "losses" + "draws"),
    ADD CONSTRAINT "arena_agent_active_is_valid" CHECK ("status" <> 'ACTIVE' OR "validated_at" IS NOT NULL);
ALTER TABLE "arena_match"
    ADD CONSTRAINT "arena_match_live" CHECK ("environment" = 'LIVE'),
    ADD CONSTRAINT "arena_match_best_of" CHECK ("best_of" IN (1, 3, 5, 7)),
    ADD CONSTRAINT "arena_match_slots" CHECK (("agent1_id" = "agent2_id") = ("match_type" = 'VALIDATION')),
    ADD CONSTRAINT "arena_match_winner" CHECK ("winner_slot" IN (1, 2)),
    ADD CONSTRAINT "arena_match_due" CHECK (("status" IN ('SCHEDULED', 'IN_PROGRESS')) = ("due_at" IS NOT NULL)),
    ADD CONSTRAINT "arena_match_ended" CHECK (("status" IN ('COMPLETED', 'CANCELLED')) = ("ended_at" IS NOT NULL)),
    ADD CONSTRAINT "arena_match_rated" CHECK (
        ("elo_change" IS NOT NULL) = ("match_type" = 'RANKED' AND "status" = 'COMPLETED'));
ALTER TABLE "arena_match_game"
    ADD CONSTRAINT "arena_match_game_winner" CHECK ("winner_slot" IN (1, 2));
ALTER TABLE "arena_supporter"
    ADD CONSTRAINT "arena_supporter_amount" CHECK ("amount" > 0);
ALTER TABLE "arena_audience"
    ADD CONSTRAINT "arena_audience_watching" CHECK ("watching" >= 0);
ALTER TABLE "schema_compatibility"
    ADD CONSTRAINT "schema_compatibility_one_row" CHECK ("id" = 1);
ALTER TABLE "reward_rule"
    ADD CONSTRAINT "reward_rule_points_positive" CHECK ("points" > 0);
ALTER TABLE "ledger_entry"
    ADD CONSTRAINT "ledger_entry_balance_not_negative" CHECK ("balance_after" >= 0);
ALTER TABLE "ledger_correction"
    ADD CONSTRAINT "ledger_correction_by_one" CHECK (num_nonnulls("member_id", "api_key_id") = 1);
ALTER TABLE "point_account"
    ADD CONSTRAINT "point_account_balance_not_negative" CHECK ("balance" >= 0);
ALTER TABLE "account_entry"
    ADD CONSTRAINT "account_entry_balance_not_negative" CHECK ("balance_after" >= 0);
ALTER TABLE "statistic_day"
    ADD CONSTRAINT "statistic_day_quarters" CHECK (cardinality("quarters") = cardinality("sums"));
ALTER TABLE "end_user"
    ADD CONSTRAINT "end_user_balance_not_negative" CHECK ("balance" >= 0),
    ADD CONSTRAINT "end_user_score" CHECK ("score" = "lifetime_points" + "rewards_won" + 10 * "games_played"::bigint);

-- Sessions that have moves.
CREATE INDEX "arena_session_move_first" ON "arena_session_move" ("session_id") WHERE "seq" = 1;
-- Redeemed codes of a batch. Most codes are never redeemed.
CREATE INDEX "campaign_code_redeemed"
    ON "campaign_code" ("batch_id", "redemption_id") WHERE "redemption_id" IS NOT NULL;
CREATE INDEX "user_profile_tags" ON "user_profile" USING GIN ("tags") WHERE "tags" IS NOT NULL;
-- Three active offers of a user at most.
CREATE UNIQUE INDEX "offer_active_place" ON "offer" ("user_id", "place") WHERE "status" = 'active';
CREATE INDEX "offer_expiring" ON "offer" ("expires_at") WHERE "status" = 'active';
CREATE INDEX "offer_of_rule" ON "offer" ("rule_id", "user_id", "created_at") WHERE "rule_id" IS NOT NULL;
-- The slug of a lottery of the service, which has no partner, is unique, too.
CREATE UNIQUE INDEX "lottery_partner_id_environment_slug_key" ON "lottery" ("partner_id", "environment", "slug")
    NULLS NOT DISTINCT;
-- The tickets of a holder in the order of their entry. An external id that looks like an e-mail address is not one.
CREATE INDEX "lottery_ticket_of_holder" ON "lottery_ticket" ("partner_id", "environment",
    (coalesce("external_user_id", lower("email"))), ("external_user_id" IS NULL), "id");
-- The agents of the ranking, and of the public list.
CREATE INDEX "arena_agent_ranked" ON "arena_agent" ("elo_rating" DESC, "id")
    WHERE "is_public" AND "status" IN ('ACTIVE', 'PAUSED');
CREATE INDEX "arena_agent_public" ON "arena_agent" ("id" DESC)
    WHERE "is_public" AND "status" IN ('ACTIVE', 'PAUSED');
-- Scheduled and running matches: when a node must go on with them, and those of the owner of each agent. They are few,
-- in a table of all matches.
CREATE INDEX "arena_match_due" ON "arena_match" ("due_at") WHERE "due_at" IS NOT NULL;
CREATE INDEX "arena_match_open_of_partner1" ON "arena_match" ("partner1_id") WHERE "due_at" IS NOT NULL;
CREATE INDEX "arena_match_open_of_partner2" ON "arena_match" ("partner2_id") WHERE "due_at" IS NOT NULL;
CREATE INDEX "arena_match_public" ON "arena_match" ("status", "id" DESC) WHERE "is_public";
CREATE INDEX "arena_match_public_game" ON "arena_match" ("game_type", "status", "id" DESC) WHERE "is_public";
-- Ended matches whose log is still complete. A job shortens it.
CREATE INDEX "arena_match_whole_log" ON "arena_match" ("ended_at")
    WHERE "logged_from" = 1 AND "seq" > 1 AND "ended_at" IS NOT NULL;
-- A reference awards once. Plays, adjustments and many awards have none.
CREATE UNIQUE INDEX "ledger_entry_reference" ON "ledger_entry" ("partner_id", "environment", "event_type", "reference")
    WHERE "reference" IS NOT NULL;
-- A reference is tracked once for its user. Most entries have none.
CREATE UNIQUE INDEX "user_activity_reference" ON "user_activity" ("user_id", "reference") WHERE "reference" IS NOT NULL;
-- Deliveries to send, and those that their owner looks for after an outage.
CREATE INDEX "webhook_delivery_due" ON "webhook_delivery" ("endpoint_id", "next_attempt_at") WHERE "status" = 'PENDING';
CREATE INDEX "webhook_delivery_failed" ON "webhook_delivery"
    ("partner_id", "environment", "created_at" DESC, "id" DESC) WHERE "status" = 'FAILED';

-- Storage follows how a table changes. With the default of a fifth, a table of ten million rows would be vacuumed after
-- two million dead ones.

-- Changed by every award and play, and an index changes with it (score, due date): dead rows come at the rate of
-- requests. Vacuumed at 2 %, so that each run is short, and analysed as its statistics move.
ALTER TABLE "end_user" SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_analyze_scale_factor = 0.05);
ALTER TABLE "user_profile" SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_analyze_scale_factor = 0.05);
ALTER TABLE "campaign_participant" SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_analyze_scale_factor = 0.05);
ALTER TABLE "user_hour" SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_analyze_scale_factor = 0.05);

-- Updated often, in no indexed column: room for the new version of a row on the same page.
ALTER TABLE "prize_tier" SET (fillfactor = 50);
ALTER TABLE "code_batch" SET (fillfactor = 80);
ALTER TABLE "statistic" SET (fillfactor = 70);
ALTER TABLE "statistic_day" SET (fillfactor = 80);

-- Few rows that change all the time, in no indexed column. With room on the page a change stays there, and the next one
-- cleans up after it.
ALTER TABLE "counter" SET (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
ALTER TABLE "point_account" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 500);
ALTER TABLE "lottery_account" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 500);
ALTER TABLE "throttle" SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
ALTER TABLE "job_run" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- A queue: a row is added, changed when it has been sent, and deleted after 30 days. The sender reads an index of
-- pending rows, which is full of dead entries until they are vacuumed.
ALTER TABLE "webhook_delivery" SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01,
    autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_insert_scale_factor = 0.02,
    autovacuum_analyze_scale_factor = 0.02);

-- Answers are stored for a day: each row is added, filled in once, and deleted.
ALTER TABLE "idempotent_request" SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 1000);

-- Rows are only added. New pages are vacuumed 2 % at a time, so that index-only scans need not read them and freezing
-- is done in small steps. Partitions of events take the parameters of "event_rest".
ALTER TABLE "ledger_entry" SET (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE "user_activity" SET (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE "play" SET (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE "event_rest" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
    autovacuum_analyze_scale_factor = 0.02);

-- A ctid names a row within its partition only, so that a deletion by ctid would take rows of other months.
CREATE FUNCTION refuse_ctid() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows of % are not deleted by ctid, because it has partitions', TG_TABLE_NAME;
END $$;
CREATE TRIGGER "event_not_by_ctid" BEFORE DELETE ON "event"
  FOR EACH STATEMENT WHEN (current_query() ~ '\mctid\M') EXECUTE FUNCTION refuse_ctid();

-- Grants the rights on a table to the users of another one: on a new month to those of "event_rest".
CREATE FUNCTION take_over_rights(old regclass, new regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  given record;
BEGIN
  FOR given IN SELECT a.grantee, a.privilege_type, a.is_grantable FROM pg_class c, aclexplode(c.relacl) a
    WHERE c.oid = old AND a.grantee <> c.relowner
  LOOP
    EXECUTE format('GRANT %s ON %s TO %s%s', given.privilege_type, new,
      CASE given.grantee WHEN 0 THEN 'PUBLIC' ELSE given.grantee::regrole::text END,
      CASE WHEN given.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END);
  END LOOP;
END $$;

-- The first line of a migration that contracts: it must not remove what a backfill still reads.
CREATE FUNCTION require_backfill(wanted text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM backfill WHERE name = wanted AND finished_at IS NOT NULL) THEN
    RAISE EXCEPTION 'the backfill % has not finished: keep the version before running until it has', wanted;
  END IF;
END $$;

-- A fact of the statistics, as the triggers pass it on.
CREATE TYPE "statistic_fact" AS (
    "partner_id" UUID,
    "environment" "Environment",
    "metric" TEXT,
    "key" TEXT[],
    "occurred_at" TIMESTAMPTZ(3),
    "amount" BIGINT
);

-- Every version since this one can work with this schema.
INSERT INTO "schema_compatibility" ("compatible_from") VALUES ('20261128230000_first');
