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
    hourMs: hour,
    weekday: weekdays.format(new Date(today)),
  }
}

export type HomeTimes = ReturnType<typeof homeTimes>

type Hours = readonly { endsAt: string; value: number }[]

/** The sum of the hours that had ended by a moment. */
const sumUntil = (hours: Hours, moment: number): number =>
  hours.reduce((sum, { endsAt, value }) => (Date.parse(endsAt) <= moment ? sum + value : sum), 0)

/** The change of today against the same hours a week earlier; null where they had nothing. */
export const changeOf = (today: Hours, earlier: Hours, hour: number): number | null => {
  const before = sumUntil(earlier, hour - 7 * dayMs)
  return before === 0 ? null : sumUntil(today, hour) / before - 1
}
