/** Tries of passwords: counted before they are looked at, so that nobody can guess on. */
import { TesseraError } from '../core/errors.ts'
import { countTry, takeBackTry, tryWithBackoff } from '../core/http/throttle.ts'
import type { Runtime } from '../core/runtime.ts'
import { macOf } from '../core/seal.ts'
import type { Member } from '../generated/prisma/client.ts'
import { hashPassword, inTurn, matchPassword } from './password.ts'

/** Checked when there is no such member, so that the time to answer does not tell. */
const nobody = hashPassword('nobody')

/**
 * The key of the tries for an e-mail address. One that no member has is counted too, and one that members of
 * several partners have is counted once: no answer tells who is a member where.
 */
const triesOf = ({ pepper }: Pick<Runtime, 'pepper'>, email: string) =>
  `password ${macOf(pepper, 'password-lock', email).toString('base64url')}`

/** Wrong tries for an address from one origin: five, then one after a minute, two minutes, … */
const fromOneOrigin = {
  free: 5,
  firstWaitMs: 60_000,
  longestWaitMs: 15 * 60_000,
  forgottenMs: 3600_000,
}
/** Tries for an account from all origins together from which nobody has signed in to it before. */
const fromStrangers = { max: 100, windowMs: 3600_000 }

/** Who tries a password for which e-mail address, and from where. */
type PasswordTry<M> = {
  email: string
  /** All who have this address, or the one who changes their password. */
  members: M[]
  password: string
  /** An address, or the sign-in of who is in already. */
  origin: string
  /** Whether a member with this address has signed in from there before. */
  isFamiliar: boolean
}

/**
 * Those members whose password it is. The try is counted before the password is looked at, so that no burst
 * passes; the wrong tries of a stranger delay that stranger, not the owner (decision 0087). A right try is
 * taken back, and clears nothing: who has one membership could else go on guessing at another (decision 0093).
 * @throws TesseraError ACCOUNT_LOCKED, OVERLOADED
 */
export const tryPassword = <M extends Member>(
  store: Pick<Runtime, 'tx' | 'clock' | 'pepper'>,
  { email, members, password, origin, isFamiliar }: PasswordTry<M>,
): Promise<M[]> =>
  inTurn(async () => {
    const account = triesOf(store, email)
    const key = `${account} ${origin}`
    const counted = await tryWithBackoff(store, { key, ...fromOneOrigin })
    if (counted.waitSeconds !== null)
      throw new TesseraError('ACCOUNT_LOCKED', {
        limit: fromOneOrigin.free,
        current: null,
        retryAfter: counted.waitSeconds,
      })
    if (!isFamiliar) await countStranger(store, account)
    const hashes = members.map(({ passwordHash }) => passwordHash)
    const isRight = await matchPassword(password, hashes.length > 0 ? hashes : [await nobody])
    const right = members.filter((_, i) => isRight[i])
    if (right.length > 0) await takeBackTry(store, key, counted.before)
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
