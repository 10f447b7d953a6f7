/** One turn of a game: requests the moves that are due, judges them and applies them. */
import { type Game, type Moves, otherSlot, type Slot } from '../agent-games/agent-game.rules.ts'
import type { LoggedMove } from '../agents/move.ts'
import { type GameResult, resultOfFaults } from './match.rules.ts'

/** Requests a move of a side. Never rejects because of an agent's answer. */
type Choose = (slot: Slot, state: unknown) => Promise<LoggedMove>

export const movesOf = (moves: LoggedMove[]): Moves =>
  Object.fromEntries(moves.map(({ slot, action }) => [slot, action]))

/**
 * If the side that begins a game fails, the other is asked to begin instead. Returns its fault if it fails, too: then
 * neither wins.
 */
const failureOfOther = async (
  game: Game,
  [first, second]: LoggedMove[],
  choose: Choose,
): Promise<LoggedMove[]> => {
  if (second || !first?.fault) return []
  const other = otherSlot(first.slot)
  const move = await choose(other, game.start(other))
  return move.fault ? [move] : []
}

const endOf = (game: Game, state: unknown): GameResult | null => {
  const result = game.result(state)
  return result && { winnerSlot: result.winnerSlot, faulted: [] }
}

type Turn = {
  moves: LoggedMove[]
  /** The state after the moves; unchanged after a fault. */
  state: unknown
  /** How the game ended; null while it continues. */
  result: GameResult | null
}

/** @param testsOther whether the other side is asked, too, if the side that must move fails */
export const playTurn = async (
  game: Game,
  state: unknown,
  choose: Choose,
  testsOther: boolean,
): Promise<Turn> => {
  const requested = await Promise.all(game.turn(state).map((slot) => choose(slot, state)))
  const moves = testsOther
    ? [...requested, ...(await failureOfOther(game, requested, choose))]
    : requested
  const faulted = moves.filter(({ fault }) => fault !== null).map(({ slot }) => slot)
  if (faulted.length > 0) return { moves, state, result: resultOfFaults(faulted) }
  const next = game.apply(state, movesOf(moves))
  return { moves, state: next, result: endOf(game, next) }
}
