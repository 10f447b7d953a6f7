-- CreateEnum
CREATE TYPE "PartnerMove" AS ENUM ('LEAVING', 'HELD', 'ARRIVING', 'MOVED');

-- AlterTable
ALTER TABLE "partner" ADD COLUMN     "cell" TEXT,
ADD COLUMN     "move" "PartnerMove";

-- CreateIndex
CREATE INDEX "partner_move_idx" ON "partner"("move");
