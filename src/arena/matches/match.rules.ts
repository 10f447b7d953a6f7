/** Decides when a match is over, and who won. */
import type { Slot } from '../agent-games/agent-game.rules.ts'
import { endReasonTexts, maxFaults, undecidedText } from './end-reason.rules.ts'

type MatchScore = {
  bestOf: number
  agent1Score: number
  agent2Score: number
  /** Games lost in a row by a fault. */
  agent1Faults: number
  agent2Faults: number
  totalGamesPlayed: number
}

export type GameResult = {
  winnerSlot: Slot | null
  /** Sides whose move was illegal, late or failed. */
  faulted: Slot[]
}

/** Who moves first in a game: the sides alternate. */
export const firstSlotOf = (gameNumber: number): Slot => (gameNumber % 2 === 1 ? 1 : 2)

/** Who won a game that ended by faults: the other side, or nobody if both failed. */
export const resultOfFaults = (faulted: Slot[]): GameResult => ({
  faulted,
  winnerSlot: faulted.length === 2 ? null : faulted[0] === 1 ? 2 : 1,
})

export type GameOutcome = `AGENT${Slot}_WIN` | 'DRAW'

export const gameOutcomeOf = (winnerSlot: Slot | null): GameOutcome =>
  winnerSlot ? `AGENT${winnerSlot}_WIN` : 'DRAW'

/** The score after a game. */
export const afterGame = (before: MatchScore, { winnerSlot, faulted }: GameResult): MatchScore => ({
  bestOf: before.bestOf,
  agent1Score: before.agent1Score + Number(winnerSlot === 1),
  agent2Score: before.agent2Score + Number(winnerSlot === 2),
  agent1Faults: faulted.includes(1) ? before.agent1Faults + 1 : 0,
  agent2Faults: faulted.includes(2) ? before.agent2Faults + 1 : 0,
  totalGamesPlayed: before.totalGamesPlayed + 1,
})

export type MatchVerdict = { winnerSlot: Slot | null; reason: string | null }

/** The sides that have lost a match by faults. */
const isOut = ({ agent1Faults, agent2Faults }: MatchScore) =>
  [agent1Faults >= maxFaults, agent2Faults >= maxFaults] as const

/** Whether both sides failed alike. Such a draw says nothing about their strength, so it is not rated. */
export const haveBothFailed = (standing: MatchScore): boolean => isOut(standing).every(Boolean)

/** How a match ends at a score; null while it continues. */
export const verdictOf = (standing: MatchScore): MatchVerdict | null => {
  const { bestOf, agent1Score, agent2Score, totalGamesPlayed } = standing
  const [out1, out2] = isOut(standing)
  if (out1 || out2) {
    return { winnerSlot: out1 && out2 ? null : out1 ? 2 : 1, reason: endReasonTexts.FAULTS }
  }
  const needed = Math.ceil(bestOf / 2)
  if (agent1Score >= needed) return { winnerSlot: 1, reason: null }
  if (agent2Score >= needed) return { winnerSlot: 2, reason: null }
  if (totalGamesPlayed < 3 * bestOf) return null
  return { winnerSlot: null, reason: undecidedText(3 * bestOf) }
}
