/** Offers to users. A user has at most three active offers, and claims each at most once (interface: Offer status). */

import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { Offer, Reward } from '../generated/prisma/client.ts'
import { GameType, OfferType } from '../generated/prisma/enums.ts'
import { addToChanges } from '../kit/access/audit-entry.sql.ts'
import { inTransaction } from '../kit/database/db.ts'
import { acrossTenants, ofTenant } from '../kit/database/tenant-client.ts'
import { refused, TesseraError } from '../kit/errors.ts'
import { nodeId } from '../kit/node-id.ts'
import { newId } from '../kit/random.ts'
import type { Transaction, Work } from '../kit/runtime.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import type { ExternalId, UserId } from '../kit/user-id.ts'
import { integer, isUuid, jsonObject, maxPoints, moment, oneOf, text } from '../kit/validation.ts'
import { makeGrants } from '../programme/grant.ts'
import { settleGrants } from '../programme/payer.ts'
import { lockRewards } from '../programme/reward.sql.ts'
import { findRewardsBy, RewardBy } from '../programme/reward.ts'
import { isBlocked, userBlocked } from '../users/block.rules.ts'
import { lockUsers, lockUsersById, UserBy, type UserKey } from '../users/end-user.ts'
import {
  type EnteredRow,
  insertOffers,
  insertOffersByRule,
  markOffersExpired,
  maxActive,
  writeClaims,
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
  points: integer(0, maxPoints).nullish().describe('Points that it is worth. Defaults to 0.'),
  creditsPoints: z
    .boolean('must be a boolean')
    .nullish()
    .describe('Whether claiming it credits its points to the wallet. Defaults to true.'),
  reward: RewardBy.nullish().describe(
    'The reward that claiming it gives. Defaults to that of its type, if `setOfferReward` has set one.',
  ),
}

/** The content with its defaults. */
export const offerContentOf = (given: z.output<z.ZodObject<typeof offerFields>>) => ({
  offerType: given.offerType,
  gameType: given.gameType ?? null,
  title: given.title ?? defaultTitles[given.offerType],
  description: given.description ?? null,
  pointsValue: given.points ?? 0,
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

type CreateOffer = Omit<z.output<typeof CreateOffer>, 'user'> & {
  externalId: ExternalId
  /** The batch that it belongs to. */
  batchId?: string
}

/** The rewards that offers name; null for an offer that names none, or one that does not exist. */
export const findRewardsOf = async (
  work: Work,
  offers: (Tenant & { reward?: RewardBy | null | undefined })[],
): Promise<(Reward | null)[]> => {
  const named = offers.flatMap(({ reward, ...tenant }) => (reward ? { ...tenant, reward } : []))
  const found = named.length > 0 ? await findRewardsBy(work, named) : []
  return offers.map(({ reward }) => (reward ? (found.shift() ?? null) : null))
}

/** Why an offer cannot give a reward; null if it can, or names none. */
export const refusalOf = (
  by: RewardBy | null | undefined,
  reward: Reward | null,
): TesseraError | null => {
  if (!by) return null
  if (!reward) return new TesseraError('REWARD_NOT_FOUND')
  return reward.archivedAt
    ? new TesseraError('REWARD_ARCHIVED', { status: 'ARCHIVED', since: reward.archivedAt })
    : null
}

/** An offer with the `externalId` of its user. */
type UserOffer = Omit<Offer, 'place'> & { externalId: ExternalId }

/**
 * Creates offers in the order of the list, in one statement. The result of a refused offer is USER_NOT_FOUND,
 * OFFER_LIMIT_REACHED, REWARD_NOT_FOUND, REWARD_ARCHIVED, or VALIDATION_FAILED for one that has expired already. Of two simultaneous calls for the last
 * place of a user, the later one violates a unique index and must be retried.
 */
export const createOffers = async (
  work: Work,
  offers: (Tenant & CreateOffer)[],
): Promise<(UserOffer | Error)[]> => {
  const { tx, clock } = work
  const now = clock()
  const rewards = await findRewardsOf(work, offers)
  const made = offers.map(
    ({ partnerId, environment, externalId, expiresAt, metadata, batchId, ...given }, n) => ({
      id: uuid(),
      partnerId,
      environment,
      externalId,
      ...offerContentOf(given),
      metadata: metadata ?? null,
      ruleId: null,
      rewardId: rewards[n]?.id ?? null,
      batchId: batchId ?? null,
      createdAt: now,
      expiresAt: expiresAt ?? new Date(now.getTime() + defaultHours * hourMs),
      claimedAt: null,
      cancelledAt: null,
      status: 'active' as const,
    }),
  )
  const refusals = offers.map(({ reward }, n) => refusalOf(reward, rewards[n] ?? null))
  const open = made.flatMap((offer, place) =>
    offer.expiresAt > now && !refusals[place] ? [{ offer, place }] : [],
  )
  const answers = await insertOffers(
    tx,
    open.map(({ offer }) => offer),
    now,
  )
  const results: (UserOffer | Error)[] = made.map(
    (_, n) => refusals[n] ?? refused('expiresAt', 'must be in the future'),
  )
  for (const { n, userId, isMade, rewardId } of answers) {
    const { offer, place } = open[n] as (typeof open)[number]
    // A user without a free place has the maximum of active offers.
    const bound = { limit: maxActive, current: maxActive }
    if (!userId) results[place] = new TesseraError('USER_NOT_FOUND')
    else if (!isMade) results[place] = new TesseraError('OFFER_LIMIT_REACHED', bound)
    else results[place] = { ...offer, userId, rewardId } as UserOffer
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

/** Why an offer that is not active cannot be claimed or cancelled. */
const inactive = (
  { status, claimedAt, cancelledAt, expiresAt }: Omit<Offer, 'place'>,
  now: Date,
): TesseraError => {
  if (status === 'claimed')
    return new TesseraError('OFFER_NOT_ACTIVE', { status: 'CLAIMED', since: claimedAt ?? now })
  if (status === 'cancelled')
    return new TesseraError('OFFER_NOT_ACTIVE', { status: 'CANCELLED', since: cancelledAt })
  return new TesseraError('OFFER_EXPIRED', { status: 'EXPIRED', since: expiresAt })
}

export const ClaimOffer = z
  .object({
    user: UserBy.describe('The user whose offer it is.'),
    offerId: nodeId('Offer').describe('The offer, by its global id or its UUID.'),
  })
  .describe('An offer to claim.')

/** `isProven`: whether a secret key, a member or the user's own token claims it. Otherwise it is no fact. */
type ClaimOffer = UserKey & { offerId: string; isProven?: boolean }

/**
 * Claims offers with one conditional UPDATE. In the same transaction a claim is added to the timeline as
 * `offer_claimed`, announced as `journey.offer_claimed`, credits its points, and gives its reward.
 *
 * The result of a refused claim is OFFER_NOT_FOUND (also for the offer of another user), USER_BLOCKED, OFFER_NOT_ACTIVE or
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
  await inTransaction(work, async (txWork) => {
    const { tx } = txWork
    const now = work.clock()
    // Users before rewards, profiles and offers: the order of locks everywhere.
    const users = await lockUsers(txWork, known)
    const areBlocked = users.map((user) => user !== null && isBlocked(user, now))
    await lockRewardsOf(
      txWork,
      known.map(({ offerId }) => offerId),
    )
    const rows = await writeClaims(
      tx,
      known.map((claim, n) => ({
        ...claim,
        eventId: uuid(),
        entryId: uuid(),
        isBlocked: areBlocked[n] ?? false,
      })),
      now,
    )
    for (const { n, isClaimed, isTaken, ...offer } of rows)
      results[known[n]?.place ?? -1] = isClaimed
        ? { ...offer, status: 'claimed', claimedAt: now }
        : areBlocked[n]
          ? userBlocked()
          : inactive(isTaken ? { ...offer, status: 'claimed' } : offer, now)
    await giveRewardsOf(
      txWork,
      rows.filter(({ isClaimed }) => isClaimed),
    )
  })
  return results
}

/** Locks the rewards that offers give. */
const lockRewardsOf = async ({ tx }: Transaction, offerIds: string[]): Promise<void> => {
  const giving = await acrossTenants(tx, 'IDS').offer.findMany({
    where: { id: { in: offerIds }, rewardId: { not: null } },
    select: { rewardId: true },
  })
  const rewardIds = [...new Set(giving.map(({ rewardId }) => rewardId as string))]
  if (rewardIds.length > 0) await lockRewards(tx, rewardIds)
}

/** Makes the grants of offers that were claimed now, and issues them. */
const giveRewardsOf = async (
  work: Transaction,
  claimed: Pick<Offer, 'id' | 'partnerId' | 'environment' | 'userId' | 'rewardId'>[],
): Promise<void> => {
  const grants = await makeGrants(
    work,
    claimed.flatMap(({ id, userId, rewardId, ...offer }) =>
      rewardId === null
        ? []
        : {
            id: newId(),
            ...tenantOf(offer),
            userId: userId as UserId,
            rewardId,
            sourceKind: 'OFFER' as const,
            sourceId: id,
            rewardNo: 1,
            round: 1,
            needsClaim: false,
          },
    ),
  )
  await settleGrants(work, grants)
}

export const CancelOffer = z
  .object({ offerId: nodeId('Offer').describe('The offer, by its global id or its UUID.') })
  .describe('An offer to cancel.')

/**
 * Cancels an active offer, which frees its place. The user cannot claim it any more.
 * @throws TesseraError OFFER_NOT_FOUND, OFFER_NOT_ACTIVE (also when it was cancelled before), OFFER_EXPIRED
 */
export const cancelOffer = (
  work: Work,
  { offerId: id, ...tenant }: Tenant & z.output<typeof CancelOffer>,
): Promise<Offer> =>
  inTransaction(work, async (txWork) => {
    const own = ofTenant(txWork.tx, tenant).offer
    const found = await own.findUnique({ where: { id } })
    if (!found) throw new TesseraError('OFFER_NOT_FOUND')
    // Users before offers: the order of locks everywhere.
    await lockUsersById(txWork, [found.userId])
    const now = work.clock()
    const [cancelled] = await own.updateManyAndReturn({
      where: { id, status: 'active', expiresAt: { gt: now } },
      data: { status: 'cancelled', cancelledAt: now },
    })
    if (!cancelled) throw inactive(await own.findUniqueOrThrow({ where: { id } }), now)
    const change = { table: 'offer', id, field: 'status', from: 'active', to: 'cancelled' }
    await addToChanges(txWork.tx, [change])
    return cancelled
  })

/** Reads the active offers of users that a rule has made, newest first, in one statement. */
export const findOffersOfRules = async (
  { tx, clock }: Work,
  userIds: UserId[],
): Promise<Offer[][]> => {
  const offers = await acrossTenants(tx, 'IDS').offer.findMany({
    where: {
      userId: { in: [...new Set(userIds)] },
      status: 'active',
      expiresAt: { gt: clock() },
      ruleId: { not: null },
    },
    orderBy: { id: 'desc' },
  })
  return userIds.map((id) => offers.filter(({ userId }) => userId === id))
}
