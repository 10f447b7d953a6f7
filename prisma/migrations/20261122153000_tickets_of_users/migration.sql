-- The tickets of a holder in the order of their entry. A partner's id that looks like an address is none.
CREATE INDEX "lottery_ticket_of_holder" ON "lottery_ticket" ("partner_id", "environment",
    (coalesce("external_user_id", lower("email"))), ("external_user_id" IS NULL), "id");
DROP INDEX "lottery_ticket_holder";
