import { route } from '../route.ts'

export const leaderboard = [
  route('GET /v1/leaderboard', {
    key: 'public',
    summary: 'List users by score',
    operation: `query ($page: String, $limit: Int) {
      result: leaderboard(first: $limit, after: $page) {
        data: nodes {
          rank
          user @flatten {
            userId: externalId
            displayName
            totalPoints: lifetimePoints
            totalRewardsWon: rewardCount
            gamesPlayed: playCount
            score
          }
        }
        totalCount { value }
      }
    }`,
    message: 'Leaderboard retrieved successfully',
    list: true,
    paging: { meta: ['page', 'limit', 'total', 'totalPages'] },
  }),
]
