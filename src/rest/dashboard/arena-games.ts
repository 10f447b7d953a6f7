import { percent } from '../forms.ts'
import { route } from '../route.ts'

/** A game as its developer and operators see it. */
export const developerGame = `id: uuid name slug status @given category description rules thumbnailUrl
  coverImageUrl engine playerMode minPlayers maxPlayers estimatedDuration supportsAgents entryFee
  developerRevenueShare: developerRevenueRate @percent @int resultPolicy
  build: newestBuild @flatten @given { buildNo buildUrl version }
  servingBuildUrl: buildUrl servingVersion: version
  review: newestBuild @flatten @given { reviewNotes reviewedAt }
  isFeatured totalSessions: sessionCount totalPlayers: playerCount totalEarnings: earnedPoints
  createdAt updatedAt @given`

/** The same, with its review history. */
export const developerGameWithBuilds = `${developerGame}
  builds @given { buildNo buildUrl version submittedAt verdict reviewNotes reviewedAt }`

/** A mutation that answers a game. */
export const changedGame = (name: string, selection = developerGame, input?: string) => {
  const Name = `${name[0]?.toUpperCase()}${name.slice(1)}`
  return `mutation ($input: ${input ?? Name}Input!) {
    result: ${name}(input: $input) {
      ... on ${Name}Payload { arenaGame @flatten { ${selection} } }
      ...Problem
    }
  }`
}

const forms = {
  developerRevenueRate: percent(
    'developerRevenueShare',
    'Percentage of a prize pool that goes to the developer. Defaults to 30.',
  ),
}

export const dashboardArenaGames = [
  route('POST /dashboard/arena-games', {
    key: 'member',
    summary: 'Submit a game for review',
    operation: changedGame('submitArenaGame'),
    message: 'Game submitted successfully',
    forms,
  }),
  route('GET /dashboard/arena-games', {
    key: 'member',
    summary: "List the partner's games, newest first",
    operation: `query ($status: ArenaGameStatus, $page: String, $limit: Int) {
      result: arenaGames(filter: { status: $status }, first: $limit, after: $page) {
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
    operation: `query ($gameId: ID!) {
      result: arenaGame(by: { id: $gameId }) { ${developerGameWithBuilds} }
    }`,
    notFound: 'ARENA_GAME_NOT_FOUND',
    message: 'Game retrieved successfully',
    errors: ['ARENA_GAME_NOT_FOUND'],
  }),
  route('PATCH /dashboard/arena-games/{gameId}', {
    key: 'member',
    summary: 'Change the fields of a game that need no review',
    operation: changedGame('updateArenaGame'),
    message: 'Game updated successfully',
    forms,
    notFound: 'ARENA_GAME_NOT_FOUND',
  }),
  route('PATCH /dashboard/arena-games/{gameId}/build', {
    key: 'member',
    summary: 'Submit a new build for review',
    operation: changedGame('submitArenaBuild'),
    message: 'Build submitted successfully',
    notFound: 'ARENA_GAME_NOT_FOUND',
  }),
  route('DELETE /dashboard/arena-games/{gameId}', {
    key: 'member',
    summary: 'Archive a game',
    operation: changedGame('archiveArenaGame'),
    message: 'Game archived successfully',
    notFound: 'ARENA_GAME_NOT_FOUND',
  }),
]
