-- AlterTable
ALTER TABLE "end_user" ADD COLUMN     "archived_entries" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "ledger_checkpoint" (
    "user_id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "entries" INTEGER NOT NULL,
    "points" BIGINT NOT NULL,
    "earned" BIGINT NOT NULL,
    "sha256" BYTEA NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ledger_checkpoint_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "archived_account" (
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "account" TEXT NOT NULL,
    "event_type" TEXT NOT NULL,
    "entries" BIGINT NOT NULL,
    "with_reference" BIGINT NOT NULL,
    "received" BIGINT NOT NULL,
    "given" BIGINT NOT NULL,

    CONSTRAINT "archived_account_pkey" PRIMARY KEY ("partner_id","environment","account","event_type")
);

-- CreateTable
CREATE TABLE "archived_reference" (
    "partner_id" UUID NOT NULL,
    "hash" UUID NOT NULL,

    CONSTRAINT "archived_reference_pkey" PRIMARY KEY ("partner_id","hash")
);

-- CreateIndex
CREATE INDEX "ledger_checkpoint_partner_id_idx" ON "ledger_checkpoint"("partner_id");

-- What was made by hand stays when its entry is archived. `tessera audit` checks the others.
ALTER TABLE "ledger_correction" DROP CONSTRAINT "ledger_correction_entry_id_fkey";

ALTER TABLE "ledger_checkpoint" ADD CONSTRAINT "ledger_checkpoint_of_entries"
  CHECK ("entries" > 0 AND "points" >= 0 AND octet_length("sha256") = 32);
