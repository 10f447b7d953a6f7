import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  applyEvent,
  beginningOf,
  stateOfSnapshot,
  statesOf,
} from '../../packages/client/src/match-state.ts'
import type { MatchState } from '../../src/pages/spectators/wire.ts'
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
      winnerSlot: 'AGENT1',
      roundCount: 2,
      nextRoundAt: null,
    })
    expect(end.match.agent1).toMatchObject({ eloRating: 1216, profile: { wins: 1, losses: 0 } })
    expect(end.match.agent2).toMatchObject({ eloRating: 1184, profile: { wins: 0, losses: 1 } })
    expect(
      end.rounds.map((game) => [game.roundNumber, game.agent1Actions, game.agent2Actions]),
    ).toEqual([
      [1, ['1', '2', '3'], ['5', '9']],
      [2, ['1', '2', '3'], ['5', '9']],
    ])
  })

  test('has the turn, the board and the moves of the current game', () => {
    const { current } = after(5)
    expect(current).toEqual({
      roundNumber: 1,
      moves: [
        { slot: 'AGENT1', action: '1', fault: null },
        { slot: 'AGENT2', action: '5', fault: null },
      ],
      board: [
        ['AGENT1', null, null],
        [null, 'AGENT2', null],
        [null, null, null],
      ],
      turn: ['AGENT1'],
      result: null,
    })
  })

  test('keeps the board of a finished game until the next begins', () => {
    expect(after(9).current).toMatchObject({
      roundNumber: 1,
      result: { winnerSlot: 'AGENT1' },
      turn: [],
    })
    expect(after(9).match.nextRoundAt).toBe('2026-01-01T00:01:00.000Z')
    expect(after(10).current).toMatchObject({ roundNumber: 2, result: null, moves: [] })
    expect(after(10).match.nextRoundAt).toBeNull()
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
    const match = { status: 'IN_PROGRESS', agent1Score: 1, currentRoundNumber: 2 } as const
    const state = applyEvent(after(3), snapshotOf(11, { ...match, roundCount: 1 })) as MatchState
    expect(state).toMatchObject({ seq: 11, match })
    expect(applyEvent(state, snapshotOf(8))).toBe(state)
  })

  test('a snapshot between two games shows how the last one ended', () => {
    const state = stateOfSnapshot(
      snapshotOf(
        9,
        { status: 'IN_PROGRESS', currentRoundNumber: 1, roundCount: 1 },
        {
          currentRound: { roundNumber: 1, board: [], turn: [], moves: [] },
          rounds: [
            {
              roundNumber: 1,
              agent1Actions: ['1', '2', '3'],
              agent2Actions: ['5', '9'],
              winnerSlot: 'AGENT1',
              agent1Fault: null,
              agent2Fault: null,
            },
          ],
        },
      ),
    )
    expect(state.current).toMatchObject({ result: { winnerSlot: 'AGENT1' }, turn: [] })
  })

  test('has the fault of a lost game', () => {
    const fault = { slot: 'AGENT1', action: null, fault: 'TIMEOUT' } as const
    const moved = applyEvent(
      after(3),
      eventOf(4, 'ArenaMatchMovesMade', { roundNumber: 1, board: [], turn: [], moves: [fault] }),
    )
    const over = applyEvent(
      moved as MatchState,
      eventOf(5, 'ArenaMatchRoundCompleted', {
        roundNumber: 1,
        winnerSlot: 'AGENT2',
        agent1Score: 0,
        agent2Score: 1,
        nextRoundAt: null,
      }),
    ) as MatchState
    expect(over.rounds).toMatchObject([
      { winnerSlot: 'AGENT2', agent1Fault: 'TIMEOUT', agent2Fault: null },
    ])
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
    expect(states.at(-1)?.rounds).toEqual(end.rounds)
  })
})
