/** Decides whether and when a failed call is retried. */
import type { Fault } from './fault.ts'

/** Tessera refused the call before doing anything. */
const nothingDone = ['RATE_LIMITED', 'OVERLOADED', 'UNAVAILABLE']

/** It is unknown whether the attempt was carried out. */
const unknownOutcome = ['CONNECTION_FAILED', 'TIMED_OUT']

/** Whether the same call may succeed later. */
export const isTransient = ({ code, status = 0 }: Fault): boolean =>
  nothingDone.includes(code) ||
  unknownOutcome.includes(code) ||
  (code === 'UNREADABLE_ANSWER' && [429, 502, 503, 504].includes(status))

/**
 * Whether a call may be retried.
 * @param isRepeatable whether carrying it out twice has the same effect as once
 */
export const mayRetry = (fault: Fault, isRepeatable: boolean): boolean => {
  if (nothingDone.includes(fault.code)) return true
  // The previous attempt is still being carried out.
  if (fault.code === 'IDEMPOTENT_REQUEST_IN_PROGRESS') return isRepeatable
  return isRepeatable && isTransient(fault)
}

/** Half a second, doubled each time up to 16 seconds, with random jitter so that clients do not retry in step. */
export const backoffMs = (attempt: number): number =>
  Math.min(16_000, 500 * 2 ** attempt) * (0.5 + Math.random() / 2)

/**
 * Waits. Rejects with the reason of the signal when it is aborted.
 * @param wakes whether to end early when the browser is online again or shows the page again
 */
export const sleep = (ms: number, signal?: AbortSignal, wakes = false): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const ends = new AbortController()
    const end = (settle: () => void) => {
      clearTimeout(timer)
      ends.abort()
      settle()
    }
    const timer = setTimeout(() => end(resolve), ms)
    const listening = { signal: ends.signal }
    signal?.addEventListener('abort', () => end(() => reject(signal.reason)), listening)
    if (!wakes || typeof document === 'undefined') return
    addEventListener('online', () => end(resolve), listening)
    document.addEventListener('visibilitychange', () => document.hidden || end(resolve), listening)
  })
