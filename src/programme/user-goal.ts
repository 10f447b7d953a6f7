/** Goals of users: how far they are, and taking part. */
import { z } from 'zod'
import type { EndUser, GoalCompletion } from '../generated/prisma/client.ts'
import { inTransaction } from '../kit/database/db.ts'
import { acrossTenants } from '../kit/database/tenant-client.ts'
import { TesseraError } from '../kit/errors.ts'
import { inOrder } from '../kit/in-order.ts'
import type { Work } from '../kit/runtime.ts'
import { tenantOf } from '../kit/tenant.ts'
import type { UserId } from '../kit/user-id.ts'
import { isBlocked, userBlocked } from '../users/block.rules.ts'
import { lockUsers, UserBy, type UserKey } from '../users/end-user.ts'
import { lockProfiles } from './counter.sql.ts'
import { recount } from './counting.ts'
import type { RequiredGoal } from './decision.sql.ts'
import { type FullGoal, findGoal, findGoals } from './goal.ts'
import { GoalBy } from './goal-input.ts'
import {
  canJoin,
  type Facts,
  type GoalState,
  type NextAction,
  nextActionOf,
  nextWindowOf,
  stateOf,
} from './goal-state.rules.ts'
import { insertJoin, readUserGoals, type UserGoalTask } from './user-goal.sql.ts'

/** A goal as it is for a user at a moment. */
export type UserGoal = {
  goal: FullGoal
  userId: UserId
  state: GoalState
  nextAction: NextAction
  canJoin: boolean
  tasks: (UserGoalTask & { rate: number })[]
  windowStart: string | null
  joinedAt: Date | null
  endsAt: Date | null
  nextWindowAt: Date | null
  completionCount: number
  /** Null if the goal has no segment. */
  isInSegment: boolean | null
  required: RequiredGoal[]
}

type Row = Awaited<ReturnType<typeof readUserGoals>>[number]

const factsOf = (row: Row, goal: FullGoal): Facts => ({
  status: goal.status,
  repeat: goal.repeat,
  joinMode: goal.joinMode,
  maxCompletions: goal.maxCompletions,
  startedAt: goal.startedAt as Date,
  goalEndsAt: goal.endsAt,
  windowEndsAt: row.windowEndsAt,
  hasWindows: goal.window !== 'EVER' && goal.window !== 'JOIN',
  joinedAt: row.joinedAt,
  live: row.live,
  ever: row.ever,
  hasProgress: row.tasks.some(({ value }) => value > 0),
  isEligible: row.isInSegment !== false && row.hasRequired !== false,
  isClaimable: row.isClaimable,
})

const earliest = (...moments: (Date | null)[]): Date | null => {
  const given = moments.filter((moment) => moment !== null)
  return given.length > 0 ? new Date(Math.min(...given.map(Number))) : null
}

const userGoalOf = (row: Row, goal: FullGoal, userId: UserId, now: Date): UserGoal => {
  const facts = factsOf(row, goal)
  const { live } = row
  const isFull = goal.maxCompletions !== null && live >= goal.maxCompletions
  return {
    goal,
    userId,
    state: stateOf(facts, now),
    nextAction: nextActionOf(facts, now),
    canJoin: canJoin(facts, now),
    // Of a goal that can be completed again, the way to the next time.
    tasks: row.tasks.map((task) => ({
      ...task,
      rate: isFull ? 1 : Math.max(0, Math.min(1, (task.value - live * task.target) / task.target)),
    })),
    windowStart: row.windowStart,
    joinedAt: row.joinedAt,
    endsAt: earliest(facts.windowEndsAt, facts.goalEndsAt),
    nextWindowAt: nextWindowOf(facts),
    completionCount: row.ever,
    isInSegment: row.isInSegment,
    required: row.required,
  }
}

type Asked = { userId: UserId; goalId?: string }

/** Reads the goals of users, or one goal of each, with two statements. */
export const findUserGoals = async (work: Work, requested: Asked[]): Promise<UserGoal[][]> => {
  const now = work.clock()
  const rows = await readUserGoals(work.tx, requested, now)
  const ids = [...new Set(rows.map(({ goalId }) => goalId))]
  const goals = new Map((await findGoals(work, ids)).map((goal, n) => [ids[n], goal]))
  const found: UserGoal[][] = requested.map(() => [])
  for (const row of rows) {
    const goal = goals.get(row.goalId)
    const userId = requested[row.n]?.userId
    if (goal && userId) found[row.n]?.push(userGoalOf(row, goal, userId, now))
  }
  return found
}

/** Reads completions by their ids in one statement; null for those that do not exist. */
export const findCompletions = async (
  { tx }: Work,
  ids: string[],
): Promise<(GoalCompletion | null)[]> =>
  inOrder(
    ids,
    await acrossTenants(tx, 'IDS').goalCompletion.findMany({ where: { id: { in: ids } } }),
  )

export const JoinGoal = z
  .object({
    user: UserBy.describe('The user, by id or external id.'),
    goal: GoalBy.describe('The goal, by id or slug.'),
  })
  .describe('A user who is to take part in a goal.')

/**
 * Has a user take part in a goal with opt-in, from now on.
 * @throws TesseraError USER_NOT_FOUND, GOAL_NOT_FOUND, USER_BLOCKED, GOAL_JOINED for one who takes part, and for all of a goal without opt-in,
 * GOAL_NOT_OPEN for one who is not eligible, GOAL_NOT_ACTIVE
 */
export const joinGoal = (
  work: Work,
  { goal: by, ...key }: UserKey & { goal: GoalBy },
): Promise<{ user: EndUser; userGoal: UserGoal }> =>
  inTransaction(work, async (txWork) => {
    const { tx, clock } = txWork
    const goal = await findGoal(txWork, tenantOf(key), by)
    if (!goal || goal.status === 'DRAFT') throw new TesseraError('GOAL_NOT_FOUND')
    const [user] = await lockUsers(txWork, [key])
    if (!user) throw new TesseraError('USER_NOT_FOUND')
    if (isBlocked(user, clock())) throw userBlocked()
    const requested = { userId: user.id as UserId, goalId: goal.id }
    await lockProfiles(tx, [requested.userId])
    const [[before] = []] = await findUserGoals(txWork, [requested])
    const { status, updatedAt } = goal
    if (!before) throw new TesseraError('GOAL_NOT_ACTIVE', { status, since: updatedAt })
    if (!before.canJoin) {
      if (goal.joinMode === 'AUTO' || before.state === 'IN_PROGRESS' || before.joinedAt)
        throw new TesseraError('GOAL_JOINED', { doneAt: before.joinedAt ?? null })
      if (status === 'ACTIVE' && before.state === 'LOCKED') throw new TesseraError('GOAL_NOT_OPEN')
      throw new TesseraError('GOAL_NOT_ACTIVE', { status, since: updatedAt })
    }
    const [joined] = await insertJoin(tx, goal.id, requested.userId, clock())
    // What was counted before the lock, and happened after this moment, has met no range.
    await recount(txWork, goal.id, [requested.userId], joined?.windowStart ?? null)
    const [[userGoal] = []] = await findUserGoals(txWork, [requested])
    return { user, userGoal: userGoal as UserGoal }
  })
