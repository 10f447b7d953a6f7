import { Prisma } from '../generated/prisma/client.ts'
import {
  both,
  columnsOf,
  type ItemsOf,
  inputRows,
  returns,
  returnsModel,
  returnsNothing,
  statement,
} from '../kit/database/statement.ts'
import { emit } from '../kit/streams/events.ts'
import { postEntries } from '../points/wallet.sql.ts'
import { trackActivity } from '../users/activity.ts'
import { userByKey, userLockOrder } from '../users/end-user.sql.ts'
import { offerClaimed } from './journey.events.ts'

/** The maximum number of active offers of a user. */
export const maxActive = 3

/**
 * The parts of a statement that write the offers of `wanted`, a relation of (k, id, user_id, …), into the free places
 * of their users. `k` numbers the offers of each user from 1. Expired offers release their places first. Offers
 * without a free place are skipped.
 */
const placeOffers = (now: Date) => Prisma.sql`
  locked AS MATERIALIZED (
    SELECT o.id FROM (SELECT DISTINCT user_id FROM wanted ORDER BY user_id) w
    CROSS JOIN LATERAL (SELECT id FROM offer WHERE user_id = w.user_id AND status = 'active'
      AND expires_at <= ${now}::timestamptz ORDER BY id FOR NO KEY UPDATE) o
  ), overdue AS (
    UPDATE offer o SET status = 'expired' FROM locked l
    WHERE o.id = l.id AND o.status = 'active'
    RETURNING o.id
  ), free AS (
    SELECT user_id, place, row_number() OVER (PARTITION BY user_id ORDER BY place) AS k
    FROM (SELECT DISTINCT user_id FROM wanted) w CROSS JOIN generate_series(1, ${maxActive}::int) place
    WHERE (SELECT count(*) FROM overdue) >= 0 AND NOT EXISTS (SELECT FROM offer o
      WHERE o.user_id = w.user_id AND o.place = place.place AND o.status = 'active'
        AND o.expires_at > ${now}::timestamptz)
  ), made AS (
    INSERT INTO offer (id, partner_id, environment, user_id, offer_type, game_type, title,
      description, points_value, credits_points, place, metadata, rule_id, reward_id, batch_id,
      created_at, expires_at)
    SELECT id, partner_id, environment, user_id, offer_type, game_type, title, description,
      points_value, credits_points, place, metadata, rule_id, reward_id, batch_id, ${now}::timestamptz, expires_at
    FROM wanted JOIN free USING (user_id, k) ORDER BY user_id, place
    RETURNING id
  )`

const offerRows = inputRows({
  id: 'uuid',
  partnerId: 'uuid',
  environment: 'Environment',
  externalId: 'text',
  offerType: 'OfferType',
  gameType: 'GameType?',
  title: 'text',
  description: 'text?',
  pointsValue: 'int',
  creditsPoints: 'boolean',
  metadata: 'json?',
  rewardId: 'uuid?',
  batchId: 'uuid?',
  expiresAt: 'timestamptz',
})

/** The reward of an offer: its own, or that of its type; null for none. */
const rewardOf = (offer: 'w' | 'r') => Prisma.sql`coalesce(${Prisma.raw(offer)}.reward_id,
  (SELECT t.reward_id FROM offer_reward t WHERE (t.partner_id, t.environment, t.offer_type)
    = (${Prisma.raw(offer)}.partner_id, ${Prisma.raw(offer)}.environment, ${Prisma.raw(offer)}.offer_type)))`

/** Writes offers to users who exist and have a free place. */
export const insertOffers = statement(
  'create_offers',
  returns({ n: 'int', userId: 'uuid?', isMade: 'boolean', rewardId: 'uuid?' }),
  (offers: ItemsOf<typeof offerRows>, now: Date) => Prisma.sql`
    WITH input AS MATERIALIZED (
      SELECT k.*, u.id AS user_id, NULL::uuid AS rule_id,
        row_number() OVER (PARTITION BY u.id ORDER BY n) AS k
      -- Other offers to the same user wait, and so does an erasure, after which nobody has the key.
      FROM (SELECT * FROM ${offerRows(offers, 'k')} ORDER BY ${userLockOrder}) k
      LEFT JOIN LATERAL ${userByKey(Prisma.sql`u.id`, Prisma.sql`FOR NO KEY UPDATE`)} u ON true
    ), wanted AS MATERIALIZED (
      SELECT w.k, w.id, w.partner_id, w.environment, w.user_id, w.offer_type, w.game_type, w.title, w.description,
        w.points_value, w.credits_points, w.metadata, w.rule_id, ${rewardOf('w')} AS reward_id, w.batch_id, w.expires_at
      FROM input w WHERE w.user_id IS NOT NULL
    ), ${placeOffers(now)}
    SELECT n, i.user_id AS "userId", m.id IS NOT NULL AS "isMade", w.reward_id AS "rewardId"
    FROM input i LEFT JOIN wanted w USING (id) LEFT JOIN made m USING (id)`,
)

const enteredRows = inputRows({ userId: 'uuid', stage: 'LifecycleStage', isProven: 'boolean' })

/** Users who have entered a stage. */
export type EnteredRow = ItemsOf<typeof enteredRows>[number]

/** Writes the offers of the rules for users who have entered a stage and have a free place. */
export const insertOffersByRule = statement(
  'make_offers_by_rule',
  returns({ id: 'uuid' }),
  (entered: EnteredRow[], now: Date) => Prisma.sql`
    WITH wanted AS MATERIALIZED (
      SELECT gen_random_uuid() AS id, r.partner_id, r.environment, i.user_id, r.offer_type,
        r.game_type, r.title, r.description, r.points_value,
        r.credits_points AND i.is_proven AS credits_points, NULL::json AS metadata,
        r.id AS rule_id, CASE WHEN i.is_proven THEN ${rewardOf('r')} END AS reward_id, NULL::uuid AS batch_id,
        ${now}::timestamptz + r.valid_hours * interval '1 hour' AS expires_at,
        row_number() OVER (PARTITION BY i.user_id ORDER BY r.id) AS k
      FROM ${enteredRows(entered)}
      CROSS JOIN LATERAL (SELECT * FROM user_profile WHERE user_id = i.user_id LIMIT 1) p
      JOIN offer_rule r ON r.partner_id = p.partner_id AND r.environment = p.environment
        AND r.stage = i.stage AND r.paused_at IS NULL
      WHERE NOT EXISTS (SELECT FROM offer o WHERE o.rule_id = r.id AND o.user_id = i.user_id
        AND o.created_at > ${now}::timestamptz - r.cooldown_days * interval '1 day')
    ), ${placeOffers(now)}
    SELECT id FROM made`,
)

/** Marks up to `limit` offers as expired. */
export const markOffersExpired = statement(
  'expire_offers',
  returnsNothing,
  (now: Date, limit: number) => Prisma.sql`
    UPDATE offer SET status = 'expired' WHERE id IN (
      SELECT id FROM offer WHERE status = 'active' AND expires_at <= ${now}::timestamptz
      ORDER BY id LIMIT ${limit}::int FOR NO KEY UPDATE SKIP LOCKED)`,
)

const claimRows = inputRows({
  eventId: 'uuid',
  entryId: 'uuid',
  partnerId: 'uuid',
  environment: 'Environment',
  externalId: 'text',
  offerId: 'uuid',
  isProven: 'boolean?',
  isBlocked: 'boolean',
})

/** The entries of the claims that credit points. */
const claimEntries = Prisma.sql`
      SELECT n, entry_id AS id, partner_id, environment, external_id, 'offer_claimed' AS event_type,
        points_value AS points, 'offers' AS account, NULL::text AS reference, id::text AS source_id,
        json_build_object('offerType', offer_type) AS metadata
      FROM claimed WHERE credits_points AND points_value > 0`

/**
 * Claims active offers of users, who are locked, except for those who are blocked; credits their points, adds them to timelines and announces them. If an
 * offer is claimed several times, the first claim counts. Returns each offer in its previous state. `isTaken` means that this or another claim of the list has
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
      FROM owned w JOIN profile USING (user_id) WHERE o.id = w.offer_id AND o.user_id = w.user_id AND w.nth = 1 AND NOT w.is_blocked
        AND o.id = ANY (${claims.map(({ offerId }) => offerId)}::uuid[])
        AND o.status = 'active' AND o.expires_at > ${now}::timestamptz
      RETURNING w.n, w.event_id, w.entry_id, w.external_id, w.is_proven, o.*
    ), entered AS MATERIALIZED (
      SELECT event_id AS id, partner_id, environment, user_id, 'offer_claimed' AS event_type,
        id::text AS source_id, points_value AS points,
        CASE WHEN credits_points THEN points_value END AS credited,
        json_build_object('offerType', offer_type, 'title', title) AS metadata,
        is_proven, ${now}::timestamptz AS occurred_at,
        json_build_object('offerId', id, 'userId', external_id, 'offerType', offer_type,
          'title', title, 'pointsValue', points_value, 'creditsPoints', credits_points,
          'claimedAt', ${now.toISOString()}::text) AS data
      FROM claimed
    ), activity AS (${trackActivity('CUSTOM', Prisma.sql`SELECT * FROM entered`, {
      earned: Prisma.sql`credited`,
      isPublic: true,
      fact: Prisma.sql`CASE WHEN is_proven THEN 'OFFER_CLAIMED'::"Fact" END`,
    })}
    ), event AS (${emit(offerClaimed, Prisma.sql`SELECT * FROM entered`)}
    ), ${postEntries(claimEntries, { at: now })}
    SELECT w.n, w.external_id AS "externalId", c.id IS NOT NULL AS "isClaimed",
      f.offer_id IS NOT NULL AS "isTaken", ${columnsOf('Offer', 'o', 'place')}
    FROM owned w CROSS JOIN LATERAL (SELECT * FROM offer
      WHERE id = w.offer_id AND user_id = w.user_id LIMIT 1) o
    LEFT JOIN claimed c ON c.n = w.n
    LEFT JOIN (SELECT id AS offer_id FROM claimed) f ON f.offer_id = w.offer_id`,
)
