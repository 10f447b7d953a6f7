-- Reversals of points that are spent: what could not be taken is taken once there are points again.
CREATE TYPE "ShortfallPolicy" AS ENUM ('REFUSE', 'REPAY');

CREATE TABLE "point_policy" (
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "on_shortfall" "ShortfallPolicy" NOT NULL DEFAULT 'REFUSE',
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "point_policy_pkey" PRIMARY KEY ("partner_id","environment")
);

ALTER TABLE "end_user" ADD COLUMN "shortfall" BIGINT NOT NULL DEFAULT 0,
    ADD CONSTRAINT "end_user_shortfall" CHECK ("shortfall" >= 0);
CREATE INDEX "end_user_shortfall_idx" ON "end_user"("id") WHERE "shortfall" > 0;

ALTER TABLE "ledger_correction" ADD COLUMN "shortfall" INTEGER NOT NULL DEFAULT 0,
    ADD CONSTRAINT "ledger_correction_shortfall" CHECK ("shortfall" >= 0);
