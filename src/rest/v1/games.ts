import { route } from '../route.ts'

export const games = [
  route('GET /v1/games', {
    key: 'public',
    summary: 'List the active games',
    operation: `{
      result: games { gameType name description pointsToUnlock status imageUrl }
    }`,
    message: 'Games retrieved successfully',
    optional: ['imageUrl'],
  }),
  route('GET /v1/games/{gameType}/config', {
    key: 'public',
    summary: 'Show how a game is configured',
    operation: `query ($gameType: GameType!) {
      result: game(gameType: $gameType) {
        gameType name description pointsToUnlock status
        config { segments rewards { tier type value label weight } }
      }
    }`,
    message: 'Game configuration retrieved successfully',
    notFound: 'GAME_MECHANIC_NOT_FOUND',
    errors: ['GAME_MECHANIC_NOT_FOUND'],
  }),
  route('POST /v1/games/play', {
    key: 'public',
    summary: 'Play a game of chance',
    operation: `mutation ($input: PlayGameInput!) {
      result: playGame(input: $input) {
        ... on PlayGamePayload {
          playId gameType userId pointsSpent userBalance outcome
          reward { tier type value label }
          environment playedAt
        }
        ...Problem
      }
    }`,
    message: 'Game played successfully',
    errors: ['GAME_MECHANIC_NOT_FOUND', 'USER_NOT_FOUND', 'INSUFFICIENT_POINTS'],
  }),
]
