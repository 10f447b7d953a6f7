/**
 * Streaks: how many windows of a goal a user has met one after another. A pure function of what happened: it is computed again
 * from the first met window on, whatever came late, was reversed, or was restored.
 *
 * Windows are named by their first date in the time zone of the user, as `YYYY-MM-DD`. These are dates of a calendar, not
 * moments, so no time zone is needed here.
 */

export type StreakWindow = 'DAY' | 'WEEK' | 'MONTH'

export type StreakPlan = {
  window: StreakWindow
  freezes: {
    /** Given with the first met window of a run. */
    initial: number
    /** The most that a user can have at a time. */
    max: number
    /** Another one each time that this many windows of a run were met; null for none. */
    everyWindows: number | null
  }
  /** The weekdays that are required, 1 for Monday to 7 for Sunday; all if empty. Of DAY only. */
  weekdays: readonly number[]
  /** Lengths at which something is given. */
  milestones: readonly number[]
}

export type StreakRecord = {
  /** The first dates of the windows that were met, in any order. */
  met: readonly string[]
  /** Dates that the user never had, because of a move over the date line. */
  skipped: readonly string[]
  /** Freezes given by hand, and the date of each. */
  freezes: readonly { on: string; count: number }[]
  /** The first date of each pause, and the first date after it; null while it lasts. */
  pauses: readonly { from: string; until: string | null }[]
  /** The window that broke the streak, and the window in which it was restored. */
  restores: readonly { brokenOn: string; restoredOn: string }[]
}

export type WindowStatus =
  | 'MET'
  | 'FROZEN'
  | 'PAUSED'
  | 'RESTORED'
  | 'MISSED'
  | 'NOT_REQUIRED'
  | 'OPEN'

/** Windows in a row without a break: their first and last met one, and how many were met. */
type StreakRun = { from: string; to: string; length: number }

export type Streak = {
  /** Met windows of the present run; 0 if it is broken. */
  length: number
  longest: number
  freezes: number
  /** The present run; null if it is broken, or never began. */
  run: StreakRun | null
  /** All runs, the oldest first. */
  runs: StreakRun[]
  /** The window that broke the last run, if none has begun since; null otherwise. */
  brokenOn: string | null
  /** All windows that broke a run, the oldest first. */
  breaks: string[]
  /** What became of each window from the first met one to the present one. */
  history: { window: string; status: WindowStatus }[]
  /** The lengths that were reached, each with the window in which that was. */
  milestones: { length: number; reachedOn: string; run: StreakRun }[]
  /** Where the next computation can begin; null for the beginning. */
  checkpoint: Checkpoint | null
}

const dayMs = 86_400_000

const dateOf = (date: string): Date => new Date(`${date}T00:00:00Z`)
const textOf = (date: Date): string => date.toISOString().slice(0, 10)

/** The first date of the window that has a date. */
export const firstOfWindow = (window: StreakWindow, date: string): string => {
  if (window === 'MONTH') return `${date.slice(0, 7)}-01`
  return window === 'WEEK' ? daysAfter(date, 1 - weekdayOf(date)) : date
}

/** The first date of the window after one. */
export const nextWindow = (window: StreakWindow, start: string): string => {
  const date = dateOf(start)
  if (window === 'MONTH')
    return textOf(new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)))
  return daysAfter(start, window === 'WEEK' ? 7 : 1)
}

/** The date that is a number of days after one. */
export const daysAfter = (date: string, days: number): string =>
  textOf(new Date(dateOf(date).getTime() + days * dayMs))

/** 1 for Monday to 7 for Sunday. */
const weekdayOf = (date: string): number => dateOf(date).getUTCDay() || 7

/** Whether a window has to be met. */
export const isRequired = (plan: StreakPlan, skipped: readonly string[], start: string): boolean =>
  plan.window !== 'DAY' ||
  (!skipped.includes(start) &&
    (plan.weekdays.length === 0 || plan.weekdays.includes(weekdayOf(start))))

/** Whether one of the dates of a window, of which the next one is `next`, is in a pause. */
export const isPaused = (
  { pauses }: Pick<StreakRecord, 'pauses'>,
  start: string,
  next: string,
): boolean => pauses.some(({ from, until }) => from < next && (until === null || until > start))

const isRestored = ({ restores }: StreakRecord, start: string): boolean =>
  restores.some(({ brokenOn, restoredOn }) => brokenOn <= start && start < restoredOn)

/** What there was before a window, so that a later computation can begin there. */
export type Checkpoint = {
  window: string
  longest: number
  freezes: number
  run: StreakRun | null
  brokenOn: string | null
}

/** How many windows before the present one a checkpoint lies. Nothing older is shown. */
const checkpointAge = 70

/** What a walk through the windows has in hand. */
type Walk = Omit<Streak, 'length' | 'checkpoint'> & { plan: StreakPlan }

const addFreezes = (walk: Walk, count: number) => {
  walk.freezes = Math.min(walk.plan.freezes.max, walk.freezes + count)
}

const meet = (walk: Walk, start: string): WindowStatus => {
  const { initial, everyWindows } = walk.plan.freezes
  if (walk.run === null) {
    walk.run = { from: start, to: start, length: 0 }
    walk.runs.push(walk.run)
    addFreezes(walk, initial)
  }
  const { run } = walk
  run.to = start
  run.length += 1
  if (everyWindows !== null && run.length % everyWindows === 0) addFreezes(walk, 1)
  if (walk.plan.milestones.includes(run.length))
    walk.milestones.push({ length: run.length, reachedOn: start, run })
  walk.longest = Math.max(walk.longest, run.length)
  walk.brokenOn = null
  return 'MET'
}

const miss = (walk: Walk, start: string): WindowStatus => {
  if (walk.run === null) return 'MISSED'
  if (walk.freezes > 0) {
    walk.freezes -= 1
    return 'FROZEN'
  }
  walk.run = null
  walk.brokenOn = start
  walk.breaks.push(start)
  return 'MISSED'
}

const checkpointOf = ({ longest, freezes, run, brokenOn }: Walk, window: string): Checkpoint => {
  return { window, longest, freezes, run: run && { ...run }, brokenOn }
}

/** What becomes of a window. */
const step = (
  walk: Walk,
  record: StreakRecord,
  {
    start,
    next,
    isMet,
    isPresent,
  }: { start: string; next: string; isMet: boolean; isPresent: boolean },
): WindowStatus => {
  if (isMet) return meet(walk, start)
  if (isPaused(record, start, next)) return 'PAUSED'
  if (!isRequired(walk.plan, record.skipped, start)) return 'NOT_REQUIRED'
  if (isPresent) return 'OPEN'
  if (walk.run !== null && isRestored(record, start)) return 'RESTORED'
  return miss(walk, start)
}

/**
 * The streak of a user as of a window, which is not over yet.
 * @param present the first date of the present window
 * @param since where to begin; nothing before may have changed. The record needs nothing that is older.
 */
export const streakOf = (
  plan: StreakPlan,
  record: StreakRecord,
  present: string,
  since: Checkpoint | null = null,
): Streak => {
  const met = new Set(record.met)
  const run = since?.run ? { ...since.run } : null
  const walk: Walk = {
    plan,
    longest: since?.longest ?? 0,
    freezes: since?.freezes ?? 0,
    run,
    runs: run ? [run] : [],
    brokenOn: since?.brokenOn ?? null,
    breaks: [],
    history: [],
    milestones: [],
  }
  const gifts = record.freezes
    .filter(({ on }) => since === null || on >= since.window)
    .toSorted((a, b) => (a.on < b.on ? -1 : 1))
  const checkpoints: Checkpoint[] = []
  let given = 0
  for (let start = since?.window ?? record.met.toSorted()[0] ?? present; start <= present; ) {
    const next = nextWindow(plan.window, start)
    checkpoints.push(checkpointOf(walk, start))
    for (let gift = gifts[given]; gift && gift.on < next; gift = gifts[++given])
      addFreezes(walk, gift.count)
    const at = { start, next, isMet: met.has(start), isPresent: start === present }
    walk.history.push({ window: start, status: step(walk, record, at) })
    start = next
  }
  const { plan: _, ...streak } = walk
  const checkpoint = checkpoints.at(-checkpointAge) ?? since
  return { ...streak, length: streak.run?.length ?? 0, checkpoint }
}

export type StreakState = 'ALIVE' | 'AT_RISK' | 'FROZEN' | 'PAUSED' | 'BROKEN'

/**
 * What a streak is at a moment; null before its first met window.
 * @param deadline the end of the present window, until which it has to be met
 */
export const streakStateOf = (
  { history, run }: Streak,
  { now, deadline, atRiskHours }: { now: Date; deadline: Date | null; atRiskHours: number },
): StreakState | null => {
  const status = history.at(-1)?.status
  if (run === null) return history.length > 1 ? 'BROKEN' : null
  if (status === 'PAUSED') return 'PAUSED'
  if (status !== 'OPEN') return 'ALIVE'
  if (deadline && deadline.getTime() - now.getTime() <= atRiskHours * 3_600_000) return 'AT_RISK'
  const last = history.findLast(
    (item, n) =>
      n < history.length - 1 && item.status !== 'NOT_REQUIRED' && item.status !== 'PAUSED',
  )
  return last?.status === 'FROZEN' ? 'FROZEN' : 'ALIVE'
}

/** A milestone that was given. */
export type GivenMilestone = { id: string; length: number; reachedOn: string; isRevoked: boolean }

/**
 * What becomes of the milestones of a user. Each length is given once within a run: one that was given in a window of the run
 * counts, wherever the run begins now. What no run reaches any more is taken back, unless it is to be kept; of two runs that are
 * one now, the later one's.
 * @param since the first window that was computed; what was reached before stays. Null for all.
 */
export const settleMilestones = <M extends GivenMilestone>(
  { milestones, runs }: Pick<Streak, 'milestones' | 'runs'>,
  given: readonly M[],
  keeps: boolean,
  since: string | null = null,
): {
  give: { length: number; reachedOn: string }[]
  renew: M[]
  revoke: M[]
} => {
  const isWithin = ({ from, to }: StreakRun, { reachedOn }: M) =>
    from <= reachedOn && reachedOn <= to
  const live = given.filter(({ isRevoked }) => !isRevoked)
  const isFirst = (run: StreakRun, { length, reachedOn }: M) =>
    !live.some(
      (item) => item.length === length && item.reachedOn < reachedOn && isWithin(run, item),
    )
  const revoke = keeps
    ? []
    : live.filter(
        (item) =>
          (since === null || item.reachedOn >= since) &&
          !runs.some(
            (run) => isWithin(run, item) && run.length >= item.length && isFirst(run, item),
          ),
      )
  const gone = new Set(revoke)
  const missing = milestones.filter(
    ({ length, run }) =>
      !live.some((item) => item.length === length && !gone.has(item) && isWithin(run, item)),
  )
  const renewable = (length: number, reachedOn: string) =>
    given.find((item) => item.isRevoked && item.length === length && item.reachedOn === reachedOn)
  return {
    give: missing.flatMap(({ length, reachedOn }) =>
      renewable(length, reachedOn) ? [] : [{ length, reachedOn }],
    ),
    renew: missing.flatMap(({ length, reachedOn }) => renewable(length, reachedOn) ?? []),
    revoke,
  }
}
