export const settingsTexts = {
  title: 'General',
  description: 'Settings of your company, the same in Test and Live.',
  timeZone: 'Time zone',
  timeZoneHint:
    'The console and your public pages show times in this time zone, and the console reads the times that you type in it. Days in charts, periods and file names begin at its midnight.',
  staysHint:
    'Scheduled draws, campaigns and everything else do not move. Only the clock time that you see changes.',
  label: 'Time zone of your company',
  guide: 'Which time zone counts where',
  own: (place: string) => `Use the time zone of this browser: ${place}`,
  now: (place: string, time: string) => `In ${place} it is now ${time}.`,
  saved: 'Time zone changed.',
  players: 'Days of players',
  playersHint:
    'Daily goals and streaks use the time zone of each player. Players without one use the time zone below, which your developers set through the API.',
  playersNow: (zone: string) => `Players without a time zone: ${zone}`,
  playersNext: (zone: string, time: string) => `From ${time}: ${zone}`,
} as const
