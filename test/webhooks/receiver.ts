/** A real HTTP server that takes webhooks and records them. */
import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

type Received = {
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into bodies of all shapes
  body: any
  at: number
  /** The status of its answer. */
  status: number
}

export type Answer = {
  status: number
  headers?: Record<string, string>
  body?: string
  delayMs?: number
}

export type Receiver = Awaited<ReturnType<typeof createReceiver>>

/** `answer` returns the answer to the nth request, counted from 1; 200 by default. */
export const createReceiver = async (
  answer: (n: number, headers: IncomingHttpHeaders) => Answer | number = () => 200,
) => {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part) => parts.push(part))
    request.on('end', () => {
      const text = Buffer.concat(parts).toString('utf8')
      const given = answer(received.length + 1, request.headers)
      const {
        status,
        headers,
        body,
        delayMs = 0,
      } = typeof given === 'number' ? ({ status: given } as Answer) : given
      received.push({
        headers: request.headers,
        text,
        body: JSON.parse(text),
        at: Date.now(),
        status,
      })
      setTimeout(() => response.writeHead(status, headers).end(body), delayMs)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const ids = () => new Set(received.map(({ headers }) => String(headers['x-webhook-id'])))
  const wait = async (done: () => boolean, timeoutMs: number) => {
    const end = Date.now() + timeoutMs
    while (!done() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    /** Waits until there are `count` requests, or until the timeout. */
    until: async (count: number, timeoutMs = 20_000) => {
      await wait(() => received.length >= count, timeoutMs)
      return received
    },
    /**
     * Waits until there are requests of `count` events, however often each was sent, or until the timeout. Returns the
     * ids of the events. Deliveries that a lost connection left claimed are sent when the lease ends, within 35 s.
     */
    untilEvents: async (count: number, timeoutMs = 60_000) => {
      await wait(() => ids().size >= count, timeoutMs)
      return ids()
    },
    end: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** The documented signature, worked out as a partner would. */
export const signatureOf = (secret: string, text: string) =>
  `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`
