/** Events of matches for tests of the pages. */
import type { MatchState } from '../../src/pages/spectators/match-state.ts'
import { stateOfSnapshot } from '../../src/pages/spectators/match-state.ts'
import type {
  Agent,
  EventOf,
  Match,
  MatchEvent,
  MatchEventKind,
} from '../../src/pages/spectators/wire.ts'

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
  currentGameNumber: 0,
  totalGamesPlayed: 0,
  scheduledAt: '2026-01-01T00:00:00.000Z',
  startedAt: null,
  endedAt: null,
  nextGameAt: null,
  ...change,
})

export const eventOf = <K extends MatchEventKind>(
  seq: number,
  kind: K,
  change: Omit<EventOf<K>, 'seq' | 'kind' | 'at'>,
): EventOf<K> =>
  ({
    seq,
    kind,
    at: `2026-01-01T00:00:${String(seq).padStart(2, '0')}.000Z`,
    ...change,
  }) as EventOf<K>

export const snapshotOf = (
  seq: number,
  match: Partial<Match> = {},
  change: Partial<EventOf<'ArenaMatchSnapshot'>> = {},
): EventOf<'ArenaMatchSnapshot'> =>
  eventOf(seq, 'ArenaMatchSnapshot', {
    match: matchOf(match),
    games: [],
    currentGame: null,
    ...change,
  })

export const scheduled = (): MatchState => stateOfSnapshot(snapshotOf(1))

/** A match of two games that Ann wins by taking the upper row twice. */
export const wholeMatch = (): MatchEvent[] => {
  const events: MatchEvent[] = [
    eventOf(1, 'ArenaMatchScheduled', {}),
    eventOf(2, 'ArenaMatchStarted', {}),
  ]
  const add = <K extends MatchEventKind>(
    kind: K,
    change: Omit<EventOf<K>, 'seq' | 'kind' | 'at'>,
  ) => events.push(eventOf(events.length + 1, kind, change) as MatchEvent)
  for (const gameNumber of [1, 2]) {
    const cells: string[] = Array(9).fill('')
    const board = () => [cells.slice(0, 3), cells.slice(3, 6), cells.slice(6)]
    add('ArenaMatchGameStarted', { gameNumber, board: board(), turn: [1] })
    for (const [i, action] of ['1', '5', '2', '9', '3'].entries()) {
      const slot = (i % 2) + 1
      cells[Number(action) - 1] = String(slot)
      const turn = i === 4 ? [] : [3 - slot]
      add('ArenaMatchMovesMade', {
        gameNumber,
        moves: [{ slot, action, fault: null }],
        board: board(),
        turn,
      })
    }
    add('ArenaMatchGameCompleted', {
      gameNumber,
      winnerSlot: 1,
      agent1Score: gameNumber,
      agent2Score: 0,
      nextGameAt: gameNumber === 1 ? '2026-01-01T00:01:00.000Z' : null,
    })
  }
  add('ArenaMatchCompleted', {
    winnerSlot: 1,
    agent1Score: 2,
    agent2Score: 0,
    endReason: null,
    eloChange: 16,
  })
  return events
}
