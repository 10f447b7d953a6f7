-- Plays and what they drew, by game, tier and type of reward.
CREATE OR REPLACE FUNCTION facts_of_play(partner_id uuid, environment "Environment", game_type "GameType", points_spent integer,
  reward_tier "RewardTier", reward_type "RewardType", reward_value integer, played_at timestamptz)
RETURNS statistic_fact[] LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT ARRAY[
    (partner_id, environment, 'PLAYS', ARRAY[game_type::text, upper(reward_tier::text), upper(reward_type::text)], played_at, 1),
    (partner_id, environment, 'PLAY_POINTS_SPENT', ARRAY[game_type::text], played_at, points_spent),
    (partner_id, environment, 'REWARD_VALUE', ARRAY[game_type::text, upper(reward_tier::text), upper(reward_type::text)], played_at,
      reward_value)]::statistic_fact[]
$$;

CREATE OR REPLACE FUNCTION count_plays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_statistics(array_agg(fact)) FROM added, unnest(facts_of_play(partner_id, environment, game_type,
    points_spent, reward_tier, reward_type, reward_value, played_at)) fact;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER play_counted AFTER INSERT ON "play"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_plays();
