/**
 * Sessions of the console. A browser keeps one token in a cookie, which all tabs share, so it cannot be exchanged as a
 * refresh token is. The token never changes; its sign-in decides how long it is valid, and is extended while it is used.
 */
import type { MemberCaller } from '../core/context.ts'
import { TesseraError } from '../core/errors.ts'
import type { Runtime } from '../core/runtime.ts'
import { isTokenOf, type MasterKey, macOf } from '../core/seal.ts'
import type { Tenant } from '../core/tenant.ts'
import { callerOfSignIn, getSignIn, type KnownSignIn } from './known-sign-in.ts'
import { noteUse } from './last-use.ts'
import { refreshTokenMs } from './sign-in.ts'

/** A session ends after this time without use. */
const idleMs = refreshTokenMs
/** Use within this time of the last extension does not extend a session, so that few requests write. */
const extendAfterMs = 3600_000

/** The sign-in and a signature. It is not stored. */
const tokenOf = (key: MasterKey, signInId: string) =>
  `cs_${signInId}.${macOf(key.text, 'console-session', signInId).toString('base64url')}`

/** The token of a sign-in for a cookie. */
export const createSessionToken = (
  { keys }: Pick<Runtime, 'keys'>,
  { signInId }: Pick<MemberCaller, 'signInId'>,
): string => tokenOf(keys.master[0], signInId)

const readToken = ({ keys }: Runtime, token: string): string => {
  const [, signInId] = /^cs_([\da-f-]{36})\./.exec(token) ?? []
  if (!signInId || !isTokenOf(keys.master, token, (key) => tokenOf(key, signInId)))
    throw new TesseraError('INVALID_BEARER_TOKEN')
  return signInId
}

/** Extends a sign-in in use, at most once an hour. Without a writable database, sessions stay valid. */
const extend = async ({ db, clock, log }: Runtime, id: string, known: KnownSignIn) => {
  const now = clock()
  const expiresAt = new Date(now.getTime() + idleMs)
  if (expiresAt.getTime() - known.expiresAt.getTime() < extendAfterMs) return
  // Concurrent requests need not do the same.
  known.expiresAt = expiresAt
  const where = { id, revokedAt: null, expiresAt: { gt: now } }
  await db.signIn
    .updateMany({ where, data: { expiresAt } })
    .catch((err) => log.warn({ err }, 'cannot extend a session of the console'))
}

/**
 * The member whose browser sent this token.
 * @throws TesseraError INVALID_BEARER_TOKEN, PARTNER_NOT_FOUND
 */
export const authenticateSession = async (
  runtime: Runtime,
  token: string,
  environment: Tenant['environment'],
): Promise<MemberCaller> => {
  const signInId = readToken(runtime, token)
  const known = await getSignIn(runtime, signInId)
  if (known.expiresAt <= runtime.clock()) throw new TesseraError('INVALID_BEARER_TOKEN')
  await extend(runtime, signInId, known)
  noteUse(runtime, 'sign-ins', signInId)
  return callerOfSignIn(signInId, known, environment)
}
