import type { SegmentFilterFragment } from '../generated/types.ts'

/** Ranges of numbers, in the order of the form. */
const numberRanges = [
  'balance',
  'lifetimePoints',
  'recentPlayCount',
  'lastSeenDaysAgo',
  'userCreatedDaysAgo',
] as const

/** Ranges of times, in the order of the form. */
export const timeRanges = ['lastSeenAt', 'userCreatedAt'] as const

export const rangeNames = [...numberRanges, ...timeRanges] as const
export type RangeName = (typeof rangeNames)[number]

export const isOfTimes = (name: RangeName): name is (typeof timeRanges)[number] =>
  timeRanges.some((range) => range === name)

/** The bounds in a form; empty texts for open ones. Times are ISO 8601. */
export type Bounds = { from: number | string; to: number | string }
export type Ranges = Partial<Record<RangeName, Bounds>>

/** The ranges that a segment has. */
export const rangesOf = (of?: SegmentFilterFragment): Ranges => {
  const found: Ranges = {}
  for (const name of numberRanges) {
    const range = of?.[name]
    if (range) found[name] = { from: range.min ?? '', to: range.max ?? '' }
  }
  for (const name of timeRanges) {
    const range = of?.[name]
    if (range) found[name] = { from: range.from ?? '', to: range.to ?? '' }
  }
  return found
}

const numberOf = (bound: number | string) => (bound === '' ? null : Number(bound))
const timeOf = (bound: number | string) => (bound === '' ? null : String(bound))

/** The ranges that have a bound, as the API takes them. */
export const inputOfRanges = (ranges: Ranges) =>
  Object.fromEntries(
    rangeNames.flatMap((name) => {
      const { from = '', to = '' } = ranges[name] ?? {}
      if (from === '' && to === '') return []
      const input = isOfTimes(name)
        ? { from: timeOf(from), to: timeOf(to) }
        : { min: numberOf(from), max: numberOf(to) }
      return [[name, input]]
    }),
  )
