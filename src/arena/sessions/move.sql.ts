import { Prisma } from '../../generated/prisma/client.ts'
import { type DeleteExpired, planned } from '../../kit/database/expired-rows.sql.ts'
import {
  both,
  columnsOf,
  type ItemsOf,
  inputRows,
  lockStatement,
  orNulls,
  returns,
  returnsModel,
  returnsNothing,
  statement,
} from '../../kit/database/statement.ts'

const move = columnsOf('ArenaSessionMove', 'm')
const session = columnsOf('ArenaSession', 's')

/** Locks sessions against a change of status and against moves of others, and reads them. */
export const selectSessionsForMoves = lockStatement(
  'lock_sessions_for_moves',
  returnsModel('ArenaSession'),
  (ids: string[]) => Prisma.sql`
    SELECT ${session} FROM arena_session s WHERE id = ANY (${ids}::uuid[])
    ORDER BY id FOR NO KEY UPDATE`,
)

const seatRows = inputRows({ sessionId: 'uuid', playerId: 'uuid' })

/**
 * Players of sessions, each with the number of the newest move of the session, the total bytes of its moves, and the
 * times of the last moves of the player, at most `recent`. Omits those who have no seat.
 */
export const selectMovers = statement(
  'find_movers',
  returns({
    sessionId: 'uuid',
    playerId: 'uuid',
    seq: 'int',
    totalBytes: 'int',
    recent: 'timestamptz[]',
  }),
  (seats: ItemsOf<typeof seatRows>, recent: number) => Prisma.sql`
    SELECT p.session_id AS "sessionId", p.id AS "playerId", coalesce(l.seq, 0) AS seq, coalesce(l.total_bytes, 0) AS "totalBytes",
      ARRAY(SELECT m.sent_at FROM arena_session_move m WHERE m.player_id = p.id
        ORDER BY m.seq DESC LIMIT ${recent}::int) AS recent
    FROM ${seatRows(seats)}
    CROSS JOIN LATERAL (SELECT id, session_id FROM arena_player
      WHERE id = i.player_id AND session_id = i.session_id LIMIT 1) p
    LEFT JOIN LATERAL (SELECT m.seq, m.total_bytes FROM arena_session_move m
      WHERE m.session_id = i.session_id ORDER BY m.seq DESC LIMIT 1) l ON true`,
)

const namedRows = inputRows({ playerId: 'uuid', reference: 'text' })

/** The moves of players that have these references. */
export const selectNamedMoves = statement(
  'find_named_moves',
  returnsModel('ArenaSessionMove'),
  (named: ItemsOf<typeof namedRows>) => Prisma.sql`
    SELECT ${move} FROM ${namedRows(named)}
    CROSS JOIN LATERAL (SELECT * FROM arena_session_move
      WHERE player_id = i.player_id AND reference = i.reference LIMIT 1) m`,
)

const moveRows = inputRows({
  sessionId: 'uuid',
  seq: 'int',
  playerId: 'uuid',
  reference: 'text?',
  data: 'json',
  totalBytes: 'int',
  sentAt: 'timestamptz',
})

export const insertMoves = statement(
  'write_moves',
  returnsNothing,
  (moves: ItemsOf<typeof moveRows>) => Prisma.sql`
    INSERT INTO arena_session_move (session_id, seq, player_id, reference, data, total_bytes, sent_at)
    SELECT session_id, seq, player_id, reference, data, total_bytes, sent_at FROM ${moveRows(moves)}`,
)

/** The status of a session, and its moves after a number, oldest first. If there are none, one row without a move. */
export const selectMoves = statement(
  'read_moves',
  both(returns({ status: 'ArenaSessionStatus' }), orNulls(returnsModel('ArenaSessionMove'))),
  ({ sessionId, after, take }: { sessionId: string; after: number; take: number }) => Prisma.sql`
    SELECT s.status, ${move} FROM arena_session s
    LEFT JOIN LATERAL (SELECT * FROM arena_session_move
      WHERE session_id = s.id AND seq > ${after}::int ORDER BY seq LIMIT ${take}::int) m ON true
    WHERE s.id = ${sessionId}::uuid ORDER BY m.seq`,
)

/** The number of sessions whose moves one statement deletes. */
const sessionsAtOnce = 10

/**
 * Deletes moves of sessions that ended before a moment. The first move of a session is deleted last, because the
 * session is found by it. A concurrent run on another node waits for locked rows instead of skipping them.
 */
export const deleteExpiredMoves: DeleteExpired = statement(
  'forget_moves',
  returnsNothing,
  (before: Date, most: number) => Prisma.sql`
    DELETE FROM arena_session_move WHERE ctid = ANY (ARRAY(
      SELECT m.ctid FROM (
        SELECT s.id FROM arena_session_move m JOIN arena_session s ON s.id = m.session_id
        WHERE m.seq = 1 AND s.status IN ('COMPLETED', 'EXPIRED')
          AND coalesce(s.completed_at, s.expires_at) <= ${before}::timestamptz
        ORDER BY s.id LIMIT ${sessionsAtOnce}::int) s
      CROSS JOIN LATERAL (SELECT ctid, seq FROM arena_session_move
        WHERE session_id = s.id ORDER BY seq DESC LIMIT ${most}::int) m
      ORDER BY m.seq DESC LIMIT ${most}::int))`,
  planned,
)
