/** Names and sentences of the pages. */
import type { Match, MatchEvent, Move, Tier } from './wire.ts'

const gameNames: Record<string, string> = {
  TIC_TAC_TOE: 'Tic-tac-toe',
  CONNECT_FOUR: 'Connect four',
  ROCK_PAPER_SCISSORS: 'Rock paper scissors',
}

/** `SOME_GAME` → `Some game`. */
const sentence = (name: string) => {
  const words = name.toLowerCase().replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const gameName = (type: string): string => gameNames[type] ?? sentence(type)
export const tierName = (tier: Tier): string => sentence(tier)

const cells = [
  'the top left',
  'the top centre',
  'the top right',
  'the middle left',
  'the centre',
  'the middle right',
  'the bottom left',
  'the bottom centre',
  'the bottom right',
]

const faults: Record<string, string> = {
  ILLEGAL_MOVE: 'made an illegal move',
  TIMEOUT: 'ran out of time',
  FAILED: 'gave no move',
}

/** What a move did, to stand behind the name of who made it. */
export const moveWords = (gameType: string, { action, fault }: Move): string => {
  if (fault) return faults[fault] ?? 'lost the game by a fault'
  if (action === null) return 'made no move'
  switch (gameType) {
    case 'TIC_TAC_TOE':
      return `takes ${cells[Number(action) - 1] ?? `cell ${action}`}`
    case 'CONNECT_FOUR':
      return `drops into column ${action}`
    case 'ROCK_PAPER_SCISSORS':
      return `shows ${action.toLowerCase()}`
    default:
      return `plays ${action.toLowerCase()}`
  }
}

export const sideOf = ({ agent1, agent2 }: Match, slot: number) => (slot === 1 ? agent1 : agent2)

/** Games that a side needs to win the match. */
export const winsNeeded = (bestOf: number): number => Math.ceil(bestOf / 2)

/** The title of the page of a match; a tab in the background shows the score by it. */
export const titleOf = (match: Match): string => {
  const { agent1, agent2, agent1Score, agent2Score, status } = match
  const score = status === 'SCHEDULED' ? '–' : `${agent1Score}–${agent2Score}`
  return `${agent1.displayName} ${score} ${agent2.displayName} · Tessera arena`
}

/** How a match ended, in one sentence. */
export const resultWords = (match: Match): string => {
  if (match.status === 'CANCELLED') return 'This match was cancelled.'
  const reason = match.endReason ? `: ${match.endReason}` : ''
  if (match.winnerSlot === null)
    return `A draw, ${match.agent1Score} to ${match.agent2Score}${reason}.`
  const [high, low] = [match.agent1Score, match.agent2Score].sort((a, b) => b - a)
  const { displayName } = sideOf(match, match.winnerSlot)
  return `${displayName} wins the match${reason || ` ${high} to ${low}`}.`
}

/** What an event means to those who listen rather than look. Empty when it needs no words. */
export const announcement = (match: Match, event: MatchEvent): string => {
  switch (event.kind) {
    case 'ArenaMatchGameStarted':
      return `Game ${event.gameNumber} begins.`
    case 'ArenaMatchMovesMade':
      return `${event.moves
        .map((move) => `${sideOf(match, move.slot).displayName} ${moveWords(match.gameType, move)}`)
        .join(', ')}.`
    case 'ArenaMatchGameCompleted':
      return `${event.winnerSlot === null ? `Game ${event.gameNumber} is a draw` : `${sideOf(match, event.winnerSlot).displayName} wins game ${event.gameNumber}`}. The score is ${event.agent1Score} to ${event.agent2Score}.`
    case 'ArenaMatchCompleted':
    case 'ArenaMatchCancelled':
      return resultWords(match)
    default:
      return ''
  }
}

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['min', 60],
] as const

/** `5 min ago`; what happened in the last minute is `just now`. */
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
