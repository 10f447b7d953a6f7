/**
 * `npx tessera webhooks listen`: forwards the events of a key to a URL of this machine, signed and retried as webhooks are.
 * It reads the feed of events, so it needs no endpoint that the server could reach.
 */

import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, styleText } from 'node:util'
import { delayAfter, doubling } from '../kit/backoff.ts'
import { isLoopback } from '../kit/security/address.ts'
import { bodyOf, headersOf } from '../kit/security/signature.ts'
import { type AttemptResult, judgeAttempt, readRetryAfter } from '../webhooks/retry.rules.ts'

type FeedEvent = { id: string; event: string; data: unknown; timestamp: string }

/** The time limit of a request to the server, which waits as long for an endpoint. */
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

const createForwarder = (receiver: Receiver) => {
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

const usage = `tessera webhooks listen --forward URL --api-key SECRET_KEY [OPTIONS]

  --forward URL       where to send the events, on this machine, such as localhost:3000/hook
  --api-key KEY       a secret key of TEST, sk_test_… (a LIVE one only in the variable TESSERA_SECRET_KEY)
  --server URL        where Tessera is served; http://localhost:4000 unless given
  --events NAMES      only these, such as points.*,game.played
  --after ID          begin after this event of the last 30 days, instead of now`

const askMs = 500
const answerDelays = doubling(askMs, 10_000)

/** A problem that trying again does not solve. */
class UsageError extends Error {}

const urlOf = (text: string, option: string): URL => {
  const url = URL.parse(/^https?:\/\//.test(text) ? text : `http://${text}`)
  if (!url) throw new UsageError(`${option} is no URL: ${text}`)
  return url
}

const readOptions = () => {
  const text = { type: 'string' } as const
  const options = { forward: text, 'api-key': text, server: text, events: text, after: text }
  try {
    const { values } = parseArgs({ options })
    const { forward, server = 'http://localhost:4000', events, after } = values
    if (values['api-key']?.startsWith('sk_live_'))
      throw new UsageError(
        'A LIVE key belongs in TESSERA_SECRET_KEY, because others can read arguments',
      )
    const key = values['api-key'] ?? process.env.TESSERA_SECRET_KEY
    // `sk_test_…`, as guides print it, is no header: the server would seem not to answer.
    if (!forward || !key || !/^sk_[!-~]+$/.test(key))
      throw new UsageError('--forward and a whole secret key (--api-key sk_…) are needed')
    const target = urlOf(forward, '--forward')
    if (!isLoopback(target)) throw new UsageError('--forward must be a URL of this machine')
    return { target, key, server: urlOf(server, '--server'), events, after }
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

const { target, key, server, events, after } = (() => {
  try {
    return readOptions()
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`)
    process.exit(2)
  }
})()

/** Derived from the key, so that the receiver can keep it across runs. */
const secret = `whsec_${createHash('sha256').update(`webhooks listen ${key}`).digest('base64')}`

/** @throws UsageError when the server refuses the request for good */
const ask = async <T>(path: string, init: RequestInit = {}): Promise<T> => {
  const headers = { 'x-api-secret': key, 'content-type': 'application/json' }
  const response = await fetch(new URL(path, server), {
    ...init,
    headers,
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  })
  const body = await response.json()
  if (response.ok) return body.data
  const { status } = response
  const message = body.message ?? body.errors?.[0]?.message ?? `the answer was ${status}`
  throw status >= 500 || status === 429 ? new Error(message) : new UsageError(message)
}

const newestId = async (): Promise<string | undefined> => {
  const query = '{ events(last: 1) { nodes { uuid } } }'
  type Page = { events: { nodes: { uuid: string }[] } }
  const init = { method: 'POST', body: JSON.stringify({ query }) }
  return (await ask<Page>('/graphql', init)).events.nodes[0]?.uuid
}

const nextEvents = (from: string | undefined): Promise<FeedEvent[]> => {
  const query = new URLSearchParams({ limit: '100' })
  if (from) query.set('after', from)
  if (events) query.set('types', events)
  return ask(`/v1/events?${query}`)
}

const stopping = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort())
const { signal } = stopping

/** Retries with backoff until it succeeds. A UsageError is final. */
const insist = async <T>(call: () => Promise<T>): Promise<T> => {
  for (let failures = 1; ; failures++) {
    try {
      return await call()
    } catch (error) {
      if (error instanceof UsageError || signal.aborted) throw error
      if (failures === 1)
        console.error(styleText('yellow', `${server.origin} does not answer; trying again …`))
      await sleep(delayAfter(answerDelays, failures), undefined, { signal })
    }
  }
}

const { forward, waiting } = createForwarder({ target, secret, signal })
/** The cursor to begin with again, so that waiting events are sent once more. */
let safe = after

const listen = async (): Promise<void> => {
  let last = after ?? (await insist(newestId))
  console.log(`The signing secret is ${styleText('bold', secret)}`)
  console.log(`Events of ${server.origin} go to ${target.href} from now on. Ctrl-C stops it.\n`)
  for (;;) {
    const found = await insist(() => nextEvents(last))
    for (const event of found) {
      if (waiting.size === 0) safe = last
      await forward(event)
      if (signal.aborted) return
      last = event.id
    }
    if (found.length === 0) await sleep(askMs, undefined, { signal })
  }
}

try {
  await listen()
} catch (error) {
  if (error instanceof UsageError) {
    console.error(`Tessera refuses: ${error.message}`)
    process.exitCode = 1
  } else if (!signal.aborted) throw error
}
stopping.abort()
const { size } = waiting
const again = safe ? ` To begin with the first of them: --after ${safe}` : ''
if (size > 0) console.log(`\nNot accepted: ${size === 1 ? 'one event' : `${size} events`}.${again}`)
