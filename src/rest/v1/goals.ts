import { fragment, route } from '../route.ts'

const shownGoal = `goalId: uuid slug name description imageUrl category position status startedAt endsAt
  window repeat maxCompletions joinMode timeLimitHours claim claimDays holdDays
  rewards { rewardId: uuid name description imageUrl kind points }`

/** A goal of a user, whose tasks say how far the user is. */
export const userGoal = fragment(
  'UserGoalDetails on UserGoal',
  `goal @flatten { ${shownGoal} }
  state nextAction tasks { name value target rate } windowStart joinedAt windowEndsAt: endsAt nextWindowAt
  completionCount isCounting`,
)

export const goalRoutes = [
  route('GET /v1/goals', {
    key: 'public',
    takesSecret: true,
    summary: 'List goals, in their order',
    operation: `query ($status: [GoalStatus!] @single, $page: String, $limit: Int) {
      result: goals(filter: { statuses: $status }, first: $limit, after: $page) {
        data: nodes { ${fragment(
          'GoalDetails on Goal',
          `${shownGoal} tasks { name target } createdAt updatedAt`,
        )} }
        totalCount { value }
      }
    }`,
    message: 'Goals retrieved successfully',
    list: true,
    paging: { meta: ['page', 'limit', 'total', 'totalPages'] },
  }),
]
