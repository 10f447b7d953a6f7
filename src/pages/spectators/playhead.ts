/** Shows incoming events one by one. */
import { applyEvent } from '../../../packages/client/src/match-state.ts'
import { pauseBefore } from './pacing.ts'
import type { MatchEvent, MatchState } from './wire.ts'

export type Playhead = {
  /** The number of the last received event, shown or not. After a broken connection, continue from here. */
  readonly known: number
  /** Takes an event. `gap` means that events before it are missing; then it is not taken. */
  push(event: MatchEvent): 'taken' | 'gap'
  stop(): void
}

/** Shows a match from a state on, event by event, each with a pause. */
export const createPlayhead = (
  start: MatchState,
  onShow: (state: MatchState, event: MatchEvent) => void,
): Playhead => {
  let state = start
  let queue: MatchEvent[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let shownAt = Date.now()

  const show = (event: MatchEvent) => {
    const next = applyEvent(state, event)
    if (next === 'gap' || next === state) return
    state = next
    shownAt = Date.now()
    onShow(state, event)
  }
  const plan = () => {
    const [next] = queue
    if (timer !== undefined || !next) return
    timer = setTimeout(
      () => {
        timer = undefined
        queue = queue.slice(1)
        show(next)
        plan()
      },
      Math.max(0, shownAt + pauseBefore(next.__typename, queue.length) - Date.now()),
    )
  }
  const known = () => queue.at(-1)?.seq ?? state.seq
  return {
    get known() {
      return known()
    },
    push: (event) => {
      if (event.__typename === 'ArenaMatchSnapshot') {
        if (event.seq < known()) return 'taken'
        clearTimeout(timer)
        timer = undefined
        queue = []
        show(event)
        return 'taken'
      }
      if (event.seq <= known()) return 'taken'
      if (event.seq !== known() + 1) return 'gap'
      queue = [...queue, event]
      plan()
      return 'taken'
    },
    stop: () => {
      clearTimeout(timer)
      queue = []
    },
  }
}
