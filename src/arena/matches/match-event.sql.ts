/** Statements on the event log of a match. */

import { Prisma } from '../../generated/prisma/client.ts'
import {
  columnsOf,
  type ItemsOf,
  inputRows,
  returnsModel,
  returnsNothing,
  statement,
} from '../../kit/database/statement.ts'

const columns = columnsOf('ArenaMatchEvent', 'e')

/** Events of a match after a number, oldest first. */
export const selectLog = statement(
  'read_match_events',
  returnsModel('ArenaMatchEvent'),
  ({ matchId, after, take }: { matchId: string; after: number; take: number }) => Prisma.sql`
    SELECT ${columns} FROM arena_match_event e
    WHERE match_id = ${matchId}::uuid AND seq > ${after}::int ORDER BY seq LIMIT ${take}::int`,
)

const eventRows = inputRows({
  matchId: 'uuid',
  seq: 'int',
  kind: 'text',
  gameNumber: 'int?',
  data: 'json',
  occurredAt: 'timestamptz',
})

export const insertLog = statement(
  'write_match_events',
  returnsNothing,
  (events: ItemsOf<typeof eventRows>) => Prisma.sql`
    INSERT INTO arena_match_event (match_id, seq, kind, game_number, data, occurred_at)
    SELECT match_id, seq, kind, game_number, data, occurred_at FROM ${eventRows(events, 'e')}`,
)
