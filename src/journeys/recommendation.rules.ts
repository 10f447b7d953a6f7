/** What to offer a user next, by stage (interface: Recommendations by segment). */
import type { LifecycleStage, RecommendationType } from '../generated/prisma/enums.ts'

export type Recommendation = {
  type: RecommendationType
  name: string
  reason: string
  priority: 'high' | 'medium' | 'low'
}

const recommendations: Record<LifecycleStage, [Recommendation, Recommendation]> = {
  new: [
    {
      type: 'spin_to_win',
      name: 'Welcome Bonus Spin',
      reason: 'Users who win in their first days come back more often',
      priority: 'high',
    },
    {
      type: 'first_action_reward',
      name: 'First Action Reward',
      reason: 'A reward for the first action turns visitors into users',
      priority: 'medium',
    },
  ],
  active: [
    {
      type: 'daily_streak',
      name: 'Daily Streak Challenge',
      reason: 'A streak turns regular visits into a daily habit',
      priority: 'high',
    },
    {
      type: 'spin_to_win',
      name: 'Daily Spin',
      reason: 'A daily spin gives users a reason to return',
      priority: 'medium',
    },
  ],
  engaged: [
    {
      type: 'referral',
      name: 'Referral Program',
      reason: 'Engaged users are the most likely to invite friends',
      priority: 'high',
    },
    {
      type: 'leaderboard_challenge',
      name: 'Weekly Leaderboard',
      reason: 'Frequent players like to compare their scores',
      priority: 'medium',
    },
  ],
  power_user: [
    {
      type: 'ambassador',
      name: 'Ambassador Program',
      reason: 'Power users recommend you to others',
      priority: 'high',
    },
    {
      type: 'vip_rewards',
      name: 'VIP Exclusive Rewards',
      reason: 'Exclusive rewards keep your most loyal users',
      priority: 'high',
    },
  ],
  at_risk: [
    {
      type: 'daily_streak',
      name: 'Re-engagement Streak',
      reason: 'Small daily steps bring back users who have been away',
      priority: 'high',
    },
    {
      type: 'instant_win',
      name: 'Win-back Instant Prize',
      reason: 'An instant prize is a reason to open the app again',
      priority: 'high',
    },
  ],
  churned: [
    {
      type: 'win_back',
      name: 'Win-back Reward',
      reason: 'A reward is the best way to win back users who left',
      priority: 'high',
    },
    {
      type: 'fresh_start',
      name: 'Fresh Start Bonus',
      reason: 'A bonus gives returning users a fresh start',
      priority: 'medium',
    },
  ],
}

/** Two for each stage, the more urgent first. */
export const recommend = (stage: LifecycleStage): Recommendation[] => recommendations[stage]
