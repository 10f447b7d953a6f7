-- One award as one statement: what a careful hand would write without a service in between.
\set user random(1, :users)
\set reference random(1, 9007199254740991)
WITH wallet AS (
  UPDATE end_user u SET balance = u.balance + r.points,
    lifetime_points = u.lifetime_points + r.points, entries = u.entries + 1,
    score = u.score + r.points, score_reached_at = now()
  FROM reward_rule r
  WHERE r.partner_id = :partner::uuid AND r.environment = 'TEST' AND r.event_type = 'purchase'
    AND u.partner_id = :partner::uuid AND u.environment = 'TEST'
    AND u.external_id = 'user-' || :user::int
  RETURNING u.id AS user_id, u.partner_id, u.environment, u.external_id, u.balance, u.entries,
    r.event_type, r.points
), posted AS MATERIALIZED (
  -- In the order of time, as the service's own ids are.
  SELECT (lpad(to_hex((date_part('epoch', now()) * 1000)::bigint), 12, '0') || '7000'
    || lpad(to_hex(:reference::bigint), 16, '0'))::uuid AS id,
    'p-' || :reference::bigint AS reference, now() AS at, *
  FROM wallet
), ledger AS (
  INSERT INTO ledger_entry (id, partner_id, environment, user_id, entry_no, event_type, points,
    balance_after, account, reference, created_at)
  SELECT id, partner_id, environment, user_id, entries, event_type, points, balance, 'issuance',
    reference, at FROM posted
), activity AS (
  INSERT INTO user_activity (id, partner_id, environment, user_id, category, event_type, source_id,
    points, occurred_at)
  SELECT id, partner_id, environment, user_id, 'POINTS', event_type, id::text, points, at
  FROM posted
), event AS (
  INSERT INTO event (id, partner_id, environment, type, data, occurred_at)
  SELECT id, partner_id, environment, 'points.awarded', json_build_object('ledgerId', id,
    'userId', external_id, 'eventType', event_type, 'pointsAwarded', points,
    'userBalance', balance, 'reference', reference, 'createdAt', at), at
  FROM posted
)
SELECT id, external_id, event_type, points, balance, reference, at FROM posted;
