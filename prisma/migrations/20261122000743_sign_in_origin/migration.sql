-- AlterTable
ALTER TABLE "sign_in" ADD COLUMN     "origin" TEXT;

-- CreateIndex
CREATE INDEX "sign_in_origin_idx" ON "sign_in"("origin");
