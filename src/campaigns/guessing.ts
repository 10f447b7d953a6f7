/** Limits wrong codes to ten in ten minutes, so that codes cannot be guessed. */
import type { Caller } from '../kit/access/context.ts'
import { type ErrorCode, TesseraError } from '../kit/errors.ts'
import { countTry, type TryLimit, uncountTry } from '../kit/http/throttle.ts'
import type { Runtime, Work } from '../kit/runtime.ts'
import { networkOf } from '../kit/security/network.ts'
import { singleton } from '../kit/singleton.ts'
import { tenantOf } from '../kit/tenant.ts'
import { externalIdOf, type UserBy, type UserKey } from '../users/end-user.ts'
import { type CampaignBy, slugOf } from './campaign.ts'

const wrongCodes = new Set<ErrorCode>([
  'INVALID_CODE',
  'CODE_REDEEMED',
  'CODE_EXPIRED',
  'CODE_REVOKED',
  'INVALID_WIN_CODE',
  'WIN_CODE_REDEEMED',
])

const allowanceOf = (guesser: string): TryLimit => ({
  key: `code ${guesser}`,
  max: 10,
  windowMs: 10 * 60 * 1000,
})

/** The counter of a user whose codes a backend sends. */
export const guessingUser = ({ partnerId, environment, externalId }: UserKey): string =>
  `user ${partnerId} ${environment} ${externalId}`

/** The counter of a visitor of a page, by the network of the IP address. */
export const guessingAddress = (ip: string): string => `ip ${networkOf(ip)}`

/** Deletes the counter of a user. */
export const forgetGuesses = async ({ tx }: Pick<Work, 'tx'>, guesser: string): Promise<void> => {
  await tx.throttle.deleteMany({ where: { key: allowanceOf(guesser).key } })
}

/** The most attempts of a guesser that wait for each other at a node. */
const maxWaiting = 100

/** The last attempt of each guesser, and how many have not ended. */
const attemptsOf = singleton(
  'attempts at codes',
  () => new Map<string, { last: Promise<unknown>; count: number }>(),
)

/** Attempts of a guesser run one after the other, so that right codes sent at once do not use up the limit. */
const inTurn = async <T>(
  work: Pick<Work, 'singletons'>,
  guesser: string,
  attempt: () => Promise<T>,
): Promise<T> => {
  const attempts = attemptsOf(work)
  const turn = attempts.get(guesser) ?? { last: Promise.resolve(), count: 0 }
  if (turn.count >= maxWaiting) throw new TesseraError('OVERLOADED')
  attempts.set(guesser, turn)
  turn.count++
  const result = turn.last.then(attempt)
  turn.last = result.catch(() => {})
  return result.finally(() => {
    if (--turn.count === 0) attempts.delete(guesser)
  })
}

const isWrong = (error: unknown) => error instanceof TesseraError && wrongCodes.has(error.code)

/**
 * Redeems a code. Each attempt is counted before it is made, so that attempts at several nodes cannot exceed the limit.
 * Only a refused code stays counted.
 * @throws TesseraError RATE_LIMITED after ten, OVERLOADED; and what `redeem` throws
 */
export const limitGuesses = <T>(
  work: Pick<Work, 'tx' | 'clock' | 'singletons'>,
  guesser: string,
  redeem: () => Promise<T>,
): Promise<T> =>
  inTurn(work, guesser, async () => {
    const allowance = allowanceOf(guesser)
    let isGuess = false
    try {
      await countTry(work, allowance)
      return await redeem()
    } catch (error) {
      isGuess = isWrong(error)
      throw error
    } finally {
      // If this fails, the attempt stays counted, and its outcome is still that of the redemption.
      if (!isGuess) await uncountTry(work, allowance.key, null).catch(() => {})
    }
  })

/** The input of both kinds of codes. */
type Redeemer = UserKey & { slug: string; isProven: boolean }

/**
 * Redeems a code for a user whom a backend names.
 * @throws TesseraError USER_NOT_FOUND for an unknown id, RATE_LIMITED; and what `redeem` throws
 */
export const redeemFor = async <T>(
  runtime: Runtime,
  caller: Caller,
  { campaign, user }: { campaign: CampaignBy; user: UserBy },
  redeem: (redeemer: Redeemer) => Promise<T>,
): Promise<T> => {
  const externalId = await externalIdOf(runtime, caller, user)
  const slug = await slugOf(runtime, caller, campaign)
  const redeemer = { ...tenantOf(caller), slug, externalId, isProven: true }
  return limitGuesses(runtime, guessingUser(redeemer), () => redeem(redeemer))
}
