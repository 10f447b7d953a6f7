/** Moments and the days and times that clocks of a time zone show. Days are `2026-11-30`, times `2026-11-30 10:00:00`. */

const dayMs = 24 * 3600 * 1000

const clocks = new Map<string, Intl.DateTimeFormat>()

const clockOf = (zone: string): Intl.DateTimeFormat => {
  const known = clocks.get(zone)
  if (known) return known
  const clock = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  clocks.set(zone, clock)
  return clock
}

/** The time that a clock of the zone shows at a moment. */
export const clockTime = (zone: string, at: number): string => {
  const parts = Object.fromEntries(
    clockOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  const { year = '', month, day, hour, minute, second } = parts
  return `${year.padStart(4, '0')}-${month}-${day} ${hour}:${minute}:${second}`
}

export const dayIn = (zone: string, at: number): string => clockTime(zone, at).slice(0, 10)

const asIfUtc = (time: string): number => Date.parse(`${time.replace(' ', 'T')}Z`)

/** By how much the clocks of the zone are ahead of UTC at a moment, in milliseconds. */
const offsetAt = (zone: string, at: number): number =>
  asIfUtc(clockTime(zone, at)) - Math.floor(at / 1000) * 1000

/**
 * The first moment at which a clock of the zone shows a time. For a time that a change of clocks skips, as much later as
 * the clocks were put forward.
 */
export const momentIn = (zone: string, time: string): number => {
  const shown = asIfUtc(time)
  const [before, after] = [shown - dayMs, shown + dayMs].map((at) => shown - offsetAt(zone, at))
  const isShown = (at: number) => at + offsetAt(zone, at) === shown
  const found = [before, after].filter((at): at is number => at !== undefined && isShown(at))
  return found.length > 0 ? Math.min(...found) : (before as number)
}

/** The first moment of a day. */
export const startOfDay = (zone: string, day: string): number => momentIn(zone, `${day} 00:00:00`)

/** `Europe/Prague` → `Prague`. */
export const placeOf = (zone: string): string =>
  zone.startsWith('Etc/') ? zone : (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')

/** Whether the clocks of two zones show the same at a moment. */
export const showTheSame = (zone: string, other: string, at: number): boolean =>
  offsetAt(zone, at) === offsetAt(other, at)
