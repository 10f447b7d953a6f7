import { describe, expect, test } from 'vitest'
import { agentTierOf, eloChange, nextGlicko } from '../../../src/arena/agents/rating.rules.ts'
import { afterGame, verdictOf } from '../../../src/arena/matches/match.rules.ts'

describe('Elo', () => {
  test('of equals changes by half of K, and a winner always gains', () => {
    expect(eloChange(1200, 1200, 1)).toBe(16)
    expect(eloChange(1200, 1200, 2)).toBe(-16)
    expect(eloChange(1200, 1200, null)).toBe(0)
    expect(eloChange(1600, 1200, 1)).toBe(3)
    expect(eloChange(1200, 1600, 1)).toBe(29)
    expect(eloChange(3000, 1000, 1)).toBe(1)
    expect(eloChange(1000, 3000, 2)).toBe(-1)
    expect(eloChange(1600, 1200, null)).toBe(-13)
  })

  test('is symmetric: what one gains the other loses', () => {
    for (let first = 800; first < 2000; first += 37)
      for (let two = 800; two < 2000; two += 41)
        expect(eloChange(first, two, 1) + eloChange(two, first, 2)).toBe(0)
  })

  test.each([
    [1299, 'ROOKIE'],
    [1300, 'CONTENDER'],
    [1499, 'CONTENDER'],
    [1500, 'CHAMPION'],
    [1699, 'CHAMPION'],
    [1700, 'LEGEND'],
    [0, 'ROOKIE'],
  ])('%i is %s', (elo, tier) => expect(agentTierOf(elo)).toBe(tier))
})

test('Glicko-2 matches the example in its paper', () => {
  const opponent = (rating: number, deviation: number, score: number) => ({
    opponent: { rating, deviation, volatility: 0.06 },
    score,
  })
  const next = nextGlicko({ rating: 1500, deviation: 200, volatility: 0.06 }, [
    opponent(1400, 30, 1),
    opponent(1550, 100, 0),
    opponent(1700, 300, 0),
  ])
  expect(next.rating).toBeCloseTo(1464.06, 1)
  expect(next.deviation).toBeCloseTo(151.52, 1)
  expect(next.volatility).toBeCloseTo(0.05999, 4)
})

describe('a match', () => {
  const start = {
    bestOf: 3,
    agent1Score: 0,
    agent2Score: 0,
    agent1Faults: 0,
    agent2Faults: 0,
    totalGamesPlayed: 0,
  }
  const play = (results: Parameters<typeof afterGame>[1][]) => results.reduce(afterGame, start)
  const win = (winnerSlot: 1 | 2 | null) => ({ winnerSlot, faulted: [] })

  test('ends with more than half of its games won', () => {
    expect(verdictOf(play([win(1), win(2)]))).toBeNull()
    expect(verdictOf(play([win(1), win(2), win(1)]))).toEqual({ winnerSlot: 1, reason: null })
    expect(verdictOf(play([win(2), win(null), win(2)]))).toEqual({ winnerSlot: 2, reason: null })
  })

  test('is a draw after three times its length', () => {
    expect(verdictOf(play(Array(8).fill(win(null))))).toBeNull()
    expect(verdictOf(play(Array(9).fill(win(null))))?.winnerSlot).toBeNull()
    expect(verdictOf(play([win(1), ...Array(8).fill(win(null))]))).toMatchObject({
      winnerSlot: null,
      reason: '9 games decided nothing',
    })
  })

  test('is lost by three faults in a row, but not by separate ones', () => {
    const fault = (...faulted: (1 | 2)[]) => ({ winnerSlot: null, faulted })
    expect(verdictOf(play([fault(1), fault(1), win(null), fault(1)]))).toBeNull()
    expect(verdictOf(play([fault(1), fault(1), fault(1)]))?.winnerSlot).toBe(2)
    expect(verdictOf(play([fault(1, 2), fault(1, 2), fault(1, 2)]))).toMatchObject({
      winnerSlot: null,
      reason: '3 games in a row were lost by faults',
    })
  })
})
