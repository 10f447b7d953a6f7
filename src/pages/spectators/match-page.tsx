/** The page of a match in the browser. */
import { hydrate, render } from 'preact'
import { beginningOf, isOver, statesOf } from '../../../packages/client/src/match-state.ts'
import { openConnection } from './live-connection.ts'
import { followMatch, loadEvents } from './live-match.ts'
import { type MatchActions, MatchPage, type MatchView } from './match-view.tsx'
import { replayPause } from './pacing.ts'
import { ask, readPageData } from './page-data.ts'
import './match-page.css'
import { announcement } from './move-words.ts'
import { titleOf } from './page-words.ts'
import { type MatchEvent, type MatchState, spectatorsQuery } from './wire.ts'

const { data, ahead } = readPageData<MatchView>()
const { matchId } = data.state.match
const root = document.getElementById('page') as HTMLElement
const now = () => Date.now() + ahead

let view: MatchView = data
let spectatorCount = data.state.match.spectatorCount
/** The events of the whole match, once it is over. */
let events: MatchEvent[] = []
let states: MatchState[] = []
let timer: ReturnType<typeof setTimeout> | undefined

const draw = (change: Partial<MatchView>) => {
  view = { ...view, ...change, now: now() }
  const { state } = view
  const shown = { ...view, state: { ...state, match: { ...state.match, spectatorCount } } }
  render(<MatchPage view={shown} act={act} />, root)
  document.title = titleOf(state.match)
}

const show = (position: number, announced = '') => {
  const state = states[position]
  if (state && view.replay)
    draw({ state, replay: { ...view.replay, position }, announcement: announced })
}

const stopPlaying = () => {
  clearTimeout(timer)
  if (view.replay?.playing) draw({ replay: { ...view.replay, playing: false } })
}

/** Shows the next event after its pause, and continues to the end. */
const continueReplay = () => {
  const { replay } = view
  const next = replay && events[replay.position]
  if (!replay?.playing) return
  if (!next) return stopPlaying()
  timer = setTimeout(() => {
    show(replay.position + 1, announcement(view.state.match, next))
    continueReplay()
  }, replayPause(next.__typename) / replay.speed)
}

const play = (from: number) => {
  if (!view.replay) return
  clearTimeout(timer)
  draw({ replay: { ...view.replay, playing: true } })
  show(from)
  continueReplay()
}

const act: MatchActions = {
  play: () => {
    const { position = 0, length = 0 } = view.replay ?? {}
    play(position >= length ? 0 : position)
  },
  pause: stopPlaying,
  seek: (position) => {
    stopPlaying()
    show(position)
  },
  setSpeed: (speed) => {
    if (!view.replay) return
    clearTimeout(timer)
    draw({ replay: { ...view.replay, speed } })
    continueReplay()
  },
  showGame: (roundNumber) => {
    const start = events.findIndex(
      (event) => event.__typename === 'ArenaMatchRoundStarted' && event.roundNumber === roundNumber,
    )
    if (start >= 0) play(start + 1)
  },
}

hydrate(<MatchPage view={{ ...view, link: 'static' }} act={act} />, root)

const connection = openConnection((link) => {
  if (view.link !== 'over') draw({ link })
})

const offerReplay = async () => {
  events = await loadEvents(connection, matchId)
  states = statesOf(beginningOf(view.state), events)
  const length = states.length - 1
  if (length > 0) draw({ replay: { position: length, length, playing: false, speed: 1 } })
}

if (isOver(data.state.match)) {
  draw({ link: 'over' })
  void offerReplay()
} else {
  draw({ link: 'connecting' })
  followMatch(connection, {
    matchId,
    start: data.state,
    onShow: (state, event) => {
      const ended = isOver(state.match)
      draw({
        state,
        announcement: announcement(state.match, event),
        ...(ended && { link: 'over' }),
      })
      if (ended) void offerReplay()
    },
  })
  const countSpectators = async () => {
    if (document.hidden || view.link !== 'live') return
    const answer = await ask<{ arena: { match: { spectatorCount: number } | null } }>(
      spectatorsQuery,
      {
        matchId,
      },
    )
    const match = answer?.arena.match
    if (!match) return
    spectatorCount = match.spectatorCount
    draw({})
  }
  // The first count includes this page.
  setTimeout(countSpectators, 1_500)
  setInterval(countSpectators, 8_000)
}

/** Updates countdowns and relative times. */
setInterval(() => {
  const { match } = view.state
  const isCounting = match.nextRoundAt !== null || match.status === 'SCHEDULED'
  if (!document.hidden && (isCounting || now() - view.now > 30_000)) draw({})
}, 250)
