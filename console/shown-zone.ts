/** The time zone in which the console shows and reads times: that of the partner. */
import { dayIn } from './zones.ts'

export const browserZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

let zone = browserZone()

const isKnown = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** Shows times in this zone from now on, or in UTC if the browser does not know it. */
export const showTimesIn = (name: string): void => {
  zone = isKnown(name) ? name : 'UTC'
}

export const shownZone = (): string => zone

/** Today, where times are shown. */
export const shownToday = (): string => dayIn(zone, Date.now())
