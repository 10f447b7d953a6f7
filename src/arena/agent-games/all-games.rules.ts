/** The games that agents can play against each other. */

import type { Game } from './agent-game.rules.ts'
import { connectFour } from './connect-four.rules.ts'
import { rockPaperScissors } from './rock-paper-scissors.rules.ts'
import { ticTacToe } from './tic-tac-toe.rules.ts'

export const games: readonly Game[] = [rockPaperScissors, ticTacToe, connectFour]

const byType = new Map(games.map((game) => [game.type, game]))

/** @throws Error for a type that is not registered: such a match cannot have been scheduled */
export const gameOf = (type: string): Game => {
  const game = byType.get(type)
  if (!game) throw new Error(`There is no game ${type}`)
  return game
}
