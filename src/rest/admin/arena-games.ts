import { developerGame, developerGameWithBuilds } from '../dashboard/arena-games.ts'
import { route } from '../route.ts'

export const adminArenaGames = [
  route('GET /admin/arena-games', {
    key: 'admin',
    summary: 'List the games of all developers, newest first',
    operation: `query ($status: ArenaGameStatus, $page: String, $limit: Int) {
      result: developerGames(ofAll: true, filter: { status: $status }, first: $limit, after: $page) {
        data: nodes { partnerId ${developerGame} }
        totalCount { value }
      }
    }`,
    paging: { meta: ['page', 'limit', 'total', 'totalPages'] },
    message: 'Games retrieved successfully',
    list: true,
  }),
  route('GET /admin/arena-games/{gameId}', {
    key: 'admin',
    summary: 'Show a game with its review history',
    operation: `query ($gameId: String!) {
      result: developerGame(gameId: $gameId, ofAll: true) { partnerId ${developerGameWithBuilds} }
    }`,
    message: 'Game retrieved successfully',
    errors: ['ARENA_GAME_NOT_FOUND'],
  }),
  route('POST /admin/arena-games/{gameId}/review', {
    key: 'admin',
    summary: 'Approve or reject the newest build of a game',
    operation: `mutation ($input: ReviewArenaGameInput!) {
      result: reviewArenaGame(input: $input) {
        ... on DeveloperGame { partnerId ${developerGame} }
        ...Problem
      }
    }`,
    message: 'Game reviewed successfully',
    notFound: 'ARENA_GAME_NOT_FOUND',
  }),
  route('POST /admin/arena-games/{gameId}/feature', {
    key: 'admin',
    summary: 'Feature a public game, or stop featuring it',
    operation: `mutation ($input: FeatureArenaGameInput!) {
      result: featureArenaGame(input: $input) {
        ... on DeveloperGame { partnerId ${developerGame} }
        ...Problem
      }
    }`,
    message: 'Game updated successfully',
    notFound: 'ARENA_GAME_NOT_FOUND',
  }),
  route('DELETE /admin/arena-games/{gameId}', {
    key: 'admin',
    summary: "Take any developer's game out of the arena",
    operation: `mutation ($input: ArchiveArenaGameInput!) {
      result: takeDownArenaGame(input: $input) {
        ... on DeveloperGame { partnerId ${developerGame} }
        ...Problem
      }
    }`,
    message: 'Game archived successfully',
    notFound: 'ARENA_GAME_NOT_FOUND',
  }),
]
