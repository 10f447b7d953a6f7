/** Claiming offers: once each, however many ask at once (interface: Offer status). */
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import { inTransaction } from '../core/db/db.ts'
import { TesseraError } from '../core/errors.ts'
import { emit } from '../core/events.ts'
import { nodeId } from '../core/node-id.ts'
import type { Work } from '../core/runtime.ts'
import { type Tenant, tenantOf } from '../core/tenant.ts'
import { isUuid } from '../core/validation.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { movePoints } from '../points/wallet.ts'
import { trackActivity } from '../users/activity.ts'
import { lockUsers, UserBy, userByKey } from '../users/end-user.ts'
import type { UserOffer } from './offer.ts'

export const ClaimOffer = z
  .object({
    user: UserBy.describe('Whose offer it is.'),
    offerId: nodeId('Offer').describe('The offer.'),
  })
  .describe('An offer to claim.')

type ClaimOffer = { externalId: string; offerId: string }

/**
 * Claims offers: one conditional UPDATE decides for all of them. A claimed one goes on the timeline as
 * `offer_claimed`, is announced as `journey.offer_claimed`, and credits its points in the same transaction.
 *
 * In the place of a refused claim stands OFFER_NOT_FOUND (also for another's offer), OFFER_NOT_ACTIVE
 * or OFFER_EXPIRED. Asked twice in one list, the second is OFFER_NOT_ACTIVE.
 */
export const claimOffers = async (
  work: Work,
  claims: (Tenant & ClaimOffer)[],
): Promise<(UserOffer | Error)[]> => {
  const known = claims.map((claim, n) => ({ ...claim, n })).filter(({ offerId }) => isUuid(offerId))
  const results: (UserOffer | Error)[] = claims.map(() => new TesseraError('OFFER_NOT_FOUND'))
  if (known.length === 0) return results
  await inTransaction(work.tx, async (tx) => {
    const here = { ...work, tx }
    const now = work.clock()
    // Users before offers and profiles, as everywhere.
    await lockUsers(
      here,
      known.map((claim) => ({ ...tenantOf(claim), externalId: claim.externalId })),
    )
    const rows = await writeClaims(here, known, now)
    for (const { n, isClaimed, ...offer } of rows) {
      if (isClaimed) results[n] = offer
      else if (offer.status === 'claimed')
        results[n] = new TesseraError('OFFER_NOT_ACTIVE', {
          status: 'CLAIMED',
          since: offer.claimedAt ?? now,
        })
      else
        results[n] = new TesseraError('OFFER_EXPIRED', {
          status: 'EXPIRED',
          since: offer.expiresAt,
        })
    }
    const credits = rows
      .filter((row) => row.isClaimed && row.creditsPoints && row.pointsValue > 0)
      .map((offer) => ({
        ...tenantOf(offer),
        userId: offer.externalId,
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

type ClaimRow = UserOffer & { n: number; isClaimed: boolean }

/** The offers that were asked for, claimed now or as they were; the first of several claims of their user counts. */
const writeClaims = (
  { tx }: Work,
  claims: (Tenant & ClaimOffer & { n: number })[],
  now: Date,
): Promise<ClaimRow[]> => {
  const rows = claims.map((claim) => ({
    n: claim.n,
    event_id: uuid(),
    partner_id: claim.partnerId,
    environment: claim.environment,
    external_id: claim.externalId,
    offer_id: claim.offerId,
  }))
  return tx.$queryRaw<ClaimRow[]>`/* claim_offers */
    WITH input AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json) AS i (n int, event_id uuid,
        partner_id uuid, environment "Environment", external_id text, offer_id uuid)
    ), owned AS MATERIALIZED (
      SELECT k.*, u.id AS user_id, row_number() OVER (PARTITION BY offer_id, u.id ORDER BY n) AS nth
      FROM input k CROSS JOIN LATERAL ${userByKey(Prisma.sql`u.id`)} u
    ), claimed AS MATERIALIZED (
      UPDATE offer o SET status = 'claimed', claimed_at = ${now}::timestamptz
      FROM owned w WHERE o.id = w.offer_id AND o.user_id = w.user_id AND w.nth = 1
        AND o.id = ANY (${claims.map(({ offerId }) => offerId)}::uuid[])
        AND o.status = 'active' AND o.expires_at > ${now}::timestamptz
      RETURNING w.n, w.event_id, w.external_id, o.*
    ), fact AS MATERIALIZED (
      SELECT event_id AS id, partner_id, environment, user_id, 'offer_claimed' AS event_type,
        id::text AS source_id, points_value AS points,
        CASE WHEN credits_points THEN points_value END AS credited,
        json_build_object('offerType', offer_type, 'title', title) AS metadata,
        ${now}::timestamptz AS occurred_at,
        json_build_object('offerId', id, 'userId', external_id, 'offerType', offer_type,
          'title', title, 'pointsValue', points_value, 'creditsPoints', credits_points,
          'claimedAt', ${now.toISOString()}::text) AS data
      FROM claimed
    ), activity AS (${trackActivity('CUSTOM', Prisma.sql`SELECT * FROM fact`, {
      earned: Prisma.sql`credited`,
      isPublic: true,
    })}
    ), event AS (${emit('journey.offer_claimed', Prisma.sql`SELECT * FROM fact`)}
    )
    SELECT w.n, w.external_id AS "externalId", c.id IS NOT NULL AS "isClaimed", o.id,
      o.partner_id AS "partnerId", o.environment, o.user_id AS "userId",
      o.offer_type AS "offerType", o.game_type AS "gameType", o.title, o.description,
      o.points_value AS "pointsValue", o.credits_points AS "creditsPoints", o.metadata,
      o.rule_id AS "ruleId", o.created_at AS "createdAt", o.expires_at AS "expiresAt",
      coalesce(c.status, CASE WHEN f.offer_id IS NOT NULL THEN 'claimed'::"OfferStatus" END, o.status) AS status,
      coalesce(c.claimed_at, o.claimed_at) AS "claimedAt"
    FROM owned w CROSS JOIN LATERAL (SELECT * FROM offer
      WHERE id = w.offer_id AND user_id = w.user_id LIMIT 1) o
    LEFT JOIN claimed c ON c.n = w.n
    LEFT JOIN (SELECT id AS offer_id FROM claimed) f ON f.offer_id = w.offer_id`
}
