/** The events of a match for its spectators on this node: read once, sent to each. */
import type { ArenaMatch, ArenaMatchGame } from '../../generated/prisma/client.ts'
import { refused } from '../../kit/errors.ts'
import type { Runtime } from '../../kit/runtime.ts'
import { singleton } from '../../kit/singleton.ts'
import { Audience } from '../../kit/streams/audience.ts'
import { type Broadcast, type Item, SharedStream, streamOf } from '../../kit/streams/broadcast.ts'
import { createFeeds } from '../../kit/streams/log-feed.ts'
import type { Tenant } from '../../kit/tenant.ts'
import { isLast, type MatchEvent, readMatchEvents, readSnapshot } from './event.ts'
import { writeCounts } from './match.sql.ts'
import { getMatch } from './read.ts'

/** The delay after which the counts of spectators are written in one batch. */
const gatherMs = 300

/** An event as shown. A snapshot includes the match and its games. */
export type ShownEvent = MatchEvent & { match?: ArenaMatch; games?: ArenaMatchGame[] }

type Hub = { open: ReturnType<typeof createFeeds<ShownEvent>>; audience: Audience }

const hubOf = singleton(
  'match feeds',
  (runtime: Runtime): Hub => ({
    open: createFeeds(runtime, 'match'),
    audience: new Audience(runtime, {
      save: (nodeId, counts, expiresAt) => writeCounts(runtime.db, nodeId, counts, expiresAt),
      gatherMs,
    }),
  }),
)

const itemOf = (value: ShownEvent): Item<ShownEvent> => ({ position: value.seq, value })

/** The feed of a match on this node. */
const feedOf = (runtime: Runtime, { id: matchId, seq, endedAt }: ArenaMatch) => {
  const { db } = runtime
  const { open, audience } = hubOf(runtime)
  return open(matchId, () => ({
    position: seq,
    ended: endedAt !== null,
    source: {
      page: async (after, take) => {
        const events = await readMatchEvents(db, { matchId, after, take })
        const last = events.at(-1)
        return { items: events.map(itemOf), ended: last !== undefined && isLast(last) }
      },
      snapshot: async () => itemOf(await readSnapshot(db, matchId)),
      enter: () => audience.enter(matchId),
    },
  }))
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
  feed: Broadcast<ShownEvent>,
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
 * Streams a match event by event. A snapshot replaces events that are no longer kept.
 * @throws TesseraError MATCH_NOT_FOUND, INVALID_PARAMETERS
 */
export const watchMatch = async (
  runtime: Runtime,
  options: {
    matchId: string
    afterSeq?: number | null | undefined
    speed?: number | null | undefined
    caller: Tenant | null
  },
): Promise<AsyncIterable<ShownEvent>> => {
  const { matchId, afterSeq, speed, caller } = options
  if (afterSeq != null && afterSeq < 0)
    throw refused('afterSeq', 'must be at least 0', 'INVALID_PARAMETERS')
  if (speed != null && !(speed >= 0.1 && speed <= 1000))
    throw refused('speed', 'must be 0.1 to 1000', 'INVALID_PARAMETERS')
  const match = await getMatch(runtime, matchId, caller)
  const feed = feedOf(runtime, match)
  const newest = Math.max(match.seq, feed.position)
  if (afterSeq != null && afterSeq > newest)
    throw refused('afterSeq', `must be at most ${newest}, the newest event`, 'INVALID_PARAMETERS')
  const isWhole = (afterSeq ?? 0) >= match.loggedFrom - 1
  if (speed == null || !isWhole) return new SharedStream(feed, isWhole ? (afterSeq ?? null) : null)
  return streamOf((signal) => replay(feed, { after: afterSeq ?? 0, speed, signal }))
}
