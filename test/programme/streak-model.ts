/** A naive model of streaks of days, which shares nothing with the product but its types. */
import type { StreakPlan, StreakRecord } from '../../src/programme/streak.rules.ts'

/** Numbers that are the same in each run. */
export const randomOf = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Days since 1970 of 2026-06-01. */
const epoch = 20_605

/** The date that is a number of days after 2026-06-01. */
export const dateOf = (n: number, since = epoch) =>
  new Date((since + n) * 86_400_000).toISOString().slice(0, 10)

/** A naive model in numbers of days: what each day is, then what is left of it. */
export const model = (plan: StreakPlan, record: StreakRecord, days: number, since = epoch) => {
  const dateAt = (n: number) => dateOf(n, since)
  const has = (list: readonly string[], n: number) => list.includes(dateAt(n))
  const all = Array.from({ length: days }, (_, n) => n)
  const first = all.find((n) => has(record.met, n)) ?? days
  const kinds = all.map((n) => {
    if (has(record.met, n)) return 'met'
    if (record.pauses.some(({ from, until }) => dateAt(n) >= from && (!until || dateAt(n) < until)))
      return 'free'
    const weekday = ((since + n + 3) % 7) + 1
    if (has(record.skipped, n) || (plan.weekdays.length > 0 && !plan.weekdays.includes(weekday)))
      return 'free'
    if (n === days - 1) return 'free'
    return record.restores.some((r) => dateAt(n) >= r.brokenOn && dateAt(n) < r.restoredOn)
      ? 'restored'
      : 'missed'
  })
  const { initial, max, everyWindows } = plan.freezes
  let [length, longest, freezes] = [0, 0, 0]
  let brokenOn: string | null = null
  for (const n of all) {
    for (const { on, count } of record.freezes)
      if (on === dateAt(n)) freezes = Math.min(max, freezes + count)
    if (n < first) continue
    if (kinds[n] === 'met') {
      brokenOn = null
      if (length === 0) freezes = Math.min(max, freezes + initial)
      length++
      if (everyWindows && length % everyWindows === 0) freezes = Math.min(max, freezes + 1)
    } else if (length > 0 && kinds[n] === 'missed') {
      if (freezes > 0) freezes--
      else [length, brokenOn] = [0, dateAt(n)]
    }
    longest = Math.max(longest, length)
  }
  return { length, longest, freezes, brokenOn }
}

export const [hourMs, dayMs] = [3_600_000, 86_400_000]
/** Both date lines, and zones whose clocks change in March or April, in both directions. */
export const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Tokyo',
  'Pacific/Auckland',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
]

const formats = new Map<string, Intl.DateTimeFormat>()
export const dayIn = (zone: string, at: number): string => {
  const format =
    formats.get(zone) ?? new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' })
  formats.set(zone, format)
  return format.format(at)
}

export const laterOf = (...dates: string[]) => dates.toSorted().at(-1) as string

/** A zone of a user since a moment. No date of then is before `notBefore`. */
export type Stay = { since: number; zone: string; notBefore: string }

const stayAt = (stays: Stay[], at: number) =>
  (stays.findLast(({ since }) => since <= at) ?? stays[0]) as Stay

export const dayOf = (stays: Stay[], at: number): string => {
  const { zone, notBefore } = stayAt(stays, at)
  const day = dayIn(zone, at)
  return laterOf(day, notBefore)
}

/** The user gets another zone from the next midnight on, at least ten minutes later. */
export const move = (stays: Stay[], now: number, zone: string): void => {
  const from = now + 600_000
  const old = stayAt(stays, from).zone
  const day = dayIn(old, from)
  if (zone === old) return
  // The first second of the next date.
  let [before, after] = [Math.floor(from / 1000), Math.floor(from / 1000) + 2 * 86_400]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (dayIn(old, middle * 1000) > day) after = middle
    else before = middle
  }
  stays.push({ since: after * 1000, zone, notBefore: dayOf(stays, from) })
}

export const numberOf = (date: string) => Date.parse(date) / dayMs

/** Dates that a user with these stays never had. */
export const skippedBy = (stays: Stay[], until: number): string[] =>
  stays.flatMap(({ since }) => {
    if (since <= 0 || since > until) return []
    const [last, next] = [numberOf(dayOf(stays, since - 1)), numberOf(dayOf(stays, since))]
    return Array.from({ length: Math.max(0, next - last - 1) }, (_, n) => dateOf(last + 1 + n, 0))
  })

/** The naive streak at a moment, from the first date of which there may be something. */
export const modelAt = (plan: StreakPlan, record: StreakRecord, today: string, first: string) =>
  model(plan, record, numberOf(today) - numberOf(first) + 1, numberOf(first))

export const plan: StreakPlan = {
  window: 'DAY',
  freezes: { initial: 1, max: 3, everyWindows: 4 },
  weekdays: [],
  milestones: [],
}

export const start = Date.parse('2026-03-20T06:00:00Z')
