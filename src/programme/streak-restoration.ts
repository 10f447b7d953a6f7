/**
 * Restores all streaks of a goal that a window broke, after an outage of the partner. A job does it in short transactions, on
 * any number of nodes at a time. What is restored, and how far it is, is written together, so that a node that stops in
 * between leaves nothing half done.
 */
import { z } from 'zod'
import type { Actor } from '../accounts/actor.ts'
import type { StreakRestoration } from '../generated/prisma/client.ts'
import { inTransaction } from '../kit/database/db.ts'
import { isUnavailable } from '../kit/database/outage.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import { refused, TesseraError } from '../kit/errors.ts'
import { newId } from '../kit/random.ts'
import type { Runtime, Transaction, Work } from '../kit/runtime.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import type { UserId } from '../kit/user-id.ts'
import { lockUsersById } from '../users/end-user.ts'
import { lockGoal } from './goal.sql.ts'
import { findGoal } from './goal.ts'
import { GoalBy } from './goal-input.ts'
import {
  daysAfter,
  firstOfWindow,
  nextWindow,
  type StreakRecord,
  type StreakWindow,
} from './streak.rules.ts'
import { insertChanges } from './streak.sql.ts'
import { findStreaks, type UserStreak } from './streak.ts'
import {
  advanceRestoration,
  completeRestoration,
  countCandidates,
  findCandidates,
  findOpenRestorations,
  lockRestoration,
  startRestoration,
} from './streak-restoration.sql.ts'
import { lockForStreaks, settleStreaks } from './streak-settling.ts'

/** Days after the end of a window within which the streaks that it broke can be restored together. */
export const maxOutageDays = 30

/** A date of the calendar, such as 2026-01-31. */
const calendarDate = () =>
  z
    .string({ error: (issue) => (issue.input == null ? 'is required' : 'must be a date') })
    .refine((text) => z.iso.date().safeParse(text).success, 'must be a date such as 2026-01-31')

export const RestoreStreaks = z
  .object({
    goal: GoalBy.describe('The goal that is a streak.'),
    brokenOn: calendarDate().describe(
      `A date of the window that broke the streaks, such as 2026-01-31. It has begun, and ended at most ${maxOutageDays} days ago.`,
    ),
  })
  .describe('Broken streaks to restore.')

/**
 * Starts to restore the streaks of a goal that a window broke. While the same is under way, it returns that.
 * @throws TesseraError GOAL_NOT_FOUND, GOAL_STATUS_CONFLICT for a goal that has not started or has ended, VALIDATION_FAILED for
 * one that is no streak, and for a window that has not begun, or is too long ago
 */
export const restoreStreaks = (
  work: Work,
  {
    goal: by,
    brokenOn: date,
    memberId,
    apiKeyId,
    ...tenant
  }: Tenant & Actor & z.output<typeof RestoreStreaks>,
): Promise<StreakRestoration> =>
  inTransaction(work, async (txWork) => {
    const { tx, clock } = txWork
    const found = await findGoal(txWork, tenantOf(tenant), by)
    // One call waits for the other, so that the same is not started twice.
    if (found) await lockGoal(tx, found.id)
    const goal = found && (await findGoal(txWork, tenantOf(tenant), { id: found.id }))
    if (!goal) throw new TesseraError('GOAL_NOT_FOUND')
    if (!goal.streak) throw refused('goal', 'must be a streak')
    const { status, updatedAt } = goal
    if (status !== 'ACTIVE' && status !== 'PAUSED')
      throw new TesseraError('GOAL_STATUS_CONFLICT', { status, since: updatedAt })
    const window = goal.window as StreakWindow
    const brokenOn = firstOfWindow(window, date)
    const today = clock().toISOString().slice(0, 10)
    // The date of users can be one later than that of UTC.
    if (brokenOn > daysAfter(today, 1)) throw refused('brokenOn', 'must not be in the future')
    if (today > daysAfter(nextWindow(window, brokenOn), maxOutageDays))
      throw refused('brokenOn', `must have ended at most ${maxOutageDays} days ago`)
    const own = ofTenant(tx, tenant).streakRestoration
    const where = { goalId: goal.id, brokenOn: new Date(`${brokenOn}T00:00:00Z`) }
    const open = await own.findFirst({ where: { ...where, completedAt: null } })
    if (open) return open
    const actor = { memberId, apiKeyId }
    return own.create({ data: { ...where, ...actor, id: newId(), createdAt: clock() } })
  })

/** The first window of a run that began after a break; the present one if none did. */
const restoredOn = ({ met }: StreakRecord, brokenOn: string, present: string): string =>
  met.filter((window) => window > brokenOn).toSorted()[0] ?? present

/** Restores the streaks of users that a window broke. Users, rewards and profiles are locked. Returns how many. */
const restore = async (
  work: Transaction,
  { goalId, brokenOn, userIds }: { goalId: string; brokenOn: string; userIds: UserId[] },
): Promise<number> => {
  const keys = userIds.map((userId) => ({ goalId, userId, changed: brokenOn }))
  const broken = (await findStreaks(work, keys))
    .flat()
    .filter(({ streak }: UserStreak) => streak.breaks.includes(brokenOn))
  if (broken.length === 0) return 0
  const changes = broken.map(({ userId, record, present }) => ({
    id: newId(),
    goalId,
    userId,
    kind: 'RESTORE' as const,
    fromDate: brokenOn,
    untilDate: restoredOn(record, brokenOn, present),
  }))
  await insertChanges(work.tx, changes, work.clock())
  const restored = broken.map(({ userId }) => ({ goalId, userId, changed: brokenOn }))
  await settleStreaks(work, restored, 'RESTORED')
  return broken.length
}

/** Streaks per transaction. */
const streaksAtOnce = 200

/** Restores the next streaks, at most a number of them. Returns whether there are more, and no other node restores them. */
const restoreNext = (runtime: Runtime, id: string, limit: number): Promise<boolean> =>
  inTransaction(runtime, async (work) => {
    const { tx, clock } = work
    const [restoration] = await lockRestoration(tx, id)
    if (!restoration) return false
    const { goalId, brokenOn, afterUserId, streakCount } = restoration
    const now = clock()
    if (streakCount === null) {
      const [counted] = await countCandidates(tx, goalId, brokenOn, now)
      await startRestoration(tx, id, counted?.count ?? 0)
    }
    const found = await findCandidates(tx, goalId, brokenOn, now, afterUserId, limit)
    const userIds = found.map(({ userId }) => userId)
    if (userIds.length === 0) {
      await completeRestoration(tx, id, now)
      return false
    }
    await lockUsersById(work, userIds)
    await lockForStreaks(work, [goalId], userIds)
    const restored = await restore(work, { goalId, brokenOn, userIds })
    const after = userIds.at(-1) ?? null
    await advanceRestoration(tx, id, { checked: userIds.length, restored, after })
    return true
  })

/** Leaves out the next streak, which cannot be restored. */
const skipNext = (runtime: Runtime, id: string): Promise<void> =>
  inTransaction(runtime, async ({ tx, clock }) => {
    const [restoration] = await lockRestoration(tx, id)
    if (!restoration) return
    const { goalId, brokenOn, afterUserId } = restoration
    const [next] = await findCandidates(tx, goalId, brokenOn, clock(), afterUserId, 1)
    if (next) await advanceRestoration(tx, id, { checked: 1, restored: 0, after: next.userId })
  })

/** Restores the next streaks one by one, so that one that cannot be restored does not stop the others. */
const restoreEach = async (runtime: Runtime, id: string): Promise<boolean> => {
  for (let n = 0; n < streaksAtOnce; n++)
    try {
      if (!(await restoreNext(runtime, id, 1))) return false
    } catch (err) {
      if (isUnavailable(err)) throw err
      runtime.log.error({ err, restoration: id }, 'a streak could not be restored')
      await skipNext(runtime, id)
    }
  return true
}

/** A run ends well before it counts as hung. The next run continues. */
const longestRunMs = 600_000

/** Restores streaks as far as it can now. Restorations take turns. */
export const restoreBrokenStreaks = async (
  runtime: Runtime,
  signal?: AbortSignal,
): Promise<void> => {
  const start = Date.now()
  let open = await findOpenRestorations(runtime.db)
  while (open.length > 0 && !signal?.aborted && Date.now() - start < longestRunMs) {
    const unfinished: typeof open = []
    for (const item of open) {
      if (signal?.aborted) return
      const hasMore = await restoreNext(runtime, item.id, streaksAtOnce).catch((err: unknown) => {
        if (isUnavailable(err)) throw err
        return restoreEach(runtime, item.id)
      })
      if (hasMore) unfinished.push(item)
    }
    open = unfinished
  }
}
