/** Streams that end at once when their reader leaves. */

/**
 * The stream of a subscription. A generator that waits for news cannot be ended from outside; this one
 * is told by a signal, and then ends.
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
