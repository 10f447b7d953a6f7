/** Ratings after a match. */

const k = 32

export const agentTiers = ['ROOKIE', 'CONTENDER', 'CHAMPION', 'LEGEND'] as const
export type AgentTier = (typeof agentTiers)[number]

/** The lowest rating of each tier, in their order. */
const lowest = [Number.NEGATIVE_INFINITY, 1300, 1500, 1700] as const

export const agentTierOf = (elo: number): AgentTier =>
  agentTiers[lowest.findLastIndex((from) => elo >= from)] as AgentTier

/** The ratings of a tier, as a condition. */
export const ratingsOf = (tier: AgentTier): { gte?: number; lt?: number } => {
  const place = agentTiers.indexOf(tier)
  const [from, to] = [lowest[place], lowest[place + 1]]
  return {
    ...(place > 0 && from !== undefined && { gte: from }),
    ...(to !== undefined && { lt: to }),
  }
}

/** The expected score of the first agent, from 0 to 1. */
const expected = (elo1: number, elo2: number) => 1 / (1 + 10 ** ((elo2 - elo1) / 400))

/**
 * The points that the first agent gains and the second loses. It is a whole number, so the sum of ratings stays the
 * same. A winner gains at least 1.
 */
export const eloChange = (elo1: number, elo2: number, winnerSlot: 1 | 2 | null): number => {
  const score = winnerSlot === 1 ? 1 : winnerSlot === 2 ? 0 : 0.5
  const change = Math.round(k * (score - expected(elo1, elo2)))
  if (winnerSlot === 1) return Math.max(1, change)
  if (winnerSlot === 2) return Math.min(-1, change)
  return change + 0 // no −0
}

export const matchWinRateOf = ({ wins, totalMatches }: { wins: number; totalMatches: number }) =>
  totalMatches === 0 ? null : Math.round((wins / totalMatches) * 10_000) / 10_000

/** Glicko-2 as in its author's paper (glicko.net/glicko/glicko2.pdf). Each match is its own rating period. */

export type Glicko = { rating: number; deviation: number; volatility: number }

const scale = 173.7178
/** How fast volatility may change; the paper proposes 0.3 to 1.2. */
const tau = 0.5
const convergence = 0.000001

const g = (phi: number) => 1 / Math.sqrt(1 + (3 * phi ** 2) / Math.PI ** 2)

/** Step 5 of the paper, by the Illinois method. */
const nextVolatility = (phi: number, sigma: number, v: number, delta: number): number => {
  const a = Math.log(sigma ** 2)
  const f = (x: number) => {
    const e = Math.exp(x)
    return (
      (e * (delta ** 2 - phi ** 2 - v - e)) / (2 * (phi ** 2 + v + e) ** 2) - (x - a) / tau ** 2
    )
  }
  let low = a
  let high = Math.log(delta ** 2 - phi ** 2 - v)
  if (delta ** 2 <= phi ** 2 + v) {
    let steps = 1
    while (f(a - steps * tau) < 0) steps++
    high = a - steps * tau
  }
  let [fLow, fHigh] = [f(low), f(high)]
  while (Math.abs(high - low) > convergence) {
    const middle = low + ((low - high) * fLow) / (fHigh - fLow)
    const fMiddle = f(middle)
    if (fMiddle * fHigh <= 0) [low, fLow] = [high, fHigh]
    else fLow /= 2
    ;[high, fHigh] = [middle, fMiddle]
  }
  return Math.exp(low / 2)
}

/** The rating after results against opponents: 1 for a win, 0.5 for a draw, 0 for a loss. */
export const nextGlicko = (
  { rating, deviation, volatility }: Glicko,
  results: { opponent: Glicko; score: number }[],
): Glicko => {
  const mu = (rating - 1500) / scale
  const phi = deviation / scale
  let [information, gain] = [0, 0]
  for (const { opponent, score } of results) {
    const weight = g(opponent.deviation / scale)
    const expected = 1 / (1 + Math.exp(-weight * (mu - (opponent.rating - 1500) / scale)))
    information += weight ** 2 * expected * (1 - expected)
    gain += weight * (score - expected)
  }
  const v = 1 / information
  const sigma = nextVolatility(phi, volatility, v, v * gain)
  const after = 1 / Math.sqrt(1 / (phi ** 2 + sigma ** 2) + information)
  return {
    rating: 1500 + scale * (mu + after ** 2 * gain),
    deviation: Math.min(350, scale * after),
    volatility: sigma,
  }
}
