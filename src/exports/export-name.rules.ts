/** The names of the files of exports: what they have, of which environment, and when. */

/** A day as `2026-11-30`, in a time zone. */
const dayIn = (timeZone: string, at: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(at)

/** The last day of the month of a day. */
const lastOfMonth = (day: string): string => {
  const [year = 0, month = 0] = day.split('-').map(Number)
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
}

/** The days of a period, as a part of a name: `2026-11` for a month. */
const daysText = (from: string | null, to: string | null): string => {
  if (from && to) {
    if (from === to) return from
    const isMonth = from.endsWith('-01') && to === lastOfMonth(from)
    return isMonth ? from.slice(0, 7) : `${from}-to-${to}`
  }
  return from ? `from-${from}` : `until-${to}`
}

type NamedExport = {
  kind: string
  environment: string
  format: string
  createdFrom: Date | null
  createdTo: Date | null
  createdAt: Date
}

/** The name of a file, such as `ledger-live-2026-11.csv`. Without a period, it has the day on which it was started. */
export const fileNameOf = (of: NamedExport, timeZone: string): string => {
  const { kind, environment, format, createdFrom, createdTo, createdAt } = of
  const from = createdFrom && dayIn(timeZone, createdFrom.getTime())
  // The end is exclusive: midnight ends the day before.
  const to = createdTo && dayIn(timeZone, createdTo.getTime() - 1)
  const when = from || to ? daysText(from, to) : dayIn(timeZone, createdAt.getTime())
  const what = kind.toLowerCase().replaceAll('_', '-')
  return `${what}-${environment.toLowerCase()}-${when}.${format.toLowerCase()}`
}
