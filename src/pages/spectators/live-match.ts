/** Follows a match across broken connections without a gap. */
import type { StreamConnection } from './live-connection.ts'
import type { MatchState } from './match-state.ts'
import { isOver, stateOfSnapshot } from './match-state.ts'
import { createPlayhead, type Playhead } from './playhead.ts'
import { type MatchEvent, matchEventsSubscription } from './wire.ts'

type Watching = {
  matchId: string
  /** The number of the event to begin after. Defaults to a snapshot. */
  start: MatchState | null
  onShow(state: MatchState, event: MatchEvent): void
  onEnd?(refused: boolean): void
}

const isLast = (event: MatchEvent) =>
  event.kind === 'ArenaMatchCompleted' ||
  event.kind === 'ArenaMatchCancelled' ||
  (event.kind === 'ArenaMatchSnapshot' && isOver(event.match))

/** Follows a match until it ends or the returned function is called. */
export const followMatch = (
  connection: StreamConnection,
  { matchId, start, onShow, onEnd }: Watching,
): (() => void) => {
  let playhead: Playhead | null = start && createPlayhead(start, onShow)
  let hasEnded = start !== null && isOver(start.match)
  const following = connection.follow<MatchEvent>({
    query: matchEventsSubscription,
    variables: () => (playhead ? { matchId, sinceSeq: playhead.known } : { matchId }),
    onData: (event) => {
      hasEnded ||= isLast(event)
      if (playhead) {
        if (playhead.push(event) === 'gap') following.restart()
      } else if (event.kind === 'ArenaMatchSnapshot') {
        const state = stateOfSnapshot(event)
        playhead = createPlayhead(state, onShow)
        onShow(state, event)
      }
    },
    isOver: () => hasEnded,
    ...(onEnd && { onEnd }),
  })
  return () => {
    following.stop()
    playhead?.stop()
  }
}

/** All events of a finished match, oldest first. */
export const loadEvents = (connection: StreamConnection, matchId: string): Promise<MatchEvent[]> =>
  new Promise((resolve) => {
    const events: MatchEvent[] = []
    connection.follow<MatchEvent>({
      query: matchEventsSubscription,
      variables: () => ({ matchId, sinceSeq: events.at(-1)?.seq ?? 0 }),
      onData: (event) => {
        if (event.kind !== 'ArenaMatchSnapshot' && event.seq > (events.at(-1)?.seq ?? 0))
          events.push(event)
      },
      // The events of an old match may be deleted.
      isOver: () => events.at(-1) === undefined || isLast(events.at(-1) as MatchEvent),
      onEnd: () => resolve(events),
    })
  })
