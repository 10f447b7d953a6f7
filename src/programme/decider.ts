/**
 * The decider: turns what counters say into completions and grants. Counting leaves marks; the decider makes the completions
 * of a user what the counters say, notes what it decided and deletes the mark, in one transaction. So two crossings before it
 * runs are one, and a node that stops in between leaves nothing half done.
 */

import { inTransaction } from '../kit/database/db.ts'
import { changesOf } from '../kit/database/pubsub.ts'
import { createFailureLog } from '../kit/observability/log.ts'
import { newId } from '../kit/random.ts'
import type { Runtime, Transaction, Work } from '../kit/runtime.ts'
import { tenantOf } from '../kit/tenant.ts'
import type { UserId } from '../kit/user-id.ts'
import { lockFreeUsersById } from '../users/end-user.ts'
import { lockProfiles, recountUsers } from './counter.sql.ts'
import { type Decision, decide } from './decision.rules.ts'
import {
  type CompletionRow,
  type Due,
  findDueDecisions,
  findGrantsOfCompletions,
  findRecounts,
  findRewardsOfDue,
  insertCompletions,
  readSituations,
  revokeCompletions,
  settleMarks,
  unblockRequiring,
} from './decision.sql.ts'
import { settleAllDue } from './due.ts'
import { lockGrants, type NewGrant, revokeGrants } from './grant.sql.ts'
import { grantTimes, makeGrants } from './grant.ts'
import { lockRewards } from './reward.sql.ts'
import type { StreakKey } from './streak.ts'
import { settleStreaks } from './streak-settling.ts'

/** Completions of a window in one transaction. */
const completionsAtOnce = 100

type Situation = Awaited<ReturnType<typeof readSituations>>[number]
type Decided = { situation: Situation; decision: Decision }

/** Decides each situation. A goal that is completed only once is so in one window: what is taken back comes first. */
const decideAll = (situations: Situation[]): Decided[] => {
  const first = situations.filter(({ beyond }) => beyond.length > 0)
  const others = situations.filter(({ beyond }) => beyond.length === 0)
  const live = new Map<string, number>()
  return [...first, ...others].map((situation) => {
    const key = `${situation.goalId} ${situation.userId}`
    const total = live.get(key) ?? situation.live + situation.liveElsewhere
    const isElsewhere = situation.isOnce && total > situation.live
    const decision = decide({ ...situation, isElsewhere }, completionsAtOnce)
    const { revoke, renew, complete } = decision
    live.set(key, total + renew.length + complete.length - revoke.length)
    return { situation, decision }
  })
}

type Completed = CompletionRow & { isPaid: boolean }

/** The completions of a decision, those that are new and those that are made again. With KEEP, a reward is given once. */
const completionsOf = ({ situation, decision }: Decided): Completed[] => {
  const { goalId, userId, windowStart, rewardIds } = situation
  const isKept = situation.onReversal === 'KEEP'
  const own = { ...tenantOf(situation), goalId, userId, windowStart, keepsRewards: isKept }
  return [
    ...decision.complete.map((k) => {
      return { ...own, id: newId(), k, round: 1, rewardIds, isPaid: true }
    }),
    ...decision.renew.map(({ round, ...again }) => {
      return { ...own, ...again, round: isKept ? round : round + 1, isPaid: !isKept }
    }),
  ]
}

/** The grants of a completion: one for each of its rewards. */
const grantsOf = (completion: Completed, situation: Situation, now: Date): NewGrant[] => {
  return completion.rewardIds.map((rewardId, n) => ({
    id: newId(),
    ...tenantOf(completion),
    userId: completion.userId,
    rewardId,
    sourceKind: 'GOAL',
    sourceId: completion.id,
    goalId: completion.goalId,
    rewardNo: n + 1,
    round: completion.round,
    ...grantTimes(situation, now),
  }))
}

/** The streaks that decisions change, each with its first window that changed. */
const streaksOf = (decided: Decided[]): StreakKey[] => {
  const keys = new Map<string, StreakKey>()
  for (const { situation, decision } of decided) {
    const { goalId, userId, windowStart: changed, isStreak } = situation
    const { revoke, renew, complete } = decision
    if (!isStreak || revoke.length + renew.length + complete.length === 0) continue
    const name = `${goalId} ${userId}`
    const before = keys.get(name)?.changed
    keys.set(name, { goalId, userId, changed: before && before < changed ? before : changed })
  }
  return [...keys.values()]
}

/** Writes what was decided. Users, rewards and profiles are locked; then come grants, completions, counters and marks. */
const write = async (work: Transaction, decided: Decided[]): Promise<void> => {
  const { tx, clock } = work
  const now = clock()
  const made = decided.flatMap((item) =>
    completionsOf(item).map((completion) => ({ completion, situation: item.situation })),
  )
  const grants = made.flatMap(({ completion, situation }) =>
    completion.isPaid ? grantsOf(completion, situation, now) : [],
  )
  const undone = decided.flatMap(({ situation, decision }) =>
    decision.revoke.map((completion) => ({
      ...situation,
      ...completion,
      keepsRewards: situation.onReversal === 'KEEP',
    })),
  )
  const unpaid = undone.filter(({ keepsRewards }) => !keepsRewards)
  if (unpaid.length > 0) {
    const ids = (await findGrantsOfCompletions(tx, unpaid)).map(({ id }) => id)
    const locked = await lockGrants(tx, ids, [...new Set(unpaid.map(({ userId }) => userId))])
    await revokeGrants(
      tx,
      locked.map(({ id }) => id),
      now,
    )
  }
  await makeGrants(work, grants)
  if (undone.length > 0) await revokeCompletions(tx, undone, now)
  if (made.length > 0)
    await insertCompletions(
      tx,
      made.map(({ completion: { isPaid: _, ...completion } }) => completion),
      now,
    )
  const streaks = streaksOf(decided)
  if (streaks.length > 0) await settleStreaks(work, streaks)
  await settleMarks(
    tx,
    decided.map(({ situation: { goalId, userId, windowStart }, decision }) => {
      const { isBlocked, isUnfinished, revoke } = decision
      return { goalId, userId, windowStart, isBlocked, isUnfinished, isRevoked: revoke.length > 0 }
    }),
  )
  if (made.length > 0)
    await unblockRequiring(
      tx,
      made.map(({ completion: { goalId, userId } }) => ({ goalId, userId })),
    )
}

/**
 * Makes decisions in one transaction, except for those of users whom others have locked. The marks were read without locks:
 * what counts is what is there once the profiles are locked.
 * @returns the users who were locked
 */
export const decideDue = (outer: Work, due: readonly Due[]): Promise<UserId[]> =>
  inTransaction(outer, async (work) => {
    const { tx } = work
    const userIds = [...new Set(due.map(({ userId }) => userId))]
    const free = await lockFreeUsersById(work, userIds)
    const own = due.filter(({ userId }) => free.includes(userId))
    if (own.length > 0) {
      const rewards = await findRewardsOfDue(tx, own)
      if (rewards.length > 0)
        await lockRewards(
          tx,
          rewards.map(({ rewardId }) => rewardId),
        )
      await lockProfiles(tx, free)
      for (const { goalId, userId, windowStart } of await findRecounts(tx, own))
        await recountUsers(tx, goalId, [userId], windowStart)
      const decided = decideAll(await readSituations(tx, own, work.clock()))
      if (decided.length > 0) await write(work, decided)
    }
    return userIds.filter((id) => !free.includes(id))
  })

/** Makes all decisions that are due, on any number of nodes at a time. */
export const decideGoals = (runtime: Runtime, signal?: AbortSignal): Promise<void> =>
  settleAllDue(
    {
      find: (without, limit) => findDueDecisions(runtime.db, runtime.clock(), without, limit),
      settle: (due) => decideDue(runtime, due),
      logFailure: (err, { goalId }) =>
        runtime.log.error({ err, goalId }, 'a goal could not be decided'),
      atOnce: 200,
      maxRounds: 500,
      // Of many completions, a transaction makes a part.
      isRepeated: true,
    },
    signal,
  )

/**
 * Decides as soon as a transaction of any node leaves a mark. A job polls for goals that time starts, and for lost
 * announcements. Returns the function that stops it.
 */
export const startDecider = (runtime: Runtime): (() => Promise<void>) => {
  const ending = new AbortController()
  const { signal } = ending
  const logFailure = createFailureLog(runtime.log, 'goals could not be decided')
  const run = async () => {
    for await (const _ of changesOf(runtime.pubsub, 'goal', { signal }))
      await decideGoals(runtime, signal).catch(logFailure)
  }
  const running = run()
  return async () => {
    ending.abort()
    await running
  }
}
