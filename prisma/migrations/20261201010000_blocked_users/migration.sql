-- Users who are blocked, with what is on hold until then, and the notes of a team about users.
CREATE TYPE "BlockReason" AS ENUM ('FRAUD', 'ABUSE', 'SELF_EXCLUSION', 'OTHER');

ALTER TABLE "end_user" ADD COLUMN "block_reason" "BlockReason", ADD COLUMN "blocked_until" TIMESTAMPTZ(3);
ALTER TABLE "campaign_participant" ADD COLUMN "hidden_until" TIMESTAMPTZ(3);
ALTER TABLE "reward_grant" ADD COLUMN "deferred_until" TIMESTAMPTZ(3);

CREATE INDEX "end_user_blocked" ON "end_user" ("partner_id", "environment", "lifetime_points", "id")
    WHERE "block_reason" IS NOT NULL;
CREATE INDEX "end_user_fraud" ON "end_user" ("partner_id", "environment", "score" DESC, "score_reached_at", "external_id")
    WHERE "block_reason" = 'FRAUD';
CREATE INDEX "campaign_participant_hidden" ON "campaign_participant"
    ("campaign_id", "total_points" DESC, "points_reached_at", "external_id") WHERE "hidden_until" IS NOT NULL;

-- What is deferred is found by its own time.
DROP INDEX "reward_grant_due";
CREATE INDEX "reward_grant_due" ON "reward_grant" ("due_at", "id") WHERE "due_at" IS NOT NULL AND "deferred_until" IS NULL;
CREATE INDEX "reward_grant_deferred" ON "reward_grant" ("deferred_until", "id")
    WHERE "due_at" IS NOT NULL AND "deferred_until" IS NOT NULL;

CREATE TABLE "user_block" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "user_id" UUID NOT NULL,
    "reason" "BlockReason",
    "note" TEXT,
    "blocked_at" TIMESTAMPTZ(3) NOT NULL,
    "until" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "user_block_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "user_block_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "end_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE INDEX "user_block_user_id_blocked_at_idx" ON "user_block"("user_id", "blocked_at" DESC);

CREATE TABLE "user_note" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "user_id" UUID NOT NULL,
    "text" TEXT NOT NULL,
    "member_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "user_note_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "user_note_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "end_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE INDEX "user_note_user_id_id_idx" ON "user_note"("user_id", "id");
