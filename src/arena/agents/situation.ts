import type { Game, Slot } from '../agent-games/agent-game.rules.ts'
import type { PastGame } from './strategies.rules.ts'

export type MoveRequest = {
  matchId: string
  gameNumber: number
  game: Game
  state: unknown
  slot: Slot
  /** Earlier games of this match, from the side of this agent. */
  history: PastGame[]
}

/** The maximum number of earlier games that an agent receives. */
const describedGames = 50

/** The situation sent to an agent that must move. It never reveals the other side's move of this turn. */
export const situationOf = (
  { matchId, gameNumber, game, state, slot, history }: MoveRequest,
  deadline: Date,
) => ({
  matchId,
  gameNumber,
  gameType: game.type,
  slot,
  board: game.render(state),
  legalMoves: game.legalMoves(state, slot),
  history: history.slice(-describedGames),
  deadline: deadline.toISOString(),
})
