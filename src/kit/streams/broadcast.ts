/** Streams with one source and many readers, each at their own pace. */
import type { PubSub } from '../database/pubsub.ts'

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

export type Item<T> = { position: number; value: T }

/**
 * A numbered sequence of items shared by all readers. There are no queues per reader: a slow reader continues
 * later, or takes a snapshot and continues from there.
 */
export type Broadcast<T> = {
  /** Number of the newest item. */
  readonly position: number
  /** Whether that item is the last. */
  readonly ended: boolean
  /** Whether a reader who has fallen behind still gets every item instead of a snapshot. */
  readonly isWhole?: boolean
  /** The items that follow a number, oldest first, not necessarily all; for null a snapshot. */
  read(after: number | null): Promise<Item<T>[]>
  /** Notifies a listener of new items until the returned function is called. */
  on(listener: () => void): () => void
  /** Counts a reader until the returned function is called. */
  enter(): () => void
}

/** What a `subscribe` resolver returns for a broadcast. Each iteration is a separate stream. */
export class SharedStream<T> implements AsyncIterable<T> {
  readonly broadcast: Broadcast<T>
  /** The number to begin after; null for a snapshot. */
  readonly after: number | null
  /** Who sees the items; undefined if everybody sees the same. */
  readonly callers: object | undefined

  constructor(broadcast: Broadcast<T>, after: number | null = null, callers?: object) {
    this.broadcast = broadcast
    this.after = after
    this.callers = callers
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<T> {
    const { broadcast, after } = this
    return streamOf((signal) => readAll(broadcast, after, signal))
  }
}

async function* readAll<T>(
  broadcast: Broadcast<T>,
  after: number | null,
  signal: AbortSignal,
): AsyncGenerator<T> {
  let wake = () => {}
  const leave = broadcast.enter()
  const stop = broadcast.on(() => wake())
  const onAbort = () => wake()
  signal.addEventListener('abort', onAbort)
  try {
    let at = after
    while (!signal.aborted) {
      if (at !== null && at >= broadcast.position) {
        if (broadcast.ended) return
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        continue
      }
      for (const { position, value } of await broadcast.read(at)) {
        at = position
        yield value
      }
    }
  } finally {
    stop()
    leave()
    signal.removeEventListener('abort', onAbort)
  }
}

/** Changes kept for readers who are slightly behind. Others take a snapshot. */
const keptChanges = 64
/** Notifications within this time cause one read. */
const gatherMs = 150

/** Something that is polled: its current value, and the changes since the last poll. */
type Look<S, T> = {
  topic: string
  look(before: S | undefined): Promise<{ state: S; changes: T[] }>
  snapshot(state: S): T
}

/** Runs something once for all calls within `gatherMs`. */
const gather = (run: () => void) => {
  let timer: NodeJS.Timeout | undefined
  return {
    soon: () => {
      timer ??= setTimeout(() => {
        timer = undefined
        run()
      }, gatherMs)
    },
    cancel: () => {
      clearTimeout(timer)
      timer = undefined
    },
  }
}

/** A broadcast of the changes of a polled value. Polls on each notification while there are readers. */
export const observe = <S, T extends object>(
  pubsub: PubSub,
  { topic, look, snapshot }: Look<S, T>,
  onError: (error: unknown) => void,
): Broadcast<T> => {
  const listeners = new Set<() => void>()
  let position = 0
  let kept: Item<T>[] = []
  let state: { value: S; shown: T } | undefined
  let looking: Promise<void> | undefined
  let readers = 0
  let stop = () => {}

  const pollNow = async () => {
    const next = await look(state?.value)
    if (state && next.changes.length === 0) return
    for (const value of next.changes) kept.push({ position: ++position, value })
    kept = kept.slice(-keptChanges)
    state = { value: next.state, shown: snapshot(next.state) }
    for (const listener of listeners) listener()
  }
  const refresh = gather(() => {
    looking = (looking ?? Promise.resolve()).then(pollNow).catch(onError)
  })
  return {
    get position() {
      return position
    },
    ended: false,
    read: async (after) => {
      const first = kept[0]?.position ?? position + 1
      if (after !== null && after >= first - 1) return kept.filter((item) => item.position > after)
      if (!state) {
        looking ??= pollNow()
        await looking
      }
      if (!state) throw new Error(`${topic} could not be looked at`)
      return [{ position, value: state.shown }]
    },
    on: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    enter: () => {
      if (readers++ === 0) stop = pubsub.on(topic, refresh.soon)
      return () => {
        if (--readers > 0) return
        stop()
        refresh.cancel()
        // Without notifications it would be stale for the next reader.
        state = undefined
        looking = undefined
        kept = []
      }
    },
  }
}
