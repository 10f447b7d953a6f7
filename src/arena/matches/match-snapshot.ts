/** The state of a match after its newest event. */

import type { ArenaMatch, ArenaMatchGame } from '../../generated/prisma/client.ts'
import type { Db } from '../../kit/database/db.ts'
import type { LoggedMove } from '../agents/agent-move.ts'
import type { MatchEvent, MatchEventData } from './match-event.ts'

export type Snapshot = MatchEvent & { match: ArenaMatch; games: ArenaMatchGame[] }

/** The match, its games, and the moves of the current or last game, read at one moment. */
export const readSnapshot = async (db: Db, matchId: string): Promise<Snapshot> => {
  const [match, games, events] = await db.$transaction(
    async (tx) => {
      const match = await tx.arenaMatch.findUniqueOrThrow({ where: { id: matchId } })
      const games = await tx.arenaMatchGame.findMany({
        where: { matchId },
        orderBy: { gameNumber: 'asc' },
      })
      const events = await tx.arenaMatchEvent.findMany({
        where: { matchId, gameNumber: match.currentGameNumber },
        orderBy: { seq: 'asc' },
      })
      return [match, games, events] as const
    },
    { isolationLevel: 'RepeatableRead' },
  )
  const data = events.map((event) => event.data as MatchEventData)
  const newest = data.findLast(({ board }) => board !== undefined)
  const isPlayed = match.currentGameNumber > match.totalGamesPlayed
  return {
    matchId,
    seq: match.seq,
    kind: 'SNAPSHOT',
    gameNumber: match.currentGameNumber || null,
    occurredAt: events.at(-1)?.occurredAt ?? match.endedAt ?? match.startedAt ?? match.createdAt,
    data: {
      moves: data.flatMap(({ moves = [] }): LoggedMove[] => moves),
      ...(newest?.board && { board: newest.board }),
      turn: (isPlayed && data.at(-1)?.turn) || [],
    },
    match,
    games,
  }
}
