/**
 * Counts users again after a change of what counts. Transactions that were open when the change was committed may have missed
 * it, so counting waits until they have ended; later ones count by themselves. Until all users are counted, the goal decides
 * nothing.
 */

import { inTransaction } from '../kit/database/db.ts'
import type { Runtime, Transaction } from '../kit/runtime.ts'
import type { UserId } from '../kit/user-id.ts'
import {
  deleteClosedCounters,
  deleteCountersOf,
  findGoalsToCount,
  findUsersToCount,
  finishCounting,
  lockGoalToCount,
  lockProfiles,
  recountUsers,
  setBarriers,
  setCounted,
} from './counter.sql.ts'
import { deleteStreaksOf } from './streak.sql.ts'

/**
 * Makes the counters of users what their timelines say.
 * @param window the first date of the only window to count; all windows if it is null
 */
export const recount = async (
  { tx }: Transaction,
  goalId: string,
  userIds: UserId[],
  window: string | null = null,
): Promise<void> => {
  // The next statement sees everything that was counted before the lock.
  await lockProfiles(tx, userIds)
  await recountUsers(tx, goalId, userIds, window)
}

/** Users per transaction. */
const usersAtOnce = 200

/** Counts the next users of a goal. Returns whether there are more, and nobody else counts them. */
const countNext = (runtime: Runtime, goalId: string): Promise<boolean> =>
  inTransaction(runtime, async (work) => {
    const [goal] = await lockGoalToCount(work.tx, goalId)
    if (!goal) return false
    const users = await findUsersToCount(work.tx, goalId, goal, usersAtOnce)
    const due = users.flatMap(({ userId, isDue }) => (isDue ? [userId] : []))
    if (due.length > 0) await recount(work, goalId, due)
    const last = users.at(-1)
    if (last && users.length === usersAtOnce) {
      await setCounted(work.tx, goalId, last.userCreatedAt, last.userId)
      return true
    }
    await finishCounting(work.tx, goalId)
    return false
  })

/** Counts the users of all goals that have to, as far as it can now. */
export const countGoals = async (runtime: Runtime, signal?: AbortSignal): Promise<void> => {
  await setBarriers(runtime.db)
  for (const { id } of await findGoalsToCount(runtime.db))
    while (!signal?.aborted && (await countNext(runtime, id)));
}

/** Counters per transaction, and transactions per run. */
const deletedAtOnce = 1_000
const maxRounds = 100

/** Deletes counters of windows that have been closed for 62 days. What is reversed later counts its window again. */
export const deleteExpiredCounters = async (
  runtime: Runtime,
  signal?: AbortSignal,
): Promise<void> => {
  for (let round = 0; round < maxRounds && !signal?.aborted; round++) {
    const deleted = await inTransaction(runtime, ({ tx, clock }) =>
      deleteClosedCounters(tx, clock(), deletedAtOnce),
    )
    if (deleted.length < deletedAtOnce) return
  }
}

/** Deletes counters, joins, marks and streaks of an erased user. Completions stay. Nothing is counted for an erased user any more. */
export const eraseCounters = async (work: Transaction, userId: UserId): Promise<boolean> => {
  await lockProfiles(work.tx, [userId])
  await deleteCountersOf(work.tx, userId)
  await deleteStreaksOf(work.tx, userId)
  return true
}
