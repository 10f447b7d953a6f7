/** All streaks of a goal: how long they are, and which were lost. */
import type { Work } from '../kit/runtime.ts'
import { type Count, countLimit, exactly } from '../kit/schema/connection.ts'
import type { UserId } from '../kit/user-id.ts'
import { daysAfter, isPaused, nextWindow, type StreakWindow } from './streak.rules.ts'
import { findStreaks, type UserStreak } from './streak.ts'
import { countStreakLengths } from './streak-overview.sql.ts'

/** Lengths that are counted together. The last range has no end. */
const ranges = [
  [1, 1],
  [2, 6],
  [7, 13],
  [14, 29],
  [30, 99],
  [100, null],
] as const

export type StreakLengths = { from: number; to: number | null; users: Count }

/** Counts the streaks of goals by their lengths, in one statement. */
export const findStreakLengths = async (
  { tx }: Work,
  goalIds: string[],
): Promise<StreakLengths[][]> => {
  const buckets = goalIds.flatMap((goalId) =>
    ranges.map(([least, most]) => ({ goalId, least, most })),
  )
  const counts = await countStreakLengths(tx, buckets, countLimit + 1)
  const found = buckets.map(({ least, most }, n) => {
    const value = counts[n]?.users ?? 0
    const users: Count =
      value > countLimit ? { value: countLimit, precision: 'AT_LEAST' } : exactly(value)
    return { from: least, to: most, users }
  })
  return goalIds.map((_, n) => found.slice(n * ranges.length, (n + 1) * ranges.length))
}

/** Computes one streak of each user; null for one that does not exist. */
export const findNamedStreaks = async (
  work: Work,
  keys: { goalId: string; userId: UserId }[],
): Promise<(UserStreak | null)[]> =>
  (await findStreaks(work, keys)).map(([streak]) => streak ?? null)

/** Met windows of the run that broke last; null if it is not broken, or broke so long ago that it is not known any more. */
export const lostLengthOf = ({ streak: { brokenOn, runs } }: UserStreak): number | null =>
  brokenOn === null ? null : (runs.findLast(({ to }) => to < brokenOn)?.length ?? null)

/** The last date on which a broken streak can be restored; null if there is none to restore any more. */
export const restorableUntilOf = ({ goal, streak: { brokenOn }, today }: UserStreak) => {
  if (brokenOn === null || (goal.status !== 'ACTIVE' && goal.status !== 'PAUSED')) return null
  const afterBreak = nextWindow(goal.window as StreakWindow, brokenOn)
  const last = daysAfter(afterBreak, goal.streak.restoreDays - 1)
  return today <= last ? last : null
}

/** Whether a pause holds today. */
export const isPausedToday = ({ record, today }: UserStreak): boolean =>
  isPaused(record, today, daysAfter(today, 1))
