/** The statement that deletes the events of old matches. */

import { Prisma } from '../../generated/prisma/client.ts'
import type { DeleteOld } from '../../kit/database/old-rows.sql.ts'
import { returnsNothing, statement } from '../../kit/database/statement.ts'

/** Deletes all events but the last of matches that ended before a moment. Counts the matches. */
export const deleteOldLogs: DeleteOld = statement(
  'forget_match_events',
  returnsNothing,
  (before: Date, most: number) => Prisma.sql`
    WITH old AS MATERIALIZED (
      SELECT id, seq FROM arena_match
      WHERE ended_at <= ${before}::timestamptz AND logged_from = 1 AND seq > 1
      ORDER BY ended_at LIMIT ${most}::int FOR NO KEY UPDATE SKIP LOCKED
    ), gone AS (
      DELETE FROM arena_match_event e USING old WHERE e.match_id = old.id AND e.seq < old.seq
    )
    UPDATE arena_match m SET logged_from = old.seq FROM old
    WHERE m.id = old.id AND m.id = ANY (ARRAY(SELECT id FROM old))`,
)
