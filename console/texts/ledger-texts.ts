export const ledgerTexts = {
  title: 'Ledger',
  description:
    'Every movement of points of all users. Entries are never changed and never deleted.',
  time: 'Time',
  user: 'User',
  event: 'Event type',
  entryName: (event: string, points: string) => `${event} ${points}`,
  source: 'From',
  points: 'Points',
  balanceAfter: 'Balance after',
  reference: 'Reference',
  searchUser: 'Id of a user',
  searchReference: 'Reference',
  direction: 'In or out',
  directions: { RECEIVED: 'Received', SPENT: 'Spent' },
  pointsHint: (days: string) => `Received and spent points are shown for the last ${days} days.`,
  reverse: 'Reverse',
  reverseTitle: (points: string, event: string) => `Reverse ${points} points of ${event}`,
  reverseExplanation: (points: string, user: string, before: string, after: string) =>
    `This posts an entry of ${points} points. The balance of ${user} goes from ${before} to ${after}.`,
  reverseLimits:
    'What caused the entry stays: a play, a claimed offer, points in a campaign. A reversal cannot be reversed.',
  reverseReason: 'Reason',
  reverseReasonHint: 'It is kept with the new entry.',
  reversed: 'The entry was reversed.',
  isReversed: 'Reversed',
  reversedBy: (reason: string) => `Reversed: ${reason}`,
  takesBack: (points: string, event: string) => `Takes back ${points} points of ${event}`,
  isFinal: 'A reversal is final.',
  notReversible:
    'Points of prize pools and of agents also belong to others. They cannot be taken back.',
  balanceTooLow: (points: string, balance: string) =>
    `The user has ${balance} points. To take ${points} back, the balance is too low.`,
  reverseOwed: (points: string) =>
    `${points} of these points are spent already. The user owes them: they are taken from the next points.`,
  empty: 'No points were awarded or spent yet.',
} as const

/** What happens to reversals of points that are spent. */
export const pointPolicyTexts = {
  title: 'Spent points',
  question: 'If you reverse points that the user has spent',
  choices: {
    REFUSE: {
      label: 'Refuse the reversal',
      hint: 'It can be made once the user has enough points again.',
    },
    REPAY: {
      label: 'Take what is left, and the rest later',
      hint: 'The balance becomes 0. The rest is taken from the next points that the user gets.',
    },
  },
  saved: 'Saved.',
} as const
