/** The page of the arena in the browser. */
import { hydrate, render } from 'preact'
import { type ArenaState, applyLiveChange, featuredOf, letGo } from './arena-state.ts'
import { ArenaPage, type ArenaView } from './arena-view.tsx'
import { openConnection } from './live-connection.ts'
import { followMatch } from './live-match.ts'
import { ask, readPageData } from './page-data.ts'
import './arena-page.css'
import { announcement } from './move-words.ts'
import { resultTexts } from './page-words.ts'
import {
  arenaQuery,
  audienceQuery,
  type Leader,
  type LiveChange,
  leaderboardSubscription,
  liveMatchesSubscription,
  type Match,
} from './wire.ts'

const { data, ahead } = readPageData<ArenaView>()
const root = document.getElementById('page') as HTMLElement
const now = () => Date.now() + ahead

let view: ArenaView = data
const draw = (change: Partial<ArenaView>) => {
  view = { ...view, ...change, now: now() }
  render(<ArenaPage view={view} />, root)
}

hydrate(<ArenaPage view={{ ...view, link: 'static' }} />, root)
const connection = openConnection((link) => draw({ link }))
draw({ link: 'connecting' })

let shown: string | null = null
let leave = () => {}

/** Follows the featured match, move by move. */
const feature = () => {
  const next = featuredOf(view.lists.live, shown)
  if (next === shown) return
  leave()
  shown = next
  leave = () => {}
  if (next === null) return draw({ featured: null })
  const start = view.featured?.match.matchId === next ? view.featured : null
  leave = followMatch(connection, {
    matchId: next,
    start,
    onShow: (state, event) => {
      const { match } = state
      const before = view.featured?.match
      const known = before?.matchId === match.matchId ? before : match
      draw({
        featured: { ...state, match: { ...match, spectatorCount: known.spectatorCount } },
        announcement: announcement(match, event),
      })
    },
  })
}

const setLists = (lists: ArenaState, announced?: string) => {
  if (lists !== view.lists)
    draw({ lists, ...(announced !== undefined && { announcement: announced }) })
  feature()
}

type Lists = {
  live: { nodes: Match[] }
  recent: { nodes: Match[] }
  leaders: { totalCount: { value: number }; nodes: Leader[] }
}

/** Loads matches that ended while the connection was broken. */
const readMissed = async () => {
  const answer = await ask<{ arena: Lists }>(arenaQuery)
  if (!answer) return
  const { lists } = view
  const leaving = new Set(lists.live.map(({ match }) => match.matchId))
  const recent = answer.arena.recent.nodes.filter(({ matchId }) => !leaving.has(matchId))
  setLists({ ...lists, recent, agentCount: answer.arena.leaders.totalCount.value })
}

type Audience = { live: { nodes: Pick<Match, 'matchId' | 'spectatorCount'>[] } }

/** Polls the number of spectators, which no subscription reports. */
const countSpectators = async () => {
  if (document.hidden || view.link !== 'live') return
  const answer = await ask<{ arena: Audience }>(audienceQuery)
  if (!answer) return
  const counts = new Map(
    answer.arena.live.nodes.map(({ matchId, spectatorCount }) => [matchId, spectatorCount]),
  )
  const counted = (match: Match): Match => ({
    ...match,
    spectatorCount: counts.get(match.matchId) ?? match.spectatorCount,
  })
  const { lists, featured } = view
  draw({
    lists: {
      ...lists,
      live: lists.live.map((listed) => ({ ...listed, match: counted(listed.match) })),
    },
    featured: featured && { ...featured, match: counted(featured.match) },
  })
}

const followLive = async () => {
  let snapshots = 0
  for await (const change of connection.watch<LiveChange>(liveMatchesSubscription)) {
    const ended = change.kind === 'ENDED' ? change.matches.map(resultTexts).join(' ') : undefined
    setLists(applyLiveChange(view.lists, change, now()), ended)
    if (change.kind === 'SNAPSHOT' && snapshots++ > 0) void readMissed()
  }
}

const followLeaders = async () => {
  for await (const leaders of connection.watch<Leader[]>(leaderboardSubscription))
    setLists({ ...view.lists, leaders })
}

void followLive()
void followLeaders()
feature()
// The first count includes this page.
setTimeout(countSpectators, 1_500)
setInterval(countSpectators, 10_000)

setInterval(() => {
  if (document.hidden) return
  setLists(letGo(view.lists, now()))
  if (view.featured?.match.nextRoundAt || now() - view.now > 30_000) draw({})
}, 250)
