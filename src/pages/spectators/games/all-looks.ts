/** How each game looks, by its type. */
import { connectFourLook } from './connect-four-look.tsx'
import type { Look } from './look.tsx'
import { plainLook } from './plain-look.tsx'
import { rockPaperScissorsLook } from './rock-paper-scissors-look.tsx'
import { ticTacToeLook } from './tic-tac-toe-look.tsx'

const looks: Record<string, Look> = {
  CONNECT_FOUR: connectFourLook,
  ROCK_PAPER_SCISSORS: rockPaperScissorsLook,
  TIC_TAC_TOE: ticTacToeLook,
}

export const lookOf = (type: string): Look => looks[type] ?? plainLook(type)
