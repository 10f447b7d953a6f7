/** Members sign in with a password and then show short-lived tokens (decisions §1). */
import { errors, type JWTHeaderParameters, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { MemberCaller } from '../core/context.ts'
import type { Db } from '../core/db.ts'
import { TesseraError } from '../core/errors.ts'
import { networkOf } from '../core/network.ts'
import type { Runtime, Work } from '../core/runtime.ts'
import { deriveKey, isTokenOf, type MasterKey, macOf } from '../core/seal.ts'
import type { Tenant } from '../core/tenant.ts'
import { countTry, forgetTries, tryWithBackoff } from '../core/throttle.ts'
import { text } from '../core/validation.ts'
import type { Member } from '../generated/prisma/client.ts'
import { hashPassword, inTurn, verifyPassword } from './password.ts'

export const SignIn = z
  .object({
    email: text(255).describe('E-mail address of the member.'),
    password: text(1024).describe('Their password.'),
  })
  .describe('Who signs in.')

/** Tokens of one sign-in (interface: Developer dashboard endpoints). */
export type Tokens = {
  /** For `Authorization: Bearer`. */
  accessToken: string
  /** Seconds until the access token ends. */
  expiresIn: number
  /** Good for 30 days and for one use: using it gives the next. */
  refreshToken: string
}

type Store = Pick<Runtime, 'db' | 'config' | 'clock' | 'random'>

const accessSeconds = 3600
export const refreshTokenMs = 30 * 24 * 3600 * 1000
const issuer = 'tessera'

const accessKey = ({ text }: MasterKey) => deriveKey(text, 'access-token')

/** Which sign-in, which number, and a proof that we made it; nothing of it needs to be stored. */
const refreshTokenOf = (key: MasterKey, signInId: string, generation: number) => {
  const text = `${signInId}.${generation}`
  return `rt_${text}.${macOf(key.text, 'refresh-token', text).toString('base64url')}`
}

const readRefreshToken = ({ config }: Store, token: string) => {
  const [, signInId, number] = /^rt_([\da-f-]{36})\.(\d{1,9})\./.exec(token) ?? []
  if (!signInId) throw new TesseraError('INVALID_REFRESH_TOKEN')
  const generation = Number(number)
  if (!isTokenOf(config.masterKeys, token, (key) => refreshTokenOf(key, signInId, generation)))
    throw new TesseraError('INVALID_REFRESH_TOKEN')
  return { signInId, generation }
}

const tokensOf = async (store: Store, signInId: string, generation: number): Promise<Tokens> => {
  const [key] = store.config.masterKeys
  const seconds = Math.floor(store.clock().getTime() / 1000)
  const accessToken = await new SignJWT({})
    .setProtectedHeader({ alg: 'HS256', kid: String(key.version) })
    .setIssuer(issuer)
    .setSubject(signInId)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + accessSeconds)
    .sign(accessKey(key))
  const refreshToken = refreshTokenOf(key, signInId, generation)
  return { accessToken, expiresIn: accessSeconds, refreshToken }
}

/** Checked when there is no such member, so that the time to answer does not tell. */
const nobody = hashPassword('nobody')

/** The key of the tries for an account. An address that no member has is one, too: nothing tells who is a member. */
const triesOf = ({ pepper }: Pick<Runtime, 'pepper'>, email: string) =>
  `password ${macOf(pepper, 'password-lock', email).toString('base64url')}`

/** Tries for an account from one origin: five, then one after a minute, two minutes, … */
const fromOneOrigin = { free: 5, firstWaitMs: 60_000, longestWaitMs: 15 * 60_000 }
/** Tries for an account from all origins together from which nobody has signed in to it before. */
const fromStrangers = { max: 100, windowMs: 3600_000 }

/** Who tries a password for which account, and from where. */
type PasswordTry = {
  email: string
  member: Member | null
  password: string
  /** An address, or the sign-in of who is in already. */
  origin: string
  /** Whether this account was signed in to from there before. */
  isFamiliar: boolean
}

/**
 * Whether a password is right. The try is counted before the password is looked at, so that no burst
 * passes; the wrong tries of a stranger delay that stranger, not the owner (decision 0087).
 * @throws TesseraError ACCOUNT_LOCKED, OVERLOADED
 */
export const tryPassword = (
  store: Pick<Runtime, 'tx' | 'clock' | 'pepper'>,
  { email, member, password, origin, isFamiliar }: PasswordTry,
): Promise<boolean> =>
  inTurn(async () => {
    const account = triesOf(store, email)
    const here = `${account} ${origin}`
    const retryAfter = await tryWithBackoff(store, { key: here, ...fromOneOrigin })
    if (retryAfter !== null) throw new TesseraError('ACCOUNT_LOCKED', { retryAfter })
    if (!isFamiliar) await countStranger(store, account)
    const isRight = await verifyPassword(password, member?.passwordHash ?? (await nobody))
    if (isRight && member) await forgetTries(store, here)
    return isRight && member !== null
  })

const countStranger = async (store: Pick<Runtime, 'tx' | 'clock'>, account: string) => {
  try {
    await countTry(store, { key: account, ...fromStrangers })
  } catch (error) {
    if (!(error instanceof TesseraError)) throw error
    throw new TesseraError('ACCOUNT_LOCKED', { retryAfter: error.retryAfter ?? 60 })
  }
}

/** Ends what holds up sign-ins to an account. */
export const unlockPassword = (
  store: Pick<Runtime, 'tx' | 'pepper'>,
  { email }: Member,
): Promise<void> => forgetTries(store, triesOf(store, email), { below: true })

/** Addresses that a member has signed in from since are familiar. */
const familiarMs = 90 * 24 * 3600 * 1000

/** What is kept of the address of a sign-in: enough to know it again, and nothing to read it from. */
const originOf = ({ pepper }: Pick<Runtime, 'pepper'>, memberId: string, network: string) =>
  macOf(pepper, 'sign-in-origin', `${memberId} ${network}`).toString('base64url')

/**
 * Signs a member in.
 * @throws TesseraError INVALID_CREDENTIALS, ACCOUNT_LOCKED, OVERLOADED; RATE_LIMITED past ten tries in ten minutes of an address
 */
export const signIn = async (
  runtime: Runtime,
  { email, password }: z.output<typeof SignIn>,
  ip: string,
): Promise<Tokens & { member: Member }> => {
  const { db, clock, config } = runtime
  const network = networkOf(ip)
  await countTry(runtime, { key: `sign-in ${network}`, max: config.signInLimit, windowMs: 600_000 })
  const address = email.trim().toLowerCase()
  const member = await db.member.findUnique({ where: { email: address } })
  const now = clock()
  const origin = originOf(runtime, member?.id ?? address, network)
  const before = await db.signIn.findFirst({
    where: { origin, createdAt: { gt: new Date(now.getTime() - familiarMs) } },
    select: { id: true },
  })
  const attempt = { email: address, member, password, origin: network, isFamiliar: before !== null }
  if (!(await tryPassword(runtime, attempt)) || !member)
    throw new TesseraError('INVALID_CREDENTIALS')
  const id = uuid()
  const expiresAt = new Date(now.getTime() + refreshTokenMs)
  await db.signIn.create({ data: { id, memberId: member.id, origin, createdAt: now, expiresAt } })
  return { ...(await tokensOf(runtime, id, 1)), member }
}

/**
 * New tokens for a refresh token, which is used up by it. One that was used before ends the sign-in.
 * @throws TesseraError INVALID_REFRESH_TOKEN
 */
export const refreshTokens = async (store: Store, refreshToken: string): Promise<Tokens> => {
  const { db, clock } = store
  const { signInId, generation } = readRefreshToken(store, refreshToken)
  const now = clock()
  const { count } = await db.signIn.updateMany({
    where: { id: signInId, generation, revokedAt: null, expiresAt: { gt: now } },
    data: { generation: generation + 1, expiresAt: new Date(now.getTime() + refreshTokenMs) },
  })
  if (count === 1) return tokensOf(store, signInId, generation + 1)
  await endSignIn(store, { signInId, generation: { gt: generation } })
  throw new TesseraError('INVALID_REFRESH_TOKEN')
}

const endSignIn = async (
  { db, clock }: Store,
  { signInId, generation }: { signInId: string; generation?: { gt: number } },
) => {
  await db.signIn.updateMany({
    where: { id: signInId, revokedAt: null, ...(generation && { generation }) },
    data: { revokedAt: clock() },
  })
  memoryOf(db).delete(signInId)
}

/** Ends the caller's sign-in: its refresh token at once, its access tokens on all nodes within five seconds. */
export const signOut = (store: Store, { signInId }: MemberCaller): Promise<void> =>
  endSignIn(store, { signInId })

type FoundSignIn = {
  memberId: string
  partnerId: string
  role: Member['role']
  revokedAt: Date | null
  closedAt: Date | null
}

/** Reads sign-ins by id, with what decides whether they are good. */
const findSignIns = async ({ tx }: Work, ids: string[]): Promise<(FoundSignIn | Error)[]> => {
  const rows = await tx.signIn.findMany({
    where: { id: { in: ids } },
    include: { member: { include: { partner: { select: { closedAt: true } } } } },
  })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => {
    const row = byId.get(id)
    if (!row) return new TesseraError('INVALID_BEARER_TOKEN')
    const { partnerId, role, partner } = row.member
    const { memberId, revokedAt } = row
    return { memberId, partnerId, role, revokedAt, closedAt: partner.closedAt }
  })
}

/** No node remembers longer, so that an ended sign-in is refused everywhere within five seconds. */
const memoryMs = 4_000
const memories = new WeakMap<Db, LRUCache<string, FoundSignIn>>()

const memoryOf = (db: Db) => {
  let memory = memories.get(db)
  if (!memory) {
    memory = new LRUCache({ max: 10_000, ttl: memoryMs })
    memories.set(db, memory)
  }
  return memory
}

/** Lets this node look at the sign-ins of a member anew; the others do within five seconds. */
export const forgetSignIns = (db: Db, memberId: string): void => {
  const memory = memoryOf(db)
  for (const [id, found] of memory.entries()) if (found.memberId === memberId) memory.delete(id)
}

/** A token without a version is of the time before master keys had any. */
const keyOfToken = ({ config }: Runtime, { kid = '1' }: JWTHeaderParameters) => {
  const key = config.masterKeys.find(({ version }) => String(version) === kid)
  if (!key) throw new TesseraError('INVALID_BEARER_TOKEN')
  return accessKey(key)
}

const readSignInId = async (runtime: Runtime, token: string): Promise<string> => {
  try {
    const { payload } = await jwtVerify(token, (header) => keyOfToken(runtime, header), {
      algorithms: ['HS256'],
      issuer,
      currentDate: runtime.clock(),
    })
    return String(payload.sub)
  } catch (error) {
    if (error instanceof errors.JOSEError) throw new TesseraError('INVALID_BEARER_TOKEN')
    throw error
  }
}

/**
 * Who sends this access token.
 * @throws TesseraError INVALID_BEARER_TOKEN, PARTNER_NOT_FOUND
 */
export const authenticateMember = async (
  runtime: Runtime,
  token: string,
  environment: Tenant['environment'],
): Promise<MemberCaller> => {
  const signInId = await readSignInId(runtime, token)
  const memory = memoryOf(runtime.db)
  let found = memory.get(signInId)
  if (!found) {
    found = await runtime.read(findSignIns, signInId)
    memory.set(signInId, found)
  }
  if (found.revokedAt) throw new TesseraError('INVALID_BEARER_TOKEN')
  if (found.closedAt) throw new TesseraError('PARTNER_NOT_FOUND')
  const { memberId, partnerId, role } = found
  return { kind: 'member', partnerId, environment, memberId, signInId, role }
}
