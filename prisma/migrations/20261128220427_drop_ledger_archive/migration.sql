-- AlterTable
ALTER TABLE "end_user" DROP COLUMN "archived_entries";

-- DropTable
DROP TABLE "archived_account";

-- DropTable
DROP TABLE "archived_reference";

-- DropTable
DROP TABLE "highest_archived_reference";

-- DropTable
DROP TABLE "ledger_checkpoint";

-- AddForeignKey
ALTER TABLE "ledger_correction" ADD CONSTRAINT "ledger_correction_entry_id_fkey" FOREIGN KEY ("entry_id") REFERENCES "ledger_entry"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- The trigger "ledger_entry_append_only" refuses all deletions now.
DROP TRIGGER IF EXISTS "ledger_entry_archived" ON "ledger_entry";
DROP FUNCTION IF EXISTS "refuse_unarchived_deletion", "refuse_checkpoint_change", "refuse_lower_reference",
  reference_hash("Environment", text, text);
