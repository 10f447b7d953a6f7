export const ledgerTexts = {
  title: 'Ledger',
  description: 'All points that users received and spent. Entries are never changed or deleted.',
  time: 'Time',
  user: 'User',
  event: 'Event type',
  entryName: (event: string, points: string) => `${event} ${points}`,
  source: 'From',
  points: 'Points',
  balanceAfter: 'Balance after',
  reference: 'Reference',
  searchUser: 'User ID',
  searchReference: 'Reference',
  direction: 'Direction',
  directions: { RECEIVED: 'Received', SPENT: 'Spent' },
  pointsHint: (days: string) => `Received and spent points are shown for the last ${days} days.`,
  reverse: 'Reverse',
  reverseTitle: (points: string, event: string) => `Reverse ${points} points of ${event}`,
  reverseExplanation: (points: string, user: string, before: string, after: string) =>
    `Adds an entry of ${points} points. The balance of ${user} changes from ${before} to ${after}.`,
  reverseLimits:
    'Only the points are reversed, not the play, offer or campaign event behind them. A reversal cannot be undone.',
  reverseReason: 'Reason',
  reverseReasonHint: 'Saved with the new entry.',
  reversed: 'Entry reversed.',
  isReversed: 'Reversed',
  reversedBy: (reason: string) => `Reversed: ${reason}`,
  takesBack: (points: string, event: string) => `Takes back ${points} points of ${event}`,
  isFinal: 'A reversal cannot be reversed.',
  notReversible:
    'Points from prize pools and agents also affect other users, so they cannot be reversed.',
  balanceTooLow: (points: string, balance: string) =>
    `The user has only ${balance} points, so ${points} cannot be taken back.`,
  reverseOwed: (points: string) =>
    `${points} of these points have already been spent. They are taken from the next points that the user receives.`,
  empty: 'No points awarded or spent yet.',
} as const

/** What happens to reversals of points that are spent. */
export const pointPolicyTexts = {
  title: 'Reversals of spent points',
  question: 'If you reverse points that the user has spent',
  choices: {
    REFUSE: {
      label: 'Refuse the reversal',
      hint: 'You can reverse them once the user has enough points again.',
    },
    REPAY: {
      label: 'Take what is left, and the rest later',
      hint: 'The balance becomes 0. The rest is taken from the next points that the user receives.',
    },
  },
  saved: 'Saved.',
} as const
