/** Periods of whole days, and the earlier ones that they are compared with. Days are `2026-11-30`; both ends count. */

const dayMs = 24 * 3600 * 1000

export type Days = { first: string; last: string }

export const presets = [
  'today',
  '7-days',
  '30-days',
  '90-days',
  'this-month',
  'last-month',
  'this-quarter',
  'last-quarter',
] as const
export type Preset = (typeof presets)[number]

export const comparisons = ['previous', 'year'] as const
export type Comparison = (typeof comparisons)[number]

const msOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** Whether a text of an address is a day that exists. */
export const isDay = (text: string | undefined): text is string =>
  text !== undefined &&
  /^[1-9]\d{3}-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(msOf(text)) &&
  dayOf(msOf(text)) === text

export const addDays = (day: string, count: number): string => dayOf(msOf(day) + count * dayMs)

export const countDays = ({ first, last }: Days): number =>
  Math.round((msOf(last) - msOf(first)) / dayMs) + 1

const earliest = (first: string, other: string): string => (first < other ? first : other)

const firstOfMonth = (day: string): string => `${day.slice(0, 7)}-01`
const lastOfMonth = (day: string): string => addDays(addMonths(firstOfMonth(day), 1), -1)

/** The same day of another month, or its last day if that month is shorter. */
export const addMonths = (day: string, count: number): string => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const length = new Date(Date.UTC(year, month + count, 0)).getUTCDate()
  return dayOf(Date.UTC(year, month - 1 + count, Math.min(date, length)))
}

const firstOfQuarter = (day: string): string =>
  addMonths(firstOfMonth(day), -((Number(day.slice(5, 7)) - 1) % 3))

/** The days of a preset. Those that are not over end today. */
export const daysOf = (preset: Preset, today: string): Days => {
  const [month, quarter] = [firstOfMonth(today), firstOfQuarter(today)]
  switch (preset) {
    case 'today':
      return { first: today, last: today }
    case 'this-month':
      return { first: month, last: today }
    case 'last-month':
      return { first: addMonths(month, -1), last: addDays(month, -1) }
    case 'this-quarter':
      return { first: quarter, last: today }
    case 'last-quarter':
      return { first: addMonths(quarter, -3), last: addDays(quarter, -1) }
    default:
      return { first: addDays(today, 1 - Number.parseInt(preset, 10)), last: today }
  }
}

/** Whole months before: November against October, also where they differ in length. */
const wholeMonths = ({ first, last }: Days): number | null => {
  if (first !== firstOfMonth(first) || last !== lastOfMonth(last)) return null
  const [from, to] = [first, last].map(
    (day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)),
  )
  return (to as number) - (from as number) + 1
}

/** The days of a period that are over. Null if there are none. */
const finishedDays = ({ first, last }: Days, today: string): Days | null => {
  const lastFinished = earliest(last, addDays(today, -1))
  return first <= lastFinished ? { first, last: lastFinished } : null
}

/** The first day of the period before: months before months, otherwise as many days before. */
const firstBefore = (days: Days, preset: Preset | null): string => {
  if (preset === 'this-month') return addMonths(days.first, -1)
  if (preset === 'this-quarter') return addMonths(days.first, -3)
  // 30 days are 30 days, even if they are November.
  const months = preset?.endsWith('-days') ? null : wholeMonths(days)
  return months === null ? addDays(days.first, -countDays(days)) : addMonths(days.first, -months)
}

/**
 * The days that the finished days of a period are compared with. An unfinished day has nothing to compare with: a morning
 * against a whole day says nothing. Null if no day is finished.
 */
export const earlierDays = (
  days: Days,
  { by, preset, today }: { by: Comparison; preset: Preset | null; today: string },
): Days | null => {
  const finished = finishedDays(days, today)
  if (!finished) return null
  if (by === 'year')
    return { first: addMonths(finished.first, -12), last: addMonths(finished.last, -12) }
  const first = firstBefore(days, preset)
  const before = addDays(days.first, -1)
  if (days.last < today) return { first, last: before }
  const last = addDays(first, countDays(finished) - 1)
  return { first, last: earliest(last, before) }
}
