import { Prisma } from '../generated/prisma/client.ts'
import { deleteExpiredBy } from '../kit/database/expired-rows.sql.ts'
import type { RowsToKeep } from '../kit/database/months.ts'
import { returnsModel, statement } from '../kit/database/statement.ts'
import type { Tenant } from '../kit/tenant.ts'

export type Feed = Tenant & {
  /** The position of the last event that the reader has; null for all. */
  after: bigint | null
  /** Null for all types. */
  types: string[] | null
  take: number
}

/** Events up to a position, in commit order. */
export const selectEvents = statement(
  'read_events',
  returnsModel('Event'),
  ({ partnerId, environment, after, upTo, types, take }: Feed & { upTo: bigint }) => Prisma.sql`
    SELECT id, partner_id AS "partnerId", environment, type, data, occurred_at AS "occurredAt",
      position, trace_parent AS "traceParent"
    FROM event
    WHERE partner_id = ${partnerId}::uuid AND environment = ${environment}::"Environment"
      AND position <= ${upTo}::bigint
      ${after === null ? Prisma.empty : Prisma.sql`AND position > ${after}::bigint`}
      ${types ? Prisma.sql`AND type = ANY (${types}::text[])` : Prisma.empty}
    ORDER BY position LIMIT ${take}::int`,
)

/** Deletes old events outside the monthly partitions. Other events are dropped with their partition. */
export const deleteExpiredEvents = deleteExpiredBy('Event', 'occurredAt', 'event_rest')

/** Events that happened long after their id was made, and those of deliveries that have been queued again. */
export const eventsToKeep: RowsToKeep = (part, { from, to }) => `
  SELECT ctid FROM ${part} WHERE occurred_at > $1::timestamptz
  UNION
  SELECT v.ctid FROM webhook_endpoint e
  CROSS JOIN LATERAL (SELECT event_id FROM webhook_delivery WHERE endpoint_id = e.id AND event_id >= '${from}'
    AND event_id < '${to}' AND status = 'PENDING' AND next_attempt_at > $1::timestamptz) d
  JOIN ${part} v ON v.id = d.event_id`
