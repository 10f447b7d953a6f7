/**
 * Sessions of the console. All tabs of a browser share one token in a cookie, so it cannot rotate like a refresh token.
 * The token never changes. It is valid as long as its sign-in: for 30 days, however much it is used.
 */

import type { MemberCaller } from '../kit/access/context.ts'
import { cellPrefix, orOtherCell } from '../kit/cell.ts'
import { TesseraError } from '../kit/errors.ts'
import type { Runtime } from '../kit/runtime.ts'
import { isTokenOf, type MasterKey, macOf } from '../kit/security/seal.ts'
import type { Tenant } from '../kit/tenant.ts'
import { callerOfSignIn, getSignIn } from './known-sign-in.ts'
import { noteUse } from './last-use.ts'

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
  return signInId
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
  const find = async () => {
    const signInId = readToken(runtime, token)
    return { signInId, known: await getSignIn(runtime, signInId) }
  }
  const { signInId, known } = await find().catch(orOtherCell(token, format, runtime.keys.cell))
  if (known.expiresAt <= runtime.clock()) throw new TesseraError('INVALID_BEARER_TOKEN')
  noteUse(runtime, 'sign-ins', signInId)
  return callerOfSignIn(signInId, known, environment)
}
