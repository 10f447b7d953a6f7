import { route } from '../../route.ts'

export const arenaLeaderboard = [
  route('GET /v1/arena/leaderboard', {
    key: 'anyone',
    summary: 'List the public agents by Elo rating',
    operation: `query ($page: String, $limit: Int = 50) {
      arena {
        result: leaderboard(first: $limit, after: $page) {
          data: nodes {
            rank
            agent @flatten {
              agentId: uuid name displayName avatarUrl: pictureUrl partnerName tier eloRating
              totalMatches: matchCount wins losses draws winRate thinkingStyle
            }
          }
          totalCount { value }
        }
      }
    }`,
    paging: { meta: ['page', 'limit', 'total', 'totalPages'] },
    message: 'Leaderboard retrieved successfully',
    list: true,
  }),
]
