/** Streaks as the API sends them, and what the widget makes of them. */

import type { GivenReward } from './goal-data.ts'
import type { Session } from './session.ts'
import { streakGoalQuery, streaksQuery } from './user-documents.ts'

type StreakState = 'ALIVE' | 'AT_RISK' | 'FROZEN' | 'PAUSED' | 'BROKEN'

export type WindowStatus =
  | 'MET'
  | 'FROZEN'
  | 'PAUSED'
  | 'RESTORED'
  | 'MISSED'
  | 'NOT_REQUIRED'
  | 'OPEN'

export type Period = 'DAY' | 'WEEK' | 'MONTH'

export type Milestone = { length: number; reward: GivenReward }

type StreakGoal = {
  slug: string
  name: string
  description: string | null
  window: Period
  streak: { freezes: { max: number }; milestones: Milestone[] } | null
}

/** What changes of a streak. */
export type StreakChange = {
  goal: { slug: string }
  length: number
  longest: number
  /** Null before the first met window. */
  state: StreakState | null
  /** The end of the window that has to be met next; null if there is none. */
  deadline: string | null
  freezes: number
  /** The first date of the window that broke it. */
  brokenOn: string | null
  /** The last seven windows at most, the present one last. */
  history: { windowStart: string; status: WindowStatus }[]
}

export type Streak = StreakChange & { goal: StreakGoal }

/** The windows that are shown. */
export const shownWindows = 7

/** A streak of somebody who has not begun. */
const notBegun = (goal: StreakGoal): Streak => ({
  goal,
  length: 0,
  longest: 0,
  state: null,
  deadline: null,
  freezes: 0,
  brokenOn: null,
  history: [],
})

/** The streak of a goal, or the first one without a slug; null if there is none. */
export const readStreak = async (session: Session, slug: string): Promise<Streak | null> => {
  type Data = { user: { streaks: { nodes: Streak[] } } | null }
  const externalId = await session.userId()
  const { user } = await session.ask<Data>(streaksQuery, { externalId })
  const found = streakIn(user?.streaks.nodes ?? [], slug)
  if (found || user || !slug) return found
  // The API does not know the user yet.
  const { goal } = await session.ask<{ goal: StreakGoal | null }>(streakGoalQuery, { slug })
  return goal?.streak ? notBegun(goal) : null
}

/** The one of a goal, or the first one without a slug. */
export const streakIn = <S extends StreakChange>(streaks: S[], slug: string): S | null =>
  streaks.find(({ goal }) => !slug || goal.slug === slug) ?? null

/** The milestone that comes next; undefined after the last one. */
export const nextMilestone = ({ goal, length }: Streak): Milestone | undefined =>
  goal.streak?.milestones.find((milestone) => milestone.length > length)

/** The milestones that were reached since. */
export const milestonesSince = (before: Streak, { goal, length }: Streak): Milestone[] =>
  (goal.streak?.milestones ?? []).filter(
    (item) => item.length > before.length && item.length <= length,
  )
