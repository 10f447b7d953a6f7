/** Statements on spectator counts. */

import { Prisma } from '../../generated/prisma/client.ts'
import {
  type ItemsOf,
  inputRows,
  returns,
  returnsNothing,
  statement,
} from '../../kit/database/statement.ts'

const countRows = inputRows({ id: 'uuid', watching: 'int' })

/** Writes the counts of one node. Deletes counts of 0. */
export const writeCounts = statement(
  'write_audience',
  returnsNothing,
  (nodeId: string, counts: ItemsOf<typeof countRows>, expiresAt: Date) => Prisma.sql`
    WITH counted AS (
      SELECT * FROM ${countRows(counts, 'c')}
    ), gone AS (
      DELETE FROM arena_audience a USING counted c
      WHERE a.match_id = c.id AND a.node_id = ${nodeId}::uuid AND c.watching = 0
    )
    INSERT INTO arena_audience (match_id, node_id, watching, expires_at)
    SELECT id, ${nodeId}::uuid, watching, ${expiresAt}::timestamptz FROM counted WHERE watching > 0
    ORDER BY id
    ON CONFLICT (match_id, node_id) DO UPDATE
      SET watching = excluded.watching, expires_at = excluded.expires_at`,
)

/** The spectators of each match across all nodes. Matches without spectators have no row. */
export const sumCounts = statement(
  'count_spectators',
  returns({ id: 'uuid', watching: 'int' }),
  (matchIds: string[], now: Date) => Prisma.sql`
    SELECT match_id AS id, sum(watching)::int AS watching FROM arena_audience
    WHERE match_id = ANY (${matchIds}::uuid[]) AND expires_at > ${now}::timestamptz
    GROUP BY match_id`,
)
