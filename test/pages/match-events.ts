/** Events of matches for tests of the pages. */
import type { MatchState } from '../../src/pages/spectators/match-state.ts'
import { stateOfSnapshot } from '../../src/pages/spectators/match-state.ts'
import type { Agent, Match, MatchEvent } from '../../src/pages/spectators/wire.ts'

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

export const eventOf = (
  seq: number,
  kind: MatchEvent['kind'],
  change: Partial<MatchEvent> = {},
): MatchEvent => ({
  seq,
  kind,
  at: `2026-01-01T00:00:${String(seq).padStart(2, '0')}.000Z`,
  gameNumber: null,
  firstSlot: null,
  moves: [],
  board: null,
  turn: [],
  winnerSlot: null,
  agent1Score: null,
  agent2Score: null,
  nextGameAt: null,
  reason: null,
  eloChange: null,
  match: null,
  games: [],
  ...change,
})

export const snapshotOf = (seq: number, match: Partial<Match> = {}, change = {}): MatchEvent =>
  eventOf(seq, 'SNAPSHOT', { match: matchOf(match), ...change })

export const scheduled = (): MatchState => stateOfSnapshot(snapshotOf(1, {}, { gameNumber: null }))

/** A match of two games that Ann wins by taking the upper row twice. */
export const wholeMatch = (): MatchEvent[] => {
  const events: MatchEvent[] = [eventOf(1, 'MATCH_SCHEDULED'), eventOf(2, 'MATCH_STARTED')]
  const add = (kind: MatchEvent['kind'], change: Partial<MatchEvent>) =>
    events.push(eventOf(events.length + 1, kind, change))
  for (const gameNumber of [1, 2]) {
    const cells: string[] = Array(9).fill('')
    const board = () => [cells.slice(0, 3), cells.slice(3, 6), cells.slice(6)]
    add('GAME_STARTED', { gameNumber, firstSlot: 1, board: board(), turn: [1] })
    for (const [i, action] of ['1', '5', '2', '9', '3'].entries()) {
      const slot = (i % 2) + 1
      cells[Number(action) - 1] = String(slot)
      const turn = i === 4 ? [] : [3 - slot]
      add('MOVES_MADE', {
        gameNumber,
        moves: [{ slot, action, fault: null }],
        board: board(),
        turn,
      })
    }
    add('GAME_COMPLETED', {
      gameNumber,
      winnerSlot: 1,
      agent1Score: gameNumber,
      agent2Score: 0,
      nextGameAt: gameNumber === 1 ? '2026-01-01T00:01:00.000Z' : null,
    })
  }
  add('MATCH_COMPLETED', { winnerSlot: 1, agent1Score: 2, agent2Score: 0, eloChange: 16 })
  return events
}
