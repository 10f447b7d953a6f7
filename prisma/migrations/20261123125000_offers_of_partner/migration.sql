-- CreateIndex
CREATE INDEX "offer_partner_id_environment_id_idx" ON "offer"("partner_id", "environment", "id");
