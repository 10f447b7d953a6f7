/** What is counted, and what it can be grouped by. */

/** What facts can be grouped and filtered by, with the node type whose UUIDs are its values. */
export const dimensions = {
  CAMPAIGN: { node: 'Campaign', description: 'The campaign: its id.' },
  ENDPOINT: { node: 'WebhookEndpoint', description: 'The webhook endpoint: its id.' },
  EVENT_TYPE: { description: 'The event type of the partner or of the ledger.' },
  FROM_STAGE: { description: 'The lifecycle stage before; empty for a first stage.' },
  GAME: { node: 'ArenaGame', description: "A developer's game: its id." },
  GAME_TYPE: { description: 'The game of chance, or the game of agents.' },
  LOTTERY: { node: 'Lottery', description: 'The lottery: its id.' },
  OFFER_TYPE: { description: 'The type of offer.' },
  OUTCOME: { description: '`SUCCEEDED` for a 2xx answer, `FAILED` otherwise.' },
  REWARD_TIER: { description: 'The tier of the reward.' },
  REWARD_TYPE: { description: 'The type of the reward.' },
  TO_STAGE: { description: 'The lifecycle stage after.' },
} as const satisfies Record<string, { node?: string; description: string }>

export type Dimension = keyof typeof dimensions

type Declared = {
  description: string
  /** Counted apart for days, weeks and months of UTC, because its buckets cannot be added up. */
  isDistinct?: true
  /** In the order of the keys that the triggers write. */
  by: readonly Dimension[]
}

export const metrics = {
  ACTIVE_USERS: {
    description:
      'Different users with something on their timeline. By days, weeks and months of UTC only, whatever the time zone. `total` counts a user once for each bucket.',
    by: [],
    isDistinct: true,
  },
  CAMPAIGN_EVENTS: { description: 'Events of campaigns.', by: ['CAMPAIGN', 'EVENT_TYPE'] },
  CAMPAIGN_PARTICIPANTS: { description: 'Users who joined a campaign.', by: ['CAMPAIGN'] },
  CODE_REDEMPTIONS: { description: 'One-time codes redeemed.', by: ['CAMPAIGN'] },
  INSTANT_WINS: { description: 'Instant wins.', by: ['CAMPAIGN'] },
  INSTANT_WIN_POINTS: { description: 'Points of instant wins.', by: ['CAMPAIGN'] },
  LOTTERY_TICKETS: { description: 'Tickets entered, cancelled ones included.', by: ['LOTTERY'] },
  LOTTERY_WINNINGS: { description: 'Winnings of completed draws, in cents.', by: ['LOTTERY'] },
  MATCHES: {
    description: 'Matches completed in which an agent of the partner played.',
    by: ['GAME_TYPE'],
  },
  NEW_USERS: { description: 'Users seen for the first time.', by: [] },
  OFFERS_CLAIMED: { description: 'Offers claimed.', by: ['OFFER_TYPE'] },
  OFFERS_MADE: { description: 'Offers made.', by: ['OFFER_TYPE'] },
  PLAYS: {
    description: 'Plays of games of chance.',
    by: ['GAME_TYPE', 'REWARD_TIER', 'REWARD_TYPE'],
  },
  PLAY_POINTS_SPENT: { description: 'Points spent on plays.', by: ['GAME_TYPE'] },
  POINTS_ISSUED: {
    description:
      'Points added to wallets. Reversals of such entries lower it, as event type `reversal`.',
    by: ['EVENT_TYPE'],
  },
  POINTS_SPENT: {
    description:
      'Points taken from wallets. Reversals of such entries lower it, as event type `reversal`.',
    by: ['EVENT_TYPE'],
  },
  PRIZE_POOLS: { description: 'Points in the prize pools of completed sessions.', by: ['GAME'] },
  REFERRALS: { description: 'Referrals completed.', by: ['CAMPAIGN'] },
  REWARD_VALUE: {
    description:
      'Worth of the rewards drawn by plays. The payout in points is that of reward type `POINTS`.',
    by: ['GAME_TYPE', 'REWARD_TIER', 'REWARD_TYPE'],
  },
  SESSIONS: { description: 'Sessions completed that the partner opened.', by: ['GAME'] },
  STAGE_CHANGES: {
    description: 'Moves of users between lifecycle stages.',
    by: ['TO_STAGE', 'FROM_STAGE'],
  },
  WEBHOOK_ATTEMPTS: {
    description: 'Attempts to deliver to webhook endpoints.',
    by: ['ENDPOINT', 'OUTCOME'],
  },
  WEBHOOK_ATTEMPT_MS: {
    description: 'Milliseconds that these attempts took, added up.',
    by: ['ENDPOINT', 'OUTCOME'],
  },
} as const satisfies Record<string, Declared>

export type Metric = keyof typeof metrics

/** Whether the buckets of a metric cannot be added up. */
export const isDistinct = (metric: Metric): boolean => 'isDistinct' in metrics[metric]

/** The place of a dimension in the keys of a metric, from 1 as in SQL; 0 where it has no such dimension. */
export const placeOf = (metric: Metric, dimension: Dimension): number =>
  (metrics[metric].by as readonly Dimension[]).indexOf(dimension) + 1
