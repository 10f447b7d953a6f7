/** Deletes old events outside the monthly partitions, and finds events to keep although their month has expired. */
import type { StillKept } from '../kit/database/months.ts'
import { deleteOldBy } from '../kit/database/old-rows.sql.ts'

/** Deletes old events outside the monthly partitions. Other events are dropped with their partition. */
export const deleteOldEvents = deleteOldBy('Event', 'occurredAt', 'event_rest')

/** Events that happened long after their id was made, and those of deliveries that have been queued again. */
export const eventsStillKept: StillKept = (part, { from, to }) => `
  SELECT ctid FROM ${part} WHERE occurred_at > $1::timestamptz
  UNION
  SELECT v.ctid FROM webhook_endpoint e
  CROSS JOIN LATERAL (SELECT event_id FROM webhook_delivery WHERE endpoint_id = e.id AND event_id >= '${from}'
    AND event_id < '${to}' AND status = 'PENDING' AND next_attempt_at > $1::timestamptz) d
  JOIN ${part} v ON v.id = d.event_id`
