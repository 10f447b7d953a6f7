/** What partners do to streaks of users: they give freezes, pause, and restore. */
import { z } from 'zod'
import type { EndUser } from '../generated/prisma/client.ts'
import { inTransaction } from '../kit/database/db.ts'
import { refused, TesseraError } from '../kit/errors.ts'
import { newId } from '../kit/random.ts'
import type { Transaction, Work } from '../kit/runtime.ts'
import { tenantOf } from '../kit/tenant.ts'
import type { UserId } from '../kit/user-id.ts'
import { integer } from '../kit/validation.ts'
import { lockUsers, UserBy, type UserKey } from '../users/end-user.ts'
import { findGoal } from './goal.ts'
import { GoalBy } from './goal-input.ts'
import { daysAfter, isPaused, nextWindow, type StreakWindow } from './streak.rules.ts'
import { endPauses, insertChanges, type NewChange } from './streak.sql.ts'
import { findStreaks, type UserStreak } from './streak.ts'
import { lockForStreaks, type RestoreReason, settleStreaks } from './streak-settling.ts'

const streak = {
  user: UserBy.describe('The user, by id or external id.'),
  goal: GoalBy.describe('The goal that is a streak.'),
}

export const GiveStreakFreezes = z
  .object({
    ...streak,
    count: integer(1, 30).describe(
      'How many. A user never has more than the most of the streak; others are lost.',
    ),
  })
  .describe('Freezes for a user.')

export const PauseStreak = z
  .object({
    ...streak,
    days: integer(1, 366)
      .nullish()
      .describe('For how many days, with today. Until `endStreakPause` by default.'),
  })
  .describe('A pause of a streak, from today on.')

export const NamedStreak = z.object(streak).describe('The streak of a user.')

type Key = UserKey & { goal: GoalBy }
type Changed = { user: EndUser; streak: UserStreak }
type Change = Omit<NewChange, 'id' | 'goalId' | 'userId'>

/**
 * Changes a streak, and computes it again.
 * @param change returns what to note, or does it itself; it throws a refusal
 * @throws TesseraError USER_NOT_FOUND, GOAL_NOT_FOUND, GOAL_STATUS_CONFLICT for a goal that has not started or has ended,
 * VALIDATION_FAILED for one that is no streak
 */
const changeStreak = (
  work: Work,
  { goal: by, ...key }: Key,
  change: (work: Transaction, before: UserStreak, today: string) => Promise<Change | null> | Change,
  reason?: RestoreReason,
): Promise<Changed> =>
  inTransaction(work, async (txWork) => {
    const { tx, clock } = txWork
    const goal = await findGoal(txWork, tenantOf(key), by)
    if (!goal) throw new TesseraError('GOAL_NOT_FOUND')
    if (!goal.streak) throw refused('goal', 'must be a streak')
    const { status, updatedAt } = goal
    if (status !== 'ACTIVE' && status !== 'PAUSED')
      throw new TesseraError('GOAL_STATUS_CONFLICT', { status, since: updatedAt })
    const [user] = await lockUsers(txWork, [key])
    if (!user) throw new TesseraError('USER_NOT_FOUND')
    const streakKey = { goalId: goal.id, userId: user.id as UserId }
    await lockForStreaks(txWork, [goal.id], [streakKey.userId])
    const [[before] = []] = await findStreaks(txWork, [streakKey])
    if (!before) throw new TesseraError('GOAL_STATUS_CONFLICT', { status, since: updatedAt })
    const made = await change(txWork, before, before.today)
    if (made) await insertChanges(tx, [{ ...made, ...streakKey, id: newId() }], clock())
    await settleStreaks(txWork, [streakKey], reason)
    const [[after] = []] = await findStreaks(txWork, [streakKey])
    return { user, streak: after as UserStreak }
  })

/** Gives a user freezes, which cover windows from today on. */
export const giveStreakFreezes = (work: Work, { count, ...key }: Key & { count: number }) =>
  changeStreak(work, key, (_, __, fromDate) => ({ kind: 'FREEZES', fromDate, count }))

/**
 * Pauses a streak from today on.
 * @throws TesseraError also STREAK_PAUSED for one that is paused today
 */
export const pauseStreak = (work: Work, { days, ...key }: Key & { days?: number | null }) =>
  changeStreak(work, key, (_, { record }, fromDate) => {
    if (isPaused(record, fromDate, daysAfter(fromDate, 1)))
      throw new TesseraError('STREAK_PAUSED', { doneAt: null })
    return { kind: 'PAUSE', fromDate, untilDate: days == null ? null : daysAfter(fromDate, days) }
  })

/**
 * Ends the pause of a streak: today has to be met.
 * @throws TesseraError also STREAK_NOT_PAUSED
 */
export const endStreakPause = (work: Work, key: Key) =>
  changeStreak(work, key, async ({ tx }, { goal, userId, record }, today) => {
    if (!isPaused(record, today, daysAfter(today, 1))) throw new TesseraError('STREAK_NOT_PAUSED')
    await endPauses(tx, goal.id, userId, today)
    return null
  })

/**
 * Lets a broken streak go on with its length, as if nothing had been missed since.
 * @throws TesseraError also STREAK_NOT_BROKEN for one that did not break, or did so more than `restoreDays` ago
 */
export const restoreStreak = (work: Work, key: Key) =>
  changeStreak(
    work,
    key,
    (_, { goal, streak: { brokenOn }, present }, today) => {
      const window = goal.window as StreakWindow
      const isInTime =
        brokenOn !== null &&
        today < daysAfter(nextWindow(window, brokenOn), goal.streak.restoreDays)
      if (!isInTime) throw new TesseraError('STREAK_NOT_BROKEN')
      return { kind: 'RESTORE', fromDate: brokenOn, untilDate: present }
    },
    'RESTORED',
  )
