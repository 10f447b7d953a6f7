-- The tickets of a user, by the partner's id or, without one, by the e-mail address.
CREATE INDEX "lottery_ticket_holder" ON "lottery_ticket" ("partner_id", "environment", (coalesce("external_user_id", lower("email"))));
