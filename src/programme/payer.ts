/**
 * The payer: pays grants that are ready, takes back those that were revoked after they were issued, and moves those whose
 * time has come. Whatever makes or revokes a grant leaves it to the payer, which pays each of them once.
 */

import type { RewardGrant } from '../generated/prisma/client.ts'
import { inTransaction } from '../kit/database/db.ts'
import { changesOf } from '../kit/database/pubsub.ts'
import { createFailureLog } from '../kit/observability/log.ts'
import { newId } from '../kit/random.ts'
import type { Runtime, Transaction, Work } from '../kit/runtime.ts'
import type { UserId } from '../kit/user-id.ts'
import { lockFreeUsersById } from '../users/end-user.ts'
import { settleAllDue } from './due.ts'
import { expireGrants, findDueGrants, lockGrants, makeGrantsReady } from './grant.sql.ts'
import { deferGrants, issueGrants, noteFreePlays, takeBackGrants } from './payment.sql.ts'

const idsOf = (grants: readonly { id: string }[]) => grants.map(({ id }) => id)

/** Each with the id of its ledger entry and of its line on the timeline. */
const paymentsOf = (ids: string[]) => ids.map((id) => ({ id, lineId: newId() }))

/**
 * Issues grants, which are locked and whose users are. Those that are not ready, or not claimed, stay as they
 * are, and those of blocked users wait until the block ends.
 */
export const payGrants = async ({ tx, clock }: Transaction, ids: string[]): Promise<void> => {
  if (ids.length === 0) return
  const now = clock()
  const issued = await issueGrants(tx, paymentsOf(ids), now)
  if (issued.length < ids.length) {
    const paid = new Set(idsOf(issued))
    await deferGrants(
      tx,
      ids.filter((id) => !paid.has(id)),
      now,
    )
  }
  const playable = issued.filter(({ kind }) => kind === 'FREE_PLAYS')
  if (playable.length === 0) return
  const userIds = playable.map(({ userId }) => userId)
  await noteFreePlays(tx, idsOf(playable), userIds)
}

/**
 * Does what is due of grants, which are locked and whose users are, with at most five statements.
 * @param grants as they are after the lock
 */
export const settleGrants = async (
  work: Transaction,
  grants: readonly Pick<RewardGrant, 'id' | 'status' | 'needsClaim' | 'claimedAt' | 'dueAt'>[],
): Promise<void> => {
  const { tx, clock } = work
  const now = clock()
  const due = grants.filter(({ dueAt }) => dueAt !== null && dueAt <= now)
  const held = due.filter(({ status }) => status === 'HELD')
  if (held.length > 0) await makeGrantsReady(tx, idsOf(held), now)
  const ready = due.filter(({ status }) => status === 'READY')
  const late = ready.filter(({ needsClaim, claimedAt }) => needsClaim && claimedAt === null)
  if (late.length > 0) await expireGrants(tx, idsOf(late), now)
  const payable = [...held, ...ready].filter(
    ({ needsClaim, claimedAt }) => !needsClaim || claimedAt,
  )
  await payGrants(work, idsOf(payable))
  const revoked = due.filter(({ status }) => status === 'REVOKED')
  if (revoked.length > 0) await takeBackGrants(tx, paymentsOf(idsOf(revoked)), now)
}

type Due = { id: string; userId: UserId }

/**
 * Settles grants in one transaction, except for those of users whom others have locked. They were read without locks: the
 * users are locked first, then the grants, and what counts is what they are then.
 * @returns the users who were locked
 */
export const settleDue = (outer: Work, due: readonly Due[]): Promise<UserId[]> =>
  inTransaction(outer, async (work) => {
    const userIds = [...new Set(due.map(({ userId }) => userId))]
    const free = await lockFreeUsersById(work, userIds)
    await settleGrants(work, await lockGrants(work.tx, idsOf(due), free))
    return userIds.filter((id) => !free.includes(id))
  })

/** Settles all grants that are due, the longest due first, on any number of nodes at a time. */
export const settleDueGrants = (runtime: Runtime, signal?: AbortSignal): Promise<void> =>
  settleAllDue(
    {
      find: (without, limit) => findDueGrants(runtime.db, runtime.clock(), without, limit),
      settle: (due) => settleDue(runtime, due),
      logFailure: (err, { id }) =>
        runtime.log.error({ err, grantId: id }, 'a grant could not be settled'),
      atOnce: 500,
      maxRounds: 400,
    },
    signal,
  )

/**
 * Settles grants as soon as they are due, when a transaction of any node announces it. A job polls for those that time
 * alone makes due, and for lost announcements. Returns the function that stops it.
 */
export const startPayer = (runtime: Runtime): (() => Promise<void>) => {
  const ending = new AbortController()
  const { signal } = ending
  const logFailure = createFailureLog(runtime.log, 'grants could not be settled')
  const run = async () => {
    for await (const _ of changesOf(runtime.pubsub, 'grant', { signal }))
      await settleDueGrants(runtime, signal).catch(logFailure)
  }
  const running = run()
  return async () => {
    ending.abort()
    await running
  }
}
