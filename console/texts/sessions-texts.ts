export const sessionsTexts = {
  title: 'Sessions',
  description:
    'Who plays your games in the arena, and for how much. Partners open sessions for their users.',
  game: 'Game',
  status: 'Status',
  empty: 'Nobody has opened a session of your games yet.',
  toGames: 'Go to your games',
} as const
