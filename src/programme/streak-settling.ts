/**
 * Keeps streaks true. Whatever changes a streak computes it again in the same transaction: a decision, a freeze, a pause, a
 * restore, or time. What is new is announced once, and each milestone of a run gives its reward once.
 */

import { inTransaction } from '../kit/database/db.ts'
import { newId } from '../kit/random.ts'
import type { Runtime, Transaction } from '../kit/runtime.ts'
import type { UserId } from '../kit/user-id.ts'
import { lockFreeUsersById } from '../users/end-user.ts'
import { lockProfiles } from './counter.sql.ts'
import { settleAllDue } from './due.ts'
import { lockGrants, type NewGrant, revokeGrants } from './grant.sql.ts'
import { grantTimes, makeGrants } from './grant.ts'
import { lockRewards } from './reward.sql.ts'
import { findRewards } from './reward.ts'
import { settleMilestones } from './streak.rules.ts'
import {
  type About,
  announceAtRisk,
  announceBroken,
  announceMilestones,
  announceRestored,
  findDueStreaks,
  findMilestoneRewards,
  insertMilestones,
  keepStreaks,
  type NewMilestone,
  revokeMilestones,
  type StreakRow,
} from './streak.sql.ts'
import { dueAtOf, findStreaks, type StreakKey, type UserStreak } from './streak.ts'

/** Why a streak that was broken goes on. */
export type RestoreReason = 'RESTORED' | 'LATE_FACT'

/**
 * The breaks that were not there when the streak was kept, each with the length of the run that it ended. Those before the run
 * that was kept, or before the break that was kept, were announced already.
 */
const newBreaksOf = ({ kept, streak: { breaks, runs } }: UserStreak) => {
  if (kept === null) return []
  const since = kept.runFrom ?? kept.lastBrokenOn ?? ''
  return breaks
    .filter((window) => window > since)
    .map((windowStart) => ({
      windowStart,
      lostLength: runs.findLast(({ from }) => from < windowStart)?.length ?? kept.length,
    }))
}

/** Whether the present run goes over the window that had broken the streak. */
const isRestored = ({ kept, streak: { run } }: UserStreak): boolean =>
  run !== null && kept !== null && kept.lastBrokenOn !== null && run.from < kept.lastBrokenOn

const isNewlyAtRisk = ({ state, kept, present }: UserStreak): boolean =>
  state === 'AT_RISK' && kept?.atRiskAnnouncedOn !== present

type Reached = NewMilestone & { isNew: boolean }

/** The milestones of a streak that are to be given, and those to be taken back. */
const milestonesOf = ({ goal, userId, tenant, streak, milestones, since }: UserStreak) => {
  const { milestoneLengths, milestoneRewardIds } = goal.streak
  const keeps = goal.onReversal === 'KEEP'
  const { give, renew, revoke } = settleMilestones(streak, milestones, keeps, since)
  const own = { ...tenant, goalId: goal.id, userId }
  const rewardOf = (length: number) =>
    milestoneRewardIds[milestoneLengths.indexOf(length)] as string
  const reached: Reached[] = [
    ...give.map((item) => {
      return {
        ...own,
        ...item,
        id: newId(),
        rewardId: rewardOf(item.length),
        round: 1,
        isNew: true,
      }
    }),
    ...renew.map(({ id, length, reachedOn, round }) => {
      const again = { id, length, reachedOn, round: round + 1 }
      return { ...own, ...again, rewardId: rewardOf(length), isNew: false }
    }),
  ]
  return { reached, revoked: revoke.map(({ id }) => id) }
}

const isAnnounced = (streak: UserStreak): boolean =>
  isNewlyAtRisk(streak) ||
  newBreaksOf(streak).length > 0 ||
  isRestored(streak) ||
  milestonesOf(streak).reached.length > 0

const rowOf = (item: UserStreak): StreakRow => {
  const { goal, userId, tenant, streak, kept, present } = item
  const { length, longest, freezes, run, brokenOn, breaks, checkpoint } = streak
  return {
    goalId: goal.id,
    userId,
    ...tenant,
    length,
    longest,
    freezes,
    runFrom: run?.from,
    brokenOn,
    lastBrokenOn: breaks.at(-1) ?? brokenOn,
    atRiskAnnouncedOn: isNewlyAtRisk(item) ? present : kept?.atRiskAnnouncedOn,
    isAnnounced: isAnnounced(item),
    dueAt: dueAtOf(item),
    checkpoint,
  }
}

const about = ({ goal, userId }: UserStreak, more: Record<string, unknown>): About[number] => ({
  goalId: goal.id,
  userId,
  more,
})

/** Gives and takes back milestones. Users, rewards and profiles are locked. */
const writeMilestones = async (work: Transaction, streaks: UserStreak[]): Promise<void> => {
  const { tx, clock } = work
  const now = clock()
  const changes = streaks.map((streak) => ({ one: streak, ...milestonesOf(streak) }))
  const revoked = changes.flatMap((change) => change.revoked)
  if (revoked.length > 0) {
    const userIds = [...new Set(streaks.map(({ userId }) => userId))]
    const ids = (await revokeMilestones(tx, revoked, now)).flatMap(({ grantId }) => grantId ?? [])
    const locked = await lockGrants(tx, ids, userIds)
    await revokeGrants(
      tx,
      locked.map(({ id }) => id),
      now,
    )
  }
  const reached = changes.flatMap(({ one: item, reached }) =>
    reached.map((each) => ({ one: item, ...each })),
  )
  if (reached.length === 0) return
  const rewardIds = [...new Set(reached.map(({ rewardId }) => rewardId))]
  const rewards = new Map((await findRewards(work, rewardIds)).map((item) => [item?.id, item]))
  const grants = reached.flatMap(
    ({ one: item, id, partnerId, environment, userId, rewardId, round }) =>
      rewards.get(rewardId)?.archivedAt === null
        ? ({
            id: newId(),
            partnerId,
            environment,
            userId,
            rewardId,
            sourceKind: 'STREAK',
            sourceId: id,
            goalId: item.goal.id,
            rewardNo: 1,
            round,
            ...grantTimes(item.goal, now),
          } satisfies NewGrant)
        : [],
  )
  await makeGrants(work, grants)
  await insertMilestones(tx, reached, now)
  await announceMilestones(
    tx,
    reached.map(({ one: item, id, length, reachedOn, round }) =>
      about(item, { milestoneId: id, milestone: length, reachedOn, round }),
    ),
    now,
  )
}

/**
 * Computes streaks of users again, keeps them, gives what milestones give, and announces what is new. The users, the rewards
 * of milestones and the profiles are locked.
 */
export const settleStreaks = async (
  work: Transaction,
  keys: StreakKey[],
  reason: RestoreReason = 'LATE_FACT',
): Promise<void> => {
  const { tx, clock } = work
  const now = clock()
  // A streak begins with its first met window. A freeze or pause before it waits in the record.
  const streaks = (await findStreaks(work, keys))
    .flat()
    .filter(({ kept, streak }) => kept !== null || streak.runs.length > 0)
  if (streaks.length === 0) return
  await keepStreaks(tx, streaks.map(rowOf), now)
  await writeMilestones(work, streaks)
  const atRisk = streaks.filter(isNewlyAtRisk)
  if (atRisk.length > 0)
    await announceAtRisk(
      tx,
      atRisk.map((item) =>
        about(item, { windowStart: item.present, deadline: item.deadline?.endsAt.toISOString() }),
      ),
      now,
    )
  const broken = streaks.flatMap((streak) => newBreaksOf(streak).map((lost) => about(streak, lost)))
  if (broken.length > 0) await announceBroken(tx, broken, now)
  const restored = streaks.filter(isRestored)
  if (restored.length > 0)
    await announceRestored(
      tx,
      restored.map((item) => about(item, { reason })),
      now,
    )
}

/** Locks what settling of streaks needs beside their users. */
export const lockForStreaks = async (
  { tx }: Transaction,
  goalIds: string[],
  userIds: UserId[],
): Promise<void> => {
  const rewards = await findMilestoneRewards(tx, goalIds)
  if (rewards.length > 0)
    await lockRewards(
      tx,
      rewards.map(({ rewardId }) => rewardId),
    )
  await lockProfiles(tx, userIds)
}

type Due = { goalId: string; userId: UserId }

/** Settles streaks in one transaction, except for those of users whom others have locked. Returns the users who were locked. */
const settleDue = (runtime: Runtime, due: readonly Due[]): Promise<UserId[]> =>
  inTransaction(runtime, async (work) => {
    const userIds = [...new Set(due.map(({ userId }) => userId))]
    const free = await lockFreeUsersById(work, userIds)
    const own = due.filter(({ userId }) => free.includes(userId))
    if (own.length > 0) {
      await lockForStreaks(work, [...new Set(own.map(({ goalId }) => goalId))], free)
      await settleStreaks(work, [...own])
    }
    return userIds.filter((id) => !free.includes(id))
  })

/** Announces streaks that time puts at risk or breaks, the longest due first, on any number of nodes at a time. */
export const settleDueStreaks = (runtime: Runtime, signal?: AbortSignal): Promise<void> =>
  settleAllDue(
    {
      find: (without, limit) => findDueStreaks(runtime.db, runtime.clock(), without, limit),
      settle: (due) => settleDue(runtime, due),
      logFailure: (err, { goalId }) =>
        runtime.log.error({ err, goalId }, 'a streak could not be settled'),
      atOnce: 200,
      maxRounds: 500,
    },
    signal,
  )
