/**
 * A game between fast agents is over in an instant. A page shows its moves one after another, slow enough
 * to follow, and still catches up with what has happened before the next game begins.
 */
import type { EventKind, MatchEvent } from './wire.ts'

const longestMs: Partial<Record<EventKind, number>> = {
  ArenaMatchGameStarted: 500,
  ArenaMatchMovesMade: 650,
  ArenaMatchGameCompleted: 700,
  ArenaMatchCompleted: 1200,
}
/** Events that wait are shown within this time. */
const budgetMs = 4_000
/** More events than a game has: the page was away, and shows where the match stands. */
const tooMany = 60

/** How long to wait before an event is shown, when so many wait, itself included. */
export const pauseBefore = ({ kind }: Pick<MatchEvent, 'kind'>, waiting: number): number => {
  const longest = longestMs[kind] ?? 0
  return waiting > tooMany ? 0 : Math.min(longest, Math.round(budgetMs / waiting))
}

/** How long to wait before an event when a match is played again, at speed 1. */
export const replayPause = ({ kind }: Pick<MatchEvent, 'kind'>): number =>
  ({
    ArenaMatchGameStarted: 1500,
    ArenaMatchMovesMade: 900,
    ArenaMatchGameCompleted: 900,
    ArenaMatchCompleted: 1600,
  })[kind as 'ArenaMatchMovesMade'] ?? 0
