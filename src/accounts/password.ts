/** Counts and limits attempts to guess passwords. An attempt is counted before the password is checked. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { Member } from '../generated/prisma/client.ts'
import { doubling } from '../kit/backoff.ts'
import { TesseraError } from '../kit/errors.ts'
import { countTry, tryWithBackoff, uncountTry } from '../kit/http/throttle.ts'
import type { Runtime } from '../kit/runtime.ts'
import { macOf } from '../kit/security/seal.ts'

const derive = promisify(argon2)
const cost = { parallelism: 1, memory: 19_456, passes: 2, tagLength: 32 }

const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')

/** The number of passwords hashed at the same time. Each takes 19 MB and one of four threads. */
const atOnce = 2
const maxWaiting = 100
const waiting: (() => void)[] = []
let underWay = 0

/**
 * Waits for a turn to hash a password, so that a burst of sign-ins does not take the memory and the threads of other
 * requests.
 * @throws TesseraError OVERLOADED if too many are waiting
 */
const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
  if (underWay < atOnce) underWay++
  else {
    if (waiting.length >= maxWaiting) throw new TesseraError('OVERLOADED')
    // A finished caller hands over its place.
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else underWay--
  }
}

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/

/** Hashes a password with argon2id in PHC form, with a new salt or the salt of another hash. */
export const hashPassword = async (password: string, like?: string): Promise<string> => {
  const [, , , , known] = like ? (phc.exec(like) ?? []) : []
  const salt = known ? Buffer.from(known, 'base64') : randomBytes(16)
  const message = Buffer.from(password)
  const tag = await inTurn(() => derive('argon2id', { message, nonce: salt, ...cost }))
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(salt)}$${base64(tag)}`
}

/**
 * Returns for each hash whether it matches a password. Hashes with the same salt share one derivation. Must run within
 * `inTurn`.
 */
const matchPassword = (password: string, hashes: string[]): Promise<boolean[]> => {
  const derived = new Map<string, Promise<Buffer>>()
  return Promise.all(
    hashes.map(async (hash) => {
      const [, memory, passes, parallelism, salt = '', tag = ''] = phc.exec(hash) ?? []
      const expected = Buffer.from(tag, 'base64')
      if (expected.length === 0) return false
      const way = hash.slice(0, hash.lastIndexOf('$'))
      const found =
        derived.get(way) ??
        derive('argon2id', {
          message: Buffer.from(password),
          nonce: Buffer.from(salt, 'base64'),
          memory: Number(memory),
          passes: Number(passes),
          parallelism: Number(parallelism),
          tagLength: expected.length,
        })
      derived.set(way, found)
      return timingSafeEqual(await found, expected)
    }),
  )
}

/** A hash to check if there is no such member, so that the response time reveals nothing. */
const nobody = hashPassword('nobody')

/**
 * The throttle key of attempts for an e-mail address. An address without a member is counted too, and an address of
 * members of several partners is counted once, so that no answer reveals who is a member where.
 */
const triesOf = ({ keys }: Pick<Runtime, 'keys'>, email: string) =>
  `password ${macOf(keys.pepper, 'password-lock', email).toString('base64url')}`

/** Limits wrong attempts for an address from one origin: five, then one after a minute, two minutes, … */
const fromOneOrigin = {
  free: 5,
  delays: doubling(60_000, 15 * 60_000),
  forgottenMs: 3600_000,
}
/** Limits attempts for an account from all unfamiliar origins together. */
const fromStrangers = { max: 100, windowMs: 3600_000 }

type PasswordTry<M> = {
  email: string
  /** All members with this address, or the one who changes their password. */
  members: M[]
  /** Those of them who have signed in from this origin before. */
  familiar: M[]
  password: string
  /** The origin: a network address, or the sign-in of a member who is signed in. */
  origin: string
}

type Guess = {
  /** Names the guessed secret in the throttle key. */
  account: string
  origin: string
  isFamiliar: boolean
}

/**
 * Counts a guess at a code before it is checked. Returns a function that undoes the count, for a right guess.
 * @throws TesseraError ACCOUNT_LOCKED
 */
export const countGuess = async (
  store: Pick<Runtime, 'tx' | 'clock'>,
  { isFamiliar, ...guess }: Guess,
): Promise<() => Promise<void>> => {
  const uncount = await countFromOrigin(store, guess)
  if (!isFamiliar) await countStranger(store, guess.account)
  return uncount
}

const countFromOrigin = async (
  store: Pick<Runtime, 'tx' | 'clock'>,
  { account, origin }: Omit<Guess, 'isFamiliar'>,
): Promise<() => Promise<void>> => {
  const key = `${account} ${origin}`
  const counted = await tryWithBackoff(store, { key, ...fromOneOrigin })
  if (counted.waitSeconds !== null)
    throw new TesseraError('ACCOUNT_LOCKED', {
      limit: fromOneOrigin.free,
      current: null,
      retryAfter: counted.waitSeconds,
    })
  const { before } = counted
  return () => uncountTry(store, key, before)
}

/**
 * The members who are not protected from this origin now. Familiarity belongs to a member: whoever has signed in as a
 * member of one partner is a stranger to the member of another partner with the same address
 * (docs/decisions/member-sign-in.md).
 */
const unprotected = async <M>(
  store: Pick<Runtime, 'tx' | 'clock'>,
  account: string,
  { members, familiar }: Pick<PasswordTry<M>, 'members' | 'familiar'>,
): Promise<M[]> => {
  if (familiar.length > 0 && familiar.length === members.length) return members
  try {
    await countStranger(store, account)
    return members
  } catch (error) {
    if (familiar.length > 0 && error instanceof TesseraError) return familiar
    throw error
  }
}

/**
 * Returns the members whose password matches. The attempt is counted before the password is checked, so that a burst
 * of attempts is also limited. Wrong attempts of a stranger delay the stranger, not the owner
 * (docs/decisions/member-sign-in.md). A correct attempt is not counted, but does not reset the counter: otherwise a
 * member of one partner could keep guessing the password of a member of another.
 * @throws TesseraError ACCOUNT_LOCKED, OVERLOADED
 */
export const tryPassword = <M extends Member>(
  store: Pick<Runtime, 'tx' | 'clock' | 'keys'>,
  { email, password, origin, ...known }: PasswordTry<M>,
): Promise<M[]> =>
  inTurn(async () => {
    const account = triesOf(store, email)
    const uncount = await countFromOrigin(store, { account, origin })
    const members = await unprotected(store, account, known)
    const hashes = members.map(({ passwordHash }) => passwordHash)
    const isRight = await matchPassword(password, hashes.length > 0 ? hashes : [await nobody])
    const right = members.filter((_, i) => isRight[i])
    if (right.length > 0) await uncount()
    return right
  })

const countStranger = async (store: Pick<Runtime, 'tx' | 'clock'>, account: string) => {
  try {
    await countTry(store, { key: account, ...fromStrangers })
  } catch (error) {
    if (!(error instanceof TesseraError)) throw error
    throw new TesseraError('ACCOUNT_LOCKED', {
      limit: fromStrangers.max,
      current: null,
      retryAfter: error.retryAfter ?? 60,
    })
  }
}
