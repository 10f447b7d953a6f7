/**
 * Sessions of the console. All tabs of a browser share one token in a cookie, so it cannot rotate like a refresh token.
 * The token never changes. Its sign-in decides how long it is valid, and is extended while the session is used.
 */
import { cellPrefix } from '../core/cell.ts'
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
/** A session is extended at most this often, so that few requests write. */
const extendAfterMs = 3600_000

/** The cell, the sign-in and a signature. It is not stored. */
const tokenOf = (key: MasterKey, cell: string | undefined, signInId: string) =>
  `cs_${cellPrefix(cell)}${signInId}.${macOf(key.text, 'console-session', signInId).toString('base64url')}`

const format = /^cs_(?:([a-z][a-z0-9]{0,15})_)?([\da-f-]{36})\./

/** The token of a sign-in for a cookie. */
export const createSessionToken = (
  { keys }: Pick<Runtime, 'keys'>,
  { signInId }: Pick<MemberCaller, 'signInId'>,
): string => tokenOf(keys.master[0], keys.cell, signInId)

const readToken = ({ keys }: Runtime, token: string) => {
  const [, cell, signInId] = format.exec(token) ?? []
  if (!signInId || !isTokenOf(keys.master, token, (key) => tokenOf(key, cell, signInId)))
    throw new TesseraError('INVALID_BEARER_TOKEN')
  return { signInId, cell }
}

/** Extends a sign-in in use, at most once an hour. Without a writable database, sessions stay valid. */
const extend = async ({ db, clock, log }: Runtime, id: string, known: KnownSignIn) => {
  const now = clock()
  const expiresAt = new Date(now.getTime() + idleMs)
  if (expiresAt.getTime() - known.expiresAt.getTime() < extendAfterMs) return
  // So that concurrent requests do not extend it again.
  known.expiresAt = expiresAt
  const where = { id, revokedAt: null, expiresAt: { gt: now } }
  await db.signIn
    .updateMany({ where, data: { expiresAt } })
    .catch((err) => log.warn({ err }, 'cannot extend a session of the console'))
}

/**
 * The member whose browser sent this token.
 * @throws TesseraError INVALID_BEARER_TOKEN, PARTNER_NOT_FOUND, WRONG_CELL
 */
export const authenticateSession = async (
  runtime: Runtime,
  token: string,
  environment: Tenant['environment'],
): Promise<MemberCaller> => {
  const { signInId, cell } = readToken(runtime, token)
  const known = await getSignIn(runtime, signInId, cell)
  if (known.expiresAt <= runtime.clock()) throw new TesseraError('INVALID_BEARER_TOKEN')
  await extend(runtime, signInId, known)
  noteUse(runtime, 'sign-ins', signInId)
  return callerOfSignIn(signInId, known, environment)
}
