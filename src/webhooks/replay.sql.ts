/** Statements that queue deliveries by hand. */

import { Prisma, type WebhookEndpoint } from '../generated/prisma/client.ts'
import { returns, statement } from '../kit/database/statement.ts'
import { type EventData, emit } from '../kit/streams/events.ts'
import { webhookTested } from './webhook.events.ts'

type Period = {
  from: Date
  to: Date
  /** Only events after this one. */
  after: string | null
  failedOnly: boolean
  limit: number
  now: Date
}

/**
 * Queues the events of a period again, oldest first. Skips deliveries that are already queued. Returns the number of
 * events found, the number queued, and the last event found.
 */
export const queueEvents = statement(
  'replay_events',
  returns({ found: 'int', queued: 'int', last: 'uuid?', notified: 'text' }),
  (
    { id, partnerId, environment, events }: WebhookEndpoint,
    { from, to, after, failedOnly, limit, now }: Period,
  ) => Prisma.sql`
    WITH chosen AS MATERIALIZED (
      SELECT e.id, e.type, e.occurred_at FROM event e
      WHERE e.partner_id = ${partnerId}::uuid AND e.environment = ${environment}::"Environment"
        AND e.occurred_at >= ${from}::timestamptz AND e.occurred_at < ${to}::timestamptz
        AND e.type <> 'test'
        AND (${after}::uuid IS NULL OR (e.occurred_at, e.id) > (
          SELECT occurred_at, id FROM event WHERE id = ${after}::uuid
            AND partner_id = ${partnerId}::uuid AND environment = ${environment}::"Environment"))
        AND event_patterns(e.type) && ${events}::text[]
        AND (NOT ${failedOnly}::boolean OR EXISTS (SELECT FROM webhook_delivery d
          WHERE d.endpoint_id = ${id}::uuid AND d.event_id = e.id AND d.status = 'FAILED'))
      ORDER BY e.occurred_at, e.id LIMIT ${limit}::int
    ), queued AS (
      INSERT INTO webhook_delivery AS d (partner_id, environment, endpoint_id, event_id, event_type,
        next_attempt_at, created_at)
      SELECT ${partnerId}::uuid, ${environment}::"Environment", ${id}::uuid, id, type,
        ${now}::timestamptz, occurred_at FROM chosen ORDER BY id
      ON CONFLICT (endpoint_id, event_id) DO UPDATE SET status = 'PENDING', tries = 0,
        next_attempt_at = excluded.next_attempt_at, finished_at = NULL
        WHERE d.status <> 'PENDING'
      RETURNING 1
    )
    SELECT (SELECT count(*) FROM chosen)::int AS found, (SELECT count(*) FROM queued)::int AS queued,
      (SELECT id FROM chosen ORDER BY occurred_at DESC, id DESC LIMIT 1) AS last,
      pg_notify('tessera', 'delivery')::text AS notified`,
)

/** Writes a `test` event and its delivery to one endpoint. */
export const insertTest = statement(
  'send_test_webhook',
  returns({ notified: 'text' }),
  (
    { id, partnerId, environment }: WebhookEndpoint,
    { eventId, deliveryId, now }: { eventId: string; deliveryId: string; now: Date },
  ) => {
    const data: EventData<typeof webhookTested> = { endpointId: id, message: 'This is a test' }
    return Prisma.sql`
      WITH happened AS (
        ${emit(
          webhookTested,
          Prisma.sql`SELECT ${eventId}::uuid AS id, ${partnerId}::uuid AS partner_id,
            ${environment}::"Environment" AS environment, ${JSON.stringify(data)}::json AS data,
            ${now}::timestamptz AS occurred_at`,
        )}
      )
      INSERT INTO webhook_delivery (id, partner_id, environment, endpoint_id, event_id, event_type,
        next_attempt_at, created_at)
      VALUES (${deliveryId}::uuid, ${partnerId}::uuid, ${environment}::"Environment", ${id}::uuid,
        ${eventId}::uuid, ${webhookTested.type}, ${now}::timestamptz, ${now}::timestamptz)
      RETURNING pg_notify('tessera', 'delivery')::text AS notified`
  },
)
