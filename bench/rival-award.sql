-- One award to an existing user, as one statement: what a careful engineer would write without a service in between.
\set user random(1, :users)
\set reference random(1, 9007199254740991)
WITH wallet AS (
  UPDATE users u SET balance = u.balance + r.points, lifetime_points = u.lifetime_points + r.points,
    score = u.score + r.points
  FROM reward_rule r
  WHERE r.tenant_id = :tenant::uuid AND r.event_type = 'purchase'
    AND u.tenant_id = :tenant::uuid AND u.external_id = 'user-' || :user::int
  RETURNING u.id AS user_id, u.external_id, u.balance, r.event_type, r.points
), posted AS MATERIALIZED (
  -- Ids are in the order of time, so that they are appended to their index.
  SELECT (lpad(to_hex((date_part('epoch', now()) * 1000)::bigint), 12, '0') || '7000'
    || lpad(to_hex(:reference::bigint), 16, '0'))::uuid AS id,
    'p-' || :reference::bigint AS reference, now() AS at, *
  FROM wallet
), ledger AS (
  INSERT INTO ledger (id, tenant_id, user_id, event_type, points, balance_after, reference, created_at)
  SELECT id, :tenant::uuid, user_id, event_type, points, balance, reference, at FROM posted
), timeline AS (
  INSERT INTO timeline (id, tenant_id, user_id, category, event_type, source_id, points, occurred_at)
  SELECT id, :tenant::uuid, user_id, 'POINTS', event_type, id::text, points, at FROM posted
), outbox AS (
  INSERT INTO outbox (tenant_id, type, data, occurred_at)
  SELECT :tenant::uuid, 'points.awarded', json_build_object('ledgerId', id, 'userId', external_id,
    'eventType', event_type, 'pointsAwarded', points, 'userBalance', balance, 'reference', reference,
    'createdAt', at), at
  FROM posted
)
SELECT id, external_id, event_type, points, balance, reference, at FROM posted;
