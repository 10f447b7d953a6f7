/** Sign-ins of members: a password is exchanged for short-lived tokens. */
import { errors, type JWTHeaderParameters, jwtVerify, SignJWT } from 'jose'
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { Member, SignIn as StoredSignIn } from '../generated/prisma/client.ts'
import { refusedAttempt } from '../kit/access/audited.ts'
import type { MemberCaller } from '../kit/access/context.ts'
import { cellClaim, cellPrefix, orOtherCell } from '../kit/cell.ts'
import { afterCommit } from '../kit/database/db.ts'
import { TesseraError } from '../kit/errors.ts'
import { countTry } from '../kit/http/throttle.ts'
import type { Runtime } from '../kit/runtime.ts'
import { coarseNetworkOf, networkOf } from '../kit/security/network.ts'
import { deriveKey, isTokenOf, type MasterKey, macOf } from '../kit/security/seal.ts'
import type { Tenant } from '../kit/tenant.ts'
import { text } from '../kit/validation.ts'
import { callerOfSignIn, forgetSignIn, getSignIn } from './known-sign-in.ts'
import { tryPassword } from './password.ts'
import { requireSecondFactor } from './second-factor.ts'
import { orCellOfToken, tokenIssuer } from './token-cell.ts'

export const SignIn = z
  .object({
    email: text(255).describe('E-mail address of the member.'),
    password: text(1024).describe('Password of the member.'),
    code: text(64)
      .nullish()
      .describe('Code of the second factor, or a recovery code, if the member has one.'),
  })
  .describe('Credentials of a member.')

/** Tokens of one sign-in (interface: Developer dashboard endpoints). */
export type Tokens = {
  /** For `Authorization: Bearer`. */
  accessToken: string
  /** Seconds until the access token expires. */
  expiresIn: number
  /** Valid for 30 days and for one use, which returns the next one; for ten seconds, a retry returns it again. */
  refreshToken: string
}

type SignInStore = Pick<Runtime, 'db' | 'keys' | 'clock' | 'random' | 'singletons'>

const accessSeconds = 3600
export const refreshTokenMs = 30 * 24 * 3600 * 1000

const accessKey = ({ text }: MasterKey) => deriveKey(text, 'access-token')

/** The cell, the sign-in, a sequence number, and a signature. A refresh token is not stored. */
const refreshTokenOf = (
  key: MasterKey,
  cell: string | undefined,
  signInId: string,
  generation: number,
) => {
  const text = `${signInId}.${generation}`
  return `rt_${cellPrefix(cell)}${text}.${macOf(key.text, 'refresh-token', text).toString('base64url')}`
}

const refreshFormat = /^rt_(?:([a-z][a-z0-9]{0,15})_)?([\da-f-]{36})\.(\d{1,9})\./

const readRefreshToken = ({ keys }: SignInStore, token: string) => {
  const [, cell, signInId, number] = refreshFormat.exec(token) ?? []
  const generation = Number(number)
  if (
    !signInId ||
    !isTokenOf(keys.master, token, (key) => refreshTokenOf(key, cell, signInId, generation))
  )
    throw new TesseraError('INVALID_REFRESH_TOKEN')
  return { signInId, generation }
}

const tokensOf = async (
  store: SignInStore,
  signInId: string,
  generation: number,
): Promise<Tokens> => {
  const [key] = store.keys.master
  const seconds = Math.floor(store.clock().getTime() / 1000)
  const accessToken = await new SignJWT(cellClaim(store.keys.cell))
    .setProtectedHeader({ alg: 'HS256', kid: String(key.version) })
    .setIssuer(tokenIssuer)
    .setSubject(signInId)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + accessSeconds)
    .sign(accessKey(key))
  const refreshToken = refreshTokenOf(key, store.keys.cell, signInId, generation)
  return { accessToken, expiresIn: accessSeconds, refreshToken }
}

/** How long a network address stays familiar after a sign-in of a member. */
const familiarMs = 90 * 24 * 3600 * 1000

/** A hash of the network address of a sign-in. It can be compared but not read. */
const originOf = ({ keys }: Pick<Runtime, 'keys'>, email: string, network: string) =>
  macOf(keys.pepper, 'sign-in-origin', `${email} ${network}`).toString('base64url')

/** A member whose password was right. */
type Recognized = { member: Member; origin: string; network: string | null }

/**
 * Checks a password and returns its member. If members of several partners have the address, it is the one whose
 * password matches. If several match, it is the oldest whose partner is open.
 * @throws TesseraError INVALID_CREDENTIALS, SECOND_FACTOR_REQUIRED, INVALID_SECOND_FACTOR, ACCOUNT_LOCKED, OVERLOADED;
 * PARTNER_NOT_FOUND when the partner is closed; RATE_LIMITED after `signInLimit` tries from a network in ten minutes
 */
export const recognize = async (
  runtime: Runtime,
  { email, password, code }: z.output<typeof SignIn>,
  ip: string,
): Promise<Recognized> => {
  const { db, clock, config } = runtime
  const network = networkOf(ip)
  await countTry(runtime, { key: `sign-in ${network}`, max: config.signInLimit, windowMs: 600_000 })
  const address = email.trim().toLowerCase()
  const origin = originOf(runtime, address, network)
  const since = new Date(clock().getTime() - familiarMs)
  const members = await db.member.findMany({
    where: { email: address },
    include: {
      partner: { select: { closedAt: true } },
      _count: { select: { signIns: { where: { origin, createdAt: { gt: since } } } } },
    },
    orderBy: { id: 'asc' },
  })
  const familiar = members.filter(({ _count }) => _count.signIns > 0)
  const attempt = { email: address, members, familiar, password, origin: network }
  const right = await tryPassword(runtime, attempt)
  if (right.length === 0) throw refusedAttempt(members, new TesseraError('INVALID_CREDENTIALS'))
  const member = right.find(({ partner }) => partner.closedAt === null)
  if (!member) throw refusedAttempt(right, new TesseraError('PARTNER_NOT_FOUND'))
  const isFamiliar = familiar.includes(member)
  await requireSecondFactor(runtime, member, { code, origin: network, isFamiliar })
  return { member, origin, network: coarseNetworkOf(ip) }
}

const maxUserAgent = 255

/** Signs a member in. */
export const signIn = async (
  store: SignInStore,
  { member, origin, network }: Recognized,
  userAgent?: string,
): Promise<Tokens> => {
  const id = uuid()
  const now = store.clock()
  const expiresAt = new Date(now.getTime() + refreshTokenMs)
  await store.db.signIn.create({
    data: {
      id,
      memberId: member.id,
      origin,
      network,
      createdAt: now,
      expiresAt,
      userAgent: userAgent?.slice(0, maxUserAgent) ?? null,
    },
  })
  return tokensOf(store, id, 1)
}

/** A refresh token that is used again within this time may be a retry, or come from another tab. */
const retryMs = 10_000

const refreshOriginOf = ({ keys }: SignInStore, signInId: string, ip: string) =>
  macOf(keys.pepper, 'refresh-origin', `${signInId} ${networkOf(ip)}`).toString('base64url')

/** The sign-in of a refresh token, which may be used up. */
const findRefreshed = async (store: SignInStore, token: string) => {
  const { signInId, generation } = readRefreshToken(store, token)
  const found = await store.db.signIn.findUnique({
    where: { id: signInId },
    select: { member: { select: { partner: { select: { closedAt: true } } } } },
  })
  if (!found) throw new TesseraError('INVALID_REFRESH_TOKEN')
  if (found.member.partner.closedAt) throw new TesseraError('PARTNER_NOT_FOUND')
  return { signInId, generation }
}

/**
 * Exchanges a refresh token for new tokens. Using one again from the same network within ten seconds, while the next
 * one is unused, returns the same next one. Any other repeated use ends the sign-in. While the partner is closed, no
 * refresh token is used up.
 * @throws TesseraError INVALID_REFRESH_TOKEN, PARTNER_NOT_FOUND, WRONG_CELL
 */
export const refreshTokens = async (
  store: SignInStore,
  refreshToken: string,
  ip: string,
): Promise<Tokens> => {
  const { db, clock } = store
  const { signInId, generation } = await findRefreshed(store, refreshToken).catch(
    orOtherCell(refreshToken, refreshFormat, store.keys.cell),
  )
  const now = clock()
  const refreshedFrom = refreshOriginOf(store, signInId, ip)
  const valid = {
    id: signInId,
    revokedAt: null,
    expiresAt: { gt: now },
    member: { partner: { closedAt: null } },
  }
  const { count } = await db.signIn.updateMany({
    where: { ...valid, generation },
    data: {
      generation: generation + 1,
      refreshedAt: now,
      refreshedFrom,
      expiresAt: new Date(now.getTime() + refreshTokenMs),
    },
  })
  if (count === 1) return tokensOf(store, signInId, generation + 1)
  const refreshedAt = { gte: new Date(now.getTime() - retryMs) }
  const isRetry = { ...valid, generation: generation + 1, refreshedFrom, refreshedAt }
  if ((await db.signIn.count({ where: isRetry })) === 1)
    return tokensOf(store, signInId, generation + 1)
  const ended = await endSignIn(store, { signInId, generation: { gt: generation } })
  throw refusedAttempt(ended, new TesseraError('INVALID_REFRESH_TOKEN'))
}

/** Ends a sign-in unless it has ended, and returns its member. */
const endSignIn = async (
  store: SignInStore,
  { signInId, generation }: { signInId: string; generation?: { gt: number } },
): Promise<Member[]> => {
  const ended = await store.db.signIn.updateManyAndReturn({
    where: { id: signInId, revokedAt: null, ...(generation && { generation }) },
    data: { revokedAt: store.clock() },
    include: { member: true },
  })
  afterCommit(store.db, () => forgetSignIn(store, signInId))
  return ended.map(({ member }) => member)
}

/** Ends the sign-in of the caller: its refresh token at once, its access tokens on all nodes within five seconds. */
export const signOut = (store: SignInStore, { signInId }: MemberCaller): Promise<unknown> =>
  endSignIn(store, { signInId })

/** A token without a version was signed before master keys had versions. */
const keyOfToken = ({ keys }: Runtime, { kid = '1' }: JWTHeaderParameters) => {
  const key = keys.master.find(({ version }) => String(version) === kid)
  if (!key) throw new TesseraError('INVALID_BEARER_TOKEN')
  return accessKey(key)
}

const readAccessToken = async (runtime: Runtime, token: string) => {
  try {
    const { payload } = await jwtVerify(token, (header) => keyOfToken(runtime, header), {
      algorithms: ['HS256'],
      issuer: tokenIssuer,
      currentDate: runtime.clock(),
    })
    return String(payload.sub)
  } catch (error) {
    if (error instanceof errors.JOSEError) throw new TesseraError('INVALID_BEARER_TOKEN')
    throw error
  }
}

/**
 * The member who sends this access token.
 * @throws TesseraError INVALID_BEARER_TOKEN, PARTNER_NOT_FOUND, WRONG_CELL
 */
export const authenticateMember = async (
  runtime: Runtime,
  token: string,
  environment: Tenant['environment'],
): Promise<MemberCaller> => {
  const find = async () => {
    const signInId = await readAccessToken(runtime, token)
    return callerOfSignIn(signInId, await getSignIn(runtime, signInId), environment)
  }
  return find().catch(orCellOfToken(runtime, token))
}

/**
 * Ends a sign-in of the caller.
 * @throws TesseraError SIGN_IN_NOT_FOUND for one of another member, and for one that has ended
 */
export const endOwnSignIn = async (
  store: SignInStore,
  { memberId }: MemberCaller,
  id: string,
): Promise<StoredSignIn> => {
  const { db } = store
  const found = await db.signIn.findUnique({ where: { id, memberId, revokedAt: null } })
  if (!found) throw new TesseraError('SIGN_IN_NOT_FOUND')
  await endSignIn(store, { signInId: id })
  return { ...found, revokedAt: store.clock() }
}
