/** The state of a match on a page, and how events change it. */
import type { Agent, EventOf, FinishedGame, Match, MatchEvent, Move } from './wire.ts'

/** The game on the board: the current one or the last one. */
export type BoardGame = {
  gameNumber: number
  moves: Move[]
  board: string[][]
  /** Who moves next. */
  turn: number[]
  /** How it ended; null while it is in progress. */
  result: { winnerSlot: number | null } | null
}

export type MatchState = {
  match: Match
  /** The number of the last event that it includes. */
  seq: number
  games: FinishedGame[]
  current: BoardGame | null
}

/** A state made from a snapshot only. */
export const stateOfSnapshot = (event: EventOf<'ArenaMatchSnapshot'>): MatchState => {
  const { match, games, currentGame } = event
  const isOver = match.currentGameNumber <= match.totalGamesPlayed
  const last = games.at(-1)
  return {
    match,
    seq: event.seq,
    games,
    current: currentGame && {
      ...currentGame,
      turn: isOver ? [] : currentGame.turn,
      result: isOver ? { winnerSlot: last?.winnerSlot ?? null } : null,
    },
  }
}

/** The agents with the rating changes of a ranked match applied (1) or undone (-1). */
const rated = (match: Match, sign: 1 | -1): Pick<Match, 'agent1' | 'agent2'> => {
  const { agent1, agent2, eloChange, winnerSlot } = match
  if (eloChange === null) return { agent1, agent2 }
  const change = (agent: Agent, slot: number): Agent => ({
    ...agent,
    eloRating: agent.eloRating + sign * (slot === 1 ? eloChange : -eloChange),
    profile: agent.profile && {
      ...agent.profile,
      wins: agent.profile.wins + sign * Number(winnerSlot === slot),
      losses: agent.profile.losses + sign * Number(winnerSlot !== null && winnerSlot !== slot),
      draws: agent.profile.draws + sign * Number(winnerSlot === null),
    },
  })
  return { agent1: change(agent1, 1), agent2: change(agent2, 2) }
}

/** The match before its first event, where a replay begins. */
export const beginningOf = ({ match }: MatchState): MatchState => ({
  match: {
    ...match,
    ...rated(match, -1),
    status: 'SCHEDULED',
    agent1Score: 0,
    agent2Score: 0,
    winnerSlot: null,
    endReason: null,
    eloChange: null,
    currentGameNumber: 0,
    totalGamesPlayed: 0,
    endedAt: null,
    nextGameAt: null,
  },
  seq: 0,
  games: [],
  current: null,
})

const actionsOf = (moves: Move[], slot: number) =>
  moves.flatMap((move) => (move.slot === slot && move.action !== null ? [move.action] : []))

const faultOf = (moves: Move[], slot: number) =>
  moves.find((move) => move.slot === slot && move.fault !== null)?.fault ?? null

const playedGame = (current: BoardGame, winnerSlot: number | null): FinishedGame => ({
  gameNumber: current.gameNumber,
  agent1Action: actionsOf(current.moves, 1).join(' '),
  agent2Action: actionsOf(current.moves, 2).join(' '),
  winnerSlot,
  agent1Fault: faultOf(current.moves, 1),
  agent2Fault: faultOf(current.moves, 2),
})

/** The match after an event that is not a snapshot. */
const changeMatch = (match: Match, event: MatchEvent): Match => {
  switch (event.kind) {
    case 'ArenaMatchStarted':
      return { ...match, status: 'IN_PROGRESS', startedAt: match.startedAt ?? event.at }
    case 'ArenaMatchGameStarted':
      return {
        ...match,
        status: 'IN_PROGRESS',
        currentGameNumber: event.gameNumber,
        nextGameAt: null,
      }
    case 'ArenaMatchGameCompleted':
      return {
        ...match,
        agent1Score: event.agent1Score,
        agent2Score: event.agent2Score,
        totalGamesPlayed: Math.max(match.totalGamesPlayed, event.gameNumber),
        nextGameAt: event.nextGameAt,
      }
    case 'ArenaMatchCompleted': {
      const ended: Match = {
        ...match,
        agent1Score: event.agent1Score,
        agent2Score: event.agent2Score,
        status: 'COMPLETED',
        winnerSlot: event.winnerSlot,
        endReason: event.endReason,
        eloChange: event.eloChange,
        endedAt: event.at,
        nextGameAt: null,
      }
      return { ...ended, ...rated(ended, 1) }
    }
    case 'ArenaMatchCancelled':
      return {
        ...match,
        status: 'CANCELLED',
        endReason: event.endReason,
        endedAt: event.at,
        nextGameAt: null,
      }
    default:
      return match
  }
}

const changeGame = (current: BoardGame | null, event: MatchEvent): BoardGame | null => {
  switch (event.kind) {
    case 'ArenaMatchGameStarted': {
      const { gameNumber, board, turn } = event
      return { gameNumber, moves: [], board, turn, result: null }
    }
    case 'ArenaMatchMovesMade': {
      const { moves, board, turn } = event
      return current && { ...current, moves: [...current.moves, ...moves], board, turn }
    }
    case 'ArenaMatchGameCompleted':
      return current && { ...current, turn: [], result: { winnerSlot: event.winnerSlot } }
    default:
      return current
  }
}

export const isOver = ({ status }: Match): boolean =>
  status === 'COMPLETED' || status === 'CANCELLED'

/**
 * The state after an event. An event that it already includes changes nothing, and a snapshot replaces it. `gap`
 * means that events in between are missing: subscribe again from `state.seq`.
 */
export const applyEvent = (state: MatchState, event: MatchEvent): MatchState | 'gap' => {
  if (event.kind === 'ArenaMatchSnapshot')
    return event.seq >= state.seq ? stateOfSnapshot(event) : state
  if (event.seq <= state.seq) return state
  if (event.seq !== state.seq + 1) return 'gap'
  const current = changeGame(state.current, event)
  const games =
    event.kind === 'ArenaMatchGameCompleted' && current
      ? [...state.games, playedGame(current, event.winnerSlot)]
      : state.games
  return { match: changeMatch(state.match, event), seq: event.seq, games, current }
}

/** The states of a match from its beginning, one after each event. Events after a gap are omitted. */
export const statesOf = (beginning: MatchState, events: MatchEvent[]): MatchState[] => {
  const states = [beginning]
  for (const event of events) {
    const next = applyEvent(states.at(-1) as MatchState, event)
    if (next === 'gap') break
    states.push(next)
  }
  return states
}
