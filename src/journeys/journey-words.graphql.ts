/** The enums of user journeys. */
import { enumType, inUpperCase } from '../kit/schema/input.ts'

const upperCase = { nameOf: inUpperCase }

export const LifecycleStageRef = enumType(
  'LifecycleStage',
  'The lifecycle stage of a user, by activity. The numbers are the defaults; see `ClassificationRules`.',
  {
    new: 'By default: first seen within the last 7 days, with 3 events or fewer.',
    active: 'By default: seen in the last 14 days, and in no other stage.',
    engaged: 'By default: 10 plays or more in 30 days, and a campaign joined.',
    power_user: 'By default: 30 plays or more in 30 days, and an engagement score of 70 or more.',
    at_risk: 'By default: last seen 14 to 30 days ago.',
    churned: 'By default: last seen more than 30 days ago.',
  },
  upperCase,
)

export const EngagementTierRef = enumType(
  'EngagementTier',
  'How much a user plays. The numbers are the defaults; see `ClassificationRules`.',
  {
    casual: 'By default: fewer than 5 plays in 30 days.',
    regular: 'By default: 5 plays or more in 30 days.',
    power_user: 'By default: 15 plays or more in 30 days.',
    whale: 'By default: more than 50 plays in 30 days.',
  },
  upperCase,
)

export const DeviceRef = enumType(
  'Device',
  "The type of a user's device.",
  {
    mobile: 'A phone.',
    desktop: 'A computer.',
    tablet: 'A tablet.',
  },
  upperCase,
)

export const ActivityCategoryRef = enumType('ActivityCategory', 'The kind of an activity.', {
  GAME_PLAY: 'A play of a game. Plays write it automatically.',
  CAMPAIGN: 'Something in a campaign. Campaigns write it automatically.',
  POINTS: 'Points awarded or deducted. Awards write it automatically.',
  PAGE_VIEW: 'A view of a page.',
  SESSION: 'A session start or end.',
  CUSTOM: 'Anything the partner defines.',
})

export const OfferTypeRef = enumType(
  'OfferType',
  'The kind of offer.',
  {
    welcome_free_play: 'A free play for a new user.',
    welcome_bonus: 'A bonus for a new user.',
    win_back_play: 'A free play to win back a user.',
    return_bonus: 'A bonus for a user who returns.',
    retention_play: 'A free play to retain a user.',
    vip_play: 'A play for VIP users.',
    multiplier_bonus: 'A bonus that multiplies rewards.',
    daily_free_spin: 'A free daily spin.',
  },
  upperCase,
)

export const OfferStatusRef = enumType(
  'OfferStatus',
  'The status of an offer.',
  {
    active: 'It can be claimed.',
    claimed: 'The user has claimed it.',
    expired: 'It was not claimed in time.',
    cancelled: 'Its partner cancelled it.',
  },
  upperCase,
)

export const SegmentChangeKindRef = enumType(
  'SegmentChangeKind',
  "How a user's membership in a segment changed.",
  {
    entered: 'The user now matches the filter.',
    left: 'The user no longer matches the filter.',
  },
  upperCase,
)

export const RecommendationTypeRef = enumType(
  'RecommendationType',
  'The kind of a recommendation.',
  {
    spin_to_win: 'A spin of a wheel.',
    first_action_reward: 'A reward for the first action.',
    daily_streak: 'A reward for daily visits.',
    referral: 'A reward for referring others.',
    leaderboard_challenge: 'A competition with other users.',
    ambassador: 'A role as an ambassador of your brand.',
    vip_rewards: 'Exclusive rewards.',
    instant_win: 'An instant win.',
    win_back: 'A reward for returning.',
    fresh_start: 'A bonus to start over.',
  },
  upperCase,
)

export const RecommendationPriorityRef = enumType(
  'RecommendationPriority',
  'How urgent a recommendation is.',
  {
    high: 'The most urgent of the three.',
    medium: 'Less urgent than HIGH, more than LOW.',
    low: 'The least urgent of the three.',
  },
  upperCase,
)
