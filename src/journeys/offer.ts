/** Offers to users. A user has at most three active offers, and claims each at most once (interface: Offer status). */
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { Offer } from '../generated/prisma/client.ts'
import { GameType, OfferType } from '../generated/prisma/enums.ts'
import { refused, TesseraError } from '../kit/errors.ts'
import type { Work } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'
import type { ExternalId } from '../kit/user-id.ts'
import { integer, jsonObject, maxPoints, moment, oneOf, text } from '../kit/validation.ts'
import { UserBy } from '../users/end-user.ts'
import {
  type EnteredRow,
  insertOffers,
  insertOffersByRule,
  markOffersExpired,
  maxActive,
} from './offer.sql.ts'

const defaultHours = 72
const hourMs = 3_600_000

/** The default titles of offers. */
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

/** The content of an offer, and of the rule of a stage. */
export const offerFields = {
  offerType: oneOf('OfferType', OfferType).describe('The kind of offer.'),
  gameType: oneOf('GameType', GameType).nullish().describe('The game that it is for, if any.'),
  title: text(255)
    .nullish()
    .describe('Title that the user sees. Defaults to a title for its type.'),
  description: text(2000).nullish().describe('Longer description.'),
  pointsValue: integer(0, maxPoints).nullish().describe('Points that it is worth. Defaults to 0.'),
  creditsPoints: z
    .boolean('must be a boolean')
    .nullish()
    .describe('Whether claiming it credits `pointsValue` to the wallet. Defaults to true.'),
}

/** The content with its defaults. */
export const offerContentOf = (given: z.output<z.ZodObject<typeof offerFields>>) => ({
  offerType: given.offerType,
  gameType: given.gameType ?? null,
  title: given.title ?? defaultTitles[given.offerType],
  description: given.description ?? null,
  pointsValue: given.pointsValue ?? 0,
  creditsPoints: given.creditsPoints ?? true,
})

export const CreateOffer = z
  .object({
    user: UserBy.describe('The user, who must exist.'),
    ...offerFields,
    expiresAt: moment().nullish().describe('When it expires. Defaults to 72 hours from now.'),
    metadata: jsonObject().nullish().describe('Stored with the offer; up to 16 KB.'),
  })
  .describe('An offer to a user.')

type CreateOffer = Omit<z.output<typeof CreateOffer>, 'user'> & { externalId: ExternalId }

/** An offer with the `externalId` of its user. */
export type UserOffer = Omit<Offer, 'place'> & { externalId: ExternalId }

/**
 * Creates offers in the order of the list, in one statement. The result of a refused offer is USER_NOT_FOUND,
 * OFFER_LIMIT_REACHED, or VALIDATION_FAILED for one that has expired already. Of two simultaneous calls for the last
 * place of a user, the later one violates a unique index and must be retried.
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
      ...offerContentOf(given),
      metadata: metadata ?? null,
      ruleId: null,
      createdAt: now,
      expiresAt: expiresAt ?? new Date(now.getTime() + defaultHours * hourMs),
      claimedAt: null,
      status: 'active' as const,
    }),
  )
  const open = made.flatMap((offer, place) => (offer.expiresAt > now ? [{ offer, place }] : []))
  const answers = await insertOffers(
    tx,
    open.map(({ offer }) => offer),
    now,
  )
  const results: (UserOffer | Error)[] = made.map(() =>
    refused('expiresAt', 'must be in the future'),
  )
  for (const { n, userId, isMade } of answers) {
    const { offer, place } = open[n] as (typeof open)[number]
    // A user without a free place has the maximum of active offers.
    const bound = { limit: maxActive, current: maxActive }
    if (!userId) results[place] = new TesseraError('USER_NOT_FOUND')
    else if (!isMade) results[place] = new TesseraError('OFFER_LIMIT_REACHED', bound)
    else results[place] = { ...offer, userId } as UserOffer
  }
  return results
}

/**
 * Creates the offers of the rules for users who have just entered a stage, up to the maximum of active offers. They
 * credit points only where the stage is proven.
 */
export const makeOffersByRule = async (
  { tx, clock }: Work,
  entered: EnteredRow[],
): Promise<void> => {
  await insertOffersByRule(tx, entered, clock())
}

/** The maximum number of offers that one call expires. */
export const expiredAtOnce = 10_000

/** Marks offers as expired and returns how many. Past `expiresAt`, they could not be claimed anyway. */
export const expireOffers = ({ tx, clock }: Work): Promise<number> =>
  markOffersExpired(tx, clock(), expiredAtOnce)
