import { describe, expect, test } from 'vitest'
import type { Game, Moves, Slot } from '../../../src/arena/agent-games/agent-game.rules.ts'
import { gameOf, games } from '../../../src/arena/agent-games/all-games.rules.ts'
import {
  isStrategy,
  type StrategyName,
  strategies,
} from '../../../src/arena/agents/strategies.rules.ts'
import type { Random } from '../../../src/kit/random.ts'
import { seeded } from '../../games/random.ts'

type Past = { mine: string[]; theirs: string[] }[]

/** Plays a game to its end. Returns the winner and the moves. */
const play = (
  game: Game,
  names: Record<Slot, StrategyName>,
  { first, random, past }: { first: Slot; random: Random; past: Record<Slot, Past> },
) => {
  const moved: Record<Slot, string[]> = { 1: [], 2: [] }
  let state = game.start(first)
  for (let turn = game.turn(state); turn.length > 0; turn = game.turn(state)) {
    const moves: Moves = {}
    for (const slot of turn) {
      const move = strategies[names[slot]]({ game, state, slot, history: past[slot], random })
      if (!game.legalMoves(state, slot).includes(move))
        throw new Error(`${names[slot]} played ${move} in ${JSON.stringify(state)}`)
      moves[slot] = move
      moved[slot].push(move)
    }
    state = game.apply(state, moves)
  }
  past[1].push({ mine: moved[1], theirs: moved[2] })
  past[2].push({ mine: moved[2], theirs: moved[1] })
  return game.result(state)?.winnerSlot ?? null
}

const series = (type: string, names: Record<Slot, StrategyName>, count: number) => {
  const random = seeded(7)
  const past: Record<Slot, Past> = { 1: [], 2: [] }
  const result = { 1: 0, 2: 0, draw: 0 }
  for (let i = 0; i < count; i++) {
    if (type !== 'ROCK_PAPER_SCISSORS') past[1] = past[2] = []
    result[play(gameOf(type), names, { first: i % 2 ? 2 : 1, random, past }) ?? 'draw']++
  }
  return result
}

const names = Object.keys(strategies) as StrategyName[]

describe('strategies', () => {
  test('minimax never loses at tic-tac-toe, over 10,000 games', () => {
    // Shallow searches of the same process must leave no values behind.
    series('TIC_TAC_TOE', { 1: 'markov', 2: 'markov' }, 200)
    let played = 0
    for (const other of names) {
      const { 1: won, 2: lost, draw } = series('TIC_TAC_TOE', { 1: 'minimax', 2: other }, 2_000)
      expect(lost, `against ${other}`).toBe(0)
      if (other === 'random') expect(won).toBeGreaterThan(draw)
      if (other === 'minimax') expect(won).toBe(0)
      played += won + lost + draw
    }
    expect(played).toBe(10_000)
  })

  test('markov beats frequency at rock paper scissors over 10,000 games', () => {
    const { 1: won, 2: lost } = series(
      'ROCK_PAPER_SCISSORS',
      { 1: 'markov', 2: 'frequency' },
      10_000,
    )
    expect(won).toBeGreaterThan(lost * 2)
  })

  test('nothing beats the equilibrium of rock paper scissors', () => {
    for (const other of ['markov', 'frequency'] as const) {
      const { 1: won, 2: lost } = series('ROCK_PAPER_SCISSORS', { 1: 'minimax', 2: other }, 6_000)
      expect(Math.abs(won - lost), other).toBeLessThan(300)
    }
  })

  test('looking ahead beats random moves at connect four', () => {
    for (const name of ['minimax', 'markov', 'frequency'] as const) {
      const { 1: won } = series('CONNECT_FOUR', { 1: name, 2: 'random' }, 40)
      expect(won, name).toBeGreaterThanOrEqual(36)
    }
  })

  test.each(games.map(({ type }) => type))(
    'all play %s by its rules, and the same seed gives the same game',
    (type) => {
      for (const first of names)
        for (const two of names) {
          const run = () => series(type, { 1: first, 2: two }, type === 'CONNECT_FOUR' ? 1 : 4)
          expect(run()).toEqual(run())
        }
    },
  )

  test('are found by name only', () => {
    expect(isStrategy('markov')).toBe(true)
    for (const name of ['toString', '__proto__', '', 'Markov']) expect(isStrategy(name)).toBe(false)
  })
})
