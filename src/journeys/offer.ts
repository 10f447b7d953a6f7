/** Offers to single users: at most three active at once, claimed at most once (interface: Offer status). */
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import { refused, TesseraError } from '../core/errors.ts'
import type { Work } from '../core/runtime.ts'
import type { Tenant } from '../core/tenant.ts'
import { integer, jsonObject, maxPoints, moment, oneOf, text } from '../core/validation.ts'
import { type Offer, Prisma } from '../generated/prisma/client.ts'
import { GameType, OfferType } from '../generated/prisma/enums.ts'
import { UserBy, userByKey } from '../users/end-user.ts'

const defaultHours = 72
const hourMs = 3_600_000
/** Active offers of a user at most. */
const maxActive = 3

/** What an offer is called where its maker gives no title. */
const defaultTitles: Record<OfferType, string> = {
  welcome_free_play: 'A free play to welcome you',
  welcome_bonus: 'Welcome bonus',
  win_back_play: 'A free play, because we miss you',
  return_bonus: 'Bonus for your return',
  retention_play: 'A free play, because you stay',
  vip_play: 'VIP play',
  multiplier_bonus: 'Multiplier bonus',
  daily_free_spin: 'Free spin of the day',
}

/** What an offer promises; a rule of a stage promises the same. */
export const offerFields = {
  offerType: oneOf('OfferType', OfferType).describe('What kind of offer.'),
  gameType: oneOf('GameType', GameType).nullish().describe('The game it is about, if any.'),
  title: text(255).nullish().describe('What the user sees; left out: a title for the type.'),
  description: text(2000).nullish().describe('More of it.'),
  pointsValue: integer(0, maxPoints).nullish().describe('Points that it is worth; 0.'),
  creditsPoints: z
    .boolean('must be a boolean')
    .nullish()
    .describe('Whether claiming it credits `pointsValue` to the wallet; true.'),
}

/** The same with its defaults. */
export const promiseOf = (given: z.output<z.ZodObject<typeof offerFields>>) => ({
  offerType: given.offerType,
  gameType: given.gameType ?? null,
  title: given.title ?? defaultTitles[given.offerType],
  description: given.description ?? null,
  pointsValue: given.pointsValue ?? 0,
  creditsPoints: given.creditsPoints ?? true,
})

export const CreateOffer = z
  .object({
    user: UserBy.describe('Who; must exist.'),
    ...offerFields,
    expiresAt: moment().nullish().describe('Until when it can be claimed; left out: 72 hours.'),
    metadata: jsonObject().nullish().describe('Kept with the offer; up to 16 KB.'),
  })
  .describe('An offer to a user.')

type CreateOffer = Omit<z.output<typeof CreateOffer>, 'user'> & { externalId: string }

/** An offer, with whose it is. */
export type UserOffer = Omit<Offer, 'place'> & { externalId: string }

/**
 * Writes the offers of `wanted`, a relation of (k, id, user_id, …) in which each user's are counted from
 * 1: into the free places of that user. Offers past their time make room. Those that find none are left out.
 */
const placeOffers = (now: Date) => Prisma.sql`
  overdue AS (
    UPDATE offer o SET status = 'expired' FROM (SELECT DISTINCT user_id FROM wanted) w
    WHERE o.user_id = w.user_id AND o.status = 'active' AND o.expires_at <= ${now}::timestamptz
    RETURNING o.id
  ), free AS (
    SELECT user_id, place, row_number() OVER (PARTITION BY user_id ORDER BY place) AS k
    FROM (SELECT DISTINCT user_id FROM wanted) w CROSS JOIN generate_series(1, ${maxActive}::int) place
    WHERE (SELECT count(*) FROM overdue) >= 0 AND NOT EXISTS (SELECT FROM offer o
      WHERE o.user_id = w.user_id AND o.place = place.place AND o.status = 'active'
        AND o.expires_at > ${now}::timestamptz)
  ), made AS (
    INSERT INTO offer (id, partner_id, environment, user_id, offer_type, game_type, title,
      description, points_value, credits_points, place, metadata, rule_id, created_at, expires_at)
    SELECT id, partner_id, environment, user_id, offer_type, game_type, title, description,
      points_value, credits_points, place, metadata, rule_id, ${now}::timestamptz, expires_at
    FROM wanted JOIN free USING (user_id, k)
    RETURNING id
  )`

/**
 * Makes offers, in one statement, in the order of the list. In the place of a refused one stands
 * USER_NOT_FOUND, OFFER_LIMIT_REACHED, or VALIDATION_FAILED for one that would be over already. Two who
 * want the last place at the same moment meet at the unique index; the later one must be run again.
 */
export const createOffers = async (
  { tx, clock }: Work,
  offers: (Tenant & CreateOffer)[],
): Promise<(UserOffer | Error)[]> => {
  const now = clock()
  const made = offers.map(
    ({ partnerId, environment, externalId, expiresAt, metadata, ...given }) => ({
      id: uuid(),
      partnerId,
      environment,
      externalId,
      ...promiseOf(given),
      metadata: metadata ?? null,
      ruleId: null,
      createdAt: now,
      expiresAt: expiresAt ?? new Date(now.getTime() + defaultHours * hourMs),
      claimedAt: null,
      status: 'active' as const,
    }),
  )
  const rows = made
    .map((offer, n) => ({
      n,
      id: offer.id,
      partner_id: offer.partnerId,
      environment: offer.environment,
      external_id: offer.externalId,
      offer_type: offer.offerType,
      game_type: offer.gameType,
      title: offer.title,
      description: offer.description,
      points_value: offer.pointsValue,
      credits_points: offer.creditsPoints,
      metadata: offer.metadata,
      expires_at: offer.expiresAt,
    }))
    .filter(({ expires_at }) => expires_at > now)
  const answers = await tx.$queryRaw<
    { n: number; userId: string | null; isMade: boolean }[]
  >`/* create_offers */
    WITH input AS MATERIALIZED (
      SELECT k.*, u.id AS user_id, NULL::uuid AS rule_id,
        row_number() OVER (PARTITION BY u.id ORDER BY n) AS k
      FROM json_to_recordset(${JSON.stringify(rows)}::json) AS k (n int, id uuid, partner_id uuid,
        environment "Environment", external_id text, offer_type "OfferType", game_type "GameType",
        title text, description text, points_value int, credits_points boolean, metadata json,
        expires_at timestamptz)
      LEFT JOIN LATERAL ${userByKey(Prisma.sql`u.id`)} u ON true
    ), wanted AS MATERIALIZED (
      SELECT * FROM input WHERE user_id IS NOT NULL
    ), ${placeOffers(now)}
    SELECT n, user_id AS "userId", m.id IS NOT NULL AS "isMade"
    FROM input LEFT JOIN made m USING (id)`
  const results: (UserOffer | Error)[] = made.map(() =>
    refused('expiresAt', 'must be in the future'),
  )
  for (const { n, userId, isMade } of answers) {
    if (!userId) results[n] = new TesseraError('USER_NOT_FOUND')
    else if (!isMade) {
      // A place is free or taken: whoever finds none has found as many offers.
      const bound = { limit: maxActive, current: maxActive }
      results[n] = new TesseraError('OFFER_LIMIT_REACHED', bound)
    } else results[n] = { ...(made[n] as (typeof made)[number]), userId } as UserOffer
  }
  return results
}

/**
 * Makes the offers that rules promise to users who have just entered a stage, as far as there is room.
 * They credit points only where the stage is proven.
 */
export const makeOffersByRule = async (
  { tx, clock }: Work,
  entered: { userId: string; stage: string; isProven: boolean }[],
): Promise<void> => {
  const now = clock()
  const rows = entered.map(({ userId, stage, isProven }) => ({
    user_id: userId,
    stage,
    is_proven: isProven,
  }))
  await tx.$executeRaw`/* make_offers_by_rule */
    WITH wanted AS MATERIALIZED (
      SELECT gen_random_uuid() AS id, r.partner_id, r.environment, i.user_id, r.offer_type,
        r.game_type, r.title, r.description, r.points_value, r.credits_points AND i.is_proven AS credits_points,
        NULL::json AS metadata, r.id AS rule_id, ${now}::timestamptz + r.valid_hours * interval '1 hour' AS expires_at,
        row_number() OVER (PARTITION BY i.user_id ORDER BY r.id) AS k
      FROM json_to_recordset(${JSON.stringify(rows)}::json)
        AS i (user_id uuid, stage "LifecycleStage", is_proven boolean)
      CROSS JOIN LATERAL (SELECT * FROM user_profile WHERE user_id = i.user_id LIMIT 1) p
      JOIN offer_rule r ON r.partner_id = p.partner_id AND r.environment = p.environment
        AND r.stage = i.stage
      WHERE NOT EXISTS (SELECT FROM offer o WHERE o.rule_id = r.id AND o.user_id = i.user_id
        AND o.created_at > ${now}::timestamptz - r.cooldown_days * interval '1 day')
    ), ${placeOffers(now)}
    SELECT id FROM made`
}

/** Marks offers as expired whose time is over; gives how many. They could not be claimed any more before. */
export const expireOffers = ({ tx, clock }: Work): Promise<number> =>
  tx.$executeRaw`/* expire_offers */
    UPDATE offer SET status = 'expired' WHERE id IN (
      SELECT id FROM offer WHERE status = 'active' AND expires_at <= ${clock()}::timestamptz
      ORDER BY id LIMIT 10000 FOR UPDATE SKIP LOCKED)`
