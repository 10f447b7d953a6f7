import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  applyEvent,
  beginningOf,
  type MatchState,
  stateOfSnapshot,
  statesOf,
} from '../../src/pages/spectators/match-state.ts'
import { eventOf, scheduled, snapshotOf, wholeMatch } from './match-events.ts'

const after = (count: number): MatchState =>
  statesOf(beginningOf(scheduled()), wholeMatch().slice(0, count)).at(-1) as MatchState

describe('the state of a match', () => {
  test('is derived from its events', () => {
    const end = after(17)
    expect(end.seq).toBe(17)
    expect(end.match).toMatchObject({
      status: 'COMPLETED',
      agent1Score: 2,
      agent2Score: 0,
      winnerSlot: 1,
      totalGamesPlayed: 2,
      nextGameAt: null,
    })
    expect(end.match.agent1).toMatchObject({ eloRating: 1216, profile: { wins: 1, losses: 0 } })
    expect(end.match.agent2).toMatchObject({ eloRating: 1184, profile: { wins: 0, losses: 1 } })
    expect(
      end.games.map((game) => [game.gameNumber, game.agent1Action, game.agent2Action]),
    ).toEqual([
      [1, '1 2 3', '5 9'],
      [2, '1 2 3', '5 9'],
    ])
  })

  test('has the turn, the board and the moves of the current game', () => {
    const { current } = after(5)
    expect(current).toEqual({
      gameNumber: 1,
      moves: [
        { slot: 1, action: '1', fault: null },
        { slot: 2, action: '5', fault: null },
      ],
      board: [
        ['1', '', ''],
        ['', '2', ''],
        ['', '', ''],
      ],
      turn: [1],
      result: null,
    })
  })

  test('keeps the board of a finished game until the next begins', () => {
    expect(after(9).current).toMatchObject({ gameNumber: 1, result: { winnerSlot: 1 }, turn: [] })
    expect(after(9).match.nextGameAt).toBe('2026-01-01T00:01:00.000Z')
    expect(after(10).current).toMatchObject({ gameNumber: 2, result: null, moves: [] })
    expect(after(10).match.nextGameAt).toBeNull()
  })

  test('does not change with repeated events, and reports a gap', () => {
    const events = wholeMatch()
    fc.assert(
      fc.property(fc.array(fc.nat(events.length - 1), { maxLength: 80 }), (order) => {
        let state = beginningOf(scheduled())
        for (const i of order) {
          const event = events[i] as (typeof events)[number]
          const next = applyEvent(state, event)
          if (event.seq > state.seq + 1) expect(next).toBe('gap')
          else if (event.seq <= state.seq) expect(next).toBe(state)
          else state = next as MatchState
        }
        expect(state).toEqual(statesOf(beginningOf(scheduled()), events)[state.seq])
      }),
    )
  })

  test('takes a snapshot for missed events, but no older one', () => {
    const match = { status: 'IN_PROGRESS', agent1Score: 1, currentGameNumber: 2 } as const
    const state = applyEvent(
      after(3),
      snapshotOf(11, { ...match, totalGamesPlayed: 1 }),
    ) as MatchState
    expect(state).toMatchObject({ seq: 11, match })
    expect(applyEvent(state, snapshotOf(8))).toBe(state)
  })

  test('a snapshot between two games shows how the last one ended', () => {
    const state = stateOfSnapshot(
      snapshotOf(
        9,
        { status: 'IN_PROGRESS', currentGameNumber: 1, totalGamesPlayed: 1 },
        {
          currentGame: { gameNumber: 1, board: [], turn: [], moves: [] },
          games: [
            {
              gameNumber: 1,
              agent1Action: '1 2 3',
              agent2Action: '5 9',
              winnerSlot: 1,
              agent1Fault: null,
              agent2Fault: null,
            },
          ],
        },
      ),
    )
    expect(state.current).toMatchObject({ result: { winnerSlot: 1 }, turn: [] })
  })

  test('has the fault of a lost game', () => {
    const fault = { slot: 1, action: null, fault: 'TIMEOUT' }
    const moved = applyEvent(
      after(3),
      eventOf(4, 'ArenaMatchMovesMade', { gameNumber: 1, board: [], turn: [], moves: [fault] }),
    )
    const over = applyEvent(
      moved as MatchState,
      eventOf(5, 'ArenaMatchGameCompleted', {
        gameNumber: 1,
        winnerSlot: 2,
        agent1Score: 0,
        agent2Score: 1,
        nextGameAt: null,
      }),
    ) as MatchState
    expect(over.games).toMatchObject([{ winnerSlot: 2, agent1Fault: 'TIMEOUT', agent2Fault: null }])
    expect(over.match.agent2Score).toBe(1)
  })
})

describe('a replay', () => {
  test('begins before the first event and leads to the current state', () => {
    const end = after(17)
    const beginning = beginningOf(end)
    expect(beginning.match).toMatchObject({ agent1Score: 0, status: 'SCHEDULED', winnerSlot: null })
    expect(beginning.match.agent1.eloRating).toBe(1200)
    const states = statesOf(beginning, wholeMatch())
    expect(states).toHaveLength(18)
    expect({ ...states.at(-1)?.match, startedAt: null }).toEqual({ ...end.match, startedAt: null })
    expect(states.at(-1)?.games).toEqual(end.games)
  })
})
