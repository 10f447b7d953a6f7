import { setTimeout as sleep } from 'node:timers/promises'

/** The current time. Tests replace it. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()

/**
 * Caches the result of `make` for `forMs`. Concurrent callers share one call.
 */
export const cachedFor = <T>(forMs: number, make: () => Promise<T>): (() => Promise<T>) => {
  let kept: Promise<T> | undefined
  const forget = () => {
    kept = undefined
  }
  return () => {
    kept ??= make().finally(() => setTimeout(forget, forMs).unref())
    return kept
  }
}

/**
 * Calls `run` periodically; it must not throw. Returns the function that stops this after one last call, which waits
 * for a running one.
 */
export const periodically = (everyMs: number, run: () => Promise<void>): (() => Promise<void>) => {
  const ending = new AbortController()
  const { signal } = ending
  const repeat = async () => {
    for (let isLast = false; !isLast; ) {
      await sleep(everyMs, undefined, { signal, ref: false }).catch(() => {})
      isLast = signal.aborted
      await run()
    }
  }
  const repeating = repeat()
  return async () => {
    ending.abort()
    await repeating
  }
}
