/** Sends due deliveries, each as one signed POST, many at the same time. */
import { performance } from 'node:perf_hooks'
import type { Dispatcher } from 'undici'
import { createOutgoingClient } from '../kit/http/outgoing-client.ts'
import { createFailureLog } from '../kit/observability/log.ts'
import type { SpanParts } from '../kit/observability/tracing.ts'
import type { Runtime } from '../kit/runtime.ts'
import { ForbiddenAddressError } from '../kit/security/address.ts'
import { headersOf } from '../kit/security/signature.ts'
import { isStorable } from '../kit/validation.ts'
import {
  type Attempt,
  type ClaimedDelivery,
  claimDeliveries,
  createAttemptWriter,
} from './delivery.ts'
import { readRetryAfter } from './retry.rules.ts'

/** The time limit of one attempt, from the DNS lookup to the end of the response. */
const timeoutMs = 15_000
const maxAnswerBytes = 64 * 1024
const keptCharacters = 1024
/** The most concurrent attempts on this node. */
const maxInFlight = 500
/** How often a node checks for due deliveries, besides notifications. */
const pollMs = 1_000
/** Above this share of busy time, requests have priority over deliveries. */
const busyLoop = 0.8
const yieldMs = 200

/** The first part of a response, as text that can be stored. The rest is not read. */
const readAnswer = async (body: Dispatcher.ResponseData['body']): Promise<string> => {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of body as AsyncIterable<Buffer>) {
    parts.push(part)
    size += part.length
    if (size > maxAnswerBytes) break
  }
  const text = Buffer.concat(parts).toString('utf8').replaceAll('\0', '').slice(0, keptCharacters)
  return isStorable(text) ? text : text.slice(0, -1)
}

/** The reason for a missing response, for the owner of the endpoint. It reveals nothing of our network. */
const explain = (error: unknown): string => {
  const { name, code, message } = error as { name?: string; code?: string; message?: string }
  if (error instanceof ForbiddenAddressError) return error.message
  if (name === 'TimeoutError' || name === 'AbortError' || code?.includes('TIMEOUT'))
    return `No answer within ${timeoutMs / 1000} seconds`
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'The name of the host cannot be resolved'
    case 'ECONNREFUSED':
      return 'The connection was refused'
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
      return 'The connection was broken off'
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return 'The host cannot be reached'
    default:
      return code?.startsWith('ERR_TLS') || /certificate|SSL|TLS/i.test(message ?? '')
        ? 'The TLS certificate was not accepted'
        : 'The request failed'
  }
}

type Sender = {
  attempt(delivery: ClaimedDelivery): Promise<Attempt>
  close(): Promise<void>
}

/** Makes single attempts, and reuses connections. Redirects are not followed. */
const createSender = ({ clock, config, tracing }: Runtime): Sender => {
  const client = createOutgoingClient(config, { connectMs: timeoutMs, keepAliveTimeout: 10_000 })
  const traceHeaders = () => {
    const span = tracing?.current()
    return span && tracing?.headersOf(span)
  }
  return {
    attempt: async (delivery) => {
      const startedAt = clock()
      const started = performance.now()
      const attempt: Attempt = {
        delivery,
        startedAt,
        durationMs: 0,
        responseStatus: null,
        responseBody: null,
        retryAfterSeconds: null,
        error: null,
      }
      try {
        const timestamp = Math.floor(startedAt.getTime() / 1000)
        const { statusCode, headers, body } = await client.request(delivery.url, {
          method: 'POST',
          headers: { ...headersOf({ ...delivery, timestamp }), ...traceHeaders() },
          body: delivery.body,
          signal: AbortSignal.timeout(timeoutMs),
        })
        attempt.responseStatus = statusCode
        const retryAfter = headers['retry-after']
        attempt.retryAfterSeconds = readRetryAfter([retryAfter].flat()[0], startedAt)
        attempt.responseBody = await readAnswer(body)
      } catch (error) {
        // A response with an incomplete body is still a response.
        if (attempt.responseStatus === null) attempt.error = explain(error)
      }
      attempt.durationMs = Math.round(performance.now() - started)
      return attempt
    },
    close: client.close,
  }
}

/** Counts the deliveries in progress: all, those of failing endpoints, and those of each endpoint. */
const createLoad = () => {
  const busy = new Map<string, number>()
  const load = {
    busy,
    inFlight: 0,
    failingInFlight: 0,
    count: ({ endpointId, failing }: ClaimedDelivery, change: number) => {
      if (failing) load.failingInFlight += change
      const number = (busy.get(endpointId) ?? 0) + change
      if (number > 0) busy.set(endpointId, number)
      else busy.delete(endpointId)
      load.inFlight += change
    },
  }
  return load
}

/** A sleep that can be ended early. */
const createAlarm = () => {
  const alarm = {
    ring: () => {},
    sleep: (ms: number) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        alarm.ring = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
  }
  return alarm
}

/** Pauses when the event loop was busy since the last call. */
const createBackOff = () => {
  let before = performance.eventLoopUtilization()
  return async () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    if (utilization > busyLoop) await new Promise((resolve) => setTimeout(resolve, yieldMs))
  }
}

/** Waits until no delivery is in progress, at most five seconds. */
const untilSent = async (load: { inFlight: number }) => {
  const deadline = Date.now() + 5_000
  while (load.inFlight > 0 && Date.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 20))
}

/** Makes attempts and records them. */
const createAttempt = (runtime: Runtime, sender: Sender) => {
  const recordAttempts = createAttemptWriter(runtime.config)
  return async (delivery: ClaimedDelivery): Promise<Attempt> => {
    const attempt = await sender.attempt(delivery)
    runtime.metrics.webhookAttempts.inc({ status: attempt.responseStatus ?? 0 })
    await runtime.write(recordAttempts, attempt)
    return attempt
  }
}

/** Makes an attempt in a child span of the one that wrote the event. The receiver gets the child's `traceparent`. */
const tracedDelivery = async (
  { tracing }: Runtime,
  { type, endpointId, eventId, traceParent }: ClaimedDelivery,
  deliver: () => Promise<Attempt>,
): Promise<unknown> => {
  if (!tracing) return deliver()
  const attributes = { 'tessera.endpoint.id': endpointId, 'tessera.event.id': eventId }
  const parent = tracing.parentIn({ traceparent: traceParent }) ?? null
  const parts: SpanParts = { name: `webhook ${type}`, kind: 'CLIENT', parent, attributes }
  return tracing.span(parts, async (span) => {
    const { responseStatus } = await deliver()
    span.setAttribute('http.response.status_code', responseStatus ?? 0)
    const isTaken = responseStatus !== null && responseStatus >= 200 && responseStatus < 300
    if (!isTaken) tracing.fail(span, responseStatus === null ? 'no answer' : String(responseStatus))
  })
}

/**
 * Sends deliveries until it is stopped. It checks for work on notifications, after each attempt, and once a second.
 * While requests keep this process busy, it slows down.
 */
export const startDeliveries = (runtime: Runtime): (() => Promise<void>) => {
  const { log, pubsub } = runtime
  const sender = createSender(runtime)
  const attempt = createAttempt(runtime, sender)
  const load = createLoad()
  const backOff = createBackOff()
  const alarm = createAlarm()
  let stopped = false
  let news = true
  const look = () => {
    news = true
    alarm.ring()
  }
  const unsubscribe = pubsub.on('delivery', look)

  const deliver = async (delivery: ClaimedDelivery) => {
    load.count(delivery, 1)
    try {
      await tracedDelivery(runtime, delivery, () => attempt(delivery))
    } catch (err) {
      // The lease expires, and the delivery is attempted again.
      log.warn({ err }, 'an attempt could not be recorded')
    }
    load.count(delivery, -1)
    if ((load.busy.get(delivery.endpointId) ?? 0) % 8 === 0) look()
  }

  const logFailure = createFailureLog(log, 'could not look for deliveries')
  const run = async () => {
    while (!stopped) {
      if (!news) await alarm.sleep(pollMs)
      news = false
      if (stopped || load.inFlight >= maxInFlight) continue
      try {
        const claimed = await claimDeliveries(runtime, {
          room: maxInFlight - load.inFlight,
          failingRoom: Math.max(0, maxInFlight / 2 - load.failingInFlight),
          busy: load.busy,
        })
        for (const delivery of claimed) void deliver(delivery)
      } catch (err) {
        logFailure(err)
        await alarm.sleep(pollMs)
      }
      await backOff()
    }
  }
  const running = run()

  return async () => {
    stopped = true
    unsubscribe()
    alarm.ring()
    await running
    await untilSent(load)
    await sender.close()
  }
}
