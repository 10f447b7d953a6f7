export const settingsTexts = {
  title: 'General',
  description: 'Settings of your company, the same in Test and Live.',
  timeZone: 'Time zone',
  timeZoneHint:
    'The console and your pages for players show times in this time zone, and the console reads what you type in it. Days of charts, of periods and in names of files begin at its midnight.',
  staysHint:
    'Draws, campaigns and everything else that is scheduled stay at the moments they have. Only the clock time that you read changes.',
  label: 'Time zone of your company',
  guide: 'Which time zone counts where',
  own: (place: string) => `Use the time zone of this browser: ${place}`,
  now: (place: string, time: string) => `In ${place} it is now ${time}.`,
  saved: 'The time zone was changed.',
  players: 'Days of players',
  playersHint:
    'Daily goals and streaks follow the days of each player. A player without a time zone of their own has this one. Your developers set it through the API. The time zone above does not change it.',
  playersNow: (zone: string) => `Players without a time zone: ${zone}`,
  playersNext: (zone: string, time: string) => `From ${time}: ${zone}`,
} as const
