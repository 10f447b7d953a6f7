/** Statements that delete old events and deliveries, at most `limit` rows at a time. */
import { returnsNothing, statement } from '../core/db/statement.ts'
import { Prisma } from '../generated/prisma/client.ts'

/** Deletes old deliveries, and those of deleted endpoints. */
export const deleteDeliveries = statement(
  'forget_deliveries',
  returnsNothing,
  (before: Date, limit: number) => Prisma.sql`
    DELETE FROM webhook_delivery WHERE id IN (
      SELECT d.id FROM webhook_delivery d JOIN webhook_endpoint e ON e.id = d.endpoint_id
      WHERE d.created_at < ${before}::timestamptz OR e.deleted_at IS NOT NULL LIMIT ${limit}::int)`,
)

export const deleteEvents = statement(
  'forget_events',
  returnsNothing,
  (before: Date, limit: number) => Prisma.sql`
    DELETE FROM event WHERE id IN (
      SELECT id FROM event WHERE occurred_at < ${before}::timestamptz LIMIT ${limit}::int)`,
)

/** Deletes endpoints that were deleted before a moment and have no deliveries left. */
export const deleteEndpoints = statement(
  'forget_endpoints',
  returnsNothing,
  (deletedBefore: Date) => Prisma.sql`
    DELETE FROM webhook_endpoint e WHERE deleted_at < ${deletedBefore}::timestamptz
      AND NOT EXISTS (SELECT FROM webhook_delivery d WHERE d.endpoint_id = e.id)`,
)
