import { z } from 'zod'
import {
  createUserToken,
  forgetTokenRevocation,
  maxTokenSeconds,
  revokeUserTokens,
  type UserToken,
} from '../accounts/user-token.ts'
import { ViewerRef } from '../accounts/viewer.graphql.ts'
import { addToChanges } from '../kit/access/audit-entry.sql.ts'
import { isGoodCaller, type KeyCaller } from '../kit/access/context.ts'
import { afterCommit, inTransaction } from '../kit/database/db.ts'
import { refused } from '../kit/errors.ts'
import { builder } from '../kit/schema/builder.ts'
import { enumType } from '../kit/schema/input.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { query } from '../kit/schema/query.ts'
import { tenantOf } from '../kit/tenant.ts'
import { integer, oneOf } from '../kit/validation.ts'
import { UserRef } from './end-user.graphql.ts'
import { externalIdOf, findUserOf, UserBy } from './end-user.ts'
import { setTimeZoneOrMakeUser } from './time-zone.ts'
import { checkTimeZone, timeZoneName } from './time-zone-names.ts'

const defaultSeconds = 900

/** What a token can allow: the rights that a public key can have. */
const tokenScopes = { READ: 'READ', PLAY: 'PLAY' } as const

type TokenScope = keyof typeof tokenScopes

const UserTokenScopeRef = enumType<TokenScope>('UserTokenScope', 'What a token of a user allows.', {
  READ: 'See what the user may see.',
  PLAY: 'Act for the user: play, claim, track and change seeds. It cannot enter lotteries or redeem codes.',
})

const CreateUserToken = z
  .object({
    user: UserBy.describe('The user, who need not exist if `externalId` is given.'),
    ttlSeconds: integer(1, maxTokenSeconds)
      .nullish()
      .describe(`Seconds until the token expires, a day at most. Defaults to ${defaultSeconds}.`),
    scopes: z
      .array(oneOf('UserTokenScope', tokenScopes), 'must be a list')
      .min(1, 'must name at least one right')
      .nullish()
      .describe('What it allows. Defaults to all that the caller has the right to.'),
    timeZone: timeZoneName()
      .nullish()
      .describe(
        "The user's time zone, an IANA name. A new user has it at once, others from their next midnight on. Creates the user if necessary.",
      ),
  })
  .describe('A token to sign for a user.')

const RevokeUserTokens = z
  .object({ user: UserBy.describe('The user, who need not exist if `externalId` is given.') })
  .describe('A user whose tokens are to be revoked.')

const UserTokenRef = builder.objectRef<UserToken>('UserToken').implement({
  description: 'A token of a user, for the header `X-User-Token` next to a public key.',
  fields: (t) => ({
    token: t.exposeString('token', { description: 'The token, a JWT.' }),
    externalId: t.exposeString('externalId', { description: "The partner's id of the user." }),
    scopes: t.field({
      type: [UserTokenScopeRef],
      description: 'What its holder may do.',
      resolve: ({ scopes }) => scopes as TokenScope[],
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'From when on it is refused.',
    }),
  }),
})

mutation('createUserToken', {
  description:
    'Signs a short-lived token for a user. A page sends it with a public key, in `X-User-Token`, and then acts for this user only.',
  key: 'secret',
  right: 'PLAY',
  isAudited: false,
  input: CreateUserToken,
  payload: { userToken: { type: UserTokenRef, description: 'The token, shown only here.' } },
  errors: ['USER_NOT_FOUND'],
  resolve: async ({ user, ttlSeconds, scopes, timeZone }, ctx, caller) => {
    await checkTimeZone(ctx, { timeZone })
    const allowed = Object.values(tokenScopes).filter((right) => caller.rights.includes(right))
    const excess = scopes?.filter((right) => !allowed.includes(right)) ?? []
    if (excess.length > 0)
      throw refused('scopes', `must be rights of the caller, not ${excess.join(', ')}`)
    const requested = {
      externalId: await externalIdOf(ctx, caller, user),
      ttlSeconds: ttlSeconds ?? defaultSeconds,
      scopes: allowed.filter((right) => scopes?.includes(right) ?? true),
    }
    if (timeZone) {
      const { externalId } = requested
      const zone = { ...tenantOf(caller), externalId, timeZone, isTrusted: true }
      await inTransaction(ctx, (txWork) => setTimeZoneOrMakeUser(txWork, zone))
    }
    return { userToken: await createUserToken(ctx, tenantOf(caller), requested) }
  },
})

mutation('revokeUserTokens', {
  description:
    "Revokes the tokens that a user has now, including those that the partner's own keys have signed: within five seconds they are refused on all nodes, and streams that were opened with them end.",
  key: 'secret',
  right: 'PLAY',
  input: RevokeUserTokens,
  payload: {
    user: { type: UserRef, nullable: true, description: 'The user; null if there is none yet.' },
    revokedAt: { type: 'DateTime', description: 'Tokens issued until then are refused.' },
  },
  errors: ['USER_NOT_FOUND'],
  resolve: async ({ user: by }, ctx, caller) => {
    const externalId = await externalIdOf(ctx, caller, by)
    const key = { ...tenantOf(caller), externalId }
    const revokedAt = await revokeUserTokens(ctx, key)
    afterCommit(ctx.db, () => forgetTokenRevocation(ctx, key))
    const user = await findUserOf(ctx, caller, { externalId })
    const id = user?.id ?? null
    if (id)
      await addToChanges(ctx.tx, [
        { table: 'user_token', id, field: 'revoked_at', from: null, to: revokedAt.toISOString() },
      ])
    return { user, revokedAt }
  },
})

query([ViewerRef, 'user'], {
  description:
    'The user whose token was sent with the public key. Null without one, and until the user exists.',
  type: UserRef,
  nullable: true,
  resolve: async (_, ctx) => {
    const { public: key } = ctx.callers
    if (!isGoodCaller(key)) return null
    const { user: externalId } = key as KeyCaller
    return externalId === undefined ? null : findUserOf(ctx, key, { externalId })
  },
})
