-- Outside a transaction
-- Existing entries get their facts in batches, found by this index, which new entries are never in.
DROP INDEX CONCURRENTLY IF EXISTS "user_activity_unrecorded";
CREATE INDEX CONCURRENTLY "user_activity_unrecorded" ON "user_activity" ("id") WHERE "recorded_at" IS NULL;

-- What can be known of them: awards, plays, campaigns, session prizes and claims that paid are the server's own entries,
-- which have "earned"; what a secret key or a member sent has none, and its metadata is not public. Claims without
-- points cannot be told from what a public key sent. An id of version 7 says when an entry was written.
INSERT INTO "backfill" ("name", "expected", "statement", "finished_at")
SELECT 'facts', greatest((SELECT reltuples FROM pg_class WHERE oid = 'user_activity'::regclass), 0),
$$UPDATE user_activity a SET fact = f.fact, reverses_id = f.reverses_id, recorded_at = f.recorded_at
FROM (
  SELECT o.id, (CASE
      WHEN o.is_correction THEN NULL
      WHEN o.earned IS NULL THEN CASE WHEN NOT o.metadata_is_public THEN 'ACTIVITY' END
      WHEN o.category = 'GAME_PLAY' THEN CASE WHEN o.won THEN 'GAME_WON' WHEN o.earned > o.points THEN 'GAME_PLAYED' END
      WHEN o.category = 'POINTS' THEN CASE WHEN l.account = 'issuance' THEN 'POINTS_AWARDED'
        WHEN o.event_type = 'session_prize' AND l.id IS NULL THEN 'SESSION_WON' END
      WHEN o.category = 'CAMPAIGN' THEN CASE WHEN e.id IS NOT NULL THEN 'CAMPAIGN_EVENT'
        WHEN r.id IS NOT NULL THEN 'REFERRAL_MADE'
        WHEN o.event_type IN ('code_redeemed', 'instant_win_redeemed') THEN 'CODE_REDEEMED' END
      WHEN o.event_type = 'offer_claimed' THEN 'OFFER_CLAIMED' END)::"Fact" AS fact,
    CASE WHEN reversed.account = 'issuance' THEN reversed.id
      WHEN reversed.account LIKE 'campaign:%' THEN reversed.source_id::uuid END AS reverses_id,
    CASE WHEN o.earned IS NOT NULL OR substr(o.id::text, 15, 1) <> '7' THEN o.occurred_at
      ELSE to_timestamp(('x' || lpad(replace(left(o.id::text, 13), '-', ''), 16, '0'))::bit(64)::bigint / 1000.0)
      END AS recorded_at
  FROM (SELECT * FROM user_activity WHERE recorded_at IS NULL ORDER BY id LIMIT 1000) o
  LEFT JOIN LATERAL (SELECT id, account FROM ledger_entry WHERE id = o.id AND o.category = 'POINTS' LIMIT 1) l ON true
  LEFT JOIN LATERAL (SELECT id FROM campaign_event WHERE id = o.id AND o.category = 'CAMPAIGN' LIMIT 1) e ON true
  LEFT JOIN LATERAL (SELECT id FROM referral WHERE id = o.id AND o.category = 'CAMPAIGN' LIMIT 1) r ON true
  LEFT JOIN LATERAL (SELECT v.id, v.account, v.source_id FROM ledger_correction c
    JOIN ledger_entry v ON v.id = c.reverses_id WHERE c.entry_id = o.id AND o.is_correction LIMIT 1) reversed ON true) f
WHERE a.id = f.id AND a.recorded_at IS NULL$$,
  CASE WHEN NOT EXISTS (SELECT FROM "user_activity") THEN now() END
ON CONFLICT ("name") DO NOTHING;

-- Everybody knows a public key. So its references are apart: it can neither take one of a backend, nor learn its entry.
DROP INDEX CONCURRENTLY IF EXISTS "user_activity_reference_by_sender";
CREATE UNIQUE INDEX CONCURRENTLY "user_activity_reference_by_sender"
    ON "user_activity" ("user_id", "reference", "metadata_is_public") WHERE "reference" IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS "user_activity_reference";
