export const sessionsTexts = {
  title: 'Sessions',
  description: 'Sessions of your arena games, which partners open for their users.',
  game: 'Game',
  status: 'Status',
  empty: 'No sessions of your games yet.',
  toGames: 'Go to your games',
} as const
