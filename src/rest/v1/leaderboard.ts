import { route } from '../route.ts'

export const leaderboard = [
  route('GET /v1/leaderboard', {
    key: 'public',
    summary: 'List users by score',
    operation: `query ($page: Int, $limit: Int) {
      result: leaderboard(page: $page, limit: $limit) {
        data: nodes { rank userId displayName totalPoints totalRewardsWon gamesPlayed score }
        meta: pagination { page limit total totalPages }
      }
    }`,
    message: 'Leaderboard retrieved successfully',
    list: true,
  }),
]
