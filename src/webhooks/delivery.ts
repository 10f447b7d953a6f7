import { cachedFor } from '../kit/clock.ts'
import { exportGauge } from '../kit/observability/metrics.ts'
import type { Runtime, Work } from '../kit/runtime.ts'
import { bindTo, unseal } from '../kit/security/seal.ts'
import { bodyOf } from '../kit/security/signature.ts'
import {
  type AttemptRow,
  claimDue,
  insertAttempts,
  mostCounted,
  selectBacklog,
} from './delivery.sql.ts'
import { secretPurpose } from './endpoint.ts'
import {
  type AttemptResult,
  defaultRetrySeconds,
  disableAfterMs,
  judgeAttempt,
} from './retry.rules.ts'

/** A delivery for this node to attempt. */
export type ClaimedDelivery = {
  id: string
  endpointId: string
  eventId: string
  type: string
  body: string
  tries: number
  url: string
  secret: string
  /** The previous secret, for a day after a rotation. */
  previousSecret: string | null
  /** Whether the endpoint has failed since its last success. */
  failing: boolean
  /** The span that wrote the event, as the header `traceparent`. */
  traceParent: string | null
}

/**
 * How long a claimed delivery belongs to this node. Longer than an attempt may take, and short enough that another
 * node takes the delivery within 35 seconds if this node is killed.
 */
const leaseMs = 25_000

/** The most concurrent attempts per endpoint: many while it answers, few while it fails. */
const endpointLimit = { healthy: 20, failing: 2 }

type ClaimOptions = {
  /** The most deliveries to claim. */
  room: number
  /** The most deliveries of failing endpoints, so that they never take all places. */
  failingRoom: number
  /** Attempts in progress on this node, by endpoint. */
  busy: ReadonlyMap<string, number>
}

/**
 * Claims up to `room` due deliveries, a few per endpoint, so that a slow or dead endpoint does not delay the others.
 * Deliveries of a closed partner wait until the partner is reopened.
 */
export const claimDeliveries = async (
  { db, clock, keys, log }: Pick<Runtime, 'db' | 'clock' | 'keys' | 'log'>,
  { room, failingRoom, busy }: ClaimOptions,
): Promise<ClaimedDelivery[]> => {
  const now = clock()
  const rows = await claimDue(db, {
    now,
    room,
    failingRoom,
    busy,
    leaseUntil: new Date(now.getTime() + leaseMs),
    limit: endpointLimit,
  })
  return rows.flatMap((claimed) => {
    const { data, occurredAt, secret, previousSecret, partnerId, environment, ...row } = claimed
    const binding = bindTo({ partnerId, environment, id: row.endpointId }, secretPurpose)
    const open = (sealed: Uint8Array) => unseal(keys.master, binding, sealed)
    try {
      return {
        ...row,
        body: bodyOf({ type: row.type, data, occurredAt }),
        secret: open(secret),
        previousSecret: previousSecret && open(previousSecret),
      }
    } catch (err) {
      // It is claimed again when its lease ends.
      log.error({ err, endpointId: row.endpointId }, 'the secret of an endpoint cannot be read')
      return []
    }
  })
}

export type Attempt = AttemptResult & {
  delivery: Pick<ClaimedDelivery, 'id' | 'endpointId' | 'tries'>
  startedAt: Date
  durationMs: number
  /** The first part of the response. */
  responseBody: string | null
  /** Why there was no response. */
  error: string | null
}

export const disabledBecause = {
  gone: 'The receiver answered 410 Gone',
  failing: 'Nothing was accepted for 120 hours',
}

const chanceSteps = 1_000_000

/**
 * Records attempts and their consequences: the delivery succeeded, is retried, or failed, and whether its endpoint
 * fails. One statement for the whole list. Two attempts of one delivery may overlap when it is resent by hand. Both
 * are recorded, and a success is not undone.
 */
export const createAttemptWriter = ({
  webhookRetrySeconds: schedule = defaultRetrySeconds,
}: Runtime['config']) => {
  const recordAttempts = async (
    { tx, clock, random }: Work,
    attempts: Attempt[],
  ): Promise<null[]> => {
    const now = clock()
    const rows = attempts.map((attempt): AttemptRow => {
      const { id, endpointId, tries } = attempt.delivery
      const chance = random.int(chanceSteps) / chanceSteps
      const verdict = judgeAttempt(attempt, tries + 1, schedule, chance)
      const delayMs = verdict.status === 'PENDING' ? verdict.delaySeconds * 1000 : 0
      return {
        id,
        endpointId,
        tries: tries + 1,
        status: verdict.status,
        gone: verdict.status === 'FAILED' && verdict.gone,
        nextAttemptAt: new Date(now.getTime() + delayMs),
        startedAt: attempt.startedAt,
        durationMs: attempt.durationMs,
        responseStatus: attempt.responseStatus,
        responseBody: attempt.responseBody,
        error: attempt.error,
      }
    })
    const failingBefore = new Date(now.getTime() - disableAfterMs)
    await insertAttempts(tx, rows, { now, failingBefore }, disabledBecause)
    return attempts.map(() => null)
  }
  return recordAttempts
}

/** Both metrics are read by one statement. */
const keptMs = 500

export const measureBacklog = ({ db, clock, metrics: { registry } }: Runtime): void => {
  const look = cachedFor(keptMs, async () => {
    const [row] = await selectBacklog(db, clock())
    return row ?? { pending: Number.NaN, dueSeconds: Number.NaN }
  })
  exportGauge(
    registry,
    {
      name: 'tessera_webhook_pending',
      help: `Deliveries of all nodes that wait for an attempt, first or repeated; ${mostCounted} for more`,
    },
    async () => [[{}, (await look()).pending]],
  )
  exportGauge(
    registry,
    {
      name: 'tessera_webhook_oldest_due_seconds',
      help: 'How long the first due delivery to an endpoint that does not fail has been waiting for a node; 0 if none is due',
    },
    async () => [[{}, (await look()).dueSeconds]],
  )
}
