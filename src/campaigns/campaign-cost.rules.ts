/** The most that a campaign can cost, as pure functions of its settings. */

/** A prize with its stock left. `rewardPoints` are those of its reward. */
type PricedTier = {
  points: number
  weight: number
  left: number
  rewardPoints: number
}

export type PricedCampaign = {
  /** Points by event type. */
  eventPoints: number[]
  maxEventsPerUser: number | null
  winsPerMillion: number | null
  tiers: PricedTier[]
  referral: { referrerPoints: number; refereePoints: number } | null
  /** Points of the codes that can still be redeemed. */
  codes: { largest: number; all: number }
}

/** Points from one source; null for no limit. */
export type Cost = {
  source: 'EVENTS' | 'PRIZES' | 'REFERRALS' | 'CODES'
  pointsEach: number
  pointsPerUser: number | null
  pointsInAll: number | null
}

/** Beyond it, integers are not exact in JSON. */
const capped = (points: number) => Math.min(points, Number.MAX_SAFE_INTEGER)

const worthOf = ({ points, rewardPoints }: PricedTier) => points + rewardPoints

const sumOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0)

/** The points of the best `count` prizes in stock. */
const bestPrizes = (tiers: PricedTier[], count: number): number => {
  let open = count
  let points = 0
  for (const tier of tiers.toSorted((a, b) => worthOf(b) - worthOf(a))) {
    const won = Math.min(open, tier.left)
    points += won * worthOf(tier)
    open -= won
  }
  return points
}

const eventCost = ({ eventPoints, maxEventsPerUser }: PricedCampaign): Cost => {
  const pointsEach = Math.max(0, ...eventPoints)
  const pointsPerUser = maxEventsPerUser === null ? null : capped(maxEventsPerUser * pointsEach)
  return { source: 'EVENTS', pointsEach, pointsPerUser, pointsInAll: null }
}

const prizeCost = ({ winsPerMillion, tiers, maxEventsPerUser }: PricedCampaign): Cost => {
  const open = winsPerMillion ? tiers.filter(({ left }) => left > 0) : []
  const count = maxEventsPerUser ?? Number.MAX_SAFE_INTEGER
  return {
    source: 'PRIZES',
    pointsEach: Math.max(0, ...open.map(worthOf)),
    pointsPerUser: capped(bestPrizes(open, count)),
    pointsInAll: capped(sumOf(open.map((tier) => tier.left * worthOf(tier)))),
  }
}

const referralCost = ({ referral }: PricedCampaign): Cost => ({
  source: 'REFERRALS',
  pointsEach: referral ? referral.referrerPoints + referral.refereePoints : 0,
  // A user may refer any number of others.
  pointsPerUser: null,
  pointsInAll: null,
})

const codeCost = ({ codes: { largest, all } }: PricedCampaign): Cost => ({
  source: 'CODES',
  pointsEach: largest,
  pointsPerUser: capped(all),
  pointsInAll: capped(all),
})

/** The most points from each source that gives any. */
export const costsOf = (campaign: PricedCampaign): Cost[] =>
  [eventCost, prizeCost, referralCost, codeCost]
    .map((cost) => cost(campaign))
    .filter(({ pointsEach }) => pointsEach > 0)

/** The sum of costs; null as soon as one of them has no limit. */
export const totalOf = (costs: Cost[], part: 'pointsPerUser' | 'pointsInAll'): number | null =>
  costs.some((cost) => cost[part] === null)
    ? null
    : capped(sumOf(costs.map((cost) => cost[part] ?? 0)))

/** The points of prizes that an event wins on average, with the stock left. */
export const prizePointsOf = ({ winsPerMillion, tiers }: PricedCampaign): number => {
  const open = tiers.filter(({ left }) => left > 0)
  const weight = sumOf(open.map((tier) => tier.weight))
  if (!winsPerMillion || weight === 0) return 0
  const mean = sumOf(open.map((tier) => tier.weight * worthOf(tier))) / weight
  return (winsPerMillion / 1_000_000) * mean
}
