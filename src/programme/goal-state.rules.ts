/** What a goal is to a user: its state, and what to do next. Pure functions of what was read. */
import type { GoalJoinMode, GoalRepeat, GoalStatus } from '../generated/prisma/enums.ts'

export const goalStates = {
  LOCKED: 'LOCKED',
  AVAILABLE: 'AVAILABLE',
  IN_PROGRESS: 'IN_PROGRESS',
  COMPLETED: 'COMPLETED',
  MISSED: 'MISSED',
} as const
export type GoalState = keyof typeof goalStates

export type NextAction = 'NONE' | 'JOIN' | 'CLAIM' | 'WAIT'

export type Facts = {
  status: GoalStatus
  repeat: GoalRepeat
  joinMode: GoalJoinMode
  maxCompletions: number | null
  startedAt: Date
  /** When the goal ends, and its present window or range; null for never. */
  goalEndsAt: Date | null
  windowEndsAt: Date | null
  /** Whether another window follows by itself. */
  hasWindows: boolean
  joinedAt: Date | null
  /** Live completions in the present window, and in all. */
  live: number
  ever: number
  /** Whether something counts in the present window. */
  hasProgress: boolean
  isEligible: boolean
  /** Whether a grant waits for the user. */
  isClaimable: boolean
}

const isPast = (moment: Date | null, now: Date) => moment !== null && moment <= now

const isOver = ({ status, goalEndsAt }: Facts, now: Date) =>
  status === 'ENDED' || isPast(goalEndsAt, now)

const isComplete = ({ repeat, ever, live, maxCompletions }: Facts) =>
  repeat === 'ONCE' ? ever > 0 : maxCompletions !== null && live >= maxCompletions

export const stateOf = (facts: Facts, now: Date): GoalState => {
  const { joinMode, joinedAt, live } = facts
  if (isComplete(facts)) return 'COMPLETED'
  const isRangeOver = joinedAt !== null && isPast(facts.windowEndsAt, now)
  if (isOver(facts, now) || isRangeOver) return live > 0 ? 'COMPLETED' : 'MISSED'
  if (facts.startedAt > now || !facts.isEligible) return 'LOCKED'
  if (joinMode === 'OPT_IN' && joinedAt === null) return 'AVAILABLE'
  return facts.hasProgress || joinedAt !== null ? 'IN_PROGRESS' : 'AVAILABLE'
}

/** Whether the user can join now. A range that was completed or has ended can be followed by another, unless it repeats once. */
export const canJoin = (facts: Facts, now: Date): boolean => {
  const { status, joinMode, joinedAt, repeat, startedAt, isEligible } = facts
  const isOpen = status === 'ACTIVE' && startedAt <= now && !isOver(facts, now)
  if (joinMode !== 'OPT_IN' || !isOpen || !isEligible) return false
  const isFree = joinedAt === null || isPast(facts.windowEndsAt, now) || isComplete(facts)
  return isFree && (joinedAt === null || repeat !== 'ONCE')
}

/** When the next window begins that the goal has; null if none follows. */
export const nextWindowOf = (facts: Facts): Date | null => {
  const { hasWindows, windowEndsAt, goalEndsAt } = facts
  if (!hasWindows || windowEndsAt === null || isComplete({ ...facts, live: 0 })) return null
  return goalEndsAt === null || windowEndsAt < goalEndsAt ? windowEndsAt : null
}

export const nextActionOf = (facts: Facts, now: Date): NextAction => {
  if (facts.isClaimable) return 'CLAIM'
  if (canJoin(facts, now)) return 'JOIN'
  const state = stateOf(facts, now)
  if (state === 'LOCKED') return 'WAIT'
  if (isOver(facts, now)) return 'NONE'
  if (facts.status === 'PAUSED') return 'WAIT'
  return state === 'COMPLETED' && nextWindowOf(facts) !== null ? 'WAIT' : 'NONE'
}
