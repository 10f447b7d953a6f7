-- DropIndex
DROP INDEX "partner_move_idx";

-- AlterTable
ALTER TABLE "partner" DROP COLUMN "cell",
DROP COLUMN "move";

-- DropTable
DROP TABLE "copied_table";

-- DropTable
DROP TABLE "written_row";

-- DropEnum
DROP TYPE "PartnerMove";

-- No trigger uses them any more.
DROP FUNCTION IF EXISTS "refuse_moved_partner"();
DROP FUNCTION IF EXISTS "note_written_row"();
DELETE FROM "applied_trigger" WHERE name IN ('function refuse_moved_partner', 'function note_written_row');

-- Earlier versions read the columns that are gone.
UPDATE "schema_compatibility" SET "compatible_from" = '20261128220302_stay_in_a_cell';
