/** The lists of the arena page, and how events change them. */
import { type Leader, type LiveChange, listedRecent, type Match } from './wire.ts'

/** How long an ended match stays in the live list before it moves to the recent ones. */
export const lingerMs = 8_000

/** A match in the live list. An ended match has the time at which it leaves. */
export type ListedMatch = { match: Match; leavesAt: number | null }

export type ArenaState = {
  live: ListedMatch[]
  recent: Match[]
  leaders: Leader[]
  /** The number of agents on the whole leaderboard. */
  agentCount: number
}

const idOf = ({ match }: ListedMatch) => match.matchId

/** Adds matches to the top of the recent ones, each once. */
const addRecent = (recent: Match[], ended: Match[]): Match[] => {
  const ids = new Set(ended.map(({ matchId }) => matchId))
  return [...ended, ...recent.filter(({ matchId }) => !ids.has(matchId))].slice(0, listedRecent)
}

const replaced = (live: ListedMatch[], matches: Match[], leavesAt: number | null) => {
  const byId = new Map(matches.map((match) => [match.matchId, match]))
  return live.map((listed) => {
    const match = byId.get(idOf(listed))
    return match ? { match, leavesAt } : listed
  })
}

const added = (live: ListedMatch[], matches: Match[]) => {
  const known = new Set(live.map(idOf))
  const fresh = matches.filter(({ matchId }) => !known.has(matchId))
  return [...fresh.map((match) => ({ match, leavesAt: null })), ...live]
}

/** The state after a change of the live list. */
export const applyLiveChange = (
  state: ArenaState,
  { kind, matches }: LiveChange,
  now: number,
): ArenaState => {
  switch (kind) {
    case 'SNAPSHOT': {
      const leaving = state.live.filter(({ leavesAt }) => leavesAt !== null)
      const running = matches.map((match) => ({ match, leavesAt: null }))
      const ids = new Set(matches.map(({ matchId }) => matchId))
      return { ...state, live: [...running, ...leaving.filter((listed) => !ids.has(idOf(listed)))] }
    }
    case 'STARTED':
      return { ...state, live: replaced(added(state.live, matches), matches, null) }
    case 'CHANGED':
      return { ...state, live: replaced(state.live, matches, null) }
    case 'ENDED': {
      const listed = new Set(state.live.map(idOf))
      const unseen = matches.filter(({ matchId }) => !listed.has(matchId))
      return {
        ...state,
        live: replaced(state.live, matches, now + lingerMs),
        recent: addRecent(
          state.recent,
          unseen.filter(({ status }) => status === 'COMPLETED'),
        ),
      }
    }
  }
}

/** Moves expired matches from the live list to the recent ones. */
export const letGo = (state: ArenaState, now: number): ArenaState => {
  const gone = state.live.filter(({ leavesAt }) => leavesAt !== null && leavesAt <= now)
  if (gone.length === 0) return state
  const ended = gone.map(({ match }) => match).filter(({ status }) => status === 'COMPLETED')
  return {
    ...state,
    live: state.live.filter((listed) => !gone.includes(listed)),
    recent: addRecent(state.recent, ended),
  }
}

/**
 * The match to show move by move: the current one while it is listed, otherwise the one with the most spectators.
 */
export const featuredOf = (live: ListedMatch[], shown: string | null): string | null => {
  if (shown !== null && live.some((listed) => idOf(listed) === shown)) return shown
  const running = live.filter(({ leavesAt }) => leavesAt === null)
  const best = running.reduce<ListedMatch | undefined>(
    (best, listed) =>
      best && best.match.spectatorCount >= listed.match.spectatorCount ? best : listed,
    undefined,
  )
  return best ? idOf(best) : null
}
