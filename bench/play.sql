-- One play as one statement. The wheel is turned here; what it stops at is read from the mechanic.
\set user random(1, :users)
\set drawn random(0, 99)
\set line case when :drawn < 2 then 0 when :drawn < 10 then 1 when :drawn < 25 then 2 when :drawn < 60 then 3 else 4 end
\set segment random(0, 11)
\set angle random(1, 2999)
\set unique random(1, 9007199254740991)
WITH wheel AS MATERIALIZED (
  SELECT m.points_to_unlock AS spent, w.*,
    CASE WHEN w.type = 'points' THEN w.value ELSE 0 END AS credited,
    CASE WHEN w.value > 0 THEN 1 ELSE 0 END AS won
  FROM game_mechanic m, json_to_record(m.rewards -> :line::int)
    AS w (tier "RewardTier", type "RewardType", value int, label text)
  WHERE m.partner_id = :partner::uuid AND m.environment = 'TEST' AND m.game_type = 'NEON_WHEEL'
    AND m.status = 'ACTIVE'
), wallet AS (
  UPDATE end_user u SET balance = u.balance - w.spent + w.credited,
    lifetime_points = u.lifetime_points + w.credited, games_played = u.games_played + 1,
    rewards_won = u.rewards_won + w.won,
    entries = u.entries + CASE WHEN w.credited > 0 THEN 2 ELSE 1 END,
    score = u.score + w.credited + w.won + 10, score_reached_at = now()
  FROM wheel w
  WHERE u.partner_id = :partner::uuid AND u.environment = 'TEST'
    AND u.external_id = 'user-' || :user::int AND u.balance >= w.spent
  RETURNING u.id AS user_id, u.partner_id, u.environment, u.external_id, u.games_played, u.entries,
    u.balance, w.*
), played AS MATERIALIZED (
  SELECT i.id, now() AS at, json_build_object('playId', i.id, 'gameType', 'NEON_WHEEL') AS fact,
    json_build_object('winningSegment', :segment::int,
      'spinAngle', :segment::int * 30 + :angle::int / 100.0) AS outcome, w.*
  FROM wallet w, (SELECT (lpad(to_hex((date_part('epoch', now()) * 1000)::bigint), 12, '0')
    || '7000' || lpad(to_hex(:unique::bigint), 16, '0'))::uuid AS id) i
), play AS (
  INSERT INTO play (id, partner_id, environment, user_id, play_no, game_type, points_spent, outcome,
    reward_tier, reward_type, reward_value, reward_label, played_at)
  SELECT id, partner_id, environment, user_id, games_played, 'NEON_WHEEL', spent, outcome, tier,
    type, value, label, at FROM played
), ledger AS (
  INSERT INTO ledger_entry (id, partner_id, environment, user_id, entry_no, event_type, points,
    balance_after, account, source_id, metadata, created_at)
  SELECT id, partner_id, environment, user_id, entries - CASE WHEN credited > 0 THEN 1 ELSE 0 END,
    'game_play', -spent, balance - credited, 'games', id::text, fact, at FROM played
  UNION ALL
  SELECT overlay(id::text PLACING '7001' FROM 15)::uuid, partner_id, environment, user_id, entries,
    'game_reward', credited, balance, 'games', id::text, fact, at FROM played WHERE credited > 0
), activity AS (
  INSERT INTO user_activity (id, partner_id, environment, user_id, category, event_type, source_id,
    points, metadata, occurred_at)
  SELECT id, partner_id, environment, user_id, 'GAME_PLAY', 'game_play', id::text, credited - spent,
    json_build_object('gameType', 'NEON_WHEEL', 'rewardTier', tier, 'rewardType', type,
      'rewardValue', value, 'rewardLabel', label), at FROM played
), event AS (
  INSERT INTO event (id, partner_id, environment, type, data, occurred_at)
  SELECT id, partner_id, environment, 'game.played', json_build_object('playId', id,
    'gameType', 'NEON_WHEEL', 'userId', external_id, 'pointsSpent', spent,
    'userBalance', balance - credited, 'outcome', outcome,
    'reward', json_build_object('tier', tier, 'type', type, 'value', value, 'label', label),
    'environment', environment, 'playedAt', at), at
  FROM played
)
SELECT id, external_id, spent, balance - credited, outcome, tier, type, value, label, at FROM played;
