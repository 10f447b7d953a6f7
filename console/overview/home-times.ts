/** The moments that the overview asks for. They change once an hour, so that it is not asked anew all the time. */

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Keys that expire within this time need somebody. */
const soonMs = 14 * dayMs

const weekdays = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' })

/** Whole days of UTC. */
export const homeTimes = (now = Date.now()) => {
  const hour = Math.floor(now / hourMs) * hourMs
  const day = Math.floor(now / dayMs) * dayMs
  const text = (at: number) => new Date(at).toISOString()
  return {
    day: text(day),
    now: text(hour + hourMs),
    earlierDay: text(day - 7 * dayMs),
    earlierDayEnd: text(day - 6 * dayMs),
    week: text(day - 6 * dayMs),
    month: text(day - 30 * dayMs),
    soon: text(hour + soonMs),
    timeZone: 'UTC',
    hourMs: hour,
    weekday: weekdays.format(day),
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
