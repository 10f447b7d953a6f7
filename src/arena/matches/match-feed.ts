/** The events of a match for its spectators on this node: read once, sent to each. */
import { type Broadcast, type Item, SharedStream } from '../../core/broadcast.ts'
import { refused } from '../../core/errors.ts'
import { streamOf } from '../../core/graphql/subscription.ts'
import type { Runtime } from '../../core/runtime.ts'
import { singleton } from '../../core/singleton.ts'
import type { Tenant } from '../../core/tenant.ts'
import type { ArenaMatch, ArenaMatchGame } from '../../generated/prisma/client.ts'
import { type Audience, createAudience } from './audience.ts'
import { isLast, type MatchEvent, readMatchEvents } from './match-event.ts'
import { getMatch } from './match-read.ts'
import { readSnapshot } from './match-snapshot.ts'

/** An event as shown. A snapshot includes the match and its games. */
export type ShownEvent = MatchEvent & { match?: ArenaMatch; games?: ArenaMatchGame[] }

/** Events of a match that a node keeps for readers who are slightly behind. */
const keptEvents = 256
/** Events read at a time from the log. */
const pageSize = 200

type Parts = Pick<Runtime, 'db' | 'log' | 'pubsub'>

class MatchFeed implements Broadcast<ShownEvent> {
  position: number
  ended: boolean
  readonly #matchId: string
  readonly #parts: Parts
  readonly #enter: () => () => void
  readonly #listeners = new Set<() => void>()
  #kept: MatchEvent[] = []
  #snapshot: { position: number; item: Promise<Item<ShownEvent>> } | undefined
  #reading: Promise<void> | undefined
  #isStale = false

  constructor(match: ArenaMatch, parts: Parts, enter: () => () => void) {
    this.#matchId = match.id
    this.#parts = parts
    this.#enter = enter
    this.position = match.seq
    this.ended = match.endedAt !== null
  }

  /** Reads new events from the log. */
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
        const events = await this.#page(this.position)
        if (events.length === 0) continue
        this.#kept = [...this.#kept, ...events].slice(-keptEvents)
        const last = events.at(-1) as MatchEvent
        this.position = last.seq
        this.ended = isLast(last)
        this.#isStale ||= events.length === pageSize
        for (const listener of this.#listeners) listener()
      } catch (err) {
        this.#parts.log.warn({ err }, 'events of a match could not be read')
        await new Promise((resolve) => setTimeout(resolve, 500))
        this.#isStale = true
      }
    }
  }

  #page(after: number) {
    return readMatchEvents(this.#parts.db, { matchId: this.#matchId, after, take: pageSize })
  }

  async read(after: number | null): Promise<Item<ShownEvent>[]> {
    if (after === null) return [await this.#currentSnapshot()]
    const first = this.#kept[0]?.seq
    const events =
      first !== undefined && after >= first - 1
        ? this.#kept.filter(({ seq }) => seq > after)
        : await this.#page(after)
    return events.map((value) => ({ position: value.seq, value }))
  }

  /** One snapshot serves all readers who arrive between two events. */
  #currentSnapshot() {
    if (this.#snapshot?.position !== this.position) {
      const item = readSnapshot(this.#parts.db, this.#matchId).then((value) => ({
        position: value.seq,
        value,
      }))
      const snapshot = { position: this.position, item }
      this.#snapshot = snapshot
      item.then(
        ({ position }) => position > this.position && this.refresh(),
        () => {
          if (this.#snapshot === snapshot) this.#snapshot = undefined
        },
      )
    }
    return (this.#snapshot as { item: Promise<Item<ShownEvent>> }).item
  }

  on(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  enter(): () => void {
    return this.#enter()
  }
}

type Hub = {
  feeds: Map<string, { feed: MatchFeed; readers: number }>
  audience: Audience
}

const hubOf = singleton('match feeds', (runtime: Runtime): Hub => {
  const feeds: Hub['feeds'] = new Map()
  runtime.pubsub.on('match', (matchId) => {
    if (matchId !== undefined) feeds.get(matchId)?.feed.refresh()
    else for (const { feed } of feeds.values()) feed.refresh()
  })
  return { feeds, audience: createAudience(runtime) }
})

/** The feed of a match on this node, kept while it has spectators. */
const feedOf = (runtime: Runtime, match: ArenaMatch): MatchFeed => {
  const { feeds, audience } = hubOf(runtime)
  const { id } = match
  const known = feeds.get(id)
  if (known) return known.feed
  const entry = {
    readers: 0,
    feed: new MatchFeed(match, runtime, () => {
      entry.readers++
      const leave = audience.enter(id)
      feeds.set(id, entry)
      // There were no notifications while nobody was watching.
      if (entry.readers === 1) entry.feed.refresh()
      return () => {
        leave()
        if (--entry.readers === 0 && feeds.get(id) === entry) feeds.delete(id)
      }
    }),
  }
  return entry.feed
}

/** The longest pause of a replay. */
const longestPauseMs = 10_000

const sleep = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })

/** Replays the events of a match after a number with their pauses, then continues with new ones. */
async function* replay(
  feed: MatchFeed,
  { after, speed, signal }: { after: number; speed: number; signal: AbortSignal },
): AsyncGenerator<ShownEvent> {
  let before: Date | undefined
  for await (const event of new SharedStream(feed, after)) {
    const pause = before ? (event.occurredAt.getTime() - before.getTime()) / speed : 0
    before = event.occurredAt
    if (pause > 0) await sleep(Math.min(pause, longestPauseMs), signal)
    if (signal.aborted) return
    yield event
  }
}

/**
 * Streams a match event by event.
 * @throws TesseraError MATCH_NOT_FOUND, INVALID_PARAMETERS
 */
export const watchMatch = async (
  runtime: Runtime,
  options: {
    matchId: string
    sinceSeq?: number | null | undefined
    speed?: number | null | undefined
    caller: Tenant | null
  },
): Promise<AsyncIterable<ShownEvent>> => {
  const { matchId, sinceSeq, speed, caller } = options
  if (sinceSeq != null && sinceSeq < 0)
    throw refused('sinceSeq', 'must be at least 0', 'INVALID_PARAMETERS')
  if (speed != null && !(speed >= 0.1 && speed <= 1000))
    throw refused('speed', 'must be 0.1 to 1000', 'INVALID_PARAMETERS')
  const match = await getMatch(runtime, matchId, caller)
  const feed = feedOf(runtime, match)
  const newest = Math.max(match.seq, feed.position)
  if (sinceSeq != null && sinceSeq > newest)
    throw refused('sinceSeq', `must be at most ${newest}, the newest event`, 'INVALID_PARAMETERS')
  if (speed == null) return new SharedStream(feed, sinceSeq ?? null)
  return streamOf((signal) => replay(feed, { after: sinceSeq ?? 0, speed, signal }))
}
