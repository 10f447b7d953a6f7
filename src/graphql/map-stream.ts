/** Maps the items of a stream, which ends as soon as its reader leaves. */
export const mapStream = <T, R>(
  stream: AsyncIterable<T>,
  map: (item: T) => Promise<R>,
): AsyncIterableIterator<R> => {
  const source = stream[Symbol.asyncIterator]()
  const end = async () => {
    await source.return?.()
    return { done: true, value: undefined } as const
  }
  return {
    next: async () => {
      const { done, value } = await source.next()
      return done ? { done, value: undefined } : { done: false, value: await map(value) }
    },
    return: end,
    throw: end,
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
