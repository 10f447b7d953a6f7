/** Grants: the rewards of users. Whatever gives a reward makes a grant, and the payer issues it. */
import { z } from 'zod'
import type { EndUser, Goal, RewardGrant } from '../generated/prisma/client.ts'
import type { GrantStatus } from '../generated/prisma/enums.ts'
import { addToChanges } from '../kit/access/audit-entry.sql.ts'
import { inTransaction } from '../kit/database/db.ts'
import { acrossTenants, ofTenant } from '../kit/database/tenant-client.ts'
import { TesseraError } from '../kit/errors.ts'
import { inOrder } from '../kit/in-order.ts'
import { nodeId } from '../kit/node-id.ts'
import type { Transaction, Work } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'
import type { UserId } from '../kit/user-id.ts'
import { isBlocked, userBlocked } from '../users/block.rules.ts'
import { lockUsers, lockUsersById, UserBy, type UserKey } from '../users/end-user.ts'
import {
  claimReadyGrants,
  clearNotes,
  findGrantsToErase,
  type GrantCause,
  insertGrants,
  lockGrants,
  type NewGrant,
  retryGrants,
  revokeGrants,
  selectGrantsBySource,
  selectGrantsOfRounds,
} from './grant.sql.ts'
import { payGrants, settleGrants } from './payer.ts'
import { lockRewards } from './reward.sql.ts'

/** A grant with its user. */
export type UserGrant = RewardGrant & { user: EndUser }

/** Reads grants by their ids, in one statement. */
export const findGrants = async (
  { tx }: Pick<Work, 'tx'>,
  ids: string[],
): Promise<(UserGrant | null)[]> =>
  inOrder(
    ids,
    await acrossTenants(tx, 'IDS').rewardGrant.findMany({
      where: { id: { in: ids } },
      include: { user: true },
    }),
  )

/** Reads the grants of causes that each have one reward, in two statements; null for those without one. */
export const findGrantsBySource = async (
  work: Pick<Work, 'tx'>,
  requested: GrantCause[],
): Promise<(UserGrant | null)[]> => {
  const found = await selectGrantsBySource(work.tx, requested)
  const ids = new Map(found.map(({ n, id }) => [n, id]))
  const grants = await findGrants(work, [...ids.values()])
  const byId = new Map(grants.map((grant) => [grant?.id, grant]))
  return requested.map((_, n) => byId.get(ids.get(n)) ?? null)
}

/** The grants of results that are ids, as they are now. */
export const withGrants = async (
  work: Work,
  results: readonly (string | Error)[],
): Promise<(UserGrant | Error)[]> => {
  const ids = [...new Set(results.filter((result) => typeof result === 'string'))]
  const grants = new Map(
    (await findGrants(work, ids)).map((grant, n) => [ids[n], grant as UserGrant]),
  )
  return results.map((result) =>
    typeof result === 'string' ? (grants.get(result) as UserGrant) : result,
  )
}

type RoundOfCompletion = Tenant & { completionId: string; round: number }

/** Reads the grants of completions of goals, each in one round and in the order of its rewards, in one statement. */
export const findGrantsOfRounds = async (
  { tx }: Work,
  requested: RoundOfCompletion[],
): Promise<RewardGrant[][]> => {
  const found = await selectGrantsOfRounds(tx, requested)
  return requested.map((_, n) => found.flatMap(({ n: at, ...grant }) => (at === n ? grant : [])))
}

/**
 * Makes grants for users who are locked, in the order of the list, and counts them against the stock of their rewards,
 * which it locks. Those that are ready are left to the payer.
 */
export const makeGrants = async (
  { tx, clock }: Transaction,
  grants: NewGrant[],
): Promise<RewardGrant[]> => {
  if (grants.length === 0) return []
  await lockRewards(tx, [...new Set(grants.map(({ rewardId }) => rewardId))])
  return (await insertGrants(tx, grants, clock())).map(({ n: _, ...grant }) => grant)
}

const dayMs = 86_400_000

/** Until when a goal holds a grant that it makes now, and until when it can be claimed. */
export const grantTimes = (
  { claim, claimDays, holdDays }: Pick<Goal, 'claim' | 'claimDays' | 'holdDays'>,
  now: Date,
) => {
  const after = (from: Date, days: number) => new Date(from.getTime() + days * dayMs)
  const heldUntil = holdDays > 0 ? after(now, holdDays) : null
  const claimExpiresAt = claimDays === null ? null : after(heldUntil ?? now, claimDays)
  return { needsClaim: claim === 'BY_USER', heldUntil, claimExpiresAt }
}

/** The change of the status of a grant, for the audit log. */
export const changeOf = (id: string, from: GrantStatus | null, to: GrantStatus) => ({
  table: 'reward_grant',
  id,
  field: 'status',
  from,
  to,
})

/** Since when a grant has its status. */
const sinceOf = (grant: RewardGrant): Date => {
  const times: Record<GrantStatus, Date | null> = {
    HELD: null,
    READY: grant.readyAt,
    ISSUED: grant.issuedAt,
    FULFILLED: grant.fulfilledAt,
    FAILED: grant.failedAt,
    REVOKED: grant.revokedAt,
    EXPIRED: grant.expiredAt,
    CANCELLED: grant.cancelledAt,
  }
  return times[grant.status] ?? grant.createdAt
}

/** The error of an operation that the status of a grant does not allow. */
export const inactiveGrant = (grant: RewardGrant): TesseraError =>
  new TesseraError('GRANT_NOT_ACTIVE', { status: grant.status, since: sinceOf(grant) })

/** An input that names a grant. */
export const grantId = () => nodeId('Grant').describe('The grant, by its global id or its UUID.')

export const ClaimGrant = z
  .object({
    grantId: grantId(),
    user: UserBy.nullish().describe(
      'The user whose grant it is. Another one is `GRANT_NOT_FOUND`. Defaults to that user.',
    ),
  })
  .describe('A grant to claim.')

type Claim = UserKey & { grantId: string }

/** Locks the grants that callers name for their users. Those of others are left out: one transaction serves many callers. */
export const lockOwnGrants = async (
  { tx }: Transaction,
  requested: readonly { grantId: string }[],
  users: readonly (EndUser | null)[],
): Promise<RewardGrant[]> => {
  const ids = requested.map(({ grantId }) => grantId)
  const userIds = users.flatMap((user) => (user ? [user.id as UserId] : []))
  const own = new Set(ids.map((id, n) => `${id} ${users[n]?.id}`))
  return (await lockGrants(tx, ids, userIds)).filter(({ id, userId }) => own.has(`${id} ${userId}`))
}

/**
 * Claims grants of users and issues them in the same transaction. The result of a refused claim is GRANT_NOT_FOUND (also for the grant of
 * another user), USER_BLOCKED or GRANT_NOT_ACTIVE: held, failed, issued, fulfilled, expired, revoked, cancelled. So the second claim of a grant is refused.
 */
export const claimGrants = (work: Work, claims: Claim[]): Promise<(UserGrant | Error)[]> =>
  inTransaction(work, async (txWork) => {
    const users = await lockUsers(txWork, claims)
    const locked = await lockOwnGrants(txWork, claims, users)
    // A grant whose hold has ended can be claimed, and one whose time is over cannot, before the payer has been there.
    await settleGrants(txWork, locked)
    const now = txWork.clock()
    const areBlocked = users.map((user) => user !== null && isBlocked(user, now))
    const blocked = new Set(users.flatMap((user, n) => (areBlocked[n] ? (user?.id ?? []) : [])))
    const claimable = locked.filter(({ userId }) => !blocked.has(userId))
    const claimed = await claimReadyGrants(txWork.tx, idsOf(claimable), now)
    await payGrants(txWork, idsOf(claimed))
    const grants = new Map(
      (await findGrants(txWork, idsOf(locked))).map((item) => [item?.id, item]),
    )
    const open = new Set(idsOf(claimed))
    return claims.map(({ grantId }, n) => {
      const grant = grants.get(grantId)
      if (!grant || grant.userId !== users[n]?.id) return new TesseraError('GRANT_NOT_FOUND')
      if (areBlocked[n]) return userBlocked()
      return open.delete(grantId) ? grant : inactiveGrant(grant)
    })
  })

const idsOf = (grants: readonly { id: string }[]) => grants.map(({ id }) => id)

/**
 * A grant of a tenant, which is locked as its user is.
 * @param before locks what comes between the user and the grant
 * @throws TesseraError GRANT_NOT_FOUND
 */
export const lockGrant = async (
  work: Transaction,
  { grantId: id, ...tenant }: Tenant & { grantId: string },
  before?: (grant: RewardGrant) => Promise<unknown>,
): Promise<RewardGrant> => {
  const found = await ofTenant(work.tx, tenant).rewardGrant.findUnique({ where: { id } })
  if (!found) throw new TesseraError('GRANT_NOT_FOUND')
  const userId = found.userId as UserId
  await lockUsersById(work, [userId])
  await before?.(found)
  const [locked] = await lockGrants(work.tx, [id], [userId])
  if (!locked) throw new TesseraError('GRANT_NOT_FOUND')
  return locked
}

/** Notes the new status of a grant in the audit log, does what is due of it, and returns it. */
export const noteChange = async (work: Transaction, before: RewardGrant): Promise<UserGrant> => {
  const [after] = (await findGrants(work, [before.id])) as [UserGrant]
  await addToChanges(work.tx, [changeOf(before.id, before.status, after.status)])
  await settleGrants(work, [after])
  return ((await findGrants(work, [before.id])) as [UserGrant])[0]
}

export const RevokeGrant = z.object({ grantId: grantId() }).describe('A grant to revoke.')

/**
 * Revokes a grant that was given. What was issued is taken back in the same transaction, as far as the user still has it.
 * @throws TesseraError GRANT_NOT_FOUND, GRANT_NOT_GIVEN for one that follows from what its user did, GRANT_NOT_ACTIVE for
 * one that is revoked or has expired
 */
export const revokeGrant = (
  work: Work,
  requested: Tenant & z.output<typeof RevokeGrant>,
): Promise<UserGrant> =>
  inTransaction(work, async (txWork) => {
    const grant = await lockGrant(txWork, requested)
    if (grant.sourceKind !== 'GIVEN') throw new TesseraError('GRANT_NOT_GIVEN')
    const revoked = await revokeGrants(txWork.tx, [grant.id], txWork.clock())
    if (revoked.length === 0) throw inactiveGrant(grant)
    return noteChange(txWork, grant)
  })

export const RetryGrant = z
  .object({ grantId: grantId() })
  .describe('A grant that has failed, to try again.')

/**
 * Tries a grant again that found no stock.
 * @throws TesseraError GRANT_NOT_FOUND, GRANT_NOT_ACTIVE for one that has not failed, OUT_OF_STOCK
 */
export const retryGrant = (
  work: Work,
  requested: Tenant & z.output<typeof RetryGrant>,
): Promise<UserGrant> =>
  inTransaction(work, async (txWork) => {
    const { tx, clock } = txWork
    const grant = await lockGrant(txWork, requested, ({ rewardId }) => lockRewards(tx, [rewardId]))
    if (grant.status !== 'FAILED') throw inactiveGrant(grant)
    const retried = await retryGrants(tx, [grant.id], clock())
    if (retried.length > 0) return noteChange(txWork, grant)
    const { stock, grantCount } = await ofTenant(tx, grant).reward.findUniqueOrThrow({
      where: { id: grant.rewardId },
    })
    throw new TesseraError('OUT_OF_STOCK', { limit: stock, current: grantCount })
  })

/**
 * Revokes the next grants of an erased user that are not issued yet, and clears their notes. Returns whether these were
 * the last. Nobody makes grants for an erased user, so one without grants is not locked.
 */
export const eraseGrants = async (
  work: Transaction,
  userId: UserId,
  limit: number,
): Promise<boolean> => {
  const { tx, clock } = work
  const ids = idsOf(await findGrantsToErase(tx, userId, limit))
  if (ids.length === 0) return true
  await lockUsersById(work, [userId])
  const locked = await lockGrants(tx, ids, [userId])
  const open = locked.filter(({ issuedAt }) => issuedAt === null)
  await revokeGrants(tx, idsOf(open), clock())
  await clearNotes(tx, ids)
  return ids.length < limit
}
