/** Ratings after a match. */

const k = 32

export const agentTiers = ['ROOKIE', 'CONTENDER', 'CHAMPION', 'LEGEND'] as const
export type AgentTier = (typeof agentTiers)[number]

export const agentTierOf = (elo: number): AgentTier =>
  elo < 1300 ? 'ROOKIE' : elo < 1500 ? 'CONTENDER' : elo < 1700 ? 'CHAMPION' : 'LEGEND'

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
  totalMatches === 0 ? 0 : Math.round((wins / totalMatches) * 10_000) / 10_000
