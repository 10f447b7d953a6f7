import { Prisma } from '../generated/prisma/client.ts'
import { type DeleteExpired, planned } from '../kit/database/expired-rows.sql.ts'
import {
  columnsOf,
  type ItemsOf,
  inputRows,
  returns,
  returnsModel,
  returnsNothing,
  statement,
} from '../kit/database/statement.ts'

type Claim = {
  now: Date
  leaseUntil: Date
  /** Deliveries to claim. */
  room: number
  /** The most deliveries of failing endpoints. */
  failingRoom: number
  /** The most concurrent attempts per endpoint. */
  limit: { healthy: number; failing: number }
  /** Attempts in progress, by endpoint. */
  busy: ReadonlyMap<string, number>
}

/** The endpoints that have pending deliveries, as the recursive table `waiting`: a step in the index for each. */
const waitingEndpoints = Prisma.sql`waiting AS (
      (SELECT endpoint_id FROM webhook_delivery WHERE status = 'PENDING'
        ORDER BY endpoint_id LIMIT 1)
      UNION ALL
      SELECT (SELECT d.endpoint_id FROM webhook_delivery d
        WHERE d.status = 'PENDING' AND d.endpoint_id > w.endpoint_id
        ORDER BY d.endpoint_id LIMIT 1)
      FROM waiting w WHERE w.endpoint_id IS NOT NULL
    )`

/** Claims due deliveries, a few per endpoint. */
export const claimDue = statement(
  'claim_deliveries',
  returns({
    id: 'uuid',
    endpointId: 'uuid',
    eventId: 'uuid',
    tries: 'int',
    type: 'text',
    data: 'text',
    occurredAt: 'timestamptz',
    url: 'text',
    partnerId: 'uuid',
    environment: 'Environment',
    secret: 'bytea',
    previousSecret: 'bytea?',
    failing: 'boolean',
    traceParent: 'text?',
  }),
  ({ now, leaseUntil, room, failingRoom, limit, busy }: Claim) => Prisma.sql`
    WITH RECURSIVE ${waitingEndpoints}, due AS MATERIALIZED (
      SELECT d.id, e.failing_since IS NOT NULL AS failing FROM waiting w
      JOIN webhook_endpoint e ON e.id = w.endpoint_id AND e.status = 'ACTIVE'
      JOIN partner p ON p.id = e.partner_id AND p.closed_at IS NULL
      LEFT JOIN jsonb_each_text(${JSON.stringify(Object.fromEntries(busy))}::jsonb) b
        ON b.key = e.id::text
      CROSS JOIN LATERAL (
        SELECT id FROM webhook_delivery
        WHERE endpoint_id = e.id AND status = 'PENDING' AND next_attempt_at <= ${now}::timestamptz
        ORDER BY next_attempt_at
        LIMIT greatest(0, CASE WHEN e.failing_since IS NULL THEN ${limit.healthy}::int
          ELSE ${limit.failing}::int END - coalesce(b.value::int, 0))
        FOR NO KEY UPDATE SKIP LOCKED) d
    ), chosen AS (
      SELECT id FROM (SELECT id, failing, row_number() OVER (PARTITION BY failing) AS nth FROM due) d
      WHERE NOT failing OR nth <= ${failingRoom}::int
      ORDER BY failing LIMIT ${room}::int
    ), claimed AS (
      UPDATE webhook_delivery d SET next_attempt_at = ${leaseUntil}::timestamptz
      FROM chosen WHERE d.id = chosen.id
      RETURNING d.id, d.endpoint_id, d.event_id, d.tries
    )
    SELECT c.id, c.endpoint_id AS "endpointId", c.event_id AS "eventId", c.tries, v.type,
      v.data::text AS data, v.occurred_at AS "occurredAt", e.url,
      e.partner_id AS "partnerId", e.environment, e.secret,
      CASE WHEN e.previous_secret_until > ${now}::timestamptz THEN e.previous_secret END
        AS "previousSecret", e.failing_since IS NOT NULL AS failing, v.trace_parent AS "traceParent"
    FROM claimed c JOIN webhook_endpoint e ON e.id = c.endpoint_id JOIN event v ON v.id = c.event_id
    ORDER BY c.event_id`,
)

const attemptRows = inputRows({
  id: 'uuid',
  endpointId: 'uuid',
  tries: 'int',
  status: 'WebhookDeliveryStatus',
  gone: 'boolean',
  nextAttemptAt: 'timestamptz',
  startedAt: 'timestamptz',
  durationMs: 'int',
  responseStatus: 'int?',
  responseBody: 'text?',
  error: 'text?',
})

/** An attempt to record. */
export type AttemptRow = ItemsOf<typeof attemptRows>[number]

/**
 * Writes attempts, and updates their deliveries and endpoints. Disables an endpoint that answered 410, or that has
 * failed since `failingBefore` or longer.
 */
export const insertAttempts = statement(
  'record_attempts',
  returnsNothing,
  (
    attempts: AttemptRow[],
    { now, failingBefore }: { now: Date; failingBefore: Date },
    reason: { gone: string; failing: string },
  ) => Prisma.sql`
    WITH input AS MATERIALIZED (
      SELECT *, row_number() OVER (PARTITION BY id ORDER BY started_at) AS nth
      FROM ${attemptRows(attempts)}
    ), outcome AS (
      SELECT DISTINCT ON (id) *, count(*) OVER (PARTITION BY id)::int AS made FROM input
      ORDER BY id, status <> 'DELIVERED', started_at DESC
    ), delivery AS (
      UPDATE webhook_delivery d SET attempts = d.attempts + o.made,
        (status, tries, next_attempt_at, response_status, finished_at) = (
          SELECT o.status, o.tries, o.next_attempt_at, o.response_status,
            CASE WHEN o.status <> 'PENDING' THEN ${now}::timestamptz END
          WHERE d.status = 'PENDING' OR (d.status = 'FAILED' AND o.status = 'DELIVERED')
          UNION ALL
          SELECT d.status, d.tries, d.next_attempt_at, d.response_status, d.finished_at
          WHERE NOT (d.status = 'PENDING' OR (d.status = 'FAILED' AND o.status = 'DELIVERED')))
      FROM outcome o WHERE d.id = o.id AND d.id = ANY (${attempts.map(({ id }) => id)}::uuid[])
      RETURNING d.id, d.attempts - o.made AS before
    ), health AS MATERIALIZED (
      SELECT endpoint_id, bool_or(status = 'DELIVERED') AS accepted, bool_or(gone) AS gone
      FROM input GROUP BY endpoint_id
    ), changed AS MATERIALIZED (
      SELECT e.id FROM webhook_endpoint e JOIN health h ON h.endpoint_id = e.id
      WHERE NOT (h.accepted AND e.failing_since IS NULL AND NOT h.gone)
      ORDER BY e.id FOR NO KEY UPDATE OF e
    ), endpoint AS (
      UPDATE webhook_endpoint e SET
        failing_since = CASE WHEN NOT h.accepted
          THEN coalesce(e.failing_since, ${now}::timestamptz) END,
        status = CASE WHEN h.gone
            OR (NOT h.accepted AND e.failing_since <= ${failingBefore}::timestamptz)
          THEN 'DISABLED' ELSE e.status END,
        disabled_reason = CASE WHEN h.gone THEN ${reason.gone}::text
          WHEN NOT h.accepted AND e.failing_since <= ${failingBefore}::timestamptz
          THEN ${reason.failing}::text ELSE e.disabled_reason END
      FROM health h JOIN changed c ON c.id = h.endpoint_id
      WHERE e.id = h.endpoint_id AND NOT (h.accepted AND e.failing_since IS NULL AND NOT h.gone)
    )
    INSERT INTO webhook_attempt (delivery_id, number, started_at, duration_ms, response_status,
      response_body, error)
    SELECT id, d.before + i.nth, i.started_at, i.duration_ms, i.response_status, i.response_body,
      i.error
    FROM input i JOIN delivery d USING (id)`,
)

/** The newest attempts of deliveries, newest first. */
export const selectAttempts = statement(
  'find_attempts',
  returnsModel('WebhookAttempt'),
  (deliveryIds: string[], limit: number) => Prisma.sql`
    SELECT ${columnsOf('WebhookAttempt', 'a')}
    FROM unnest(${deliveryIds}::uuid[]) d(id) CROSS JOIN LATERAL (
      SELECT * FROM webhook_attempt WHERE delivery_id = d.id
      ORDER BY number DESC LIMIT ${limit}::int) a`,
)

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

/** Deletes old deliveries, and all deliveries of deleted endpoints. Finds those of each endpoint by index. */
export const deleteExpiredDeliveries: DeleteExpired = statement(
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
export const deleteEndpoints: DeleteExpired = statement(
  'forget_endpoints',
  returnsNothing,
  (deletedBefore: Date, most: number) => Prisma.sql`
    DELETE FROM webhook_endpoint WHERE id IN (
      SELECT id FROM webhook_endpoint e WHERE deleted_at < ${deletedBefore}::timestamptz
        AND NOT EXISTS (SELECT FROM webhook_delivery d WHERE d.endpoint_id = e.id)
      LIMIT ${most}::int)`,
)
