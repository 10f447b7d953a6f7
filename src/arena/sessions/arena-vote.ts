/** Votes of players for the result of a session under QUORUM. */

import type { ArenaReport } from '../../generated/prisma/client.ts'
import type { Work } from '../../kit/runtime.ts'
import { isSameOutcome, majorityOf, type SessionOutcome } from './arena-session.rules.ts'
import type { SessionWithPlayers } from './arena-session.ts'

export type Vote = Pick<ArenaReport, 'sessionId' | 'playerId' | 'winnerId' | 'reportedAt'> & {
  scores: unknown
}

export const outcomeOfVote = ({ winnerId, scores }: Vote): SessionOutcome => ({
  winnerId,
  scores: scores as SessionOutcome['scores'],
})

/** Reports so far of the sessions under QUORUM. */
export const findVotes = async (
  { tx }: Work,
  sessions: Map<string, SessionWithPlayers>,
): Promise<Vote[]> => {
  const ids = [...sessions.values()]
    .filter(({ resultPolicy, status }) => resultPolicy === 'QUORUM' && status === 'IN_PROGRESS')
    .map(({ id }) => id)
  return ids.length === 0 ? [] : tx.arenaReport.findMany({ where: { sessionId: { in: ids } } })
}

export const findVote = (
  votes: Vote[],
  session: SessionWithPlayers,
  playerId: string | null,
): Vote | undefined =>
  votes.find(
    (one) => one.sessionId === session.id && playerId !== null && one.playerId === playerId,
  )

/**
 * Votes still needed for an outcome. Each partner's backend holds the tokens of its players, so when points
 * of several partners are at stake, more than half of each partner's players must agree. No partner can
 * outvote another by seating more players.
 */
export const missingVotes = (
  session: SessionWithPlayers,
  votes: Vote[],
  outcome: SessionOutcome,
): number => {
  if (session.resultPolicy !== 'QUORUM') return 0
  const agreeing = new Set(
    votes
      .filter(
        (vote) => vote.sessionId === session.id && isSameOutcome(outcomeOfVote(vote), outcome),
      )
      .map(({ playerId }) => playerId),
  )
  const groups = Map.groupBy(session.players, ({ partnerId }) => session.entryFee > 0 && partnerId)
  return [...groups.values()].reduce((missing, players) => {
    const votes = players.filter(({ id }) => agreeing.has(id)).length
    return missing + Math.max(0, majorityOf(players.length) - votes)
  }, 0)
}
