/** Statements on how many watch a match. */
import {
  type ItemsOf,
  inputRows,
  returns,
  returnsNothing,
  statement,
} from '../../core/db/statement.ts'
import { Prisma } from '../../generated/prisma/client.ts'

const countRows = inputRows({ id: 'uuid', watching: 'int' })

/** Writes the counts of one node; a count of 0 is deleted. */
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

/** How many watch each match, over all nodes; no row for none. */
export const sumCounts = statement(
  'count_spectators',
  returns({ id: 'uuid', watching: 'int' }),
  (matchIds: string[], now: Date) => Prisma.sql`
    SELECT match_id AS id, sum(watching)::int AS watching FROM arena_audience
    WHERE match_id = ANY (${matchIds}::uuid[]) AND expires_at > ${now}::timestamptz
    GROUP BY match_id`,
)
