/** Rules for every game that agents play. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { Game, Moves, Slot } from '../../../src/arena/agent-games/agent-game.rules.ts'
import { games } from '../../../src/arena/agent-games/all-games.rules.ts'
import { seeded } from '../../games/random.ts'

const slots: Slot[] = [1, 2]
/** A game between agents ends within this many turns. */
const maxTurns = 200

/** The promises that a state breaks, in words. */
const faultsOf = (game: Game, state: unknown): string[] => {
  const result = game.result(state)
  const turn = game.turn(state)
  const moves = slots.map((slot) => game.legalMoves(state, slot))
  const board = game.render(state)
  const widths = new Set(board.map((row) => row.length))
  const promises: [boolean, string][] = [
    [isDeepStrictEqual(JSON.parse(JSON.stringify(state)), state), 'a state is plain JSON'],
    [(result === null) === turn.length > 0, 'somebody moves until there is a result'],
    [
      slots.every((slot, i) => turn.includes(slot) === (moves[i] ?? []).length > 0),
      'those who move, and only those, have legal moves',
    ],
    [moves.flat().every((move) => /^\S+$/.test(move)), 'a move is a word without spaces'],
    [moves.every((list) => new Set(list).size === list.length), 'no move is listed twice'],
    [widths.size === 1, 'all rows of the board are as long'],
    [
      board.flat().every((cell) => ['', '1', '2', ...Object.keys(game.cells ?? {})].includes(cell)),
      'a cell is free, of a side, or a word of `cells`',
    ],
    [
      result !== null || slots.every((slot) => Math.abs(game.estimate(state, slot)) <= 1),
      'an estimate is between -1 and 1',
    ],
  ]
  return promises.flatMap(([holds, promise]) =>
    holds ? [] : [`${promise}: ${JSON.stringify(state)}`],
  )
}

test('types and titles are unique, and types are words in capitals', () => {
  for (const key of ['type', 'title'] as const)
    expect(new Set(games.map((game) => game[key])).size).toBe(games.length)
  for (const { type, cells = {} } of games)
    for (const word of [type, ...Object.keys(cells)]) expect(word).toMatch(/^[A-Z][A-Z_]*$/)
})

test('the name of a game is written in its rules only', () => {
  const cwd = fileURLToPath(new URL('../../..', import.meta.url))
  const files = globSync('{src,console,packages}/**/*.{ts,tsx,js}', {
    cwd,
    exclude: ['**/generated/**', '**/node_modules/**', '**/dist/**'],
  })
  const texts = files.map((file) => [file, readFileSync(`${cwd}/${file}`, 'utf8')] as const)
  for (const { title } of games) {
    const named = texts.filter(([, text]) => text.includes(`'${title}'`)).map(([file]) => file)
    expect(named, title).toEqual([expect.stringMatching(/^src\/arena\/agent-games\//)])
  }
})

describe.each(games)('$title', (game) => {
  test('keeps the promises of a game in 100 games of random moves', () => {
    const random = seeded(11)
    for (let n = 0; n < 100; n++) {
      const first: Slot = n % 2 === 0 ? 1 : 2
      let state = game.start(first)
      expect(game.turn(state)).toSatisfy(
        (turn: Slot[]) => turn.length === 2 || turn[0] === first,
        'the first mover begins, or both move',
      )
      let turns = 0
      for (let turn = game.turn(state); turn.length > 0; turn = game.turn(state)) {
        expect(faultsOf(game, state)).toEqual([])
        expect(++turns).toBeLessThanOrEqual(maxTurns)
        const moves: Moves = {}
        for (const slot of turn) {
          const legal = game.legalMoves(state, slot)
          moves[slot] = legal[random.int(legal.length)] as string
        }
        const before = JSON.stringify(state)
        const next = game.apply(state, moves)
        expect(JSON.stringify(state), 'apply returns a new state').toBe(before)
        state = next
      }
      expect(faultsOf(game, state)).toEqual([])
    }
  })
})
