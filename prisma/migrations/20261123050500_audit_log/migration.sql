-- CreateEnum
CREATE TYPE "AuditActorKind" AS ENUM ('MEMBER', 'KEY', 'OPERATOR', 'UNKNOWN');

-- CreateTable
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

-- CreateIndex
CREATE INDEX "audit_entry_partner_id_at_id_idx" ON "audit_entry"("partner_id", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_entry_partner_id_actor_id_at_id_idx" ON "audit_entry"("partner_id", "actor_id", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_entry_partner_id_target_id_at_id_idx" ON "audit_entry"("partner_id", "target_id", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_entry_partner_id_action_at_id_idx" ON "audit_entry"("partner_id", "action", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_entry_at_id_idx" ON "audit_entry"("at", "id");
