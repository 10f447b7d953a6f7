export const earningsTexts = {
  title: 'Earnings',
  description: 'Your share of the entry fees of sessions.',
  total: 'Earned points',
  sessions: 'Sessions',
  time: 'Time',
  game: 'Game',
  points: 'Points',
  balance: 'Balance after',
  pool: 'Prize pool',
  toGames: 'Go to your games',
  empty: 'Your games have not earned anything yet.',
} as const
