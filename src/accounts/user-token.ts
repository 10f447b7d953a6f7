/** User tokens. With one, a public key can name only its user (docs/decisions/user-tokens.md). */

import {
  createLocalJWKSet,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  type JWTVerifyOptions,
  jwtVerify,
  SignJWT,
} from 'jose'
import type { Application } from '../generated/prisma/client.ts'
import type { KeyCaller } from '../kit/access/context.ts'
import { type Right, rightsOfKind } from '../kit/access/rights.ts'
import { cellClaim } from '../kit/cell.ts'
import { ofTenant, ofTenants } from '../kit/database/tenant-client.ts'
import { TesseraError } from '../kit/errors.ts'
import { inOrder } from '../kit/in-order.ts'
import type { Runtime, Work } from '../kit/runtime.ts'
import { deriveKey, type MasterKey, macOf } from '../kit/security/seal.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import { type ExternalId, externalId } from '../kit/user-id.ts'
import { identityCache } from './identity-cache.ts'
import { orCellOfToken, tokenIssuer } from './token-cell.ts'
import { type Jwks, publishedKeys, signatures } from './user-token-signer.ts'

type TokenUser = Tenant & { externalId: ExternalId }

/** The user as stored. It can be compared but does not identify anybody. */
const digestOf = (
  { keys }: Pick<Work, 'keys'>,
  { partnerId, environment, externalId }: TokenUser,
): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    macOf(keys.pepper, 'user-token-revocation', `${partnerId} ${environment} ${externalId}`),
  )

const nameOf = ({ partnerId, environment, userDigest }: Tenant & { userDigest: Uint8Array }) =>
  `${partnerId} ${environment} ${Buffer.from(userDigest).toString('base64')}`

/** Reads when the tokens of users were revoked; null for never. */
const findTokenRevocations = async (work: Work, users: TokenUser[]): Promise<(Date | null)[]> => {
  const keys = users.map((user) => ({ ...tenantOf(user), userDigest: digestOf(work, user) }))
  const rows = await ofTenants(work.tx, keys, ({ userDigest }) => ({
    userDigest,
  })).userTokenRevocation.findMany()
  return inOrder(keys, rows, nameOf, nameOf).map((row) => row?.revokedAt ?? null)
}

const memoryOf = identityCache<{ revokedAt: Date | null }>('revocations of user tokens', 50_000)

const memoryNameOf = ({ partnerId, environment, externalId }: TokenUser) =>
  `${partnerId} ${environment} ${externalId}`

/** When the tokens of a user were last revoked; null for never, or too long ago to matter. */
const revokedAtOf = async (runtime: Runtime, user: TokenUser): Promise<Date | null> => {
  const memory = memoryOf(runtime)
  const name = memoryNameOf(user)
  let found = memory.get(name)
  if (!found) {
    found = { revokedAt: await runtime.read(findTokenRevocations, user) }
    memory.set(name, found)
  }
  return found.revokedAt
}

/** Removes a revocation from the cache of this node. */
export const forgetTokenRevocation = (
  runtime: Pick<Runtime, 'singletons'>,
  user: TokenUser,
): void => void memoryOf(runtime).delete(memoryNameOf(user))

/** Revokes all tokens of a user, from any signer. The user need not exist. */
export const revokeUserTokens = async (work: Work, user: TokenUser): Promise<Date> => {
  const { tx, clock } = work
  const revokedAt = clock()
  const userDigest = digestOf(work, user)
  await ofTenant(tx, user).userTokenRevocation.upsert({
    where: { partnerId_environment_userDigest: { userDigest } },
    create: { userDigest, revokedAt },
    update: { revokedAt },
  })
  return revokedAt
}

/** The maximum lifetime of a token from any signer. */
export const maxTokenSeconds = 24 * 3600
const maxTokenCharacters = 4096

const ownSignature = 'HS256'

/** How far the clock of a partner's server may be from ours, in seconds. */
const clockTolerance = 30

/** The audience of a token: a partner, in one environment. */
const audienceOf = ({ partnerId, environment }: Tenant): string =>
  `tessera:${environment.toLowerCase()}:${partnerId}`

const signingKey = ({ text }: MasterKey) => deriveKey(text, 'user-token')

export type UserToken = {
  token: string
  externalId: ExternalId
  scopes: Right[]
  expiresAt: Date
}

/** Signs a token. The user need not exist yet. */
export const createUserToken = async (
  { keys, clock }: Pick<Work, 'keys' | 'clock'>,
  tenant: Tenant,
  {
    externalId,
    ttlSeconds,
    scopes,
  }: { externalId: ExternalId; ttlSeconds: number; scopes: Right[] },
): Promise<UserToken> => {
  const [key] = keys.master
  const now = clock().getTime()
  const issuedAt = Math.floor(now / 1000)
  const expiresAt = issuedAt + ttlSeconds
  // In milliseconds, too, so that a token issued right after a revocation is valid.
  const token = await new SignJWT({ ...cellClaim(keys.cell), scope: scopes.join(' '), iat_ms: now })
    .setProtectedHeader({ alg: ownSignature, typ: 'JWT', kid: String(key.version) })
    .setIssuer(tokenIssuer)
    .setAudience(audienceOf(tenant))
    .setSubject(externalId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(signingKey(key))
  return { token, externalId, scopes, expiresAt: new Date(expiresAt * 1000) }
}

/** The signers whose tokens an application accepts in addition to ours. */
export type Signer = Pick<Application, 'userTokenJwksUrl' | 'userTokenKeys'>

/** Checks the signature and the claims of a token, ours or the partner's. */
const readClaims = async (
  runtime: Runtime,
  token: string,
  audience: string,
  { userTokenJwksUrl, userTokenKeys }: Signer,
): Promise<{ claims: JWTPayload; issuedAtMs: number }> => {
  const options = {
    audience,
    requiredClaims: ['sub', 'iat', 'exp'],
    maxTokenAge: maxTokenSeconds,
    currentDate: runtime.clock(),
  } satisfies JWTVerifyOptions
  const { alg, kid } = decodeProtectedHeader(token)
  if (alg === ownSignature) {
    const key = runtime.keys.master.find(({ version }) => String(version) === kid)
    if (!key) throw new errors.JWSInvalid('unknown version of the master key')
    const own = { ...options, issuer: tokenIssuer, algorithms: [ownSignature] }
    const { payload: claims } = await jwtVerify(token, signingKey(key), own)
    return { claims, issuedAtMs: Number(claims.iat_ms ?? Number(claims.iat) * 1000) }
  }
  const keys = userTokenKeys
    ? createLocalJWKSet(userTokenKeys as unknown as Jwks)
    : userTokenJwksUrl && publishedKeys(runtime, userTokenJwksUrl)
  if (!keys) throw new errors.JWSInvalid('the application has no keys')
  const theirs = { ...options, clockTolerance, algorithms: signatures }
  const { payload: claims } = await jwtVerify(token, keys, theirs)
  return { claims, issuedAtMs: Number(claims.iat) * 1000 }
}

/** The rights of a public key that the token allows. */
const scopesOf = ({ scope }: JWTPayload): readonly Right[] => {
  if (scope === undefined) return rightsOfKind.PUBLIC
  const named = String(scope).split(' ')
  return rightsOfKind.PUBLIC.filter((right) => named.includes(right))
}

const noSigner: Signer = { userTokenJwksUrl: null, userTokenKeys: null }

/**
 * The user of a token, and the rights that it allows. Without a `signer`, only our tokens are accepted.
 * @throws TesseraError INVALID_USER_TOKEN if it is forged, expired, revoked, or for somebody else; WRONG_CELL
 */
export const readUserToken = async (
  runtime: Runtime,
  tenant: Tenant,
  token: string,
  signer = noSigner,
): Promise<{ user: ExternalId; rights: readonly Right[] }> => {
  if (token.length > maxTokenCharacters) throw new TesseraError('INVALID_USER_TOKEN')
  const { claims, issuedAtMs } = await readClaims(runtime, token, audienceOf(tenant), signer).catch(
    (cause) => orCellOfToken(runtime, token)(new TesseraError('INVALID_USER_TOKEN', { cause })),
  )
  const user = externalId().safeParse(claims.sub)
  if (!user.success) throw new TesseraError('INVALID_USER_TOKEN')
  const revokedAt = await revokedAtOf(runtime, { ...tenantOf(tenant), externalId: user.data })
  if (revokedAt && issuedAtMs <= revokedAt.getTime()) throw new TesseraError('INVALID_USER_TOKEN')
  return { user: user.data, rights: scopesOf(claims) }
}

/**
 * The caller with the user of a token.
 * @throws TesseraError INVALID_USER_TOKEN, WRONG_CELL
 */
export const withUserToken = async (
  runtime: Runtime,
  caller: KeyCaller,
  token: string,
  signer: Signer,
): Promise<KeyCaller> => {
  const { user, rights } = await readUserToken(runtime, caller, token, signer)
  return { ...caller, user, rights: caller.rights.filter((right) => rights.includes(right)) }
}
