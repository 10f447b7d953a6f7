import { addDays } from '../parts/periods.ts'
import { shownZone } from '../shown-zone.ts'
import { dayIn, startOfDay } from '../zones.ts'

/** The moments that the overview asks for. They change once an hour, so that it is not asked anew all the time. */

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Keys that expire within this time need somebody. */
const soonMs = 14 * dayMs

const weekdays = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' })

/** Days of the partner's time zone. */
export const homeTimes = (now = Date.now()) => {
  const timeZone = shownZone()
  const today = dayIn(timeZone, now)
  const hour = Math.floor(now / hourMs) * hourMs
  const text = (at: number) => new Date(at).toISOString()
  const start = (days: number) => text(startOfDay(timeZone, addDays(today, days)))
  return {
    day: start(0),
    tomorrow: start(1),
    now: text(hour + hourMs),
    earlierDay: start(-7),
    earlierDayEnd: start(-6),
    week: start(-6),
    month: start(-30),
    soon: text(hour + soonMs),
    timeZone,
    weekday: weekdays.format(new Date(today)),
  }
}

export type HomeTimes = ReturnType<typeof homeTimes>

type Hours = readonly { endsAt: string; value: number }[]

/** What had been counted by a moment. Of the hour that it is in, the same share as of its time. */
const countedBy = (hours: Hours, moment: number): number =>
  hours.reduce((sum, { endsAt, value }) => {
    const begin = Date.parse(endsAt) - hourMs
    return sum + value * Math.min(1, Math.max(0, (moment - begin) / hourMs))
  }, 0)

/** The change of today's total against the same time of day a week earlier; null where that had nothing. */
export const changeOf = (total: number, earlier: Hours, now: number): number | null => {
  const before = countedBy(earlier, now - 7 * dayMs)
  return before === 0 ? null : total / before - 1
}
