-- AlterTable
ALTER TABLE "sign_in" ADD COLUMN     "network" TEXT,
ADD COLUMN     "refreshed_at" TIMESTAMPTZ(3),
ADD COLUMN     "user_agent" TEXT;

-- CreateTable
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

-- CreateIndex
CREATE UNIQUE INDEX "second_factor_member_id_key" ON "second_factor"("member_id");

-- AddForeignKey
ALTER TABLE "second_factor" ADD CONSTRAINT "second_factor_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "member"("id") ON DELETE CASCADE ON UPDATE CASCADE;
