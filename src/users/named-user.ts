/**
 * The users that a caller may name. A public key with the token of a user names that user only
 * (docs/decisions/user-tokens.md).
 */
import { type Caller, type Context, isGoodCaller, type KeyCaller } from '../kit/access/context.ts'
import { TesseraError } from '../kit/errors.ts'
import { isTrusted, isTrustedTo } from '../kit/schema/personal.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import type { ExternalId } from '../kit/user-id.ts'

/**
 * The only user whom a caller may name; undefined if they may name all users of their tenant.
 * @throws TesseraError MISSING_USER_TOKEN if the caller may not name any user
 */
export const onlyUserOf = (caller: Caller): ExternalId | undefined => {
  if (caller.kind !== 'public') return undefined
  if (caller.user === undefined && caller.userTokens === 'REQUIRED')
    throw new TesseraError('MISSING_USER_TOKEN')
  return caller.user
}

/**
 * Refuses a user whom the caller may not name.
 * @param externalId null if the user does not exist; the error is the same as for another user
 * @throws TesseraError MISSING_USER_TOKEN, USER_TOKEN_OF_ANOTHER
 */
export const refuseOtherUser = (caller: Caller, externalId: ExternalId | null): void => {
  const only = onlyUserOf(caller)
  if (only !== undefined && only !== externalId) throw new TesseraError('USER_TOKEN_OF_ANOTHER')
}

/**
 * The same for fields of a user, on any path to the user.
 * @throws TesseraError MISSING_USER_TOKEN, USER_TOKEN_OF_ANOTHER
 */
export const refuseOtherUserIn = (
  { callers }: Pick<Context, 'callers'>,
  externalId: ExternalId,
): void => {
  if (isGoodCaller(callers.public) && !isTrusted({ callers }))
    refuseOtherUser(callers.public, externalId)
}

/** Whether the caller may name a user, and so sees more of them than everyone else. */
export const mayName = (
  { callers }: Pick<Context, 'callers'>,
  { externalId }: { externalId: ExternalId },
): boolean => {
  const { public: caller } = callers
  if (!isGoodCaller(caller) || isTrusted({ callers }) || caller.kind !== 'public') return true
  return caller.user === undefined ? caller.userTokens !== 'REQUIRED' : caller.user === externalId
}

/**
 * Whether the caller proves that a user whom it may name does something: a secret key or a member who may play for users,
 * or a public key with the user's own token. What a public key says without a token is no fact, because everybody knows it.
 */
export const provesUser = ({ callers }: Pick<Context, 'callers'>, caller: Caller): boolean =>
  isTrustedTo({ callers }, 'PLAY') || (caller.kind === 'public' && caller.user !== undefined)

/**
 * The conditions for a user whom the caller may name, as a `where`. Rows of other users are hidden from them.
 * @throws TesseraError MISSING_USER_TOKEN
 */
const whereNamed = (caller: Caller): Tenant & { externalId?: ExternalId } => {
  const externalId = onlyUserOf(caller)
  return { ...tenantOf(caller), ...(externalId !== undefined && { externalId }) }
}

/**
 * The same for the rows of such a user.
 * @throws TesseraError MISSING_USER_TOKEN
 */
export const whereOfNamed = (caller: Caller) => {
  const { externalId, ...tenant } = whereNamed(caller)
  return { ...tenant, ...(externalId !== undefined && { user: { externalId } }) }
}

/**
 * The only user whom a caller may name where a public key always needs a token, whatever its application says: for
 * things of value. Undefined for a secret key or a member, who may name all users of their tenant.
 * @throws TesseraError MISSING_USER_TOKEN
 */
export const onlyUserByToken = ({ callers }: Pick<Context, 'callers'>): ExternalId | undefined => {
  if (isTrusted({ callers }) || !isGoodCaller(callers.public)) return undefined
  const { user } = callers.public as KeyCaller
  if (user === undefined) throw new TesseraError('MISSING_USER_TOKEN')
  return user
}

/**
 * Refuses a user to a public key without a token of that user.
 * @throws TesseraError MISSING_USER_TOKEN, USER_TOKEN_OF_ANOTHER
 */
export const requireUserToken = (ctx: Pick<Context, 'callers'>, externalId: ExternalId): void => {
  const only = onlyUserByToken(ctx)
  if (only !== undefined && only !== externalId) throw new TesseraError('USER_TOKEN_OF_ANOTHER')
}
