/** What becomes of rewards that the partner hands out: fulfilled, failed, or cancelled. */
import { z } from 'zod'
import { inTransaction } from '../kit/database/db.ts'
import { TesseraError } from '../kit/errors.ts'
import { newId } from '../kit/random.ts'
import type { Transaction, Work } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'
import { text } from '../kit/validation.ts'
import { cancelGrants, failGrants, fulfillGrants } from './fulfillment.sql.ts'
import { grantId, inactiveGrant, lockGrant, noteChange, type UserGrant } from './grant.ts'
import { lockRewards } from './reward.sql.ts'
import { findRewards } from './reward.ts'

const message = (description: string) =>
  text(500).nullish().describe(`${description} The user reads it. Kept until the user is erased.`)

export const FulfillGrant = z
  .object({ grantId: grantId(), message: message('Such as the number of a parcel.') })
  .describe('A grant of an item or a code that was handed out.')

export const FailGrant = z
  .object({ grantId: grantId(), message: message('Why.') })
  .describe('A grant of an item or a code that could not be handed out.')

export const CancelGrant = z
  .object({ grantId: grantId(), message: message('Why.') })
  .describe('A grant to cancel.')

type Asked = Tenant & { grantId: string; message?: string | null | undefined }

/**
 * Changes a grant that is to be handed out.
 * @throws TesseraError GRANT_NOT_FOUND, GRANT_NOT_ACTIVE unless it is issued, GRANT_NOT_FULFILLABLE for points, badges and
 * free plays
 */
const handOut = (
  work: Work,
  { message = null, ...requested }: Asked,
  write: typeof fulfillGrants,
): Promise<UserGrant> =>
  inTransaction(work, async (txWork) => {
    const grant = await lockGrant(txWork, requested)
    const [reward] = await findRewards(txWork, [grant.rewardId])
    if (reward?.kind !== 'ITEM' && reward?.kind !== 'CODE')
      throw new TesseraError('GRANT_NOT_FULFILLABLE')
    const changed = await write(txWork.tx, [grant.id], txWork.clock(), message)
    if (changed.length === 0) throw inactiveGrant(grant)
    return noteChange(txWork, grant)
  })

/** Notes that a grant was handed out, by `handOut`. */
export const fulfillGrant = (
  work: Work,
  requested: Tenant & z.output<typeof FulfillGrant>,
): Promise<UserGrant> => handOut(work, requested, fulfillGrants)

/** Notes that a grant could not be handed out, by `handOut`. It can be retried, or cancelled. */
export const failGrant = (
  work: Work,
  requested: Tenant & z.output<typeof FailGrant>,
): Promise<UserGrant> => handOut(work, requested, failGrants)

/**
 * Cancels a grant: the user has the price back, and the reward its stock, once.
 * @throws TesseraError GRANT_NOT_FOUND, GRANT_NOT_ACTIVE for one that was handed out, revoked, cancelled or has expired,
 * GRANT_USED once its code was shown, one of its free plays was used, or its points were paid
 */
export const cancelGrant = (
  work: Work,
  { message = null, ...requested }: Tenant & z.output<typeof CancelGrant>,
): Promise<UserGrant> =>
  inTransaction(work, async (txWork: Transaction) => {
    const grant = await lockGrant(txWork, requested, ({ rewardId }) =>
      lockRewards(txWork.tx, [rewardId]),
    )
    const { id, codeShownAt, freePlays, freePlaysLeft, points, issuedAt, status } = grant
    if (status === 'CANCELLED' || status === 'REVOKED' || status === 'EXPIRED')
      throw inactiveGrant(grant)
    const isPaid = points !== null && issuedAt !== null
    const isPlayed = freePlaysLeft !== null && freePlaysLeft !== freePlays
    if (codeShownAt || isPaid || isPlayed) throw new TesseraError('GRANT_USED')
    const cancelled = await cancelGrants(
      txWork.tx,
      [{ id, lineId: newId(), message }],
      txWork.clock(),
    )
    if (cancelled.length === 0) throw inactiveGrant(grant)
    return noteChange(txWork, grant)
  })
