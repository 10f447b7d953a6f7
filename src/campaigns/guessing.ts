/** Nobody finds a code by trying: ten wrong ones in ten minutes, then no more. */
import { type ErrorCode, TesseraError } from '../core/errors.ts'
import { networkOf } from '../core/http/network.ts'
import { type Allowance, countTry, refuseTries } from '../core/http/throttle.ts'
import type { Work } from '../core/runtime.ts'
import type { Tenant } from '../core/tenant.ts'

const wrongCodes = new Set<ErrorCode>([
  'INVALID_CODE',
  'CODE_REDEEMED',
  'CODE_EXPIRED',
  'CODE_REVOKED',
  'INVALID_WIN_CODE',
  'WIN_CODE_REDEEMED',
])

const allowanceOf = (guesser: string): Allowance => ({
  key: `code ${guesser}`,
  max: 10,
  windowMs: 10 * 60 * 1000,
})

/** Who guesses through a backend: the user it speaks for. */
export const guessingUser = ({ partnerId, environment }: Tenant, userId: string): string =>
  `user ${partnerId} ${environment} ${userId}`

/** Who guesses on a page: their address. */
export const guessingAddress = (ip: string): string => `ip ${networkOf(ip)}`

/**
 * Redeems something for somebody who may be guessing; a refused code counts as a try.
 * @throws TesseraError RATE_LIMITED after ten; and what `redeem` throws
 */
export const whileGuessing = async <T>(
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
