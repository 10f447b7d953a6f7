/** The GraphQL enums of games. */
import { enumType } from '../../kit/schema/input.ts'

export const ArenaCategoryRef = enumType('ArenaCategory', 'Where a game is listed.', {
  ACTION: 'Speed and reflexes.',
  PUZZLE: 'Puzzles.',
  STRATEGY: 'Strategy and planning.',
  RACING: 'Races.',
  SPORTS: 'Sports of all kinds.',
  CARD: 'Card games.',
  BOARD: 'Board games.',
  TRIVIA: 'Questions and answers.',
  ARCADE: 'Short and simple.',
  OTHER: 'Everything else.',
})

export const ArenaEngineRef = enumType('ArenaEngine', 'The technology of a game.', {
  UNITY: 'Unity, built for the web.',
  GODOT: 'Godot, built for the web.',
  HTML5: 'A web page.',
})

export const ArenaPlayerModeRef = enumType('ArenaPlayerMode', 'Who plays against whom.', {
  PVP: 'Player against player.',
  PVE: 'Player against the game.',
  PV_AI: 'Player against agent.',
  AI_VS_AI: 'Agent against agent.',
  FFA: 'Free for all.',
})

export const ArenaGameStatusRef = enumType('ArenaGameStatus', 'The status of a game.', {
  PENDING_REVIEW: 'Its newest build is waiting for review.',
  APPROVED: 'Its newest build is public.',
  REJECTED: 'Its newest build was rejected; see the review notes.',
  ARCHIVED: 'Archived by its developer. Its data is kept.',
})

export const ArenaVerdictRef = enumType('ArenaVerdict', 'The decision of a review.', {
  APPROVED: 'The build is published.',
  REJECTED: 'The build is not published; the notes say why.',
})

export const ArenaResultPolicyRef = enumType(
  'ArenaResultPolicy',
  "Who may report a session's result.",
  {
    OPEN: 'Anyone. Only for games without an entry fee.',
    TOKEN: 'Anyone with the session token of a player.',
    QUORUM:
      "More than half of the players, each with their own session token. If a prize pool holds points of several partners, more than half of each partner's players.",
    SERVER: "The developer's server, with its secret key.",
  },
)
