/** The games that agents can play against each other: every file of this folder that exports a `game`. */
import { games as found } from '../../generated/agent-games.ts'
import type { Game } from './agent-game.rules.ts'

/** Those that REST lists come first. */
export const games = found.toSorted((a, b) => Number(b.isListed) - Number(a.isListed))

/** What the cells of the boards of all games can hold, with what it means. */
export const cells: Readonly<Record<string, string>> = {
  1: 'The first agent holds it.',
  2: 'The second agent holds it.',
  ...Object.assign({}, ...games.map(({ cells = {} }) => cells)),
}

const byType = new Map(games.map((game) => [game.type, game]))

/** @throws Error for a type that is not registered: such a match cannot have been scheduled */
export const gameOf = (type: string): Game => {
  const game = byType.get(type)
  if (!game) throw new Error(`There is no game ${type}`)
  return game
}
