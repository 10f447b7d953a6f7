-- Matches that are scheduled or played, by the owner of each agent: few, in a table that keeps all that ever were.
CREATE INDEX "arena_match_open_of_partner1" ON "arena_match" ("partner1_id") WHERE "due_at" IS NOT NULL;
CREATE INDEX "arena_match_open_of_partner2" ON "arena_match" ("partner2_id") WHERE "due_at" IS NOT NULL;
