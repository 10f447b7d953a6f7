import type { Game, Slot } from '../agent-games/agent-game.rules.ts'
import type { PastGame } from './strategies.rules.ts'

export const faultKinds = {
  ILLEGAL_MOVE: 'The move was illegal.',
  TIMEOUT: 'No answer in time.',
  FAILED: 'No readable answer.',
} as const

export type MoveFault = keyof typeof faultKinds

/** A move, with its fault if it did not count. */
export type LoggedMove = { slot: Slot; action: string | null; fault: MoveFault | null }

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
