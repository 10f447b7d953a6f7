/** The shop: rewards that users buy with points. The price and the grant are one transaction. */
import { z } from 'zod'
import type { EndUser, Reward } from '../generated/prisma/client.ts'
import { inTransaction } from '../kit/database/db.ts'
import { TesseraError } from '../kit/errors.ts'
import { newId } from '../kit/random.ts'
import type { Transaction, Work } from '../kit/runtime.ts'
import { tenantOf } from '../kit/tenant.ts'
import type { UserId } from '../kit/user-id.ts'
import { reference } from '../kit/validation.ts'
import { openWallets } from '../points/wallet.ts'
import { isBlocked, userBlocked } from '../users/block.rules.ts'
import { UserBy, type UserKey } from '../users/end-user.ts'
import {
  type Availability,
  availabilityOf,
  type Buyer,
  type UnavailableReason,
} from './availability.rules.ts'
import { type NewGrant, selectGrantsBySource } from './grant.sql.ts'
import { makeGrants, type UserGrant, withGrants } from './grant.ts'
import { settleGrants } from './payer.ts'
import { lockRewards } from './reward.sql.ts'
import { findRewards, findRewardsBy, RewardBy } from './reward.ts'
import { payPrices, readBuyers } from './shop.sql.ts'

export const BuyReward = z
  .object({
    user: UserBy.describe('The user, who must exist.'),
    reward: RewardBy.describe('The reward, by id or slug.'),
    reference: reference()
      .nullish()
      .describe(
        'Idempotency reference, unique for the user. Buys once, however often it is sent: again, it returns the first grant.',
      ),
  })
  .describe('A purchase of a reward with points.')

type Purchase = UserKey & Omit<z.output<typeof BuyReward>, 'user'>

type Pair = { userId: UserId; rewardId: string }

/** Whether users can buy rewards, in one statement for all pairs and one for the rewards. */
export const findAvailability = async (
  work: Work,
  pairs: Pair[],
): Promise<(Availability | null)[]> => {
  const now = work.clock()
  const ids = [...new Set(pairs.map(({ rewardId }) => rewardId))]
  const rewards = new Map((await findRewards(work, ids)).map((reward) => [reward?.id, reward]))
  const found: (Availability | null)[] = pairs.map(() => null)
  for (const { n, ...buyer } of await readBuyers(work.tx, pairs, now)) {
    const reward = rewards.get((pairs[n] as Pair).rewardId)
    if (reward) found[n] = availabilityOf(reward, buyer, now)
  }
  return found
}

/** The error of a purchase that is not possible. */
const refusalOf = (
  reason: UnavailableReason,
  { price, limitMax, stock, grantCount, archivedAt, endsAt }: Reward,
  { balance, bought }: Buyer,
): TesseraError => {
  switch (reason) {
    case 'NOT_FOR_SALE':
      return new TesseraError('REWARD_NOT_FOR_SALE', {
        status: archivedAt ? 'ARCHIVED' : reason,
        since: archivedAt,
      })
    case 'NOT_STARTED':
      return new TesseraError('REWARD_NOT_FOR_SALE', { status: reason, since: null })
    case 'ENDED':
      return new TesseraError('REWARD_NOT_FOR_SALE', { status: reason, since: endsAt })
    case 'NOT_ELIGIBLE':
      return new TesseraError('NOT_ELIGIBLE')
    case 'LIMIT_REACHED':
      return new TesseraError('LIMIT_REACHED', { limit: limitMax, current: bought })
    case 'OUT_OF_STOCK':
      return new TesseraError('OUT_OF_STOCK', { limit: stock, current: grantCount })
    case 'INSUFFICIENT_POINTS':
      return new TesseraError('INSUFFICIENT_POINTS', {
        balance: Number(balance),
        price: price as number,
      })
  }
}

/** The source of a purchase. A reference is unique for its user. */
const sourceOf = (userId: string, grantId: string, reference: string | null | undefined): string =>
  reference == null ? `purchase:${grantId}` : `${userId}:${reference}`

type Bought = { grant: NewGrant; user: EndUser; reward: Reward }

/** What becomes of a purchase: a refusal, a new grant, or the id of the grant that has its reference. */
type Judged = TesseraError | Bought | string

const newGrant = (
  { reference }: Purchase,
  user: EndUser,
  reward: Reward,
  id: string,
): NewGrant => ({
  id,
  ...tenantOf(user),
  userId: user.id as UserId,
  rewardId: reward.id,
  sourceKind: 'BOUGHT',
  sourceId: sourceOf(user.id, id, reference),
  rewardNo: 1,
  round: 1,
  needsClaim: false,
  reference,
  price: reward.price,
  purchaseEntryId: newId(),
})

const duplicate = (grantId: string): TesseraError =>
  new TesseraError('DUPLICATE_REFERENCE', {
    message: 'Duplicate reference; the user has bought another reward with it',
    grantId,
  })

type Asked = { purchase: Purchase; user: EndUser; reward: Reward; buyer: Buyer }

/** Judges purchases in the order of the list. Each starts with the wallets, limits and stocks after the one before. */
const judge = (requested: Asked[], earlier: ReadonlyMap<string, Given>, now: Date): Judged[] => {
  const given = new Map(earlier)
  const sold: Bought[] = []
  return requested.map(({ purchase, user, reward, buyer }): Judged => {
    const grant = newGrant(purchase, user, reward, newId())
    const before = given.get(grant.sourceId)
    if (before) return before.rewardId === reward.id ? before.id : duplicate(before.id)
    const byUser = sold.filter((item) => item.user.id === user.id)
    const ofReward = sold.filter((item) => item.reward.id === reward.id)
    const spent = byUser.reduce((sum, item) => sum + (item.grant.price as number), 0)
    const state = {
      ...buyer,
      balance: buyer.balance - BigInt(spent),
      bought: buyer.bought + byUser.filter((item) => item.reward.id === reward.id).length,
    }
    const left = { ...reward, grantCount: reward.grantCount + ofReward.length }
    const { reason } = availabilityOf(left, state, now)
    if (reason) return refusalOf(reason, left, state)
    given.set(grant.sourceId, { id: grant.id, rewardId: reward.id })
    const entry = { grant, user, reward }
    sold.push(entry)
    return entry
  })
}

type Given = { id: string; rewardId: string }

/** The grants that users have bought with these references, by their source. */
const findBought = async (
  { tx }: Work,
  requested: { purchase: Purchase; user: EndUser }[],
): Promise<ReadonlyMap<string, Given>> => {
  const keys = requested.flatMap(({ purchase: { reference }, user }) =>
    reference == null
      ? []
      : {
          ...tenantOf(user),
          sourceKind: 'BOUGHT' as const,
          sourceId: sourceOf(user.id, '', reference),
        },
  )
  const found = keys.length > 0 ? await selectGrantsBySource(tx, keys) : []
  return new Map(found.map(({ n, ...grant }) => [keys[n]?.sourceId as string, grant]))
}

/** Takes the prices, makes the grants, and issues them. */
const write = async (work: Transaction, bought: Bought[]): Promise<void> => {
  if (bought.length === 0) return
  await payPrices(
    work.tx,
    bought.map(({ grant, user, reward }) => ({
      ...tenantOf(user),
      id: grant.purchaseEntryId as string,
      externalId: user.externalId,
      price: grant.price as number,
      grantId: grant.id,
      rewardName: reward.name,
    })),
    work.clock(),
  )
  const grants = await makeGrants(
    work,
    bought.map(({ grant }) => grant),
  )
  await settleGrants(work, grants)
}

/**
 * Sells rewards, in the order of the list: takes the prices, makes the grants and issues them in one transaction. A purchase
 * with a reference that its user has used for the same reward returns that grant.
 *
 * The result of a refused purchase is USER_NOT_FOUND, REWARD_NOT_FOUND, USER_BLOCKED, DUPLICATE_REFERENCE,
 * REWARD_NOT_FOR_SALE, NOT_ELIGIBLE, LIMIT_REACHED, OUT_OF_STOCK or INSUFFICIENT_POINTS, checked in this order. It does not use up the reference.
 */
export const buyRewards = (work: Work, purchases: Purchase[]): Promise<(UserGrant | Error)[]> =>
  inTransaction(work, async (txWork) => {
    const { tx, clock } = txWork
    const named = await findRewardsBy(txWork, purchases)
    const userOf = await openWallets(txWork, purchases)
    const rewardIds = [...new Set(named.flatMap((reward) => reward?.id ?? []))]
    await lockRewards(tx, rewardIds)
    const locked = new Map((await findRewards(txWork, rewardIds)).map((item) => [item?.id, item]))
    const results = purchases.map((purchase, n): UserGrant | Error | string | null => {
      const user = userOf({ ...purchase, points: 0 })
      if (user instanceof Error) return user
      if (!named[n]) return new TesseraError('REWARD_NOT_FOUND')
      return isBlocked(user, clock()) ? userBlocked() : null
    })
    const places = results.flatMap((result, n) => (result === null ? n : []))
    const known = places.map((n) => {
      const purchase = purchases[n] as Purchase
      const user = userOf({ ...purchase, points: 0 }) as EndUser
      return { purchase, user, reward: locked.get(named[n]?.id) as Reward }
    })
    const pairs = known.map(({ user, reward }) => ({
      userId: user.id as UserId,
      rewardId: reward.id,
    }))
    const buyers = pairs.length > 0 ? await readBuyers(tx, pairs, clock()) : []
    const requested = known.map((item, n) => ({ ...item, buyer: buyers[n] as Buyer }))
    const judged = judge(requested, await findBought(txWork, known), clock())
    await write(
      txWork,
      judged.filter((item) => typeof item === 'object' && 'grant' in item),
    )
    judged.forEach((item, i) => {
      results[places[i] as number] =
        typeof item === 'object' && 'grant' in item ? item.grant.id : item
    })
    return withGrants(txWork, results as (string | Error)[])
  })
