/** Streams that end as soon as their reader leaves. */

/**
 * The stream of a subscription. A waiting generator cannot be ended from outside, so this one gets a signal.
 */
export const streamOf = <T>(
  make: (signal: AbortSignal) => AsyncGenerator<T>,
): AsyncIterableIterator<T> => {
  const controller = new AbortController()
  const stream = make(controller.signal)
  const end = () => {
    controller.abort()
    return stream.return(undefined) as Promise<IteratorResult<T>>
  }
  return {
    next: () => stream.next(),
    return: end,
    throw: end,
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
