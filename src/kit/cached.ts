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
