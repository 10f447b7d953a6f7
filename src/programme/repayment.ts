/** The repayment of points that reversals could not take: once there are points again, never inside the credit itself. */
import { inTransaction } from '../kit/database/db.ts'
import { newId } from '../kit/random.ts'
import type { Runtime, Work } from '../kit/runtime.ts'
import type { UserId } from '../kit/user-id.ts'
import { findUsersWhoOwe, reduceShortfalls, repayShortfalls } from '../points/shortfall.sql.ts'
import { lockFreeUsersById } from '../users/end-user.ts'
import { settleAllDue } from './due.ts'

/** Takes what users owe, except for users whom others have locked, whom it returns. */
const repay = (outer: Work, userIds: readonly UserId[]): Promise<UserId[]> =>
  inTransaction(outer, async (work) => {
    const free = await lockFreeUsersById(work, userIds)
    const repayments = free.map((userId) => ({ userId, entryId: newId() }))
    const repaid = free.length > 0 ? await repayShortfalls(work.tx, repayments, work.clock()) : []
    if (repaid.length > 0) await reduceShortfalls(work.tx, repaid)
    return userIds.filter((id) => !free.includes(id))
  })

/** Takes what users owe and have by now, on any number of nodes at a time. */
export const repayDueShortfalls = (runtime: Runtime, signal?: AbortSignal): Promise<void> =>
  settleAllDue(
    {
      find: (without, limit) => findUsersWhoOwe(runtime.db, without, limit),
      settle: (due) =>
        repay(
          runtime,
          due.map(({ userId }) => userId),
        ),
      logFailure: (err, { userId }) =>
        runtime.log.error({ err, userId }, 'a shortfall could not be repaid'),
      atOnce: 200,
      maxRounds: 500,
    },
    signal,
  )
