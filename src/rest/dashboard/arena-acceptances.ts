/** Members accept the arena games in which users of other partners can win points from their users. */
import { percent } from '../forms.ts'
import { route } from '../route.ts'

const acceptance = `game @flatten { gameId: uuid gameName: name } entryFee developerRevenueShare: developerRevenueRate @percent @int resultPolicy
  maxPointsInPerDay maxPointsOutPerDay isInForce pointsInToday pointsOutToday acceptedAt withdrawnAt`

export const arenaAcceptances = [
  route('POST /dashboard/arena-acceptances', {
    key: 'member',
    summary:
      'Accept a game as it is, or change its caps: its prize pools may be shared with others',
    operation: `mutation ($input: AcceptArenaGameInput!) {
      result: acceptArenaGame(input: $input) {
        ... on AcceptArenaGamePayload { arenaAcceptance @flatten { ${acceptance} } }
        ...Problem
      }
    }`,
    message: 'Game accepted successfully',
    forms: {
      developerRevenueRate: percent(
        'developerRevenueShare',
        "The developer's share that you saw, in percent. Refused if it has changed since.",
      ),
    },
  }),
  route('GET /dashboard/arena-acceptances', {
    key: 'member',
    summary: "List the partner's acceptances, including withdrawn ones, newest first",
    operation: `query ($page: String, $limit: Int) {
      result: arenaAcceptances(first: $limit, after: $page) {
        data: nodes { ${acceptance} }
        totalCount { value }
      }
    }`,
    paging: { meta: ['page', 'limit', 'total', 'totalPages'] },
    message: 'Acceptances retrieved successfully',
    list: true,
  }),
  route('DELETE /dashboard/arena-acceptances/{gameId}', {
    key: 'member',
    summary: 'Withdraw the acceptance of a game; sessions in progress are settled',
    operation: `mutation ($input: WithdrawArenaAcceptanceInput!) {
      result: withdrawArenaAcceptance(input: $input) {
        ... on WithdrawArenaAcceptancePayload { arenaAcceptance @flatten { ${acceptance} } }
        ...Problem
      }
    }`,
    message: 'Acceptance withdrawn successfully',
    notFound: 'ARENA_ACCEPTANCE_NOT_FOUND',
  }),
]
