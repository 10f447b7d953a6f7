/** Statements that delete old events, and the events that are kept although their month is over. */
import type { StillKept } from '../core/db/month-changes.ts'
import { type DeleteOld, planned } from '../core/db/old-rows.sql.ts'
import { returns, returnsNothing, statement } from '../core/db/statement.ts'
import { Prisma } from '../generated/prisma/client.ts'

const selectPartitions = statement(
  'partitions_of_events',
  returns({ name: 'text' }),
  () => Prisma.sql`
    SELECT c.relname::text AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'event'::regclass ORDER BY c.relname`,
)

/** Of one partition, because a ctid names a row only there. */
const deleteFromPartition = statement(
  'forget_event',
  returnsNothing,
  (part: string, before: Date, most: number) => Prisma.sql`
    DELETE FROM ${Prisma.raw(part)} WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM ${Prisma.raw(part)} WHERE occurred_at <= ${before}::timestamptz
      ORDER BY occurred_at LIMIT ${most}::int FOR UPDATE SKIP LOCKED))`,
  planned,
)

/**
 * Deletes old events of all partitions, from the oldest month on. They are not left until their month is dropped: the feed
 * would read past them at each first page.
 */
export const deleteOldEvents: DeleteOld = async (tx, before, most) => {
  let deleted = 0
  for (const { name } of await selectPartitions(tx))
    if (deleted < most) deleted += await deleteFromPartition(tx, name, before, most - deleted)
  return deleted
}

/** Events that happened long after their id was made, and those of deliveries that have been queued again. */
export const eventsStillKept: StillKept = (part, { from, to }) => `
  SELECT ctid FROM ${part} WHERE occurred_at > $1::timestamptz
  UNION
  SELECT v.ctid FROM webhook_endpoint e
  CROSS JOIN LATERAL (SELECT event_id FROM webhook_delivery WHERE endpoint_id = e.id AND event_id >= '${from}'
    AND event_id < '${to}' AND status = 'PENDING' AND next_attempt_at > $1::timestamptz) d
  JOIN ${part} v ON v.id = d.event_id`
