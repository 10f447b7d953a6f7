/** Streaks in words. */
import type { GoalWindow, StreakRowFragment } from '../generated/types.ts'
import { monthText, numberText, utcDateText } from '../parts/formats.ts'
import { goalStreaksTexts, streakLabels as words } from '../texts/streaks-texts.ts'

export type StreakWindowKind = 'DAY' | 'WEEK' | 'MONTH'

/** The windows that a goal counts, if it can be a streak; days otherwise. */
export const windowKindOf = (window: GoalWindow): StreakWindowKind =>
  window === 'WEEK' || window === 'MONTH' ? window : 'DAY'

/** `7 days`. */
export const lengthText = (length: number, window: GoalWindow): string =>
  words.lengths[windowKindOf(window)](numberText(length))

export const stateText = ({ state }: Pick<StreakRowFragment, 'state'>): string =>
  state === null ? words.notBegun : words.states[state]

const dateOf = (year: number, month: number, day: number) =>
  new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10)

/** The first dates of the last windows that are over where the member is, the newest first. */
export const pastWindows = (kind: StreakWindowKind, count: number, now = new Date()): string[] => {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()]
  const monday = day + 1 - (now.getDay() || 7)
  return Array.from({ length: count }, (_, n) => {
    if (kind === 'MONTH') return dateOf(year, month - 1 - n, 1)
    return kind === 'WEEK'
      ? dateOf(year, month, monday - 7 * (n + 1))
      : dateOf(year, month, day - 1 - n)
  })
}

/** The first date of the window that is present where the member is. */
export const presentWindow = (kind: StreakWindowKind, now = new Date()): string => {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()]
  if (kind === 'MONTH') return dateOf(year, month, 1)
  return dateOf(year, month, kind === 'WEEK' ? day + 1 - (now.getDay() || 7) : day)
}

/** `Yesterday, Nov 29, 2026`. */
export const windowText = (start: string, kind: StreakWindowKind, isLast: boolean) => {
  if (kind === 'MONTH') return monthText(start)
  const date = utcDateText(start)
  if (kind === 'WEEK') return goalStreaksTexts.weekOf(date)
  return isLast ? goalStreaksTexts.yesterday(date) : date
}
