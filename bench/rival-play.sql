-- One play as one statement. The wheel is turned here; the prize is read from the table of prizes.
\set user random(1, :users)
\set drawn random(0, 99)
\set place case when :drawn < 2 then 0 when :drawn < 10 then 1 when :drawn < 25 then 2 when :drawn < 60 then 3 else 4 end
\set segment random(0, 11)
\set unique random(1, 9007199254740991)
WITH wallet AS (
  UPDATE users u SET balance = u.balance - p.cost + p.points,
    lifetime_points = u.lifetime_points + p.points, games_played = u.games_played + 1,
    score = u.score + p.points + 10
  FROM prize p
  WHERE p.tenant_id = :tenant::uuid AND p.place = :place
    AND u.tenant_id = :tenant::uuid AND u.external_id = 'user-' || :user::int AND u.balance >= p.cost
  RETURNING u.id AS user_id, u.external_id, u.balance, p.cost, p.points, p.tier
), played AS MATERIALIZED (
  SELECT (lpad(to_hex((date_part('epoch', now()) * 1000)::bigint), 12, '0') || '7000'
      || lpad(to_hex(:unique::bigint), 16, '0'))::uuid AS id, now() AS at,
    json_build_object('gameType', 'NEON_WHEEL', 'winningSegment', :segment::int, 'tier', tier,
      'points', points) AS outcome, *
  FROM wallet
), ledger AS (
  INSERT INTO ledger (id, tenant_id, user_id, event_type, points, balance_after, created_at)
  SELECT id, :tenant::uuid, user_id, 'game_play', -cost, balance - points, at FROM played
  UNION ALL
  SELECT overlay(id::text PLACING '7001' FROM 15)::uuid, :tenant::uuid, user_id, 'game_reward', points,
    balance, at FROM played WHERE points > 0
), timeline AS (
  INSERT INTO timeline (id, tenant_id, user_id, category, event_type, source_id, points, metadata, occurred_at)
  SELECT id, :tenant::uuid, user_id, 'GAME_PLAY', 'game_play', id::text, points - cost, outcome, at
  FROM played
), outbox AS (
  INSERT INTO outbox (tenant_id, type, data, occurred_at)
  SELECT :tenant::uuid, 'game.played', json_build_object('playId', id, 'userId', external_id,
    'pointsSpent', cost, 'userBalance', balance - points, 'outcome', outcome, 'playedAt', at), at
  FROM played
)
SELECT id, external_id, cost, balance - points AS balance, outcome, at FROM played;
