/** Numbers, times and money as people read them. */

import { shownZone } from '../shown-zone.ts'
import { texts } from '../texts/shell-texts.ts'
import { placeOf } from '../zones.ts'

const numbers = new Intl.NumberFormat('en')
const changes = new Intl.NumberFormat('en', { signDisplay: 'exceptZero' })
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const percents = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 2 })
const utcDates = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })
const utcDays = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const utcMonths = new Intl.DateTimeFormat('en', {
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** A format in the time zone of the partner, which may change. */
const inShownZone = (options: Intl.DateTimeFormatOptions) => {
  const formats = new Map<string, Intl.DateTimeFormat>()
  return (at: string | number): string => {
    const timeZone = shownZone()
    const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en', { ...options, timeZone })
    formats.set(timeZone, format)
    return format.format(new Date(at))
  }
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })

export const numberText = (value: number) => numbers.format(value)
/** `+200`, `-50`. */
export const changeText = (value: number) => changes.format(value)
/** Four digits fit everywhere, and steps of an axis stay exact. */
export const shortNumber = (value: number) =>
  Math.abs(value) < 10_000 ? numberText(value) : compact.format(value)

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** `14 kB`. */
export const bytesText = (bytes: number) => {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1)
  const unit = units[power] ?? 'byte'
  const style = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat('en', style).format(bytes / 1000 ** power)
}

export const percentText = (share: number) => percents.format(share)
export const wholePercentText = (share: number) => percentText(Math.round(share * 100) / 100)
/** `Nov 23, 2026`, in the time zone of the partner. */
export const dateText = inShownZone({ dateStyle: 'medium' })
/** The same of a date without a time. */
export const utcDateText = (at: string) => utcDates.format(new Date(at))
/** A day of the last months, which needs no year: `Nov 23`. */
export const utcDayText = (at: string) => utcDays.format(new Date(at))
/** `Nov 1 – 30, 2026`, of dates without a time. */
export const datesText = ({ first, last }: { first: string; last: string }) =>
  utcDates.formatRange(new Date(first), new Date(last))
/** The same without a year. */
export const daysText = ({ first, last }: { first: string; last: string }) =>
  utcDays.formatRange(new Date(first), new Date(last))
export const monthText = (at: string) => utcMonths.format(new Date(at))
/** `Nov 23, 2026, 5:06 PM`, in the time zone of the partner, which the header names. */
export const timeText = inShownZone({ dateStyle: 'medium', timeStyle: 'short' })
/** The same with the name of the time zone, where others act on it: `Nov 23, 2026, 5:06 PM Prague`. */
export const exactTimeText = (at: string | number) => `${timeText(at)} ${placeOf(shownZone())}`

/** A time of the last months, on an axis: `Nov 23, 5:06 PM`. */
export const shortTimeText = inShownZone({
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})

export const moneyText = ({ amountCents, currency }: { amountCents: number; currency: string }) =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).format(amountCents / 100)

export const countText = ({ value, precision }: { value: number; precision?: string }) =>
  precision === undefined || precision === 'EXACT'
    ? numberText(value)
    : texts.atLeast(numberText(value))

const steps = [
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
] as const

const longestAgo = 30 * 24 * 3600

/** `3 min. ago`, `in 2 days`; from 30 days on the date, which says more than `last month`. */
export const agoText = (at: string, now = Date.now()) => {
  const seconds = (new Date(at).getTime() - now) / 1000
  if (Math.abs(seconds) >= longestAgo) return dateText(at)
  const [unit, size] = steps.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1]
  return relative.format(Math.round(seconds / size), unit)
}

export const flagText = (flag: boolean) => (flag ? texts.yes : texts.no)

/** Names whose text does not follow from their letters. */
const spelled: Record<string, string> = {
  HTML5: 'HTML5',
  PVP: 'Player vs player',
  PVE: 'Player vs environment',
  PV_AI: 'Player vs AI',
  AI_VS_AI: 'AI vs AI',
  FFA: 'Free for all',
  BUILTIN: 'Built-in',
  OPENAI: 'OpenAI',
}

/** `PENDING_REVIEW` → `Pending review`. */
export const humanized = (name: string) => {
  const known = spelled[name]
  if (known !== undefined) return known
  const words = name.toLowerCase().replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
