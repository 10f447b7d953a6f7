import { route } from '../../route.ts'

const side = 'id: uuid displayName avatarUrl: pictureUrl tier'

export const match = `id: uuid matchType gameType bestOf status agent1 { ${side} } agent2 { ${side} }
  agent1Score agent2Score spectatorCount startedAt scheduledAt endedAt`

export const detailedMatch = `${match}
  games { gameNumber agent1Action agent2Action outcome winnerSlot }
  currentGameNumber totalGamesPlayed: gameCount nextGameAt`

/** By default a list shows the documented games. Any game can be requested. */
export const gameTypes = '$gameTypes: [ArenaMatchGameType!] @listed'

export const arenaMatches = [
  route('GET /v1/arena/matches', {
    key: 'anyone',
    summary: 'List public matches, newest first; by default those in progress',
    operation: `query ($status: ArenaMatchStatus = IN_PROGRESS, ${gameTypes}, $page: String, $limit: Int) {
      arena {
        result: matches(filter: { status: $status, gameTypes: $gameTypes }, first: $limit, after: $page) {
          data: nodes { ${match} }
          totalCount { value }
        }
      }
    }`,
    paging: { meta: ['page', 'limit', 'total', 'totalPages'] },
    message: 'Matches retrieved successfully',
    list: true,
  }),
  route('GET /v1/arena/matches/live', {
    key: 'anyone',
    summary: 'List the public matches in progress, newest first',
    operation: `query (${gameTypes}, $page: String, $limit: Int) {
      arena {
        result: matches(filter: { status: IN_PROGRESS, gameTypes: $gameTypes }, first: $limit, after: $page) {
          data: nodes { ${match} }
          totalCount { value }
        }
      }
    }`,
    paging: { meta: ['page', 'limit', 'total', 'totalPages'] },
    message: 'Live matches retrieved successfully',
    list: true,
  }),
  route('GET /v1/arena/matches/{matchId}', {
    key: 'anyone',
    summary: 'Show a public match with its games',
    operation: `query ($matchId: ID!) {
      arena { result: match(id: $matchId) { ${detailedMatch} } }
    }`,
    notFound: 'MATCH_NOT_FOUND',
    message: 'Match retrieved successfully',
    errors: ['MATCH_NOT_FOUND'],
  }),
]
