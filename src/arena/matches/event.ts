/** The event log of a match, for its spectators. */

import type { ArenaMatch, ArenaMatchGame } from '../../generated/prisma/client.ts'
import type { Db, Queries } from '../../kit/database/db.ts'
import type { Work } from '../../kit/runtime.ts'
import type { Slot } from '../agent-games/agent-game.rules.ts'
import type { LoggedMove } from '../agents/move.ts'
import { insertLog, selectLog } from './match.sql.ts'

type MatchEventKind =
  /** The current state of the match: first in a stream, never in the log. */
  | 'SNAPSHOT'
  | 'MATCH_SCHEDULED'
  | 'MATCH_STARTED'
  | 'GAME_STARTED'
  | 'MOVES_MADE'
  | 'GAME_COMPLETED'
  | 'MATCH_COMPLETED'
  | 'MATCH_CANCELLED'

/** The data of an event. The kind decides which fields are present. */
export type MatchEventData = {
  /** GAME_STARTED: who moves first. */
  firstSlot?: Slot
  /** MOVES_MADE. */
  moves?: LoggedMove[]
  /** The board after the event: rows of cells. */
  board?: string[][]
  /** Who moves next. */
  turn?: Slot[]
  /** GAME_COMPLETED, MATCH_COMPLETED. */
  winnerSlot?: Slot | null
  agent1Score?: number
  agent2Score?: number
  /** GAME_COMPLETED, when another follows. */
  nextGameAt?: string | null
  /** MATCH_COMPLETED, MATCH_CANCELLED. */
  reason?: string | null
  eloChange?: number | null
}

export type MatchEvent = {
  matchId: string
  seq: number
  kind: MatchEventKind
  gameNumber: number | null
  data: MatchEventData
  occurredAt: Date
}

/** Whether this is the last event of a match. */
export const isLast = ({ kind }: Pick<MatchEvent, 'kind'>): boolean =>
  kind === 'MATCH_COMPLETED' || kind === 'MATCH_CANCELLED'

/** Events of one match after a number, oldest first. */
export const readMatchEvents = (
  tx: Queries,
  part: { matchId: string; after: number; take: number },
): Promise<MatchEvent[]> => selectLog(tx, part) as Promise<MatchEvent[]>

export type NewEvent = Pick<MatchEvent, 'kind' | 'data'> & { gameNumber?: number }

/**
 * Writes the events after number `seq` of a match. The caller has raised the number in the row of the match in the same
 * transaction, so no other writer uses the same numbers.
 */
export const writeMatchEvents = async (
  { tx, clock }: Pick<Work, 'tx' | 'clock'>,
  matchId: string,
  seq: number,
  events: NewEvent[],
): Promise<void> => {
  const rows = events.map(({ kind, gameNumber = null, data }, i) => ({
    matchId,
    seq: seq + i + 1,
    kind,
    gameNumber,
    data,
    occurredAt: clock(),
  }))
  await insertLog(tx, rows)
}

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
