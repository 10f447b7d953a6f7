export const periodTexts = {
  period: 'Period',
  anyTime: 'Any time',
  presets: {
    today: 'Today',
    '7-days': 'Last 7 days',
    '30-days': 'Last 30 days',
    '90-days': 'Last 90 days',
    'this-month': 'This month',
    'last-month': 'Last month',
    'this-quarter': 'This quarter',
    'last-quarter': 'Last quarter',
  },
  custom: 'Custom period',
  compare: 'Compare',
  comparedWith: (days: string) => `Compared with ${days}`,
  notCompared: 'Not compared',
  /** Today has no finished day. */
  notYet: 'Nothing to compare yet',
  comparisons: {
    previous: 'Previous period',
    year: 'The year before',
  },
  none: 'No comparison',
  against: (days: string) => `vs ${days}`,
  todayIsLeftOut: 'Comparisons leave out today, which is not over.',
  soFar: 'so far',
  isNotOver: (day: string) => `${day} is not over`,
  before: (name: string, days: string) => `${name}, ${days}`,
  today: 'Today',
} as const

/** Texts about the time zone of the partner. */
export const timeZoneTexts = {
  shownIn: (place: string) => `Times are shown in the time zone ${place}`,
  short: (place: string) => `${place} time`,
  /** Below a field, where the browser's clock shows another time. */
  field: (place: string) => `${place} time`,
  both: (place: string, time: string, ownPlace: string) =>
    `${place} time. In ${ownPlace}, where you are: ${time}`,
  past: 'This time is in the past',
} as const
