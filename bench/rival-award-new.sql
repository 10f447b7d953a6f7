-- One award that creates its user, as one statement.
\set user random(1, 9007199254740991)
\set reference random(1, 9007199254740991)
WITH wallet AS (
  INSERT INTO users AS u (id, tenant_id, external_id, balance, lifetime_points, score, created_at)
  SELECT gen_random_uuid(), r.tenant_id, 'new-' || :user::bigint, r.points, r.points, r.points, now()
  FROM reward_rule r WHERE r.tenant_id = :tenant::uuid AND r.event_type = 'purchase'
  ON CONFLICT (tenant_id, external_id) DO UPDATE SET balance = u.balance + excluded.balance,
    lifetime_points = u.lifetime_points + excluded.lifetime_points, score = u.score + excluded.score
  RETURNING u.id AS user_id, u.external_id, u.balance, 'purchase' AS event_type
), posted AS MATERIALIZED (
  SELECT (lpad(to_hex((date_part('epoch', now()) * 1000)::bigint), 12, '0') || '7000'
    || lpad(to_hex(:reference::bigint), 16, '0'))::uuid AS id,
    'p-' || :reference::bigint AS reference, now() AS at, r.points, w.*
  FROM wallet w, reward_rule r
  WHERE r.tenant_id = :tenant::uuid AND r.event_type = 'purchase'
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
