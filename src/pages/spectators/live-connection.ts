/**
 * Live events of the arena for a page: by WebSocket, or by server-sent events if a WebSocket does not get through. It
 * retries until it succeeds, and each attempt continues after the last event.
 */
import { createClient } from 'graphql-ws'
import { isFinal, type Transport, transportOf, waitBefore } from './retry.ts'

export type LinkState = 'connecting' | 'live' | 'reconnecting'

type Request = { query: string; variables?: Record<string, unknown> }
type Sink = { onData(result: unknown): void; onOpen(): void }
type GraphqlResult = {
  data?: { result?: unknown } | null
  errors?: readonly { message: string; extensions?: { code?: string } }[]
}

/** The permanent error of a subscription. */
class Refused extends Error {}

const resultOf = ({ data, errors }: GraphqlResult): unknown => {
  const error = errors?.[0]
  if (error)
    throw isFinal(error.extensions?.code) ? new Refused(error.message) : new Error(error.message)
  return data?.result
}

/** A connection without any message for this long counts as broken. */
const silenceMs = 20_000
const openMs = 6_000

/** One WebSocket for all subscriptions of a page, opened on demand and reopened when it breaks. */
const createSockets = (onOpen: () => void) => {
  let pong: ReturnType<typeof setTimeout> | undefined
  let socket: WebSocket | undefined
  let isOpen = false
  const client = createClient({
    url: `${location.origin.replace('http', 'ws')}/graphql`,
    retryAttempts: 0,
    lazyCloseTimeout: 1_000,
    connectionAckWaitTimeout: openMs,
    keepAlive: 8_000,
    on: {
      opened: (opened) => {
        socket = opened as WebSocket
      },
      connected: () => {
        isOpen = true
        onOpen()
      },
      ping: (received) => {
        if (!received) pong = setTimeout(() => socket?.close(4408, 'Silence'), 5_000)
      },
      pong: (received) => {
        if (received) clearTimeout(pong)
      },
      closed: () => {
        isOpen = false
        clearTimeout(pong)
      },
    },
  })
  return { client, isOpen: () => isOpen }
}

const bySocket = (
  { client, isOpen }: ReturnType<typeof createSockets>,
  request: Request,
  sink: Sink,
  signal: AbortSignal,
) =>
  new Promise<void>((resolve, reject) => {
    const fail = (error: unknown) => {
      clearTimeout(timer)
      reject(error)
      leave()
    }
    const timer = setTimeout(() => {
      if (!isOpen()) fail(new Error('No answer'))
    }, openMs)
    const leave = client.subscribe(request, {
      next: (result) => {
        try {
          sink.onData(resultOf(result as GraphqlResult))
        } catch (error) {
          fail(error)
        }
      },
      error: (error) => {
        const codes = Array.isArray(error) ? error.map(({ extensions }) => extensions?.code) : []
        clearTimeout(timer)
        reject(codes.some(isFinal) ? new Refused() : error)
      },
      complete: () => {
        clearTimeout(timer)
        resolve()
      },
    })
    signal.addEventListener('abort', () => fail(signal.reason))
  })

/** Parses `text/event-stream` as the server writes it: an event and one line of data each. */
const byEvents = async ({ query, variables }: Request, sink: Sink, signal: AbortSignal) => {
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), openMs)
  const heard = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), silenceMs)
  }
  try {
    const response = await fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query, variables }),
      signal: AbortSignal.any([signal, silence.signal]),
    })
    if (!response.ok || !response.body) throw new Error(`HTTP ${response.status}`)
    sink.onOpen()
    let text = ''
    const decoder = new TextDecoder()
    const reader = response.body.getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) throw new Error('The stream broke')
      heard()
      text += decoder.decode(value, { stream: true })
      const events = text.split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) {
        const name = /^event: *(.*)$/m.exec(event)?.[1]
        const data = /^data: *(.*)$/m.exec(event)?.[1]
        if (name === 'complete') return
        if (name === 'next' && data) sink.onData(resultOf(JSON.parse(data)))
      }
    }
  } finally {
    clearTimeout(timer)
  }
}

export type StreamConnection = {
  /**
   * Follows a subscription until it completes, is refused, or the returned function is called. `variables` is called
   * before each attempt, so that a broken stream continues after the last event.
   */
  follow<T>(subscription: {
    query: string
    variables?: () => Record<string, unknown>
    onData(result: T): void
    /** Whether a completed stream is really finished. A stream also completes when its server stops. */
    isOver?(): boolean
    /** Called when nothing follows: the stream is finished or was refused. */
    onEnd?(refused: boolean): void
  }): { stop(): void; restart(): void }
}

/** A stream that lasted this long counts as working. */
const workedMs = 5_000

/** Pauses that end early when the browser is online again or the page becomes visible. */
const createPauses = () => {
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const go of waiting) go()
  }
  addEventListener('online', wake)
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) wake()
  })
  return (ms: number) =>
    new Promise<void>((resolve) => {
      const go = () => {
        clearTimeout(timer)
        waiting.delete(go)
        resolve()
      }
      const timer = setTimeout(go, ms)
      waiting.add(go)
    })
}

/** Reports the state of the connection, and remembers the transport that worked last. */
const createLink = (onState: (state: LinkState) => void) => {
  let wasOpen = false
  const link = {
    lastGood: 'socket' as Transport,
    opened: (transport: Transport) => {
      wasOpen = true
      link.lastGood = transport
      onState('live')
    },
    broken: () => onState(wasOpen ? 'reconnecting' : 'connecting'),
  }
  return link
}

/** Opens the connection. `onState` gets the state of the connection for the whole page. */
export const openConnection = (onState: (state: LinkState) => void): StreamConnection => {
  const link = createLink(onState)
  const running = new Set<() => void>()
  const sockets = createSockets(() => link.opened('socket'))
  const pause = createPauses()
  addEventListener('offline', () => {
    sockets.client.terminate()
    for (const breakOff of running) breakOff()
    onState('reconnecting')
  })

  return {
    follow: ({ query, variables, onData, isOver, onEnd }) => {
      let stopped = false
      let failures = 0
      let attempt = new AbortController()
      const breakOff = () => attempt.abort(new Error('Broken off'))
      running.add(breakOff)
      const run = async () => {
        while (!stopped) {
          attempt = new AbortController()
          const { signal } = attempt
          const startedAt = Date.now()
          const transport = transportOf(failures, link.lastGood)
          const request = { query, ...(variables && { variables: variables() }) }
          const sink: Sink = {
            onData: (result) => {
              failures = 0
              onData(result as never)
            },
            onOpen: () => link.opened(transport),
          }
          try {
            if (transport === 'socket') await bySocket(sockets, request, sink, signal)
            else await byEvents(request, sink, signal)
            if (isOver?.()) return onEnd?.(false)
            throw new Error('The server ended the stream')
          } catch (error) {
            if (stopped) return
            if (error instanceof Refused) return onEnd?.(true)
            if (Date.now() - startedAt > workedMs) failures = 0
            failures++
            link.broken()
            await pause(waitBefore(failures, Math.random()))
          }
        }
      }
      void run().finally(() => running.delete(breakOff))
      return {
        stop: () => {
          stopped = true
          breakOff()
        },
        restart: breakOff,
      }
    },
  }
}
