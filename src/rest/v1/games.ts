import { fragment, route } from '../route.ts'

export const outcome = `{
  ... on WheelOutcome { winningSegment spinAngle }
  ... on SlotsOutcome { reels }
  ... on BoxesOutcome { boxIndex }
}`

const detailed = fragment(
  'GameDetails on Game',
  `gameType name description pointsToUnlock: price status
  config { segments rewards { tier @lowerCase type @lowerCase value label weight } }`,
)

export const gameRoutes = [
  route('GET /v1/games', {
    key: 'public',
    summary: 'List the active games',
    operation: `{
      result: games { gameType name description pointsToUnlock: price status imageUrl }
    }`,
    message: 'Games retrieved successfully',
    optional: ['imageUrl'],
  }),
  route('GET /v1/games/{gameType}/config', {
    key: 'public',
    summary: 'Show the configuration of a game',
    operation: `query ($gameType: GameType!) {
      result: game(gameType: $gameType) { ${detailed} }
    }`,
    message: 'Game configuration retrieved successfully',
    notFound: 'GAME_MECHANIC_NOT_FOUND',
    errors: ['GAME_MECHANIC_NOT_FOUND'],
  }),
  route('POST /v1/games/play', {
    key: 'public',
    summary: 'Play a game of chance',
    operation: `mutation ($userId: String!, $gameType: GameType!) {
      result: playGame(input: { user: { externalId: $userId }, gameType: $gameType }) {
        ... on PlayGamePayload {
          play @flatten {
            playId: uuid
            gameType
            user @flatten { userId: externalId }
            pointsSpent
            ledgerEntry @flatten { userBalance: balanceAfter }
            outcome ${outcome}
            reward { tier @lowerCase type @lowerCase value label }
            environment
            playedAt
          }
        }
        ...Problem
      }
    }`,
    message: 'Game played successfully',
  }),
]
