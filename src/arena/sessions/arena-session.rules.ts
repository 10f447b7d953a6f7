/** The arithmetic of sessions (decisions §9), without any input or output. */
import type { ArenaSessionStatus } from '../../generated/prisma/enums.ts'

type Standing = {
  status: ArenaSessionStatus
  createdAt: Date
  startedAt: Date | null
  completedAt: Date | null
  expiresAt: Date
}

/** What a session is at a moment, also when nobody has marked it as expired yet, and since when. */
export const standingOf = (
  { status, createdAt, startedAt, completedAt, expiresAt }: Standing,
  at: Date,
): { status: ArenaSessionStatus; since: Date | null } => {
  if (status === 'COMPLETED') return { status, since: completedAt }
  if (status === 'EXPIRED' || expiresAt <= at) return { status: 'EXPIRED', since: expiresAt }
  return { status, since: status === 'WAITING' ? createdAt : startedAt }
}

/** How a prize pool is split: the developer's percent rounded down, the rest to the winner. */
export const splitPrize = (prizePool: number, developerRevenueShare: number) => {
  const developerShare = Math.floor((prizePool * developerRevenueShare) / 100)
  return { developerShare, winnerPrize: prizePool - developerShare }
}

/** How many players must agree under QUORUM. */
export const majorityOf = (players: number): number => Math.floor(players / 2) + 1

/** How long a session may be played, in seconds. */
export const playSecondsOf = (estimatedDuration: number | null): number =>
  Math.max(2 * (estimatedDuration ?? 0), 30 * 60)

export const waitingMs = 15 * 60_000

/** A result in terms of players: who won, and the score of each. */
export type Outcome = { winnerId: string; scores: Record<string, number> }

/** Whether two reports say the same. */
export const isSameOutcome = (a: Outcome, b: Outcome): boolean => {
  const scores = Object.entries(a.scores)
  return (
    a.winnerId === b.winnerId &&
    scores.length === Object.keys(b.scores).length &&
    scores.every(([player, score]) => b.scores[player] === score)
  )
}
