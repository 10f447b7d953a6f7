-- What autovacuum looks after is set by how a table changes, not by how large it has become: with the default of
-- a fifth, a table of ten million rows is vacuumed after two million dead ones. None of this rewrites a table.

-- Changed by every award and play, and an index changes with it (score, due date): dead rows come at the rate of
-- requests. Vacuumed at 2 %, so that each run is short, and analysed as its statistics move.
ALTER TABLE "end_user" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
ALTER TABLE "user_profile" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
ALTER TABLE "campaign_participant" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
ALTER TABLE "user_hour" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);

-- Few rows that are changed all the time, in no indexed column. Room in the page lets a change stay there, and the
-- next one clean up after it.
ALTER TABLE "counter" SET (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
ALTER TABLE "point_account" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
ALTER TABLE "lottery_account" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
ALTER TABLE "throttle" SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
ALTER TABLE "job_run" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- A queue: a row is added, changed when it has been sent, and deleted after 30 days. The sender reads an index of
-- what waits, which is full of dead entries until they are vacuumed.
ALTER TABLE "webhook_delivery" SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

-- Answers are kept for a day: each row is added, filled in once, and deleted.
ALTER TABLE "idempotent_request" SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

-- Only added to. New pages are vacuumed 2 % at a time, so that index-only scans need not look at them and freezing
-- is done as it comes, not for the whole table at once.
ALTER TABLE "ledger_entry" SET (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE "user_activity" SET (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE "play" SET (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE "event" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02);
