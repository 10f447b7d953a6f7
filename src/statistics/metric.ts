/** The metrics, and the dimensions that they can be grouped by. */

/** The dimensions for grouping and filtering facts. `node` is the node type whose UUIDs are the values. */
export const dimensions = {
  API_KEY: { node: 'ApiKey', description: 'The API key: its id.' },
  ARENA_GAME: { node: 'ArenaGame', description: "A developer's game: its id." },
  CAMPAIGN: { node: 'Campaign', description: 'The campaign: its id.' },
  CATEGORY: { description: 'The category of the entry of a timeline.' },
  EVENT_TYPE: { description: 'The event type of the partner or of the ledger.' },
  FROM_STAGE: { description: 'The lifecycle stage before; empty for a first stage.' },
  GAME_TYPE: { description: 'The game of chance, or the game of agents.' },
  GOAL: { node: 'Goal', description: 'The goal: its id; empty for a grant that was given.' },
  GRANT_SOURCE: { description: 'Why a user got a reward: `GIVEN` or `GOAL`.' },
  LOTTERY: { node: 'Lottery', description: 'The lottery: its id.' },
  OFFER_TYPE: { description: 'The type of offer.' },
  OUTCOME: { description: '`SUCCEEDED` for a 2xx answer, `FAILED` otherwise.' },
  REWARD: { node: 'Reward', description: 'The reward that was granted: its id.' },
  REWARD_TIER: { description: 'The tier of the reward.' },
  REWARD_TYPE: { description: 'The type of the reward.' },
  TO_STAGE: { description: 'The lifecycle stage after.' },
  WEBHOOK_ENDPOINT: { node: 'WebhookEndpoint', description: 'The webhook endpoint: its id.' },
} as const satisfies Record<string, { node?: string; description: string }>

export type Dimension = keyof typeof dimensions

export const units = {
  CENTS: 'Hundredths of a US dollar.',
  COUNT: 'How many things there were.',
  MILLIPOINTS: 'Thousandths of a point.',
  MILLISECONDS: 'Milliseconds.',
  POINTS: 'Points.',
  WORTH: 'The worth of rewards of all types, added up.',
} as const

type Unit = keyof typeof units

type Declared = {
  description: string
  /** Counted separately for days, weeks and months of UTC, because its buckets cannot be added up. */
  isDistinct?: true
  /** What its values are; COUNT by default. */
  unit?: Unit
  /** Counted for one user only. */
  isOfUser?: true
  /** The name in the database, if it is another one. */
  stored?: string
  /** In the order of the keys that the triggers write. */
  by: readonly Dimension[]
}

export const metrics = {
  ACTIVE_USERS: {
    description:
      'Different users with an activity on their timeline. By days, weeks and months of UTC only: with another time zone, those of the same dates. `total` counts a user once for each bucket.',
    by: [],
    isDistinct: true,
  },
  ACTIVITIES: {
    description:
      'Entries of the timeline of one user, without corrections by hand: `User.statistics` alone has it.',
    by: ['CATEGORY', 'EVENT_TYPE'],
    isOfUser: true,
  },
  API_ERRORS: {
    description:
      'Requests of `API_REQUESTS` that were answered with a status of 400 or more, or with `errors` of GraphQL.',
    by: ['API_KEY'],
  },
  API_REQUESTS: {
    description:
      'Requests with an API key: calls of REST, HTTP requests to GraphQL, operations on WebSockets. At most ten seconds behind; a node that is killed loses the requests of at most ten seconds.',
    by: ['API_KEY'],
  },
  ARENA_MATCHES: {
    description: 'Matches completed in which an agent of the partner played.',
    by: ['GAME_TYPE'],
    stored: 'MATCHES',
  },
  ARENA_SESSIONS: {
    description: 'Sessions completed that the partner opened.',
    by: ['ARENA_GAME'],
    stored: 'SESSIONS',
  },
  CAMPAIGN_EVENTS: {
    description: 'Events that were recorded in campaigns.',
    by: ['CAMPAIGN', 'EVENT_TYPE'],
  },
  CAMPAIGN_PARTICIPANTS: { description: 'Users who joined a campaign.', by: ['CAMPAIGN'] },
  CODE_REDEMPTIONS: { description: 'One-time codes that were redeemed.', by: ['CAMPAIGN'] },
  GOALS_COMPLETED: {
    description:
      'Completions of goals. One that a reversal took back stays counted, and counts again when it is made again.',
    by: ['GOAL'],
  },
  GRANTS_ISSUED: {
    description: 'Grants that users got, also those that were revoked later.',
    by: ['REWARD', 'GRANT_SOURCE', 'GOAL'],
  },
  INSTANT_WINS: { description: 'Prizes of instant wins that were won.', by: ['CAMPAIGN'] },
  INSTANT_WIN_POINTS: {
    description: 'Points of instant wins.',
    by: ['CAMPAIGN'],
    unit: 'POINTS',
  },
  LOTTERY_TICKETS: { description: 'Tickets entered, cancelled ones included.', by: ['LOTTERY'] },
  LOTTERY_WINNINGS: {
    description: 'Winnings of completed draws. It is money: `value` and `total` are in cents.',
    by: ['LOTTERY'],
    unit: 'CENTS',
  },
  NEW_USERS: { description: 'Users seen for the first time.', by: [] },
  OFFERS_CLAIMED: { description: 'Offers that users have claimed.', by: ['OFFER_TYPE'] },
  OFFERS_MADE: { description: 'Offers that were made to users.', by: ['OFFER_TYPE'] },
  PLAYS: {
    description: 'Plays of games of chance.',
    by: ['GAME_TYPE', 'REWARD_TIER', 'REWARD_TYPE'],
  },
  PLAY_EXPECTED_PAYOUT: {
    description:
      'What plays were expected to win, in thousandths of a point: each adds the `expectedPayout` of its `gameVersion`. Compare it with REWARD_VALUE of reward type `POINTS`.',
    by: ['GAME_TYPE'],
    unit: 'MILLIPOINTS',
  },
  PLAY_POINTS_SPENT: {
    description: 'Points spent on plays.',
    by: ['GAME_TYPE'],
    unit: 'POINTS',
  },
  POINTS_GRANTED: {
    description:
      'Points that grants paid; they are part of POINTS_ISSUED. What is taken back from a grant lowers it, when it is taken: not the `shortfall`.',
    by: ['REWARD', 'GRANT_SOURCE', 'GOAL'],
    unit: 'POINTS',
  },
  POINTS_ISSUED: {
    description:
      'Points added to wallets. Corrections by hand raise or lower it, as event types `adjustment` and `reversal`.',
    by: ['EVENT_TYPE'],
    unit: 'POINTS',
  },
  POINTS_SPENT: {
    description: 'Points taken from wallets, without corrections by hand.',
    by: ['EVENT_TYPE'],
    unit: 'POINTS',
  },
  PRIZE_POOLS: {
    description: 'Points in the prize pools of completed sessions.',
    by: ['ARENA_GAME'],
    unit: 'POINTS',
  },
  REFERRALS: { description: 'Referrals that were recorded in campaigns.', by: ['CAMPAIGN'] },
  REWARD_VALUE: {
    description:
      'Worth of the rewards drawn by plays. The payout in points is that of reward type `POINTS`.',
    by: ['GAME_TYPE', 'REWARD_TIER', 'REWARD_TYPE'],
    unit: 'WORTH',
  },
  STAGE_CHANGES: {
    description: 'Moves of users between lifecycle stages.',
    by: ['TO_STAGE', 'FROM_STAGE'],
  },
  WEBHOOK_ATTEMPTS: {
    description: 'Attempts to deliver to webhook endpoints.',
    by: ['WEBHOOK_ENDPOINT', 'OUTCOME'],
  },
  WEBHOOK_ATTEMPT_MS: {
    description: 'Milliseconds that these attempts took, added up.',
    by: ['WEBHOOK_ENDPOINT', 'OUTCOME'],
    unit: 'MILLISECONDS',
  },
} as const satisfies Record<string, Declared>

export type Metric = keyof typeof metrics

/** The metrics of one user, which are counted from facts. */
export const userMetrics: readonly Metric[] = [
  'POINTS_ISSUED',
  'POINTS_SPENT',
  'PLAYS',
  'PLAY_POINTS_SPENT',
  'REWARD_VALUE',
  'ACTIVITIES',
]

/** Whether there is a metric of one user, or of all of them. */
export const isCounted = (metric: Metric, ofUser: boolean): boolean =>
  ofUser ? userMetrics.includes(metric) : !('isOfUser' in metrics[metric])

/** Whether the buckets of a metric cannot be added up. */
export const isDistinct = (metric: Metric): boolean => 'isDistinct' in metrics[metric]

/** The name of a metric in the database. */
export const storedName = (metric: Metric): string => (metrics[metric] as Declared).stored ?? metric

/** What the values of a metric are. */
export const unitOf = (metric: Metric): Unit => (metrics[metric] as Declared).unit ?? 'COUNT'

/** Whether the values of a metric are cents. */
export const isMoney = (metric: Metric): boolean => unitOf(metric) === 'CENTS'

/** The position of a dimension in the keys of a metric, from 1 as in SQL; 0 if it has no such dimension. */
export const placeOf = (metric: Metric, dimension: Dimension): number =>
  (metrics[metric].by as readonly Dimension[]).indexOf(dimension) + 1
