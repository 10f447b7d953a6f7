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
      reason: 'A new user who wins in the first days comes back',
      priority: 'high',
    },
    {
      type: 'first_action_reward',
      name: 'First Action Reward',
      reason: 'The first action makes a visitor a user',
      priority: 'medium',
    },
  ],
  active: [
    {
      type: 'daily_streak',
      name: 'Daily Streak Challenge',
      reason: 'An active user can make a habit of every day',
      priority: 'high',
    },
    {
      type: 'spin_to_win',
      name: 'Daily Spin',
      reason: 'A spin a day is a reason to return',
      priority: 'medium',
    },
  ],
  engaged: [
    {
      type: 'referral',
      name: 'Referral Program',
      reason: 'An engaged user brings friends',
      priority: 'high',
    },
    {
      type: 'leaderboard_challenge',
      name: 'Weekly Leaderboard',
      reason: 'Whoever plays often likes to compare',
      priority: 'medium',
    },
  ],
  power_user: [
    {
      type: 'ambassador',
      name: 'Ambassador Program',
      reason: 'A power user speaks for you',
      priority: 'high',
    },
    {
      type: 'vip_rewards',
      name: 'VIP Exclusive Rewards',
      reason: 'The most loyal users want to be treated so',
      priority: 'high',
    },
  ],
  at_risk: [
    {
      type: 'daily_streak',
      name: 'Re-engagement Streak',
      reason: 'Not seen for two weeks: small steps lead back',
      priority: 'high',
    },
    {
      type: 'instant_win',
      name: 'Win-back Instant Prize',
      reason: 'A prize at once is worth opening the app for',
      priority: 'high',
    },
  ],
  churned: [
    {
      type: 'win_back',
      name: 'Win-back Reward',
      reason: 'Not seen for a month: only a reward brings the user back',
      priority: 'high',
    },
    {
      type: 'fresh_start',
      name: 'Fresh Start Bonus',
      reason: 'Whoever returns should not start at nothing',
      priority: 'medium',
    },
  ],
}

/** Two for each stage, the more urgent first. */
export const recommend = (stage: LifecycleStage): Recommendation[] => recommendations[stage]
