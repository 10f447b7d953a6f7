/** Subscriptions over server-sent events, which resume after a broken connection. */
import { type AnyDocument, type TypedDocument, textOf } from './document.ts'
import { messagesOf } from './event-stream.ts'
import { Fault, type GraphqlError, graphqlFault } from './fault.ts'
import { requestOf } from './graphql.ts'
import { backoffMs, isTransient, sleep } from './retry.ts'
import type { Transport } from './transport.ts'

/** The server sends something at least every 12 seconds. */
const silenceMs = 40_000

export type SubscribeOptions<Data, Variables> = {
  /** Ends the iteration. */
  signal?: AbortSignal | undefined
  /**
   * The variables to resume with after this result, so that nothing is missed; null if nothing follows. Without
   * this function, a broken connection is reopened with the same variables, and events in between are missed.
   */
  resume?: ((last: Data) => Partial<Variables> | null) | undefined
  /** Called when the connection is established and when it is lost. */
  onConnection?: ((isConnected: boolean) => void) | undefined
}

export type Subscribe = {
  <Data, Variables>(
    document: TypedDocument<Data, Variables>,
    variables: Variables,
    options?: SubscribeOptions<Data, Variables>,
  ): AsyncGenerator<Data, void, undefined>
  <Data = unknown>(
    document: string,
    variables?: Record<string, unknown>,
    options?: SubscribeOptions<Data, Record<string, unknown>>,
  ): AsyncGenerator<Data, void, undefined>
}

/** A signal that is aborted with another, or when nobody has called `live` for a while. */
const createWatch = (signal: AbortSignal | undefined) => {
  const controller = new AbortController()
  const end = () => controller.abort(signal?.reason)
  let timer: ReturnType<typeof setTimeout>
  const live = () => {
    clearTimeout(timer)
    timer = setTimeout(() => controller.abort(), silenceMs)
  }
  live()
  signal?.addEventListener('abort', end, { once: true })
  if (signal?.aborted) end()
  return {
    signal: controller.signal,
    live,
    stop: () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      controller.abort()
    },
  }
}

type Connect = {
  transport: Transport
  query: string
  signal: AbortSignal | undefined
  onConnection: (isConnected: boolean) => void
}

/** The results of one connection, until the server completes it. @throws Fault */
async function* resultsOf(
  { transport, query, signal, onConnection }: Connect,
  variables: object,
): AsyncGenerator<unknown, void, undefined> {
  const watch = createWatch(signal)
  const lost = (cause: unknown) =>
    cause instanceof Fault
      ? cause
      : new Fault('CONNECTION_FAILED', 'The connection broke', { cause })
  try {
    const accept = 'text/event-stream'
    const answer = await transport.open(
      requestOf(transport, { query, variables, accept }, watch.signal),
    )
    onConnection(true)
    if (!answer.body) throw lost(undefined)
    for await (const { event, data } of messagesOf(answer.body, watch.live)) {
      if (event === 'complete') return
      if (event !== 'next') continue
      const result = JSON.parse(data) as { data?: unknown; errors?: GraphqlError[] }
      if (result.errors?.length)
        throw graphqlFault(result.errors, {
          data: result.data,
          headers: answer.headers,
          status: answer.status,
        })
      yield result.data
    }
    throw lost(undefined)
  } catch (error) {
    throw lost(error)
  } finally {
    watch.stop()
  }
}

export type AnySubscribe = (
  document: AnyDocument,
  variables?: object,
  options?: SubscribeOptions<never, object>,
) => AsyncGenerator<unknown, void, undefined>

export const createSubscribe = (transport: Transport): AnySubscribe =>
  async function* subscribe(document, variables = {}, { signal, resume, onConnection } = {}) {
    let isConnected = false
    const setConnected = (now: boolean) => {
      if (now !== isConnected) onConnection?.(now)
      isConnected = now
    }
    const connect = {
      transport,
      query: await textOf(document),
      signal,
      onConnection: setConnected,
    }
    let next = variables
    let isOver = false
    // Before the first connection, an unreachable address is an error. Later it is an interruption.
    let wasConnected = false
    for (let failures = 0; !signal?.aborted; ) {
      let waitMs = 0
      try {
        for await (const data of resultsOf(connect, next)) {
          failures = 0
          if (resume) {
            const rest = resume(data as never)
            isOver = rest === null
            next = { ...variables, ...rest }
          }
          yield data
        }
        // A server that stops completes its streams, too.
        if (isOver || !resume) return
      } catch (error) {
        if (signal?.aborted) return
        wasConnected ||= isConnected
        const isLast = !wasConnected && failures >= transport.retries
        if (!(error instanceof Fault) || !isTransient(error) || isLast) throw error
        waitMs = (error.retryAfterSeconds ?? 0) * 1000
      }
      wasConnected ||= isConnected
      setConnected(false)
      await sleep(Math.max(waitMs, backoffMs(failures++)), signal).catch(() => {})
    }
  }
