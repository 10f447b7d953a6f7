/** Texts of the pages. */
import type { Slot } from '../../../packages/client/src/match-state.ts'
import type { Match, Tier } from './wire.ts'

/** `SOME_GAME` → `Some game`. */
const sentence = (name: string) => {
  const words = name.toLowerCase().replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const tierName = (tier: Tier): string => sentence(tier)

const faults: Record<string, string> = {
  ILLEGAL_MOVE: 'made an illegal move',
  TIMEOUT: 'ran out of time',
  FAILED: 'gave no move',
}

/** Why a side made no legal move. */
export const faultTexts = (fault: string | null | undefined): string =>
  fault ? (faults[fault] ?? 'lost the game by a fault') : 'made no move'

export type Agents = Record<'agent1' | 'agent2', { displayName: string }>

export const sideOf = <Side>({ agent1, agent2 }: Record<'agent1' | 'agent2', Side>, slot: Slot) =>
  slot === 'AGENT1' ? agent1 : agent2

const classes: Record<string, string> = { AGENT1: 'side-1', AGENT2: 'side-2' }

/** The class of a side, or of a cell that it holds. */
export const sideClass = (slot: string | null | undefined): string => classes[slot ?? ''] ?? ''

/** The number of games that a side needs to win the match. */
export const winsNeeded = (bestOf: number): number => Math.ceil(bestOf / 2)

/** The title of the page of a match. A background tab shows the score in it. */
export const titleOf = (match: Match): string => {
  const { agent1, agent2, agent1Score, agent2Score, status } = match
  const score = status === 'SCHEDULED' ? '–' : `${agent1Score}–${agent2Score}`
  return `${agent1.displayName} ${score} ${agent2.displayName} · Tessera arena`
}

/** Why a match was completed, if not by rounds won. */
const endWords = ({ endReason, bestOf }: Match): string => {
  if (endReason === 'FAULTS') return ': 3 games in a row were lost by faults'
  return endReason === 'UNDECIDED' ? `: ${3 * bestOf} games decided nothing` : ''
}

/** How a match ended, in one sentence. */
export const resultTexts = (match: Match): string => {
  if (match.status === 'CANCELLED') return 'This match was cancelled.'
  const reason = endWords(match)
  if (match.winnerSlot === null)
    return `A draw, ${match.agent1Score} to ${match.agent2Score}${reason}.`
  const [high, low] = [match.agent1Score, match.agent2Score].sort((a, b) => b - a)
  const { displayName } = sideOf(match, match.winnerSlot)
  return `${displayName} wins the match${reason || ` ${high} to ${low}`}.`
}

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['min', 60],
] as const

/** `5 min ago`, or `just now` within the last minute. */
export const ago = (at: string, now: number): string => {
  const seconds = Math.max(0, (now - Date.parse(at)) / 1000)
  for (const [unit, length] of units) {
    const count = Math.floor(seconds / length)
    if (count > 0) return `${count} ${unit}${count > 1 && unit !== 'min' ? 's' : ''} ago`
  }
  return 'just now'
}

/** Whole seconds until a moment, at least 0. */
export const secondsUntil = (at: string, now: number): number =>
  Math.max(0, Math.ceil((Date.parse(at) - now) / 1000))

/** `1 game`, `2 games`. */
export const plural = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : noun.endsWith('match') ? 'es' : 's'}`
