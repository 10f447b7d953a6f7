/** The enums of user journeys. */
import { enumType } from '../core/graphql/input.ts'

const upperCase = { upperCase: true }

export const LifecycleStageRef = enumType(
  'LifecycleStage',
  'Where a user stands, by activity.',
  {
    new: 'First seen within 7 days, 3 events or fewer.',
    active: 'Seen lately, with more events.',
    engaged: '10 plays or more in 30 days, and a campaign joined.',
    power_user: '30 plays or more in 30 days, and an engagement score of 70 or more.',
    at_risk: 'Last seen 14 to 30 days ago.',
    churned: 'Last seen more than 30 days ago.',
  },
  upperCase,
)

export const EngagementTierRef = enumType(
  'EngagementTier',
  'How much a user plays.',
  {
    casual: 'Fewer than 5 plays in 30 days.',
    regular: '5 plays or more.',
    power_user: '15 plays or more.',
    whale: 'More than 50 plays.',
  },
  upperCase,
)

export const DeviceRef = enumType(
  'Device',
  "The kind of a user's device.",
  {
    mobile: 'A phone.',
    desktop: 'A computer.',
    tablet: 'A tablet.',
  },
  upperCase,
)

export const ActivityCategoryRef = enumType('ActivityCategory', 'What kind of activity.', {
  GAME_PLAY: 'A play of a game; written by plays themselves.',
  CAMPAIGN: 'Something in a campaign; written by campaigns themselves.',
  POINTS: 'Points awarded or deducted; written by awards themselves.',
  PAGE_VIEW: 'A page view.',
  SESSION: 'A session start or end.',
  CUSTOM: 'Anything the partner defines.',
})

export const OfferTypeRef = enumType(
  'OfferType',
  'What kind of offer.',
  {
    welcome_free_play: 'A free play for a new user.',
    welcome_bonus: 'A bonus for a new user.',
    win_back_play: 'A free play for a user who stays away.',
    return_bonus: 'A bonus for a user who returns.',
    retention_play: 'A free play for a user who might leave.',
    vip_play: 'A play for the best users.',
    multiplier_bonus: 'A bonus that multiplies what is won.',
    daily_free_spin: 'A free spin of the day.',
  },
  upperCase,
)

export const OfferStatusRef = enumType(
  'OfferStatus',
  'What has become of an offer.',
  {
    active: 'It can be claimed.',
    claimed: 'It was claimed.',
    expired: 'Its time ended before it was claimed.',
  },
  upperCase,
)

export const SegmentMoveRef = enumType(
  'SegmentMove',
  "How a user's membership of a segment changed.",
  {
    entered: 'The user now matches the filter.',
    left: 'The user no longer matches the filter.',
  },
  upperCase,
)

export const RecommendationTypeRef = enumType(
  'RecommendationType',
  'What kind of thing to offer.',
  {
    spin_to_win: 'A spin of a wheel.',
    first_action_reward: 'A reward for the first action.',
    daily_streak: 'A reward for coming every day.',
    referral: 'A reward for bringing others.',
    leaderboard_challenge: 'A competition.',
    ambassador: 'A role as an ambassador of your brand.',
    vip_rewards: 'Rewards that others do not get.',
    instant_win: 'A prize that may be won at once.',
    win_back: 'A reward for coming back.',
    fresh_start: 'A bonus for a new start.',
  },
  upperCase,
)

export const RecommendationPriorityRef = enumType(
  'RecommendationPriority',
  'How urgent a recommendation is.',
  {
    high: 'First of all.',
    medium: 'Then.',
    low: 'When there is time.',
  },
  upperCase,
)
