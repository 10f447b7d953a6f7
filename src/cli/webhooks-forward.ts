/** Sends events to a receiver on this machine, signed and retried as the server does it, and shows each attempt in a line. */
import { setTimeout as sleep } from 'node:timers/promises'
import { styleText } from 'node:util'
import { bodyOf, headersOf } from '../kit/security/signature.ts'
import { type AttemptResult, judgeAttempt, readRetryAfter } from '../webhooks/retry.rules.ts'

export type FeedEvent = { id: string; event: string; data: unknown; timestamp: string }

/** The server waits as long for an endpoint. */
const timeoutMs = 15_000
/** Seconds before each attempt. A developer waits for them, so they are shorter than those of the server. */
const retrySeconds = [0, 1, 5, 15, 60]

type Attempt = AttemptResult & {
  /** What the receiver answered, as text for the terminal. */
  answer: string
}

/** `signal` ends attempts that are under way, and cancels those to come. */
type Receiver = { target: URL; secret: string; signal: AbortSignal }

const attempt = async (
  event: FeedEvent,
  { target, secret, signal }: Receiver,
): Promise<Attempt> => {
  const { id, event: type, data, timestamp } = event
  const body = bodyOf({ type, data: JSON.stringify(data), occurredAt: new Date(timestamp) })
  const signed = { eventId: id, type, body, secret, previousSecret: null }
  const headers = headersOf({ ...signed, timestamp: Math.floor(Date.now() / 1000) })
  const startedAt = performance.now()
  try {
    const response = await fetch(target, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    await response.body?.cancel()
    const { status, statusText, ok } = response
    const text = styleText(ok ? 'green' : 'red', `${status} ${statusText}`.trim())
    const took = styleText('dim', `${Math.round(performance.now() - startedAt)} ms`)
    const retryAfter = response.headers.get('retry-after') ?? undefined
    return {
      answer: `${text} ${took}`,
      responseStatus: status,
      retryAfterSeconds: readRetryAfter(retryAfter, new Date()),
    }
  } catch (error) {
    const { name, cause } = error as { name: string; cause?: { code?: string } }
    const reason = name === 'TimeoutError' ? 'no answer in 15 seconds' : (cause?.code ?? name)
    return {
      answer: styleText('red', `not delivered: ${reason}`),
      responseStatus: null,
      retryAfterSeconds: null,
    }
  }
}

const show = ({ id, event, timestamp }: FeedEvent, outcome: string[]) => {
  const time = styleText('dim', new Date(timestamp).toLocaleTimeString('en-GB'))
  const name = styleText('cyan', event.padEnd(28))
  console.log(`${time}  ${name} ${styleText('dim', id)}  ${outcome.join(', ')}`)
}

export const createForwarder = (receiver: Receiver) => {
  const { signal } = receiver
  /** Ids of the events that the receiver has not accepted, oldest first, until they are given up. */
  const waiting = new Set<string>()

  const send = async (event: FeedEvent, tries: number): Promise<void> => {
    const { answer, ...result } = await attempt(event, receiver)
    if (signal.aborted) return
    const verdict = judgeAttempt(result, tries, retrySeconds, 0.5)
    const outcome = [answer]
    if (tries > 1) outcome.push(`attempt ${tries} of ${retrySeconds.length}`)
    if (verdict.status === 'PENDING') {
      outcome.push(`again in ${verdict.delaySeconds} s`)
      void sleep(verdict.delaySeconds * 1000, undefined, { signal }).then(
        () => send(event, tries + 1),
        () => undefined,
      )
    } else {
      waiting.delete(event.id)
      if (verdict.status === 'FAILED') outcome.push('given up')
    }
    show(event, outcome)
  }

  return {
    waiting,
    /** Resolves after the first attempt. Later attempts hold up no other event. */
    forward: (event: FeedEvent): Promise<void> => {
      waiting.add(event.id)
      return send(event, 1)
    },
  }
}
