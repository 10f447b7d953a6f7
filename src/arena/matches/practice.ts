/** Plays games between an agent and a built-in one as a match does, without a match. */
import { v7 as uuid } from 'uuid'
import type { Game, Slot } from '../agent-games/agent-game.rules.ts'
import type { LoggedMove } from '../agents/move.ts'
import type { Player, Players } from '../agents/player.ts'
import type { PastGame } from '../agents/strategies.rules.ts'
import { firstSlotOf, type GameResult } from './match.rules.ts'
import { playTurn } from './turn.ts'

/** A move, with what it answered. */
export type PracticeMove = LoggedMove & {
  isOwn: boolean
  tookMs: number
  /** Of the state before the move. */
  legalMoves: string[]
  board: string[][]
}

type Pair = { agent: Player; opponent: Player }

const actionsOf = (moves: LoggedMove[], isWanted: (slot: Slot) => boolean) =>
  moves.flatMap(({ slot, action }) => (isWanted(slot) && action !== null ? [action] : []))

/**
 * Starts a match of one game. Returns the function that plays its next game.
 * @param slot the side of the agent
 * @param report receives each move once its turn is over
 */
export const startPractice = (
  players: Players,
  { agent, opponent }: Pair,
  { game, slot: own }: { game: Game; slot: Slot },
) => {
  const matchId = uuid()
  const history: PastGame[] = []
  const mirrored = () => history.map(({ mine, theirs }) => ({ mine: theirs, theirs: mine }))

  return async (
    gameNumber: number,
    report: (move: PracticeMove) => void,
  ): Promise<{ result: GameResult; board: string[][] }> => {
    let state = game.start(firstSlotOf(gameNumber))
    const moved: LoggedMove[] = []
    for (;;) {
      const before = state
      const tookMs = new Map<Slot, number>()
      const choose = async (slot: Slot) => {
        const startedAt = performance.now()
        const isOwn = slot === own
        const move = await players.choose(isOwn ? agent : opponent, {
          matchId,
          gameNumber,
          game,
          state: before,
          slot,
          history: isOwn ? [...history] : mirrored(),
        })
        tookMs.set(slot, performance.now() - startedAt)
        return move
      }
      const turn = await playTurn(game, before, choose, false)
      for (const move of turn.moves)
        report({
          ...move,
          isOwn: move.slot === own,
          tookMs: tookMs.get(move.slot) ?? 0,
          legalMoves: game.legalMoves(before, move.slot),
          board: game.render(before),
        })
      moved.push(...turn.moves)
      state = turn.state
      if (!turn.result) continue
      const isOwn = (slot: Slot) => slot === own
      history.push({
        mine: actionsOf(moved, isOwn),
        theirs: actionsOf(moved, (slot) => !isOwn(slot)),
      })
      return { result: turn.result, board: game.render(state) }
    }
  }
}
