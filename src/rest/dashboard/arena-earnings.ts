import { route } from '../route.ts'

export const arenaEarnings = [
  route('GET /dashboard/arena-earnings', {
    key: 'member',
    summary: "List the partner's earnings in the arena, newest first",
    operation: `query ($page: String, $limit: Int) {
      result: arenaEarnings(first: $limit, after: $page) {
        data: nodes {
          id: uuid
          session @flatten {
            sessionId: uuid
            game @flatten @given { gameId: uuid gameName: name }
          }
          points
          totalAfter: balanceAfter
          createdAt
        }
        totalCount { value }
      }
    }`,
    paging: { meta: ['page', 'limit', 'total', 'totalPages'] },
    message: 'Earnings retrieved successfully',
    list: true,
  }),
  route('GET /dashboard/arena-earnings/total', {
    key: 'member',
    summary: "Show the partner's total earnings in the arena",
    operation:
      '{ result: arenaEarningsTotal { totalEarnings: points paidSessions: sessionCount } }',
    message: 'Earnings retrieved successfully',
  }),
]
