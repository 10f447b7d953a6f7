/** Sign-ins by id, with the data that decides whether they are valid. Nodes cache them. */

import type { Member } from '../generated/prisma/client.ts'
import type { MemberCaller } from '../kit/access/context.ts'
import { rightsOfRole } from '../kit/access/rights.ts'
import { afterCommit, type Queries } from '../kit/database/db.ts'
import { TesseraError } from '../kit/errors.ts'
import { inOrder } from '../kit/in-order.ts'
import type { Runtime, Work } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'
import { identityCache } from './identity-cache.ts'

type KnownSignIn = {
  memberId: string
  partnerId: string
  role: Member['role']
  isOperator: boolean
  expiresAt: Date
  revokedAt: Date | null
  partnerClosedAt: Date | null
}

/** Reads sign-ins by id, with what is needed to validate them. */
const findSignIns = async ({ tx }: Work, ids: string[]): Promise<(KnownSignIn | Error)[]> => {
  const rows = await tx.signIn.findMany({
    where: { id: { in: ids } },
    include: { member: { include: { partner: { select: { closedAt: true } } } } },
  })
  return inOrder(ids, rows).map((row) => {
    if (!row) return new TesseraError('INVALID_BEARER_TOKEN')
    const { partnerId, role, isOperator, partner } = row.member
    const { memberId, expiresAt, revokedAt } = row
    const partnerClosedAt = partner.closedAt
    return { memberId, partnerId, role, isOperator, expiresAt, revokedAt, partnerClosedAt }
  })
}

const memoryOf = identityCache<KnownSignIn>('sign-ins', 10_000)

type Store = Pick<Runtime, 'singletons'>

/** Removes a sign-in from the cache of this node. The caches of other nodes expire within five seconds. */
export const forgetSignIn = (store: Store, id: string): void => void memoryOf(store).delete(id)

/** Removes the sign-ins of a member from the cache of this node. Other caches expire within five seconds. */
export const forgetSignIns = (store: Store, memberId: string): void => {
  const memory = memoryOf(store)
  for (const [id, found] of memory.entries()) if (found.memberId === memberId) memory.delete(id)
}

/**
 * A sign-in that has not been ended.
 * @throws TesseraError INVALID_BEARER_TOKEN, PARTNER_NOT_FOUND
 */
export const getSignIn = async (runtime: Runtime, id: string): Promise<KnownSignIn> => {
  const memory = memoryOf(runtime)
  let found = memory.get(id)
  if (!found) {
    found = await runtime.read(findSignIns, id)
    memory.set(id, found)
  }
  if (found.revokedAt) throw new TesseraError('INVALID_BEARER_TOKEN')
  if (found.partnerClosedAt) throw new TesseraError('PARTNER_NOT_FOUND')
  return found
}

/** The caller of a sign-in. */
export const callerOfSignIn = (
  signInId: string,
  { memberId, partnerId, isOperator, role }: KnownSignIn,
  environment: Tenant['environment'],
): MemberCaller => {
  const rights = rightsOfRole[role]
  return { kind: 'member', partnerId, environment, memberId, signInId, isOperator, rights }
}

/**
 * Ends all sign-ins of a member, or all but one: refresh tokens at once, access tokens and sessions of the console on
 * all nodes within five seconds. Every change of how a member signs in does this. Returns how many were valid.
 */
export const endSignIns = async (
  store: Pick<Runtime, 'clock' | 'singletons'> & { tx: Queries },
  memberId: string,
  keptId?: string,
): Promise<number> => {
  const now = store.clock()
  const { count } = await store.tx.signIn.updateMany({
    where: {
      memberId,
      ...(keptId && { id: { not: keptId } }),
      revokedAt: null,
      expiresAt: { gt: now },
    },
    data: { revokedAt: now },
  })
  afterCommit(store.tx, () => forgetSignIns(store, memberId))
  return count
}
