/** Limits wrong codes to ten in ten minutes, so that codes cannot be guessed. */
import type { Caller } from '../core/context.ts'
import { type ErrorCode, TesseraError } from '../core/errors.ts'
import { networkOf } from '../core/http/network.ts'
import { countTry, refuseTries, type TryLimit } from '../core/http/throttle.ts'
import type { Runtime, Work } from '../core/runtime.ts'
import { tenantOf } from '../core/tenant.ts'
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

/**
 * Redeems a code. A refused code counts as an attempt.
 * @throws TesseraError RATE_LIMITED after ten; and what `redeem` throws
 */
export const limitGuesses = async <T>(
  work: Pick<Work, 'tx' | 'clock'>,
  guesser: string,
  redeem: () => Promise<T>,
): Promise<T> => {
  const allowance = allowanceOf(guesser)
  await refuseTries(work, allowance)
  try {
    return await redeem()
  } catch (error) {
    if (error instanceof TesseraError && wrongCodes.has(error.code)) await countTry(work, allowance)
    throw error
  }
}

/** The input of both kinds of codes. */
type Redeemer = UserKey & { slug: string }

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
  const redeemer = { ...tenantOf(caller), slug, externalId }
  return limitGuesses(runtime, guessingUser(redeemer), () => redeem(redeemer))
}
