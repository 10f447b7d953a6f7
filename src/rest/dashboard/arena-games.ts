import { route } from '../route.ts'

/** A game as its developer and administrators see it. */
export const developerGame = `id: gameId name slug status category description rules thumbnailUrl
  coverImageUrl engine playerMode minPlayers maxPlayers estimatedDuration supportsAgents entryFee
  developerRevenueShare resultPolicy buildNo buildUrl version servingBuildUrl servingVersion
  reviewNotes reviewedAt isFeatured totalSessions totalPlayers totalEarnings createdAt updatedAt`

/** The same, with its review history. */
export const developerGameWithBuilds = `${developerGame}
  builds { buildNo buildUrl version submittedAt verdict reviewNotes reviewedAt }`

export const dashboardArenaGames = [
  route('POST /dashboard/arena-games', {
    key: 'member',
    summary: 'Submit a game for review',
    operation: `mutation ($input: SubmitArenaGameInput!) {
      result: submitArenaGame(input: $input) {
        ... on DeveloperGame { ${developerGame} }
        ...Problem
      }
    }`,
    message: 'Game submitted successfully',
  }),
  route('GET /dashboard/arena-games', {
    key: 'member',
    summary: "List the partner's games, newest first",
    operation: `query ($status: ArenaGameStatus, $page: String, $limit: Int) {
      result: developerGames(filter: { status: $status }, first: $limit, after: $page) {
        data: nodes { ${developerGame} }
        totalCount { value }
      }
    }`,
    paging: { meta: ['total', 'page', 'limit', 'totalPages'] },
    message: 'Games retrieved successfully',
    list: true,
  }),
  route('GET /dashboard/arena-games/{gameId}', {
    key: 'member',
    summary: 'Show a game with its review history',
    operation: `query ($gameId: String!) {
      result: developerGame(gameId: $gameId) { ${developerGameWithBuilds} }
    }`,
    message: 'Game retrieved successfully',
    errors: ['ARENA_GAME_NOT_FOUND'],
  }),
  route('PATCH /dashboard/arena-games/{gameId}', {
    key: 'member',
    summary: 'Change what needs no review',
    operation: `mutation ($input: EditArenaGameInput!) {
      result: editArenaGame(input: $input) {
        ... on DeveloperGame { ${developerGame} }
        ...Problem
      }
    }`,
    message: 'Game updated successfully',
    notFound: 'ARENA_GAME_NOT_FOUND',
  }),
  route('PATCH /dashboard/arena-games/{gameId}/build', {
    key: 'member',
    summary: 'Submit a new build for review',
    operation: `mutation ($input: SubmitArenaBuildInput!) {
      result: submitArenaBuild(input: $input) {
        ... on DeveloperGame { ${developerGame} }
        ...Problem
      }
    }`,
    message: 'Build submitted successfully',
    notFound: 'ARENA_GAME_NOT_FOUND',
  }),
  route('DELETE /dashboard/arena-games/{gameId}', {
    key: 'member',
    summary: 'Take a game out of the arena',
    operation: `mutation ($input: ArchiveArenaGameInput!) {
      result: archiveArenaGame(input: $input) {
        ... on DeveloperGame { ${developerGame} }
        ...Problem
      }
    }`,
    message: 'Game archived successfully',
    notFound: 'ARENA_GAME_NOT_FOUND',
  }),
  route('GET /dashboard/arena-earnings', {
    key: 'member',
    summary: 'List what the partner has earned in the arena, newest first',
    operation: `query ($page: String, $limit: Int) {
      result: arenaEarnings(first: $limit, after: $page) {
        data: nodes { id: earningId sessionId gameId gameName points totalAfter createdAt }
        totalCount { value }
      }
    }`,
    paging: { meta: ['page', 'limit', 'total', 'totalPages'] },
    message: 'Earnings retrieved successfully',
    list: true,
  }),
  route('GET /dashboard/arena-earnings/total', {
    key: 'member',
    summary: 'Show all that the partner has earned in the arena',
    operation: '{ result: arenaEarningsTotal { totalEarnings paidSessions } }',
    message: 'Earnings retrieved successfully',
  }),
]
