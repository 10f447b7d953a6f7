/**
 * Paces the moves of a match. A game between fast agents is over in an instant, so a page shows its moves one by one,
 * slow enough to follow, and still catches up before the next game begins.
 */
import type { EventKind } from '../../../packages/client/src/match-state.ts'

const longestMs: Partial<Record<EventKind, number>> = {
  ArenaMatchRoundStarted: 500,
  ArenaMatchMovesMade: 650,
  ArenaMatchRoundCompleted: 700,
  ArenaMatchCompleted: 1200,
}
/** Waiting events are shown within this time. */
const budgetMs = 4_000
/** More events than a game has: the page was inactive, and shows the current state at once. */
const tooMany = 60

/** The pause before an event is shown, with this many waiting events, including itself. */
export const pauseBefore = (kind: EventKind, waiting: number): number => {
  const longest = longestMs[kind] ?? 0
  return waiting > tooMany ? 0 : Math.min(longest, Math.round(budgetMs / waiting))
}

/** The pause before an event of a replay, at speed 1. */
export const replayPause = (kind: EventKind): number =>
  ({
    ArenaMatchRoundStarted: 1500,
    ArenaMatchMovesMade: 900,
    ArenaMatchRoundCompleted: 900,
    ArenaMatchCompleted: 1600,
  })[kind as 'ArenaMatchMovesMade'] ?? 0
