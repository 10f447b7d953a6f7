import type { Runtime, Work } from '../core/runtime.ts'
import { bindTo, unseal } from '../core/seal.ts'
import { bodyOf } from '../core/signature.ts'
import type { Tenant } from '../core/tenant.ts'
import { secretPurpose } from './endpoint.ts'
import {
  type AttemptResult,
  defaultRetrySeconds,
  disableAfterMs,
  judgeAttempt,
} from './retry.rules.ts'

/** A delivery that this node is to attempt now. */
export type ClaimedDelivery = {
  id: string
  endpointId: string
  eventId: string
  type: string
  body: string
  tries: number
  url: string
  secret: string
  /** For a day after a rotation. */
  previousSecret: string | null
  /** Whether the endpoint has failed since its last success. */
  failing: boolean
}

/**
 * How long a claimed delivery is this node's: longer than an attempt may take, and short enough that
 * another node has it within 35 seconds when this one is killed.
 */
const leaseMs = 25_000

/** Attempts of one endpoint at the same time: many while it answers, few while it fails. */
const endpointLimit = { healthy: 20, failing: 2 }

type ClaimedRow = Omit<ClaimedDelivery, 'body' | 'secret' | 'previousSecret'> &
  Tenant & {
    data: string
    occurredAt: Date
    secret: Uint8Array
    previousSecret: Uint8Array | null
  }

type ClaimOptions = {
  room: number
  /** Of which for endpoints that fail, so that dead ones never take all the room. */
  failingRoom: number
  /** What this node has under way, by endpoint. */
  busy: ReadonlyMap<string, number>
}

/**
 * Takes up to `room` deliveries that are due, a few of each endpoint, so that one that is slow or dead
 * keeps none of the others waiting. Those of a closed partner wait until it is opened again.
 */
export const claimDeliveries = async (
  { db, clock, config, log }: Pick<Runtime, 'db' | 'clock' | 'config' | 'log'>,
  { room, failingRoom, busy }: ClaimOptions,
): Promise<ClaimedDelivery[]> => {
  const now = clock()
  const rows = await db.$queryRaw<ClaimedRow[]>`/* claim_deliveries */
    WITH RECURSIVE waiting AS (
      (SELECT endpoint_id FROM webhook_delivery WHERE status = 'PENDING'
        ORDER BY endpoint_id LIMIT 1)
      UNION ALL
      SELECT (SELECT d.endpoint_id FROM webhook_delivery d
        WHERE d.status = 'PENDING' AND d.endpoint_id > w.endpoint_id
        ORDER BY d.endpoint_id LIMIT 1)
      FROM waiting w WHERE w.endpoint_id IS NOT NULL
    ), due AS MATERIALIZED (
      SELECT d.id, e.failing_since IS NOT NULL AS failing FROM waiting w
      JOIN webhook_endpoint e ON e.id = w.endpoint_id AND e.status = 'ACTIVE'
      JOIN partner p ON p.id = e.partner_id AND p.closed_at IS NULL
      LEFT JOIN jsonb_each_text(${JSON.stringify(Object.fromEntries(busy))}::jsonb) b
        ON b.key = e.id::text
      CROSS JOIN LATERAL (
        SELECT id FROM webhook_delivery
        WHERE endpoint_id = e.id AND status = 'PENDING' AND next_attempt_at <= ${now}::timestamptz
        ORDER BY next_attempt_at
        LIMIT greatest(0, CASE WHEN e.failing_since IS NULL THEN ${endpointLimit.healthy}::int
          ELSE ${endpointLimit.failing}::int END - coalesce(b.value::int, 0))
        FOR UPDATE SKIP LOCKED) d
    ), chosen AS (
      SELECT id FROM (SELECT id, failing, row_number() OVER (PARTITION BY failing) AS nth FROM due) d
      WHERE NOT failing OR nth <= ${failingRoom}::int
      ORDER BY failing LIMIT ${room}::int
    ), claimed AS (
      UPDATE webhook_delivery d
      SET next_attempt_at = ${new Date(now.getTime() + leaseMs)}::timestamptz
      FROM chosen WHERE d.id = chosen.id
      RETURNING d.id, d.endpoint_id, d.event_id, d.tries
    )
    SELECT c.id, c.endpoint_id AS "endpointId", c.event_id AS "eventId", c.tries, v.type,
      v.data::text AS data, v.occurred_at AS "occurredAt", e.url,
      e.partner_id AS "partnerId", e.environment, e.secret,
      CASE WHEN e.previous_secret_until > ${now}::timestamptz THEN e.previous_secret END
        AS "previousSecret", e.failing_since IS NOT NULL AS failing
    FROM claimed c JOIN webhook_endpoint e ON e.id = c.endpoint_id JOIN event v ON v.id = c.event_id
    ORDER BY c.event_id`
  return rows.flatMap((claimed) => {
    const { data, occurredAt, secret, previousSecret, partnerId, environment, ...row } = claimed
    const binding = bindTo({ partnerId, environment, id: row.endpointId }, secretPurpose)
    const open = (sealed: Uint8Array) => unseal(config.masterKeys, binding, sealed)
    try {
      return {
        ...row,
        body: bodyOf({ type: row.type, data, occurredAt }),
        secret: open(secret),
        previousSecret: previousSecret && open(previousSecret),
      }
    } catch (err) {
      // It waits for its lease, and the others do not wait for it.
      log.error({ err, endpointId: row.endpointId }, 'the secret of an endpoint cannot be read')
      return []
    }
  })
}

/** An attempt that was made. */
export type Attempt = AttemptResult & {
  delivery: Pick<ClaimedDelivery, 'id' | 'endpointId' | 'tries'>
  startedAt: Date
  durationMs: number
  /** The beginning of the answer. */
  responseBody: string | null
  /** Why there was no answer. */
  error: string | null
}

const disabledBecause = {
  gone: 'The receiver answered 410 Gone',
  failing: 'Nothing was accepted for 120 hours',
}

/** Chances are whole numbers below this. */
const chanceSteps = 1_000_000

/**
 * Writes down attempts and what follows from them: done, another try, or given up; and of their
 * endpoints, whether they fail, and for how long. One statement for the whole list. Two attempts of
 * one delivery may overlap, when it is sent again by hand: both are kept, and a success is not undone.
 */
export const createAttemptWriter = ({
  webhookRetrySeconds: schedule = defaultRetrySeconds,
}: Runtime['config']) => {
  const recordAttempts = async (
    { tx, clock, random }: Work,
    attempts: Attempt[],
  ): Promise<null[]> => {
    const now = clock()
    const rows = attempts.map((attempt) => {
      const { id, endpointId, tries } = attempt.delivery
      const chance = random.int(chanceSteps) / chanceSteps
      const verdict = judgeAttempt(attempt, tries + 1, schedule, chance)
      return {
        id,
        endpoint_id: endpointId,
        tries: tries + 1,
        status: verdict.status,
        gone: verdict.status === 'FAILED' && verdict.gone,
        next_attempt_at:
          verdict.status === 'PENDING'
            ? new Date(now.getTime() + verdict.delaySeconds * 1000)
            : now,
        started_at: attempt.startedAt,
        duration_ms: attempt.durationMs,
        response_status: attempt.responseStatus,
        response_body: attempt.responseBody,
        error: attempt.error,
      }
    })
    await tx.$executeRaw`/* record_attempts */
      WITH input AS MATERIALIZED (
        SELECT *, row_number() OVER (PARTITION BY id ORDER BY started_at) AS nth
        FROM json_to_recordset(${JSON.stringify(rows)}::json) AS i (id uuid, endpoint_id uuid,
          tries int, status "WebhookDeliveryStatus", gone boolean, next_attempt_at timestamptz,
          started_at timestamptz, duration_ms int, response_status int, response_body text,
          error text)
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
        FROM outcome o WHERE d.id = o.id AND d.id = ANY (${rows.map(({ id }) => id)}::uuid[])
        RETURNING d.id, d.attempts - o.made AS before
      ), endpoint AS (
        UPDATE webhook_endpoint e SET
          failing_since = CASE WHEN NOT h.accepted
            THEN coalesce(e.failing_since, ${now}::timestamptz) END,
          status = CASE WHEN h.gone OR (NOT h.accepted AND e.failing_since
              <= ${new Date(now.getTime() - disableAfterMs)}::timestamptz)
            THEN 'DISABLED' ELSE e.status END,
          disabled_reason = CASE WHEN h.gone THEN ${disabledBecause.gone}::text
            WHEN NOT h.accepted AND e.failing_since
              <= ${new Date(now.getTime() - disableAfterMs)}::timestamptz
            THEN ${disabledBecause.failing}::text ELSE e.disabled_reason END
        FROM (SELECT endpoint_id, bool_or(status = 'DELIVERED') AS accepted, bool_or(gone) AS gone
          FROM input GROUP BY endpoint_id) h
        WHERE e.id = h.endpoint_id AND NOT (h.accepted AND e.failing_since IS NULL AND NOT h.gone)
      )
      INSERT INTO webhook_attempt (delivery_id, number, started_at, duration_ms, response_status,
        response_body, error)
      SELECT id, d.before + i.nth, i.started_at, i.duration_ms, i.response_status, i.response_body,
        i.error
      FROM input i JOIN delivery d USING (id)`
    return attempts.map(() => null)
  }
  return recordAttempts
}
