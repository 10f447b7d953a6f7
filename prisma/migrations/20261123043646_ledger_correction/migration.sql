-- CreateTable
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

-- CreateIndex
CREATE UNIQUE INDEX "ledger_correction_reverses_id_key" ON "ledger_correction"("reverses_id");

-- AddForeignKey
ALTER TABLE "ledger_correction" ADD CONSTRAINT "ledger_correction_entry_id_fkey" FOREIGN KEY ("entry_id") REFERENCES "ledger_entry"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "ledger_correction" ADD CONSTRAINT "ledger_correction_by_one" CHECK (num_nonnulls("member_id", "api_key_id") = 1);
