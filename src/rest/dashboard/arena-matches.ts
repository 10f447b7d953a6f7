/** Members schedule matches of their partner's agents. */
import { mutationOf } from '../mutation-document.ts'
import { route } from '../route.ts'
import { detailedMatch, match } from '../v1/arena/matches.ts'

export const dashboardArenaMatches = [
  route('POST /dashboard/arena-matches', {
    key: 'member',
    summary: "Schedule a match of one of the partner's agents",
    operation: mutationOf('scheduleArenaMatch', `arenaMatch @flatten { ${match} }`),
    message: 'Match scheduled successfully',
  }),
  route('GET /dashboard/arena-matches', {
    key: 'member',
    summary: "List matches of the partner's agents, including validations, newest first",
    operation: `query ($status: ArenaMatchStatus, $agentId: ID, $page: String, $limit: Int) {
      result: arenaMatches(first: $limit, after: $page,
          filter: { status: $status, agentId: $agentId }) {
        data: nodes { ${match} }
        totalCount { value }
      }
    }`,
    paging: { meta: ['page', 'limit', 'total', 'totalPages'] },
    message: 'Matches retrieved successfully',
    list: true,
  }),
  route('GET /dashboard/arena-matches/{matchId}', {
    key: 'member',
    summary: "Show a match of the partner's agents with its games",
    operation: `query ($matchId: ID!) {
      arena { result: match(id: $matchId) { ${detailedMatch} endReason winnerSlot eloChange } }
    }`,
    notFound: 'MATCH_NOT_FOUND',
    message: 'Match retrieved successfully',
    errors: ['MATCH_NOT_FOUND'],
  }),
  route('POST /dashboard/arena-matches/{matchId}/cancel', {
    key: 'member',
    summary: "Cancel a match of the partner's agents; operators can cancel any match",
    operation: mutationOf('cancelArenaMatch', `arenaMatch @flatten { ${match} endReason }`),
    message: 'Match cancelled successfully',
    notFound: 'MATCH_NOT_FOUND',
  }),
]
