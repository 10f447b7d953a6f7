/** The log of a match: what happened, in its order, for those who watch. */
import type { Tx } from '../../core/db/db.ts'
import type { Work } from '../../core/runtime.ts'
import type { Slot } from './games/game.rules.ts'

export const matchEventKinds = {
  SNAPSHOT: 'Where the match stands now: the first of a stream, and after a reader fell behind.',
  MATCH_SCHEDULED: 'The match will be played.',
  MATCH_STARTED: 'The match has begun.',
  GAME_STARTED: 'A game has begun.',
  MOVES_MADE: 'A side has moved; where both move at the same time, both.',
  GAME_COMPLETED: 'A game is over.',
  MATCH_COMPLETED: 'The match is over. The last of its stream.',
  MATCH_CANCELLED: 'The match will not be played on. The last of its stream.',
} as const

type MatchEventKind = keyof typeof matchEventKinds

export const faultKinds = {
  ILLEGAL_MOVE: 'The answer was no legal move.',
  TIMEOUT: 'The answer did not come in time.',
  FAILED: 'There was no answer that could be read.',
} as const

export type MoveFault = keyof typeof faultKinds

/** A move, or why there was none. */
export type LoggedMove = { slot: Slot; action: string | null; fault: MoveFault | null }

/** What an event tells beside its kind; which fields there are depends on it. */
export type MatchEventData = {
  /** GAME_STARTED: who moves first. */
  firstSlot?: Slot
  /** MOVES_MADE. */
  moves?: LoggedMove[]
  /** The board after it: rows of cells. */
  board?: string[][]
  /** Who moves next. */
  turn?: Slot[]
  /** GAME_COMPLETED. */
  outcome?: string
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

/** Whether nothing follows. */
export const isLast = ({ kind }: Pick<MatchEvent, 'kind'>): boolean =>
  kind === 'MATCH_COMPLETED' || kind === 'MATCH_CANCELLED'

/** Events of one match behind a number, oldest first. */
export const readMatchEvents = (
  tx: Tx,
  { matchId, after, take }: { matchId: string; after: number; take: number },
): Promise<MatchEvent[]> => tx.$queryRaw<MatchEvent[]>`/* read_match_events */
  SELECT match_id AS "matchId", seq, kind, game_number AS "gameNumber", data,
    occurred_at AS "occurredAt"
  FROM arena_match_event WHERE match_id = ${matchId}::uuid AND seq > ${after}::int
  ORDER BY seq LIMIT ${take}::int`

export type NewEvent = Pick<MatchEvent, 'kind' | 'data'> & { gameNumber?: number }

/**
 * Writes the events that follow number `seq` of a match. The caller has raised the number in the row of
 * the match, in the same transaction, and so is the only one who writes them.
 */
export const writeMatchEvents = async (
  { tx, clock }: Pick<Work, 'tx' | 'clock'>,
  matchId: string,
  seq: number,
  events: NewEvent[],
): Promise<void> => {
  const rows = events.map(({ kind, gameNumber = null, data }, i) => ({
    match_id: matchId,
    seq: seq + i + 1,
    kind,
    game_number: gameNumber,
    data,
    occurred_at: clock(),
  }))
  await tx.$executeRaw`/* write_match_events */
    INSERT INTO arena_match_event (match_id, seq, kind, game_number, data, occurred_at)
    SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json) AS e (match_id uuid, seq int,
      kind text, game_number int, data json, occurred_at timestamptz)`
}
