/** Events of matches for tests of the pages. */
import {
  type EventKind,
  type EventOf as EventOfKind,
  type Slot,
  stateOfSnapshot,
} from '../../packages/client/src/match-state.ts'
import type { Agent, Match, MatchEvent, MatchState } from '../../src/pages/spectators/wire.ts'

type EventOf<K extends EventKind> = EventOfKind<K, Match>

const agent = (agentId: string): Agent => ({
  agentId,
  displayName: agentId,
  tier: 'ROOKIE',
  eloRating: 1200,
  profile: { partnerName: 'Demo', wins: 0, losses: 0, draws: 0 },
})

export const matchOf = (change: Partial<Match> = {}): Match => ({
  matchId: 'match',
  matchType: 'RANKED',
  gameType: 'TIC_TAC_TOE',
  gameName: 'Tic-tac-toe',
  bestOf: 3,
  status: 'SCHEDULED',
  agent1: agent('Ann'),
  agent2: agent('Ben'),
  agent1Score: 0,
  agent2Score: 0,
  winnerSlot: null,
  endReason: null,
  eloChange: null,
  spectatorCount: 0,
  currentRoundNumber: 0,
  roundCount: 0,
  scheduledAt: '2026-01-01T00:00:00.000Z',
  startedAt: null,
  endedAt: null,
  nextRoundAt: null,
  ...change,
})

export const eventOf = <K extends EventKind>(
  seq: number,
  __typename: K,
  change: Omit<EventOf<K>, 'seq' | '__typename' | 'occurredAt'>,
): EventOf<K> =>
  ({
    seq,
    __typename,
    occurredAt: `2026-01-01T00:00:${String(seq).padStart(2, '0')}.000Z`,
    ...change,
  }) as EventOf<K>

export const snapshotOf = (
  seq: number,
  match: Partial<Match> = {},
  change: Partial<EventOf<'ArenaMatchSnapshot'>> = {},
): EventOf<'ArenaMatchSnapshot'> =>
  eventOf(seq, 'ArenaMatchSnapshot', {
    match: matchOf(match),
    rounds: [],
    currentRound: null,
    ...change,
  })

export const scheduled = (): MatchState => stateOfSnapshot(snapshotOf(1))

const slots: Slot[] = ['AGENT1', 'AGENT2']

/** A match of two games that Ann wins by taking the upper row twice. */
export const wholeMatch = (): MatchEvent[] => {
  const events: MatchEvent[] = [
    eventOf(1, 'ArenaMatchScheduled', {}),
    eventOf(2, 'ArenaMatchStarted', {}),
  ]
  const add = <K extends EventKind>(
    kind: K,
    change: Omit<EventOf<K>, 'seq' | '__typename' | 'occurredAt'>,
  ) => events.push(eventOf(events.length + 1, kind, change) as MatchEvent)
  for (const roundNumber of [1, 2]) {
    const cells: (string | null)[] = Array(9).fill(null)
    const board = () => [cells.slice(0, 3), cells.slice(3, 6), cells.slice(6)]
    add('ArenaMatchRoundStarted', { roundNumber, board: board(), turn: ['AGENT1'] })
    for (const [i, action] of ['1', '5', '2', '9', '3'].entries()) {
      const [slot, other] = i % 2 === 0 ? slots : slots.toReversed()
      cells[Number(action) - 1] = slot as Slot
      const turn = i === 4 ? [] : [other as Slot]
      add('ArenaMatchMovesMade', {
        roundNumber,
        moves: [{ slot: slot as Slot, action, fault: null }],
        board: board(),
        turn,
      })
    }
    add('ArenaMatchRoundCompleted', {
      roundNumber,
      winnerSlot: 'AGENT1',
      agent1Score: roundNumber,
      agent2Score: 0,
      nextRoundAt: roundNumber === 1 ? '2026-01-01T00:01:00.000Z' : null,
    })
  }
  add('ArenaMatchCompleted', {
    winnerSlot: 'AGENT1',
    agent1Score: 2,
    agent2Score: 0,
    endReason: null,
    eloChange: 16,
  })
  return events
}
