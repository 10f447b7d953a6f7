import { fragment, route } from '../../route.ts'

const streak = fragment(
  'StreakDetails on Streak',
  `goal @flatten { goalId: uuid slug name }
  length longest state deadline freezes brokenOn history { windowStart status }`,
)

const changed = (mutation: string, input: string, payload: string) => `
  result: ${mutation}(input: { user: { externalId: $userId }, goal: { slug: $slug }${input} }) {
    ... on ${payload} { streak @flatten { ${streak} } }
    ...Problem
  }`

export const streakRoutes = [
  route('GET /v1/users/{userId}/streaks', {
    key: 'public',
    takesSecret: true,
    summary: "List a user's streaks, in the order of their goals",
    operation: `query ($userId: String!, $page: String, $limit: Int) {
      user(by: { externalId: $userId }) {
        result: streaks(first: $limit, after: $page) {
          data: nodes { ${streak} }
          totalCount { value }
        }
      }
    }`,
    message: 'Streaks retrieved successfully',
    list: true,
    paging: { meta: ['page', 'limit', 'total', 'totalPages'] },
    notFound: 'USER_NOT_FOUND',
    errors: ['USER_NOT_FOUND'],
  }),
  route('POST /v1/users/{userId}/streaks/{slug}/freezes', {
    key: 'secret',
    summary: 'Give a user freezes of a streak',
    operation: `mutation ($userId: String!, $slug: String!, $count: Int!) {${changed(
      'giveStreakFreezes',
      ', count: $count',
      'GiveStreakFreezesPayload',
    )}
    }`,
    message: 'Freezes given successfully',
  }),
  route('POST /v1/users/{userId}/streaks/{slug}/pause', {
    key: 'secret',
    summary: 'Pause the streak of a user from today on',
    operation: `mutation ($userId: String!, $slug: String!, $days: Int) {${changed(
      'pauseStreak',
      ', days: $days',
      'PauseStreakPayload',
    )}
    }`,
    message: 'Streak paused successfully',
  }),
  route('POST /v1/users/{userId}/streaks/{slug}/restore', {
    key: 'secret',
    summary: 'Let the broken streak of a user go on with its length',
    operation: `mutation ($userId: String!, $slug: String!) {${changed(
      'restoreStreak',
      '',
      'RestoreStreakPayload',
    )}
    }`,
    message: 'Streak restored successfully',
  }),
]
