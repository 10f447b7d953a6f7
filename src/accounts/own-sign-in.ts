/** Members end their own sign-ins. */

import type { SignIn } from '../generated/prisma/client.ts'
import type { MemberCaller } from '../kit/access/context.ts'
import { TesseraError } from '../kit/errors.ts'
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
