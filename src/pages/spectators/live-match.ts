/** Follows a match across broken connections without a gap. */
import { Fault } from '../../../packages/client/src/fault.ts'
import { isLast, isOver, stateOfSnapshot } from '../../../packages/client/src/match-state.ts'
import type { StreamConnection } from './live-connection.ts'
import { createPlayhead, type Playhead } from './playhead.ts'
import { type MatchEvent, type MatchState, matchEventsSubscription } from './wire.ts'

type Watching = {
  matchId: string
  /** The state to begin after. Defaults to a snapshot. */
  start: MatchState | null
  onShow(state: MatchState, event: MatchEvent): void
}

/** A match that cannot be watched keeps what it shows. */
const ignoreFault = (error: unknown) => {
  if (!(error instanceof Fault)) throw error
}

/** Follows a match until it ends or the returned function is called. */
export const followMatch = (
  connection: StreamConnection,
  { matchId, start, onShow }: Watching,
): (() => void) => {
  const stopping = new AbortController()
  const { signal } = stopping
  let playhead: Playhead | null = start && createPlayhead(start, onShow)
  /** Follows the match after the last event; returns whether it has to be followed again. */
  const follow = async (): Promise<boolean> => {
    const variables = playhead ? { matchId, afterSeq: playhead.known } : { matchId }
    const resume = (event: MatchEvent) => (isLast(event) ? null : { afterSeq: event.seq })
    const events = connection.watch(matchEventsSubscription, variables, { signal, resume })
    for await (const event of events) {
      if (playhead?.push(event) === 'gap') return true
      if (!playhead && event.__typename === 'ArenaMatchSnapshot') {
        const state = stateOfSnapshot(event)
        playhead = createPlayhead(state, onShow)
        onShow(state, event)
      }
    }
    return false
  }
  const run = async () => {
    if (start && isOver(start.match)) return
    while (await follow());
  }
  run().catch(ignoreFault)
  return () => {
    stopping.abort()
    playhead?.stop()
  }
}

/** All events of a finished match, oldest first. None if they are no longer kept: then there is only a snapshot. */
export const loadEvents = async (
  connection: StreamConnection,
  matchId: string,
): Promise<MatchEvent[]> => {
  const events: MatchEvent[] = []
  const resume = (event: MatchEvent) => {
    const { seq } = event.__typename === 'ArenaMatchSnapshot' ? (events.at(-1) ?? {}) : event
    return seq === undefined || (seq === event.seq && isLast(event)) ? null : { afterSeq: seq }
  }
  const load = async () => {
    const variables = { matchId, afterSeq: 0 }
    for await (const event of connection.watch(matchEventsSubscription, variables, { resume }))
      if (event.__typename !== 'ArenaMatchSnapshot') events.push(event)
  }
  await load().catch(ignoreFault)
  return events
}
