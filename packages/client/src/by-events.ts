/** A connection of a subscription by server-sent events. */
import { messagesOf } from './event-stream.ts'
import { Fault, type GraphqlError, graphqlFault } from './fault.ts'
import { requestOf } from './request.ts'
import type { Connect } from './resume.ts'

/** How long a server may take to answer. */
const openMs = 10_000
/** The server sends something at least every 12 seconds. */
const silenceMs = 25_000

/** A signal that is aborted with another, or when nobody has called `live` for a while. */
const createWatch = (signal: AbortSignal) => {
  const silence = new AbortController()
  const after = (ms: number) => setTimeout(() => silence.abort(), ms)
  let timer = after(openMs)
  return {
    signal: AbortSignal.any([signal, silence.signal]),
    live: () => {
      clearTimeout(timer)
      timer = after(silenceMs)
    },
    stop: () => {
      clearTimeout(timer)
      silence.abort()
    },
  }
}

/** @param open sends the request; resolves when the response begins */
export const byEvents = (
  baseUrl: string,
  query: string,
  open: (request: Request) => Promise<Response>,
): Connect =>
  async function* ({ variables, signal, onOpen }) {
    const watch = createWatch(signal)
    const lost = (cause: unknown) =>
      cause instanceof Fault
        ? cause
        : new Fault('CONNECTION_FAILED', 'The connection broke', { cause })
    try {
      const accept = 'text/event-stream'
      const answer = await open(requestOf(baseUrl, { query, variables, accept }, watch.signal))
      watch.live()
      onOpen()
      if (!answer.body) throw lost(undefined)
      for await (const { event, data } of messagesOf(answer.body, watch.live)) {
        if (event === 'complete') return
        if (event !== 'next') continue
        const result = JSON.parse(data) as { data?: unknown; errors?: GraphqlError[] }
        if (result.errors?.length) throw graphqlFault(result.errors, result.data, answer)
        yield result.data
      }
      throw lost(undefined)
    } catch (error) {
      throw lost(error)
    } finally {
      watch.stop()
    }
  }
