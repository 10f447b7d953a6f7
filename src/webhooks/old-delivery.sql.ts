/** Statements that delete old deliveries, and endpoints that were deleted. */

import { Prisma } from '../generated/prisma/client.ts'
import { type DeleteOld, planned } from '../kit/database/old-rows.sql.ts'
import { returnsNothing, statement } from '../kit/database/statement.ts'

/** Deletes old deliveries, and all deliveries of deleted endpoints. Finds those of each endpoint by index. */
export const deleteOldDeliveries: DeleteOld = statement(
  'forget_deliveries',
  returnsNothing,
  (before: Date, most: number) => Prisma.sql`
    DELETE FROM webhook_delivery WHERE ctid = ANY (ARRAY(
      SELECT d.ctid FROM webhook_endpoint e CROSS JOIN LATERAL (
        SELECT ctid FROM webhook_delivery WHERE endpoint_id = e.id AND created_at
          <= CASE WHEN e.deleted_at IS NULL THEN ${before}::timestamptz ELSE 'infinity' END
        ORDER BY created_at, id LIMIT ${most}::int FOR UPDATE SKIP LOCKED) d
      LIMIT ${most}::int))`,
  planned,
)

/** Deletes endpoints that were deleted before a moment and have no deliveries left. */
export const deleteEndpoints: DeleteOld = statement(
  'forget_endpoints',
  returnsNothing,
  (deletedBefore: Date, most: number) => Prisma.sql`
    DELETE FROM webhook_endpoint WHERE id IN (
      SELECT id FROM webhook_endpoint e WHERE deleted_at < ${deletedBefore}::timestamptz
        AND NOT EXISTS (SELECT FROM webhook_delivery d WHERE d.endpoint_id = e.id)
      LIMIT ${most}::int)`,
)
