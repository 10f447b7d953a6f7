/** When draws close. */
import type { LotteryFrequency } from '../generated/prisma/enums.ts'

const dayMs = 24 * 3600 * 1000

/** The same day some months later, or the last day of a shorter month. */
const addMonths = (first: Date, months: number): Date => {
  const moved = new Date(first)
  moved.setUTCDate(1)
  moved.setUTCMonth(first.getUTCMonth() + months)
  const lastDay = new Date(
    Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0),
  ).getUTCDate()
  moved.setUTCDate(Math.min(first.getUTCDate(), lastDay))
  return moved
}

/**
 * The first closing of a lottery after a moment. It skips closings that were missed while the server was down, which
 * have no tickets. Null for CUSTOM, whose draws are scheduled by hand.
 */
export const nextClosing = (
  frequency: LotteryFrequency,
  firstClosesAt: Date,
  after: Date,
): Date | null => {
  if (frequency === 'CUSTOM') return null
  if (firstClosesAt > after) return firstClosesAt
  if (frequency === 'MONTHLY') {
    let months =
      (after.getUTCFullYear() - firstClosesAt.getUTCFullYear()) * 12 +
      after.getUTCMonth() -
      firstClosesAt.getUTCMonth()
    while (addMonths(firstClosesAt, months) <= after) months++
    return addMonths(firstClosesAt, months)
  }
  const periodMs = (frequency === 'DAILY' ? 1 : 7) * dayMs
  const periods = Math.floor((after.getTime() - firstClosesAt.getTime()) / periodMs) + 1
  return new Date(firstClosesAt.getTime() + periods * periodMs)
}
