/** The state of a match, and how events change it: for pages, widgets and hooks. */

/** One of the two agents of a match. */
export type Slot = 'AGENT1' | 'AGENT2'

type Side = {
  eloRating: number
  /** The results of an agent that is public. */
  profile?: { wins: number; losses: number; draws: number } | null
}

/** The fields of a match that events change. What a document does not select appears as soon as it changes. */
type Match = {
  status: 'SCHEDULED' | 'IN_PROGRESS' | 'COMPLETED' | 'CANCELLED'
  agent1: Side
  agent2: Side
  agent1Score: number
  agent2Score: number
  winnerSlot: Slot | null
  currentRoundNumber: number
  roundCount: number
  eloChange?: number | null
  startedAt?: string | null
  nextRoundAt?: string | null
}

/** A completed game. Actions are the moves of a side in order. */
export type FinishedRound = {
  roundNumber: number
  agent1Actions: readonly string[]
  agent2Actions: readonly string[]
  winnerSlot: Slot | null
  agent1Fault: string | null
  agent2Fault: string | null
}

export type Move = {
  slot: Slot
  action: string | null
  fault?: string | null
}

/** Null is a free cell. */
type Rows = readonly (readonly (string | null)[])[]
type Position = { roundNumber: number; board: Rows; turn: readonly Slot[] }
type Score = { winnerSlot: Slot | null; agent1Score: number; agent2Score: number }

type Kinds<M> = {
  ArenaMatchSnapshot: {
    match: M
    rounds?: readonly FinishedRound[]
    currentRound?: (Position & { moves: readonly Move[] }) | null
  }
  ArenaMatchScheduled: unknown
  ArenaMatchStarted: unknown
  ArenaMatchRoundStarted: Position
  ArenaMatchMovesMade: Position & { moves: readonly Move[] }
  ArenaMatchRoundCompleted: Score & { roundNumber: number; nextRoundAt?: string | null }
  ArenaMatchCompleted: Score & {
    endReason?: string | null
    eloChange?: number | null
  }
  ArenaMatchCancelled: { endReason?: string | null }
}

export type EventKind = keyof Kinds<never>
export type EventOf<K extends EventKind, M> = {
  __typename: K
  seq: number
  occurredAt: string
} & Kinds<M>[K]
export type EventOfMatch<M> = { [K in EventKind]: EventOf<K, M> }[EventKind]

/** The game on the board: the current one or the last one. */
export type BoardRound = Position & {
  moves: readonly Move[]
  /** How it ended; null while it is in progress. */
  result: { winnerSlot: Slot | null } | null
}

export type MatchState<M> = {
  match: M
  /** The number of the last event that it includes. */
  seq: number
  rounds: readonly FinishedRound[]
  current: BoardRound | null
}

/** A state made from a snapshot only. */
export const stateOfSnapshot = <M extends Match>(
  event: EventOf<'ArenaMatchSnapshot', M>,
): MatchState<M> => {
  const { match, rounds = [], currentRound = null } = event
  const isOver = match.currentRoundNumber <= match.roundCount
  const last = rounds.at(-1)
  return {
    match,
    seq: event.seq,
    rounds,
    current: currentRound && {
      ...currentRound,
      turn: isOver ? [] : currentRound.turn,
      result: isOver ? { winnerSlot: last?.winnerSlot ?? null } : null,
    },
  }
}

/** The agents with the rating changes of a ranked match applied (1) or undone (-1). */
const rated = <M extends Match>(match: M, sign: 1 | -1): Pick<M, 'agent1' | 'agent2'> => {
  const { agent1, agent2, eloChange, winnerSlot } = match
  if (eloChange == null) return { agent1, agent2 }
  const change = <S extends Side>(agent: S, slot: Slot): S => ({
    ...agent,
    eloRating: agent.eloRating + sign * (slot === 'AGENT1' ? eloChange : -eloChange),
    profile: agent.profile && {
      ...agent.profile,
      wins: agent.profile.wins + sign * Number(winnerSlot === slot),
      losses: agent.profile.losses + sign * Number(winnerSlot !== null && winnerSlot !== slot),
      draws: agent.profile.draws + sign * Number(winnerSlot === null),
    },
  })
  return { agent1: change(agent1, 'AGENT1'), agent2: change(agent2, 'AGENT2') }
}

/** The match before its first event, where a replay begins. */
export const beginningOf = <M extends Match>({ match }: MatchState<M>): MatchState<M> => ({
  match: {
    ...match,
    ...rated(match, -1),
    status: 'SCHEDULED',
    agent1Score: 0,
    agent2Score: 0,
    winnerSlot: null,
    endReason: null,
    eloChange: null,
    currentRoundNumber: 0,
    roundCount: 0,
    endedAt: null,
    nextRoundAt: null,
  },
  seq: 0,
  rounds: [],
  current: null,
})

const actionsOf = (moves: readonly Move[], slot: Slot) =>
  moves.flatMap((move) => (move.slot === slot && move.action !== null ? [move.action] : []))

const faultOf = (moves: readonly Move[], slot: Slot) =>
  moves.find((move) => move.slot === slot && move.fault != null)?.fault ?? null

const playedRound = (current: BoardRound, winnerSlot: Slot | null): FinishedRound => ({
  roundNumber: current.roundNumber,
  agent1Actions: actionsOf(current.moves, 'AGENT1'),
  agent2Actions: actionsOf(current.moves, 'AGENT2'),
  winnerSlot,
  agent1Fault: faultOf(current.moves, 'AGENT1'),
  agent2Fault: faultOf(current.moves, 'AGENT2'),
})

/** The match after an event that is not a snapshot. */
const changeMatch = <M extends Match>(match: M, event: EventOfMatch<M>): M => {
  switch (event.__typename) {
    case 'ArenaMatchStarted':
      return { ...match, status: 'IN_PROGRESS', startedAt: match.startedAt ?? event.occurredAt }
    case 'ArenaMatchRoundStarted':
      return {
        ...match,
        status: 'IN_PROGRESS',
        currentRoundNumber: event.roundNumber,
        nextRoundAt: null,
      }
    case 'ArenaMatchRoundCompleted':
      return {
        ...match,
        agent1Score: event.agent1Score,
        agent2Score: event.agent2Score,
        roundCount: Math.max(match.roundCount, event.roundNumber),
        nextRoundAt: event.nextRoundAt,
      }
    case 'ArenaMatchCompleted': {
      const ended: M = {
        ...match,
        agent1Score: event.agent1Score,
        agent2Score: event.agent2Score,
        status: 'COMPLETED',
        winnerSlot: event.winnerSlot,
        endReason: event.endReason,
        eloChange: event.eloChange,
        endedAt: event.occurredAt,
        nextRoundAt: null,
      }
      return { ...ended, ...rated(ended, 1) }
    }
    case 'ArenaMatchCancelled':
      return {
        ...match,
        status: 'CANCELLED',
        endReason: event.endReason,
        endedAt: event.occurredAt,
        nextRoundAt: null,
      }
    default:
      return match
  }
}

const changeGame = (
  current: BoardRound | null,
  event: EventOfMatch<unknown>,
): BoardRound | null => {
  switch (event.__typename) {
    case 'ArenaMatchRoundStarted': {
      const { roundNumber, board, turn } = event
      return { roundNumber, moves: [], board, turn, result: null }
    }
    case 'ArenaMatchMovesMade': {
      const { moves, board, turn } = event
      return current && { ...current, moves: [...current.moves, ...moves], board, turn }
    }
    case 'ArenaMatchRoundCompleted':
      return current && { ...current, turn: [], result: { winnerSlot: event.winnerSlot } }
    default:
      return current
  }
}

export const isOver = ({ status }: Pick<Match, 'status'>): boolean =>
  status === 'COMPLETED' || status === 'CANCELLED'

/**
 * The state after an event. An event that it already includes changes nothing, and a snapshot replaces it. `gap`
 * means that events in between are missing: subscribe again from `state.seq`.
 * @param state null before the first snapshot
 */
export const applyEvent = <M extends Match>(
  state: MatchState<M> | null,
  event: EventOfMatch<M>,
): MatchState<M> | 'gap' => {
  if (event.__typename === 'ArenaMatchSnapshot')
    return state && event.seq < state.seq ? state : stateOfSnapshot(event)
  if (!state) return 'gap'
  if (event.seq <= state.seq) return state
  if (event.seq !== state.seq + 1) return 'gap'
  const current = changeGame(state.current, event)
  const rounds =
    event.__typename === 'ArenaMatchRoundCompleted' && current
      ? [...state.rounds, playedRound(current, event.winnerSlot)]
      : state.rounds
  return { match: changeMatch(state.match, event), seq: event.seq, rounds, current }
}

/** Whether no event follows. */
export const isLast = (event: EventOfMatch<Pick<Match, 'status'>>): boolean =>
  event.__typename === 'ArenaMatchCompleted' ||
  event.__typename === 'ArenaMatchCancelled' ||
  (event.__typename === 'ArenaMatchSnapshot' && isOver(event.match))

/** The states of a match from its beginning, one after each event. Events after a gap are omitted. */
export const statesOf = <M extends Match>(
  beginning: MatchState<M>,
  events: readonly EventOfMatch<M>[],
): MatchState<M>[] => {
  const states = [beginning]
  for (const event of events) {
    const next = applyEvent(states.at(-1) as MatchState<M>, event)
    if (next === 'gap') break
    states.push(next)
  }
  return states
}
