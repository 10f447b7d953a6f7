/** Statements of the shop: what users are to rewards, and what they pay. */
import { Prisma } from '../generated/prisma/client.ts'
import {
  type ItemsOf,
  inputRows,
  returns,
  returnsNothing,
  statement,
} from '../kit/database/statement.ts'
import { postEntries } from '../points/wallet.sql.ts'
import { trackActivity } from '../users/activity.ts'
import { isInSegment } from './decision.sql.ts'

const pairRows = inputRows({ userId: 'uuid', rewardId: 'uuid' })

/**
 * What users are to rewards, by pairs. Purchases that were cancelled or revoked do not count, and no more are counted than
 * the limit. A window is that of the dates that the moments had for the user.
 */
export const readBuyers = statement(
  'read_buyers',
  returns({
    n: 'int',
    balance: 'bigint',
    isInSegment: 'boolean?',
    bought: 'int',
    windowEndsAt: 'timestamptz?',
  }),
  (pairs: ItemsOf<typeof pairRows>, now: Date) => Prisma.sql`
    SELECT k.n, u.balance,
      CASE WHEN r.segment_id IS NOT NULL THEN coalesce((SELECT ${isInSegment(now)} FROM segment s, user_profile p,
        (SELECT true AS has_value) v WHERE s.id = r.segment_id AND p.user_id = u.id), false) END AS "isInSegment",
      (SELECT count(*)::int FROM (
        SELECT FROM reward_grant g
        WHERE g.user_id = u.id AND g.reward_id = r.id AND g.price IS NOT NULL
          AND g.status NOT IN ('CANCELLED', 'REVOKED')
          AND (r.limit_window = 'EVER' OR g.created_at > ${now}::timestamptz - interval '35 days'
            AND local_date(u.id, g.created_at) >= w.start)
        LIMIT coalesce(r.limit_max, 0)) b) AS bought,
      window_end_at(u.id, r.limit_window::text, w.start) AS "windowEndsAt"
    FROM ${pairRows(pairs, 'k')}
    CROSS JOIN LATERAL (SELECT * FROM end_user x WHERE x.id = k.user_id LIMIT 1) u
    CROSS JOIN LATERAL (SELECT * FROM reward x WHERE x.id = k.reward_id LIMIT 1) r
    LEFT JOIN LATERAL (SELECT window_start(r.limit_window::text, local_date(u.id, ${now}::timestamptz)) AS start
      WHERE r.limit_window IS NOT NULL) w ON true
    ORDER BY k.n`,
)

const purchaseRows = inputRows({
  id: 'uuid',
  partnerId: 'uuid',
  environment: 'Environment',
  externalId: 'text',
  price: 'int',
  grantId: 'uuid',
  rewardName: 'text',
})

/** Takes the prices of purchases from wallets, which are locked and can pay, and adds them to timelines. */
export const payPrices = statement(
  'pay_prices',
  returnsNothing,
  (purchases: ItemsOf<typeof purchaseRows>, now: Date) => Prisma.sql`
    WITH ${postEntries(
      Prisma.sql`SELECT n, id, partner_id, environment, external_id, 'reward_purchase' AS event_type,
        -price AS points, 'rewards' AS account, NULL::text AS reference, grant_id::text AS source_id,
        json_build_object('reward', reward_name) AS metadata FROM ${purchaseRows(purchases)}`,
      { at: now },
    )}
    ${trackActivity(
      'POINTS',
      Prisma.sql`SELECT id, partner_id, environment, user_id, event_type, source_id, points, metadata, occurred_at
        FROM posted`,
      { fact: null, isPublic: true },
    )}`,
)
