/** Logs in the database for their readers on this node: each page is read once and sent to everybody. */

import type { PubSub } from '../database/pubsub.ts'
import type { Logger } from '../observability/log.ts'
import type { Broadcast, Item } from './broadcast.ts'

/** The next items of a log, and whether the log ends with them. */
type Page<T> = { items: Item<T>[]; ended: boolean }

/** How to read a log. */
type LogSource<T> = {
  /** The items after a number, oldest first, `pageSize` at most. */
  page(after: number, pageSize: number): Promise<Page<T>>
  /** Replaces all items so far. Without it, no reader may skip an item. */
  snapshot?(): Promise<Item<T>>
  /** Counts a reader until the returned function is called. */
  enter?(): () => void
}

/** Items that a node keeps for readers who are slightly behind. */
const keptItems = 256
/** Items read at a time from the log. */
const pageSize = 200
const readAgainMs = 500

type Parts = { pubsub: PubSub; log: Logger }

class LogFeed<T> implements Broadcast<T> {
  position: number
  ended: boolean
  readonly isWhole: boolean
  readonly #source: LogSource<T>
  readonly #log: Logger
  readonly #enter: () => () => void
  readonly #listeners = new Set<() => void>()
  #kept: Item<T>[] = []
  #snapshot: { position: number; item: Promise<Item<T>> } | undefined
  #reading: Promise<void> | undefined
  #isStale = false

  constructor(start: LogStart<T>, log: Logger, enter: () => () => void) {
    this.position = start.position
    this.ended = start.ended
    this.#source = start.source
    this.isWhole = start.source.snapshot === undefined
    this.#log = log
    this.#enter = enter
  }

  /** Reads new items from the log. */
  refresh(): void {
    this.#isStale = true
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
    })
  }

  async #read() {
    while (this.#isStale && !this.ended) {
      this.#isStale = false
      try {
        const { items, ended } = await this.#source.page(this.position, pageSize)
        this.#kept = [...this.#kept, ...items].slice(-keptItems)
        this.position = items.at(-1)?.position ?? this.position
        this.#isStale ||= items.length === pageSize
        this.ended = ended
        if (items.length > 0 || ended) for (const listener of this.#listeners) listener()
      } catch (err) {
        this.#log.warn({ err }, 'a log could not be read')
        await new Promise((resolve) => setTimeout(resolve, readAgainMs))
        this.#isStale = true
      }
    }
  }

  async read(after: number | null): Promise<Item<T>[]> {
    if (after === null && this.#source.snapshot)
      return [await this.#currentSnapshot(this.#source.snapshot)]
    const from = after ?? 0
    const first = this.#kept[0]?.position
    if (first !== undefined && from >= first - 1)
      return this.#kept.filter(({ position }) => position > from)
    return (await this.#source.page(from, pageSize)).items
  }

  /** One snapshot serves all readers who arrive between two items. */
  #currentSnapshot(take: () => Promise<Item<T>>) {
    if (this.#snapshot?.position !== this.position) {
      const item = take()
      const snapshot = { position: this.position, item }
      this.#snapshot = snapshot
      item.then(
        ({ position }) => position > this.position && this.refresh(),
        () => {
          if (this.#snapshot === snapshot) this.#snapshot = undefined
        },
      )
    }
    return (this.#snapshot as { item: Promise<Item<T>> }).item
  }

  on(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  enter(): () => void {
    return this.#enter()
  }
}

/** A log as a caller has just read it: the number of its newest item, and whether that is the last. */
export type LogStart<T> = { position: number; ended: boolean; source: LogSource<T> }

/**
 * The feeds of a kind of log on this node, by the id that follows the topic in notifications. A feed is kept while it
 * has readers. Returns the function that opens one.
 */
export const createFeeds = <T>(
  { pubsub, log }: Parts,
  topic: string,
): ((id: string, start: () => LogStart<T>) => Broadcast<T>) => {
  const feeds = new Map<string, { feed: LogFeed<T>; readers: number }>()
  pubsub.on(topic, (id) => {
    if (id !== undefined) feeds.get(id)?.feed.refresh()
    else for (const { feed } of feeds.values()) feed.refresh()
  })
  return (id, start) => {
    const known = feeds.get(id)
    if (known) return known.feed
    const started = start()
    const entry = {
      readers: 0,
      feed: new LogFeed(started, log, () => {
        entry.readers++
        const leave = started.source.enter?.()
        feeds.set(id, entry)
        // There were no notifications while nobody was watching.
        if (entry.readers === 1) entry.feed.refresh()
        return () => {
          leave?.()
          if (--entry.readers === 0 && feeds.get(id) === entry) feeds.delete(id)
        }
      }),
    }
    return entry.feed
  }
}
