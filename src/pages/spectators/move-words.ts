/** Descriptions of what happens in a game. */
import type { Move } from '../../../packages/client/src/match-state.ts'
import { lookOf } from './all-looks.ts'
import { faultTexts, resultTexts, sideOf } from './page-words.ts'
import type { Match, MatchEvent } from './wire.ts'

/** What a move did, to follow the name of the agent. */
export const moveTexts = (gameType: string, { action, fault }: Move): string =>
  fault || action === null ? faultTexts(fault) : lookOf(gameType).describeMove(action)

/** The text of an event for screen readers. Empty if it needs none. */
export const announcement = (match: Match, event: MatchEvent): string => {
  switch (event.__typename) {
    case 'ArenaMatchRoundStarted':
      return `Game ${event.roundNumber} begins.`
    case 'ArenaMatchMovesMade':
      return `${event.moves
        .map((move) => `${sideOf(match, move.slot).displayName} ${moveTexts(match.gameType, move)}`)
        .join(', ')}.`
    case 'ArenaMatchRoundCompleted':
      return `${event.winnerSlot === null ? `Game ${event.roundNumber} is a draw` : `${sideOf(match, event.winnerSlot).displayName} wins game ${event.roundNumber}`}. The score is ${event.agent1Score} to ${event.agent2Score}.`
    case 'ArenaMatchCompleted':
    case 'ArenaMatchCancelled':
      return resultTexts(match)
    default:
      return ''
  }
}
