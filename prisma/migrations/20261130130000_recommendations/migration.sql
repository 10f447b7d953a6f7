-- What a recommendation leads to: a goal, or the offers of a rule.
CREATE TYPE "RecommendationType" AS ENUM ('spin_to_win', 'first_action_reward', 'daily_streak', 'referral',
  'leaderboard_challenge', 'ambassador', 'vip_rewards', 'instant_win', 'win_back', 'fresh_start');
ALTER TABLE "goal" ADD COLUMN "recommendation_type" "RecommendationType";
ALTER TABLE "offer_rule" ADD COLUMN "recommendation_type" "RecommendationType";
