import { route } from '../route.ts'

export const users = [
  route('GET /v1/users/{userId}/plays', {
    key: 'public',
    summary: "List a user's plays, newest first",
    operation: `query ($userId: String!, $page: Int, $limit: Int) {
      user(userId: $userId) {
        result: plays(page: $page, limit: $limit) {
          data: nodes {
            playId gameType userId pointsSpent outcome
            rewardTier rewardType rewardValue rewardLabel playedAt
          }
          meta: pagination { page limit total totalPages }
        }
      }
    }`,
    message: 'Plays retrieved successfully',
    list: true,
    errors: ['USER_NOT_FOUND'],
  }),
  route('GET /v1/users/{userId}/sdk-balance', {
    key: 'public',
    summary: "Show a user's balance to a widget",
    operation: `query ($userId: String!) {
      result: user(userId: $userId) { userId totalPoints displayName }
    }`,
    message: 'Balance retrieved successfully',
    optional: ['displayName'],
    errors: ['USER_NOT_FOUND'],
  }),
  route('GET /v1/users/{userId}/balance', {
    key: 'secret',
    summary: "Show a user's balance to a backend",
    operation: `query ($userId: String!) {
      result: user(userId: $userId) { userId totalPoints displayName email metadata createdAt }
    }`,
    message: 'Balance retrieved successfully',
    errors: ['USER_NOT_FOUND'],
  }),
  route('GET /v1/users/{userId}/history', {
    key: 'secret',
    summary: "List a user's ledger entries, newest first",
    operation: `query ($userId: String!, $page: Int, $limit: Int) {
      user(userId: $userId) {
        result: history(page: $page, limit: $limit) {
          data: nodes { id: ledgerId eventType points reference metadata createdAt }
          meta: pagination { page limit total totalPages }
        }
      }
    }`,
    message: 'History retrieved successfully',
    list: true,
    optional: ['reference'],
    errors: ['USER_NOT_FOUND'],
  }),
]
