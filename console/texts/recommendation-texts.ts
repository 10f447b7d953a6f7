import type { RecommendationType } from '../generated/types.ts'

export const recommendationTexts = {
  label: 'Recommendation',
  none: 'None',
} as const

export const recommendationNames: Record<RecommendationType, string> = {
  SPIN_TO_WIN: 'Spin to win',
  FIRST_ACTION_REWARD: 'First action reward',
  DAILY_STREAK: 'Daily streak',
  REFERRAL: 'Referral',
  LEADERBOARD_CHALLENGE: 'Leaderboard challenge',
  AMBASSADOR: 'Ambassador',
  VIP_REWARDS: 'VIP rewards',
  INSTANT_WIN: 'Instant win',
  WIN_BACK: 'Win-back',
  FRESH_START: 'Fresh start',
}
