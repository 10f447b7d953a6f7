/** What a goal would do, without doing it. */
import type { Goal } from '../generated/prisma/client.ts'
import type { GoalStatus } from '../generated/prisma/enums.ts'
import type { Runtime } from '../kit/runtime.ts'
import type { UserId } from '../kit/user-id.ts'
import {
  findUsersSeenLast,
  type MadeUpEntry,
  previewOfUsers,
  readConditions,
  simulateFact,
} from './simulation.sql.ts'

/** What a goal requires beside its numbers, and what there is of it. */
export type GoalCondition = { isMet: boolean } & (
  | { kind: 'STATUS'; status: GoalStatus }
  | { kind: 'COUNTED' }
  | { kind: 'JOINED'; joinedAt: Date | null }
  | { kind: 'SEGMENT'; segmentId: string }
  | { kind: 'REQUIRED_GOAL'; goalId: string }
  | { kind: 'MAX_COMPLETIONS'; completionCount: number; maxCompletions: number }
)

type Read = Awaited<ReturnType<typeof readConditions>>[number]

/** The conditions of a goal at a moment, in the order in which they are looked at; of a draft as if it ran. */
const conditionsOf = (goal: Goal, found: Read, at: Date, now: Date): GoalCondition[] => {
  const { status, startedAt, endsAt, segmentId, joinMode, isCounting, maxCompletions } = goal
  const isDraft = status === 'DRAFT'
  const isUnderWay = isDraft || (status !== 'PAUSED' && startedAt !== null && startedAt <= now)
  const completionCount = found.completions
  return [
    { kind: 'STATUS', isMet: isUnderWay && (endsAt === null || at < endsAt), status },
    { kind: 'COUNTED', isMet: !isCounting },
    ...(joinMode === 'OPT_IN'
      ? [{ kind: 'JOINED' as const, isMet: found.isJoined, joinedAt: found.joinedAt }]
      : []),
    ...(segmentId === null
      ? []
      : [{ kind: 'SEGMENT' as const, isMet: found.isInSegment === true, segmentId }]),
    ...found.required.map((item) => ({ kind: 'REQUIRED_GOAL' as const, ...item })),
    ...(maxCompletions === null
      ? []
      : [
          {
            kind: 'MAX_COMPLETIONS' as const,
            isMet: completionCount < maxCompletions,
            completionCount,
            maxCompletions,
          },
        ]),
  ]
}

export type Simulation = {
  /** Whether the goal is a draft and was looked at as if it was started. */
  asIfActive: boolean
  tasks: Awaited<ReturnType<typeof simulateFact>>
  conditions: GoalCondition[]
}

/** What a made-up fact of a user would count for a goal, and each condition on the user. Null if the user has no profile. */
export const simulate = async (
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  goal: Goal,
  userId: UserId,
  entry: MadeUpEntry,
  at: Date,
): Promise<Simulation | null> => {
  const now = clock()
  const tasks = await simulateFact(db, goal.id, userId, entry, now)
  const windowStart = tasks.find((task) => task.windowStart !== null)?.windowStart ?? null
  const [found] = await readConditions(db, goal.id, userId, at, windowStart)
  return found
    ? { asIfActive: goal.status === 'DRAFT', tasks, conditions: conditionsOf(goal, found, at, now) }
    : null
}

export type Preview = { checked: number; users: number; completions: number; isComplete: boolean }

/** Limits: users in all, users per statement, and the time after which no other statement begins. */
const maxUsers = 10_000
const usersAtOnce = 250
const maxMs = 5_000

/** How many users would have completed a goal if it had counted since a moment. Users who were seen last come first. */
export const previewGoal = async (
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  goal: Goal,
  since: Date,
): Promise<Preview> => {
  const now = clock()
  // One more shows whether there are more.
  const found = (await findUsersSeenLast(db, goal, maxUsers + 1)).map(({ userId }) => userId)
  const all = found.slice(0, maxUsers)
  // From here on, so that some users are looked at even if finding them was slow.
  const until = performance.now() + maxMs
  const preview = { checked: 0, users: 0, completions: 0 }
  while (preview.checked < all.length && performance.now() < until) {
    const part = all.slice(preview.checked, preview.checked + usersAtOnce)
    const [counts] = await previewOfUsers(db, goal.id, part, since, now)
    preview.checked += part.length
    preview.users += counts?.users ?? 0
    preview.completions += counts?.completions ?? 0
  }
  return { ...preview, isComplete: preview.checked === found.length }
}
