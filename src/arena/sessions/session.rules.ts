/** The arithmetic of sessions, without any input or output. */
import type { ArenaSessionStatus } from '../../generated/prisma/enums.ts'

type SessionTimes = {
  status: ArenaSessionStatus
  createdAt: Date
  startedAt: Date | null
  completedAt: Date | null
  expiresAt: Date
}

/** The status of a session at a moment, and since when. It expires at its time, even before the job marks it. */
export const standingOf = (
  { status, createdAt, startedAt, completedAt, expiresAt }: SessionTimes,
  at: Date,
): { status: ArenaSessionStatus; since: Date | null } => {
  if (status === 'COMPLETED') return { status, since: completedAt }
  if (status === 'EXPIRED' || expiresAt <= at) return { status: 'EXPIRED', since: expiresAt }
  return { status, since: status === 'WAITING' ? createdAt : startedAt }
}

/** Splits a prize pool: the developer's percentage, rounded down, and the rest to the winner. */
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

/** A result: who won, and each player's score. */
export type SessionOutcome = { winnerId: string; scores: Record<string, number> }

/** Whether two results are equal. */
export const isSameOutcome = (a: SessionOutcome, b: SessionOutcome): boolean => {
  const scores = Object.entries(a.scores)
  return (
    a.winnerId === b.winnerId &&
    scores.length === Object.keys(b.scores).length &&
    scores.every(([player, score]) => b.scores[player] === score)
  )
}
