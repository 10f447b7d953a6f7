import type { Slot } from '../agent-games/agent-game.rules.ts'

export const faultKinds = {
  ILLEGAL_MOVE: 'The move was illegal.',
  TIMEOUT: 'No answer in time.',
  FAILED: 'No readable answer.',
} as const

export type MoveFault = keyof typeof faultKinds

/** A move, with its fault if it did not count. */
export type LoggedMove = { slot: Slot; action: string | null; fault: MoveFault | null }
