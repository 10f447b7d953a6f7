/**
 * `npx tessera webhooks listen`: forwards the events of a key to a URL of this machine, signed as webhooks are, and shows
 * each in a line. It reads the feed of events, so it needs no endpoint that the server could reach.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, styleText } from 'node:util'
import ipaddr from 'ipaddr.js'
import { bodyOf, headersOf } from '../src/core/signature.ts'

const usage = `tessera webhooks listen --forward URL --api-key SECRET_KEY [OPTIONS]

  --forward URL       where to send the events, on this machine, such as localhost:3000/hook
  --api-key KEY       a secret key, sk_test_… (or the variable TESSERA_SECRET_KEY)
  --server URL        where Tessera is served; http://localhost:4000 unless given
  --events NAMES      only these, such as points.*,game.played
  --after ID          begin after this event of the last 30 days, instead of now`

const askMs = 500
const longestPauseMs = 10_000
/** As long as Tessera waits for an endpoint. */
const timeoutMs = 15_000

type Event = { id: string; event: string; data: unknown; timestamp: string }

/** A problem that trying again does not solve. */
class UsageError extends Error {}

const isHere = ({ hostname }: URL) => {
  const name = hostname.replace(/^\[|\]$/g, '')
  return (
    name === 'localhost' || (ipaddr.isValid(name) && ipaddr.process(name).range() === 'loopback')
  )
}

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
    const key = values['api-key'] ?? process.env.TESSERA_SECRET_KEY
    if (!forward || !key?.startsWith('sk_'))
      throw new UsageError('--forward and a secret key (--api-key sk_…) are needed')
    const target = urlOf(forward, '--forward')
    if (!isHere(target)) throw new UsageError('--forward must be a URL of this machine')
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

/** The same for each run with a key, so that the receiver can keep it. */
const secret = `whsec_${createHash('sha256').update(`webhooks listen ${key}`).digest('base64')}`

/** @throws UsageError when the server refuses the request for good */
const ask = async <T>(path: string, init: RequestInit = {}): Promise<T> => {
  const headers = { 'x-api-secret': key, 'content-type': 'application/json' }
  const signal = AbortSignal.timeout(timeoutMs)
  const response = await fetch(new URL(path, server), { ...init, headers, signal })
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

const nextEvents = (from: string | undefined): Promise<Event[]> => {
  const query = new URLSearchParams({ limit: '100' })
  if (from) query.set('after', from)
  if (events) query.set('types', events)
  return ask(`/v1/events?${query}`)
}

/** What the receiver answered, for people. */
const send = async ({ id, event, data, timestamp }: Event): Promise<string> => {
  const body = bodyOf({
    type: event,
    data: JSON.stringify(data),
    occurredAt: new Date(timestamp),
  })
  const signed = { eventId: id, type: event, body, secret, previousSecret: null }
  const headers = headersOf({ ...signed, timestamp: Math.floor(Date.now() / 1000) })
  const startedAt = performance.now()
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const sent = { method: 'POST', headers, body, signal, redirect: 'manual' } as const
    const response = await fetch(target, sent)
    await response.body?.cancel()
    const text = `${response.status} ${response.statusText}`.trim()
    const took = styleText('dim', `${Math.round(performance.now() - startedAt)} ms`)
    return `${styleText(response.ok ? 'green' : 'red', text)} ${took}`
  } catch (error) {
    const { name, cause } = error as { name: string; cause?: { code?: string } }
    const reason = name === 'TimeoutError' ? 'no answer in 15 seconds' : (cause?.code ?? name)
    return styleText('red', `not delivered: ${reason}`)
  }
}

const show = async (event: Event) => {
  const time = styleText('dim', new Date(event.timestamp).toLocaleTimeString('en-GB'))
  const name = styleText('cyan', event.event.padEnd(28))
  console.log(`${time}  ${name} ${styleText('dim', event.id)}  ${await send(event)}`)
}

/** Tries until it works, unless it never will. */
const insist = async <T>(call: () => Promise<T>): Promise<T> => {
  for (let pauseMs = askMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      return await call()
    } catch (error) {
      if (error instanceof UsageError) throw error
      if (pauseMs === askMs)
        console.error(styleText('yellow', `${server.origin} does not answer; trying again …`))
      await sleep(pauseMs)
    }
  }
}

try {
  let last = after ?? (await insist(newestId))
  console.log(`The signing secret is ${styleText('bold', secret)}`)
  console.log(`Events of ${server.origin} go to ${target.href} from now on. Ctrl-C stops it.\n`)
  for (;;) {
    const found = await insist(() => nextEvents(last))
    for (const event of found) {
      await show(event)
      last = event.id
    }
    if (found.length === 0) await sleep(askMs)
  }
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(`Tessera refuses: ${error.message}`)
  process.exitCode = 1
}
