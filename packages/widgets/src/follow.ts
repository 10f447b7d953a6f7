/** A subscription by server-sent events that resumes after a lost connection. */
import { backoffMs, pause } from './request.ts'

type Subscription<T> = {
  baseUrl: string
  document: string
  /** Called before each connection, so that it can resume after the last event. */
  variables: () => Record<string, unknown>
  onData: (data: T) => void
  /** Called when the server refuses the subscription for good. */
  onRefused: () => void
  /** Whether a stream that ended is complete, and not just interrupted. */
  isOver: () => boolean
}

type Message = { data?: { result?: unknown } | null; errors?: readonly unknown[] }

/** Reads one connection to its end. Returns false if the server refused it. */
const readOnce = async <T>(
  { baseUrl, document, variables, onData }: Subscription<T>,
  signal: AbortSignal,
): Promise<boolean> => {
  const response = await fetch(`${baseUrl}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query: document, variables: variables() }),
    credentials: 'omit',
    signal,
  })
  if (!response.ok || !response.body) return response.status >= 500 || response.status === 429
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return true
    const events = (text + value).split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const line = /^data: *(.*)$/m.exec(event)?.[1]
      if (!line) continue
      const { data, errors }: Message = JSON.parse(line)
      if (errors) return false
      if (data?.result) onData(data.result as T)
    }
  }
}

/** Follows a subscription until it is over, is refused, or the returned function is called. */
export const follow = <T>(subscription: Subscription<T>): (() => void) => {
  const stop = new AbortController()
  const run = async () => {
    for (let failures = 1; !stop.signal.aborted; failures++) {
      const startedAt = Date.now()
      try {
        if (!(await readOnce(subscription, stop.signal))) return subscription.onRefused()
        if (subscription.isOver()) return
      } catch {
        // The connection was lost. The next one resumes from here.
      }
      if (Date.now() - startedAt > 5_000) failures = 1
      if (!stop.signal.aborted) await pause(backoffMs(failures))
    }
  }
  void run()
  return () => stop.abort()
}
