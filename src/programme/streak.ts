/** Streaks of users: how they are, and what partners do to them. They follow from completions, freezes, pauses and restores. */
import type { Goal } from '../generated/prisma/client.ts'
import type { Work } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'
import type { UserId } from '../kit/user-id.ts'
import { type FullGoal, findGoals } from './goal.ts'
import {
  isPaused,
  isRequired,
  nextWindow,
  type Streak,
  type StreakPlan,
  type StreakRecord,
  type StreakState,
  type StreakWindow,
  streakOf,
  streakStateOf,
} from './streak.rules.ts'
import { type MilestoneRow, readStreaks, readWindowEnds, type StoredStreak } from './streak.sql.ts'

/** A goal that is a streak. */
type StreakGoal = FullGoal & { streak: NonNullable<FullGoal['streak']> }

/** The streak of a user at a moment. */
export type UserStreak = {
  goal: StreakGoal
  userId: UserId
  tenant: Tenant
  streak: Streak
  /** Null before the first met window. */
  state: StreakState | null
  /** The date of the user, and the first date of the present window; of a goal that has ended, the last ones. */
  today: string
  present: string
  /** The window that has to be met next, and its end or that of the goal; null if there is none. */
  deadline: { window: string; endsAt: Date } | null
  record: StreakRecord
  kept: StoredStreak | null
  milestones: MilestoneRow[]
  /** The first window that was computed; null for all. */
  since: string | null
}

export type StreakKey = {
  userId: UserId
  /** All streaks of the user if it is omitted. */
  goalId?: string
  /** The first window of which something changed. */
  changed?: string | null
}

const planOf = ({ window, streak }: StreakGoal): StreakPlan => ({
  window: window as StreakWindow,
  freezes: {
    initial: streak.initialFreezes,
    max: streak.maxFreezes,
    everyWindows: streak.freezeEvery,
  },
  weekdays: streak.weekdays,
  milestones: streak.milestoneLengths,
})

const hourMs = 3_600_000

/** No pause or weekday leaves out more windows than this, unless it never ends. */
const furthestWindow = 400

/** The window that has to be met next; null if the streak is broken, its pause has no end, or the goal ends before. */
const nextRequired = (
  plan: StreakPlan,
  record: StreakRecord,
  { run, history }: Streak,
  { present, last }: { present: string; last: string | null },
): string | null => {
  if (run === null) return null
  let start = present
  for (let n = 0; n < furthestWindow && (last === null || start <= last); n++) {
    const next = nextWindow(plan.window, start)
    const isDone = n === 0 && history.at(-1)?.status === 'MET'
    if (!isDone && !isPaused(record, start, next) && isRequired(plan, record.skipped, start))
      return start
    start = next
  }
  return null
}

const isOver = ({ status, endsAt }: Goal, now: Date) =>
  status === 'ENDED' || (endsAt !== null && endsAt <= now)

/** The earlier of two moments; null for never. */
const earlier = (a: Date | null | undefined, b: Date | null): Date | null =>
  a && b ? (a < b ? a : b) : (a ?? b)

/** Computes streaks of users, one of each or all that have started, with three statements. */
export const findStreaks = async (work: Work, keys: StreakKey[]): Promise<UserStreak[][]> => {
  const now = work.clock()
  const rows = await readStreaks(work.tx, keys, now)
  const ids = [...new Set(rows.map(({ goalId }) => goalId))]
  const goals = new Map((await findGoals(work, ids)).map((goal, n) => [ids[n], goal]))
  const found = rows.map((row) => {
    const goal = goals.get(row.goalId) as StreakGoal
    const userId = keys[row.n]?.userId as UserId
    const streak = streakOf(planOf(goal), row.record, row.present, row.checkpoint)
    const required = isOver(goal, now) ? null : nextRequired(planOf(goal), row.record, streak, row)
    return { row, goal, userId, streak, required }
  })
  const due = found.flatMap(({ goal, userId, required }) =>
    required === null ? [] : { userId, kind: goal.window, windowStart: required },
  )
  const ends = due.length > 0 ? await readWindowEnds(work.tx, due) : []
  const lists: UserStreak[][] = keys.map(() => [])
  let at = 0
  for (const { row, goal, userId, streak, required } of found) {
    const endsAt = required === null ? null : earlier(ends[at++]?.endsAt, goal.endsAt)
    const deadline = required !== null && endsAt ? { window: required, endsAt } : null
    const { partnerId, environment, today, present, record, kept, milestones, checkpoint } = row
    lists[row.n]?.push({
      goal,
      userId,
      tenant: { partnerId, environment },
      streak,
      state: streakStateOf(streak, {
        now,
        deadline: deadline?.window === present ? deadline.endsAt : null,
        atRiskHours: goal.streak.atRiskHours,
      }),
      today,
      present,
      deadline,
      record,
      kept,
      milestones,
      since: checkpoint?.window ?? null,
    })
  }
  return lists
}

/** When something of a streak is to be announced: that it is at risk, or that a window is over. Null for never. */
export const dueAtOf = ({ goal, deadline, state, present }: UserStreak): Date | null => {
  if (deadline === null) return null
  const isAnnounced = state === 'AT_RISK' && deadline.window === present
  const { atRiskHours } = goal.streak
  return isAnnounced ? deadline.endsAt : new Date(deadline.endsAt.getTime() - atRiskHours * hourMs)
}
