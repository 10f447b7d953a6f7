/**
 * Computes when streaks are to be announced, after a change that concerns all users of a goal: of the partner's time zone, or
 * of the goal's end. A job does it in short transactions, on any number of nodes at a time; each continues where the last one
 * has ended.
 */
import { inTransaction } from '../kit/database/db.ts'
import type { Runtime } from '../kit/runtime.ts'
import { lockProfiles } from './counter.sql.ts'
import { dueAtOf, findStreaks } from './streak.ts'
import {
  findGoalsWithDeadlines,
  findUsersWithRuns,
  lockGoalWithDeadlines,
  setDeadlineBarriers,
  setDeadlinesDone,
  setDueTimes,
} from './streak-deadlines.sql.ts'

/** Users per transaction. */
const usersAtOnce = 200

/** Computes the deadlines of the next users of a goal. Returns whether there are more, and no other node does it. */
const computeNext = (runtime: Runtime, goalId: string): Promise<boolean> =>
  inTransaction(runtime, async (work) => {
    const { tx } = work
    const [goal] = await lockGoalWithDeadlines(tx, goalId)
    if (!goal?.after) return false
    const users = await findUsersWithRuns(tx, goalId, goal.after, usersAtOnce)
    const userIds = users.map(({ userId }) => userId)
    // Whoever settles a streak holds the profile, so what is written here is the latest.
    await lockProfiles(tx, userIds)
    const streaks = await findStreaks(
      work,
      userIds.map((userId) => ({ goalId, userId })),
    )
    const due = streaks
      .flat()
      .map((streak) => ({ goalId, userId: streak.userId, dueAt: dueAtOf(streak) }))
    if (due.length > 0) await setDueTimes(tx, due)
    const last = users.length === usersAtOnce ? (userIds.at(-1) ?? null) : null
    await setDeadlinesDone(tx, goalId, last)
    return last !== null
  })

/** Computes all deadlines that are to be computed again. */
export const computeDeadlines = async (runtime: Runtime, signal?: AbortSignal): Promise<void> => {
  await setDeadlineBarriers(runtime.db)
  for (const { goalId } of await findGoalsWithDeadlines(runtime.db))
    while (!signal?.aborted && (await computeNext(runtime, goalId)));
}
