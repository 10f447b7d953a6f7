-- Plays and what they drew, by game, tier and type of reward, and what they were expected to win.
CREATE OR REPLACE FUNCTION facts_of_play(partner_id uuid, environment "Environment", game_type "GameType", points_spent integer,
  reward_tier "RewardTier", reward_type "RewardType", reward_value integer, played_at timestamptz)
RETURNS statistic_fact[] LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT ARRAY[
    (partner_id, environment, 'PLAYS', ARRAY[game_type::text, upper(reward_tier::text), upper(reward_type::text)], played_at, 1),
    (partner_id, environment, 'PLAY_POINTS_SPENT', ARRAY[game_type::text], played_at, points_spent),
    (partner_id, environment, 'REWARD_VALUE', ARRAY[game_type::text, upper(reward_tier::text), upper(reward_type::text)], played_at,
      reward_value)]::statistic_fact[]
$$;

-- The expected payout of a play, by the version of its game.
CREATE OR REPLACE FUNCTION expected_payout_of_play(partner_id uuid, environment "Environment", game_type "GameType",
  version integer, played_at timestamptz)
RETURNS SETOF statistic_fact LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT m.partner_id, m.environment, 'PLAY_EXPECTED_PAYOUT'::text, ARRAY[m.game_type::text], $5, v.expected_payout
  FROM game_mechanic m JOIN game_mechanic_version v ON v.mechanic_id = m.id AND v.version = $4
  WHERE m.partner_id = $1 AND m.environment = $2 AND m.game_type = $3 LIMIT 1
$$;

-- Plays of one statement that drew the same reward from the same version count together.
CREATE OR REPLACE FUNCTION count_plays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_statistics(array_agg(
    (f.partner_id, f.environment, f.metric, f.key, f.occurred_at, f.amount * plays)::statistic_fact))
  FROM (
    SELECT partner_id, environment, game_type, points_spent, reward_tier, reward_type, reward_value, mechanic_version,
      played_at, count(*) AS plays
    FROM added GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9) a,
    LATERAL (
      SELECT * FROM unnest(facts_of_play(a.partner_id, a.environment, a.game_type, a.points_spent, a.reward_tier,
        a.reward_type, a.reward_value, a.played_at))
      UNION ALL
      SELECT * FROM expected_payout_of_play(a.partner_id, a.environment, a.game_type, a.mechanic_version, a.played_at)
    ) f;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER play_counted AFTER INSERT ON "play"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_plays();
