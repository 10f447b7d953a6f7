/** A subscription that goes on over one connection after another. */
import { Fault } from './fault.ts'
import { backoffMs, isTransient, sleep } from './retry.ts'

type Attempt = {
  variables: object
  /** How many attempts have failed in a row before this one. */
  failures: number
  signal: AbortSignal
  /** Called when the connection is established. */
  onOpen(): void
}

/** The results of one connection, until the server completes it. @throws Fault */
export type Connect = (attempt: Attempt) => AsyncIterable<unknown>

export type ResumeOptions<Data, Variables> = {
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

/** A connection that lasted this long counts as working. */
const workedMs = 5_000

/** Reading goes on also after an error of the server, because it may be repeated. */
const mayResume = (fault: Fault): boolean => isTransient(fault) || fault.code === 'INTERNAL'

/** The results of one attempt, which ends early when the browser goes offline: a lost network is often not noticed. */
async function* resultsOf(connect: Connect, attempt: Attempt): AsyncGenerator<unknown> {
  const offline = new AbortController()
  const breakOff = () => offline.abort(new Fault('CONNECTION_FAILED', 'The browser is offline'))
  globalThis.addEventListener?.('offline', breakOff)
  try {
    yield* connect({ ...attempt, signal: AbortSignal.any([attempt.signal, offline.signal]) })
  } finally {
    globalThis.removeEventListener?.('offline', breakOff)
  }
}

/**
 * The results of a subscription until its server completes it for good, or the signal ends it.
 * @param retries how many attempts to reach the server may fail before the first one that succeeds
 * @throws Fault if the server refuses it
 */
export async function* resumed<Data>(
  connect: Connect,
  variables: object,
  options: ResumeOptions<Data, object> & { retries?: number } = {},
): AsyncGenerator<Data, void, undefined> {
  const { resume, onConnection, retries = Number.POSITIVE_INFINITY } = options
  const signal = options.signal ?? new AbortController().signal
  let next = variables
  let isOver = false
  let isConnected = false
  // Before the first connection, an unreachable address is an error. Later it is an interruption.
  let wasConnected = false
  const setConnected = (now: boolean) => {
    if (now !== isConnected) onConnection?.(now)
    isConnected = now
    wasConnected ||= now
  }
  for (let failures = 0; !signal.aborted; ) {
    const startedAt = Date.now()
    let waitMs = 0
    try {
      const attempt = { variables: next, failures, signal, onOpen: () => setConnected(true) }
      for await (const data of resultsOf(connect, attempt) as AsyncIterable<Data>) {
        failures = 0
        if (resume) {
          const rest = resume(data)
          isOver = rest === null
          next = { ...variables, ...rest }
        }
        yield data
      }
      // A server that stops completes its streams, too.
      if (isOver || !resume) return
    } catch (error) {
      if (signal.aborted) return
      const isLast = !wasConnected && failures >= retries
      if (!(error instanceof Fault) || !mayResume(error) || isLast) throw error
      waitMs = (error.retryAfterSeconds ?? 0) * 1000
    }
    if (isConnected && Date.now() - startedAt > workedMs) failures = 0
    setConnected(false)
    await sleep(Math.max(waitMs, backoffMs(failures++)), signal, waitMs === 0).catch(() => {})
  }
}
