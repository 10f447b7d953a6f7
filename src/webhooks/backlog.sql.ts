/** The statement that measures the backlog of deliveries. */

import { Prisma } from '../generated/prisma/client.ts'
import { returns, statement } from '../kit/database/statement.ts'
import { waitingEndpoints } from './delivery.sql.ts'

/** Counting stops here, so that it takes a few milliseconds at most. */
export const mostCounted = 10_000

/**
 * Pending deliveries, and the seconds since the oldest became due. The latter excludes deliveries that nobody would
 * send, and those to failing endpoints, which get few attempts at a time.
 */
export const selectBacklog = statement(
  'webhook_backlog',
  returns({ pending: 'int', dueSeconds: 'float8' }),
  (now: Date) => Prisma.sql`
    WITH RECURSIVE ${waitingEndpoints}, first AS (
      SELECT d.next_attempt_at FROM waiting w
      JOIN webhook_endpoint e ON e.id = w.endpoint_id AND e.status = 'ACTIVE' AND e.failing_since IS NULL
      JOIN partner p ON p.id = e.partner_id AND p.closed_at IS NULL
      CROSS JOIN LATERAL (
        SELECT next_attempt_at FROM webhook_delivery
        WHERE endpoint_id = e.id AND status = 'PENDING' ORDER BY next_attempt_at LIMIT 1) d
    )
    SELECT (SELECT count(*)::int FROM (
        SELECT FROM webhook_delivery WHERE status = 'PENDING'
        ORDER BY endpoint_id, next_attempt_at LIMIT ${mostCounted}::int) c) AS pending,
      greatest(0, coalesce(extract(epoch FROM ${now}::timestamptz - min(next_attempt_at)), 0))::float8
        AS "dueSeconds"
    FROM first`,
)
