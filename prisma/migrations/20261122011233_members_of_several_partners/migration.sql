-- DropIndex
DROP INDEX "member_email_key";

-- DropIndex
DROP INDEX "member_partner_id_idx";

-- CreateIndex
CREATE INDEX "member_email_idx" ON "member"("email");

-- CreateIndex
CREATE UNIQUE INDEX "member_partner_id_email_key" ON "member"("partner_id", "email");
