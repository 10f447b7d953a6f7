/** How far the users of goals are, as a whole. */
import { inTransaction } from '../kit/database/db.ts'
import type { Work } from '../kit/runtime.ts'
import { type Count, countLimit } from '../kit/schema/connection.ts'
import { type CloseUserRow, readCloseUsers, readFunnels, withoutJit } from './goal-funnel.sql.ts'

export type GoalFunnel = {
  /** Null for a goal without windows. */
  windowStart: string | null
  /** Null for a goal that users need not join. */
  joined: Count | null
  started: Count
  completed: Count
}

const counted = (value: number, isCut: boolean): Count => ({
  value: Math.min(value, countLimit),
  precision: isCut || value > countLimit ? 'AT_LEAST' : 'EXACT',
})

/** Reads how many users have joined, begun and completed goals, in one statement and one that sets how it runs. */
export const findFunnels = async (work: Work, goalIds: string[]): Promise<GoalFunnel[]> => {
  const rows = await inTransaction(work, async ({ tx, clock }) => {
    await withoutJit(tx)
    return readFunnels(tx, goalIds, clock(), countLimit)
  })
  const none = counted(0, false)
  const funnels: GoalFunnel[] = goalIds.map(() => {
    return { windowStart: null, joined: null, started: none, completed: none }
  })
  for (const { n, windowStart, joined, isJoinedCut, started, completed, isCut } of rows)
    funnels[n] = {
      windowStart,
      joined: joined === null ? null : counted(joined, isJoinedCut === true),
      started: counted(started, isCut),
      completed: counted(completed, isCut),
    }
  return funnels
}

export type CloseUsers = { checked: number; isComplete: boolean; users: CloseUserRow[] }

/** Limits: users that are looked at, and users in an answer. */
const maxUsers = 10_000
export const maxCloseUsers = 50

/** Reads the users who lack the least to complete goals, the closest first, in one statement and one that sets how it runs. */
export const findCloseUsers = async (work: Work, goalIds: string[]): Promise<CloseUsers[]> => {
  const rows = await inTransaction(work, async ({ tx, clock }) => {
    await withoutJit(tx)
    return readCloseUsers(tx, goalIds, clock(), maxUsers, maxCloseUsers)
  })
  const found: CloseUsers[] = goalIds.map(() => ({ checked: 0, isComplete: true, users: [] }))
  for (const { n, checked, isCut, users } of rows) found[n] = { checked, isComplete: !isCut, users }
  return found
}
