/** Members end their own sign-ins. */
import type { MemberCaller } from '../core/context.ts'
import { afterCommit } from '../core/db/db.ts'
import { TesseraError } from '../core/errors.ts'
import type { SignIn } from '../generated/prisma/client.ts'
import { forgetSignIns } from './known-sign-in.ts'
import { endSignIn, type SignInStore } from './sign-in.ts'

/**
 * Ends a sign-in of the caller.
 * @throws TesseraError SIGN_IN_NOT_FOUND for one of another member, and for one that has ended
 */
export const endOwnSignIn = async (
  store: SignInStore,
  { memberId }: MemberCaller,
  id: string,
): Promise<SignIn> => {
  const { db } = store
  const found = await db.signIn.findUnique({ where: { id, memberId, revokedAt: null } })
  if (!found) throw new TesseraError('SIGN_IN_NOT_FOUND')
  await endSignIn(store, { signInId: id })
  return { ...found, revokedAt: store.clock() }
}

/** Ends all sign-ins of the caller but this one. Returns how many. */
export const endOtherSignIns = async (
  store: SignInStore,
  { memberId, signInId }: MemberCaller,
): Promise<number> => {
  const now = store.clock()
  const { count } = await store.db.signIn.updateMany({
    where: { memberId, id: { not: signInId }, revokedAt: null, expiresAt: { gt: now } },
    data: { revokedAt: now },
  })
  afterCommit(store.db, () => forgetSignIns(store, memberId))
  return count
}
