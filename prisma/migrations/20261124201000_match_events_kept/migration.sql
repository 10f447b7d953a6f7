-- The number of the oldest event of a match that is kept.
ALTER TABLE "arena_match" ADD COLUMN "logged_from" INTEGER NOT NULL DEFAULT 1;

-- One job deletes old rows of all tables. Older nodes of a deployment note theirs again.
DELETE FROM "job_run" WHERE "name" IN ('forget-hours', 'forget-segment-moves', 'forget-audit-log', 'forget-audience',
  'forget-moves', 'forget-events', 'forget-tries', 'forget-idempotent-answers');
