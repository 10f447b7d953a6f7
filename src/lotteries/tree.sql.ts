/** Statements on the Merkle trees of draws. */

import { type LotteryDraw, Prisma } from '../generated/prisma/client.ts'
import {
  type ItemsOf,
  inputRows,
  returns,
  returnsNothing,
  statement,
} from '../kit/database/statement.ts'

/** The concatenated leaves of the tickets from one number to another, the second excluded. */
export const joinLeaves = statement(
  'read_leaves',
  returns({ leaves: 'bytea?' }),
  (drawId: string, from: number, to: number) => Prisma.sql`
    SELECT string_agg(leaf, ''::bytea) AS leaves FROM (SELECT leaf FROM lottery_ticket
      WHERE draw_id = ${drawId}::uuid AND ticket_no >= ${from}::int AND ticket_no < ${to}::int
      ORDER BY ticket_no) t`,
)

const nodeRows = inputRows({ nodeNo: 'int', hash: 'bytea' })

/**
 * Stores missing nodes, unless a ticket was cancelled since the draw was read. The lock on the draw protects its
 * tickets.
 */
export const insertNodes = statement(
  'make_nodes',
  returnsNothing,
  (
    { id, cancelled }: Pick<LotteryDraw, 'id' | 'cancelled'>,
    nodes: ItemsOf<typeof nodeRows>,
  ) => Prisma.sql`
    INSERT INTO lottery_node (draw_id, node_no, hash)
    SELECT d.id, i.node_no, i.hash FROM lottery_draw d CROSS JOIN ${nodeRows(nodes)}
    WHERE d.id = ${id}::uuid AND d.cancelled = ${cancelled}::int
    FOR SHARE OF d ON CONFLICT DO NOTHING`,
)

/** Open draws with enough new tickets for another node. */
export const listGrownDraws = statement(
  'find_grown_draws',
  returns({ id: 'uuid' }),
  (leavesOfNode: number) => Prisma.sql`
    SELECT id FROM lottery_draw d WHERE status = 'OPEN' AND (tickets + 1) / ${leavesOfNode}::int
      > (SELECT count(*) FROM lottery_node n WHERE n.draw_id = d.id)`,
)
