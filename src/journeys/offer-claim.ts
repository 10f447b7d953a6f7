/** Claims offers, each once (interface: Offer status). */
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import { inTransaction } from '../kit/database/db.ts'
import { TesseraError } from '../kit/errors.ts'
import { nodeId } from '../kit/node-id.ts'
import type { Work } from '../kit/runtime.ts'
import { tenantOf } from '../kit/tenant.ts'
import { isUuid } from '../kit/validation.ts'
import { movePoints } from '../points/wallet.ts'
import { lockUsers, UserBy, type UserKey } from '../users/end-user.ts'
import type { UserOffer } from './offer.ts'
import { writeClaims } from './offer-claim.sql.ts'

export const ClaimOffer = z
  .object({
    user: UserBy.describe('The user whose offer it is.'),
    offerId: nodeId('Offer').describe('The offer.'),
  })
  .describe('An offer to claim.')

type ClaimOffer = UserKey & { offerId: string }

/**
 * Claims offers with one conditional UPDATE. In the same transaction a claim is added to the timeline as
 * `offer_claimed`, announced as `journey.offer_claimed`, and credits its points.
 *
 * The result of a refused claim is OFFER_NOT_FOUND (also for the offer of another user), OFFER_NOT_ACTIVE or
 * OFFER_EXPIRED. The second claim of an offer in one list is OFFER_NOT_ACTIVE.
 */
export const claimOffers = async (
  work: Work,
  claims: ClaimOffer[],
): Promise<(UserOffer | Error)[]> => {
  const known = claims
    .map((claim, place) => ({ ...claim, place }))
    .filter(({ offerId }) => isUuid(offerId))
  const results: (UserOffer | Error)[] = claims.map(() => new TesseraError('OFFER_NOT_FOUND'))
  if (known.length === 0) return results
  await inTransaction(work, async (here) => {
    const { tx } = here
    const now = work.clock()
    // Users before offers and profiles: the order of locks everywhere.
    await lockUsers(here, known)
    const rows = await writeClaims(
      tx,
      known.map((claim) => ({ ...claim, eventId: uuid() })),
      now,
    )
    for (const { n, isClaimed, isTaken, ...offer } of rows)
      results[known[n]?.place ?? -1] = isClaimed
        ? { ...offer, status: 'claimed', claimedAt: now }
        : isTaken || offer.status === 'claimed'
          ? new TesseraError('OFFER_NOT_ACTIVE', {
              status: 'CLAIMED',
              since: offer.claimedAt ?? now,
            })
          : new TesseraError('OFFER_EXPIRED', { status: 'EXPIRED', since: offer.expiresAt })
    const credits = rows
      .filter((row) => row.isClaimed && row.creditsPoints && row.pointsValue > 0)
      .map((offer) => ({
        ...tenantOf(offer),
        externalId: offer.externalId,
        points: offer.pointsValue,
        eventType: 'offer_claimed',
        account: 'offers',
        sourceId: offer.id,
        metadata: { offerType: offer.offerType },
      }))
    for (const moved of await movePoints(here, credits)) if (moved instanceof Error) throw moved
  })
  return results
}
