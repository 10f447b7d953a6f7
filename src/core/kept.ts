/**
 * Gives what `make` gave last, made anew after `forMs`. However many ask at the same time, it is made once,
 * and all wait for that.
 */
export const keptFor = <T>(forMs: number, make: () => Promise<T>): (() => Promise<T>) => {
  let kept: Promise<T> | undefined
  const forget = () => {
    kept = undefined
  }
  return () => {
    kept ??= make().finally(() => setTimeout(forget, forMs).unref())
    return kept
  }
}
