/** The statement that claims offers. */

import { Prisma } from '../generated/prisma/client.ts'
import {
  both,
  columnsOf,
  type ItemsOf,
  inputRows,
  returns,
  returnsModel,
  statement,
} from '../kit/database/statement.ts'
import { emit } from '../kit/streams/events.ts'
import { trackActivity } from '../users/activity.ts'
import { userByKey } from '../users/end-user.sql.ts'
import { offerClaimed } from './journey.events.ts'

const claimRows = inputRows({
  eventId: 'uuid',
  partnerId: 'uuid',
  environment: 'Environment',
  externalId: 'text',
  offerId: 'uuid',
})

/**
 * Claims active offers, adds them to timelines and announces them. If an offer is claimed several times, the first
 * claim counts. Returns each offer in its previous state. `isTaken` means that this or another claim of the list has
 * claimed it.
 */
export const writeClaims = statement(
  'claim_offers',
  both(
    returns({ n: 'int', externalId: 'text', isClaimed: 'boolean', isTaken: 'boolean' }),
    returnsModel('Offer', 'place'),
  ),
  (claims: ItemsOf<typeof claimRows>, now: Date) => Prisma.sql`
    WITH input AS MATERIALIZED (
      SELECT * FROM ${claimRows(claims)}
    ), owned AS MATERIALIZED (
      SELECT k.*, u.id AS user_id, row_number() OVER (PARTITION BY offer_id, u.id ORDER BY n) AS nth
      FROM input k CROSS JOIN LATERAL ${userByKey(Prisma.sql`u.id`)} u
    ), profile AS MATERIALIZED (
      -- Profiles before offers: the order of locks everywhere.
      SELECT p.user_id FROM (SELECT DISTINCT user_id FROM owned ORDER BY user_id) w
      CROSS JOIN LATERAL (SELECT user_id FROM user_profile WHERE user_id = w.user_id
        LIMIT 1 FOR NO KEY UPDATE) p
    ), claimed AS MATERIALIZED (
      UPDATE offer o SET status = 'claimed', claimed_at = ${now}::timestamptz
      FROM owned w JOIN profile USING (user_id) WHERE o.id = w.offer_id AND o.user_id = w.user_id AND w.nth = 1
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
    ), event AS (${emit(offerClaimed, Prisma.sql`SELECT * FROM fact`)}
    )
    SELECT w.n, w.external_id AS "externalId", c.id IS NOT NULL AS "isClaimed",
      f.offer_id IS NOT NULL AS "isTaken", ${columnsOf('Offer', 'o', 'place')}
    FROM owned w CROSS JOIN LATERAL (SELECT * FROM offer
      WHERE id = w.offer_id AND user_id = w.user_id LIMIT 1) o
    LEFT JOIN claimed c ON c.n = w.n
    LEFT JOIN (SELECT id AS offer_id FROM claimed) f ON f.offer_id = w.offer_id`,
)
