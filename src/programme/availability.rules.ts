/** Whether a user can buy a reward, and why not. The shop shows it, and a purchase decides by it. */
/** Why a user cannot buy a reward. */
export type UnavailableReason =
  | 'NOT_FOR_SALE'
  | 'NOT_STARTED'
  | 'ENDED'
  | 'NOT_ELIGIBLE'
  | 'LIMIT_REACHED'
  | 'OUT_OF_STOCK'
  | 'INSUFFICIENT_POINTS'

/** What a user is to a reward. */
export type Buyer = {
  balance: bigint
  /** Null if the reward has no segment. */
  isInSegment: boolean | null
  /** How often the user bought it in the present window of its limit. */
  bought: number
  /** When that window ends; null for EVER, or without a limit. */
  windowEndsAt: Date | null
}

export type Availability = {
  canBuy: boolean
  /** Null if the user can buy it. */
  reason: UnavailableReason | null
  /** Points that the user is short of; 0 if there are enough. */
  missingPoints: number
  /** When the reason ends by itself; null if it does not, or nobody knows when. */
  nextAt: Date | null
}

/** What of a reward decides. */
type Sold = {
  price: number | null
  archivedAt: Date | null
  startsAt: Date | null
  endsAt: Date | null
  limitMax: number | null
  stock: number | null
  grantCount: number
}

const isOutOfStock = ({ stock, grantCount }: Sold): boolean => stock !== null && grantCount >= stock

/** The first reason, but for the price: what lasts longest comes first. */
const reasonOf = (reward: Sold, buyer: Buyer, now: Date): UnavailableReason | null => {
  const { price, archivedAt, startsAt, endsAt, limitMax } = reward
  if (price === null || archivedAt) return 'NOT_FOR_SALE'
  if (endsAt && endsAt <= now) return 'ENDED'
  if (startsAt && startsAt > now) return 'NOT_STARTED'
  if (buyer.isInSegment === false) return 'NOT_ELIGIBLE'
  if (limitMax !== null && buyer.bought >= limitMax) return 'LIMIT_REACHED'
  if (isOutOfStock(reward)) return 'OUT_OF_STOCK'
  return null
}

export const availabilityOf = (reward: Sold, buyer: Buyer, now: Date): Availability => {
  const missing = BigInt(reward.price ?? 0) - buyer.balance
  const missingPoints = missing > 0n ? Number(missing) : 0
  const reason = reasonOf(reward, buyer, now) ?? (missingPoints > 0 ? 'INSUFFICIENT_POINTS' : null)
  const nextAt =
    reason === 'NOT_STARTED'
      ? reward.startsAt
      : reason === 'LIMIT_REACHED'
        ? buyer.windowEndsAt
        : null
  return { canBuy: reason === null, reason, missingPoints, nextAt }
}
