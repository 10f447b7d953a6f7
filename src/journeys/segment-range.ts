/** The conditions of segments on numbers and times: ranges, of which each bound has a column. */

import type { Segment } from '../generated/prisma/client.ts'
import type { CountFilter, Period, PointsFilter } from '../kit/schema/filters.ts'
import type { JourneyFilter } from './journey-filter.ts'

const columnsOf = {
  balance: ['balanceMin', 'balanceMax'],
  lifetimePoints: ['lifetimePointsMin', 'lifetimePointsMax'],
  recentPlayCount: ['recentPlaysMin', 'recentPlaysMax'],
  lastSeenAt: ['seenFrom', 'seenTo'],
  lastSeenDaysAgo: ['seenDaysMin', 'seenDaysMax'],
  userCreatedAt: ['userCreatedFrom', 'userCreatedTo'],
  userCreatedDaysAgo: ['userCreatedDaysMin', 'userCreatedDaysMax'],
} as const satisfies Partial<Record<keyof JourneyFilter, readonly [keyof Segment, keyof Segment]>>

type RangeName = keyof typeof columnsOf
type RangeColumns = Pick<Segment, (typeof columnsOf)[RangeName][number]>

const names = Object.keys(columnsOf) as RangeName[]

/** The lower and the upper bound of a range. */
const boundsOf = (range: PointsFilter | Period) =>
  'from' in range || 'to' in range
    ? [range.from, range.to]
    : [(range as PointsFilter).min, (range as PointsFilter).max]

/** A filter of a segment with the bounds of its ranges as columns. A range that is omitted stays omitted. */
export const withColumns = <F extends JourneyFilter>(
  filter: F,
): Omit<F, RangeName> & Partial<RangeColumns> => {
  const columns = names.flatMap((name) => {
    const range = filter[name]
    if (range === undefined) return []
    const bounds = range === null ? [] : boundsOf(range)
    return columnsOf[name].map((column, i) => [column, bounds[i] ?? null])
  })
  const others = Object.entries(filter).filter(([name]) => !(name in columnsOf))
  return Object.fromEntries([...others, ...columns])
}

const rangeOf = (columns: Partial<RangeColumns>, name: RangeName) => {
  const [low, high] = columnsOf[name].map((column) => columns[column] ?? null)
  return [low ?? null, high ?? null] as const
}

/** The ranges that begin after their end. */
export const faultsOfRanges = (
  columns: Partial<RangeColumns>,
): (readonly [field: string, message: string])[] =>
  names.flatMap((name) => {
    const [low, high] = rangeOf(columns, name)
    return low !== null && high !== null && low > high
      ? [[name, 'must not end before it begins'] as const]
      : []
  })

/** A range of numbers; null for none. */
export const numbersOf = (
  segment: Segment,
  name: 'balance' | 'lifetimePoints' | 'recentPlayCount' | 'lastSeenDaysAgo' | 'userCreatedDaysAgo',
): { min: number | null; max: number | null } | null => {
  const [min, max] = rangeOf(segment, name).map((bound) => (bound === null ? null : Number(bound)))
  return min == null && max == null ? null : { min: min ?? null, max: max ?? null }
}

/** A range of times; null for none. */
export const timesOf = (
  { seenFrom, seenTo, userCreatedFrom, userCreatedTo }: Segment,
  name: 'lastSeenAt' | 'userCreatedAt',
): { from: Date | null; to: Date | null } | null => {
  const [from, to] = name === 'lastSeenAt' ? [seenFrom, seenTo] : [userCreatedFrom, userCreatedTo]
  return from === null && to === null ? null : { from, to }
}

const dayMs = 86_400_000

/** When something happened that was so many times 24 hours ago, both ends included. */
export const periodOf = (days: CountFilter | null | undefined, now: Date): Period => {
  const ago = (count: number | null | undefined, more = 0) =>
    count == null ? null : new Date(now.getTime() - count * dayMs + more)
  // Times are stored in milliseconds, and the end of a period is exclusive.
  return { from: ago(days?.max), to: ago(days?.min, 1) }
}
