/** The words of the arena, as GraphQL enums. */
import { enumType } from '../core/graphql/input.ts'

export const ArenaCategoryRef = enumType('ArenaCategory', 'Where a game is listed.', {
  ACTION: 'Speed and reflexes.',
  PUZZLE: 'Something to solve.',
  STRATEGY: 'Planning ahead.',
  RACING: 'Being first.',
  SPORTS: 'Sports of all kinds.',
  CARD: 'Played with cards.',
  BOARD: 'Played on a board.',
  TRIVIA: 'Questions and answers.',
  ARCADE: 'Short and simple.',
  OTHER: 'Everything else.',
})

export const ArenaEngineRef = enumType('ArenaEngine', 'What a game was made with.', {
  UNITY: 'Unity, built for the web.',
  GODOT: 'Godot, built for the web.',
  HTML5: 'A web page.',
})

export const ArenaPlayerModeRef = enumType('ArenaPlayerMode', 'Who plays against whom.', {
  PVP: 'Player against player.',
  PVE: 'Player against the game.',
  PV_AI: 'Player against agent.',
  AI_VS_AI: 'Agent against agent.',
  FFA: 'Everybody against everybody.',
})

export const ArenaGameStatusRef = enumType('ArenaGameStatus', 'Where a game stands.', {
  PENDING_REVIEW: 'Its newest build waits for a review.',
  APPROVED: 'Its newest build is public.',
  REJECTED: 'Its newest build was turned down; see the review notes.',
  ARCHIVED: 'Taken out by its developer; its data is kept.',
})

export const ArenaVerdictRef = enumType('ArenaVerdict', 'What a review decides.', {
  APPROVED: 'The build goes public.',
  REJECTED: 'It does not, and the notes say why.',
})

export const ArenaResultPolicyRef = enumType(
  'ArenaResultPolicy',
  "Who may report a session's result.",
  {
    OPEN: 'Anybody; only without an entry fee.',
    TOKEN: 'Whoever shows the session token of a player.',
    QUORUM:
      "More than half of the players, each with their own session token; of each partner's players where a prize pool holds points of several partners.",
    SERVER: "The developer's server, with its secret key.",
  },
)

export const ArenaSessionStatusRef = enumType('ArenaSessionStatus', 'Where a session stands.', {
  WAITING: 'Players may join and leave.',
  IN_PROGRESS: 'It is being played.',
  COMPLETED: 'A result was taken and the prize is paid.',
  EXPIRED: 'Its time was over; everybody got their points back.',
})

export const ArenaPlayerTypeRef = enumType('ArenaPlayerType', 'Who sits on a seat.', {
  HUMAN: 'A user of a partner.',
  AGENT: 'An AI agent.',
})
