/** Which users the nodes listen to. */
import { Prisma } from '../generated/prisma/client.ts'
import { type ItemsOf, inputRows, returnsNothing, statement } from '../kit/database/statement.ts'

const countRows = inputRows({ id: 'uuid', watching: 'int' })

/** Writes which users a node listens to. Deletes those whom nobody watches there. */
export const writeListeners = statement(
  'write_user_listeners',
  returnsNothing,
  (nodeId: string, counts: ItemsOf<typeof countRows>, expiresAt: Date) => Prisma.sql`
    WITH counted AS (
      SELECT * FROM ${countRows(counts, 'c')}
    ), gone AS (
      DELETE FROM user_listener l USING counted c
      WHERE l.user_id = c.id AND l.node_id = ${nodeId}::uuid AND c.watching = 0
    )
    INSERT INTO user_listener (user_id, node_id, expires_at)
    SELECT id, ${nodeId}::uuid, ${expiresAt}::timestamptz FROM counted WHERE watching > 0
    ORDER BY id
    ON CONFLICT (user_id, node_id) DO UPDATE SET expires_at = excluded.expires_at`,
)
