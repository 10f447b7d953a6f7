/** Ends the sign-ins of a member. */
import { afterCommit, type Queries } from '../kit/database/db.ts'
import type { Runtime } from '../kit/runtime.ts'
import { forgetSignIns } from './known-sign-in.ts'

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
