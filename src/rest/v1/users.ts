import { route } from '../route.ts'
import { outcome } from './games.ts'

export const users = [
  route('GET /v1/users/{userId}/plays', {
    key: 'public',
    summary: "List a user's plays, newest first",
    operation: `query ($userId: String!, $page: String, $limit: Int) {
      user(by: { externalId: $userId }) {
        result: plays(first: $limit, after: $page) {
          data: nodes {
            playId: uuid
            gameType
            user @flatten { userId: externalId }
            pointsSpent
            outcome ${outcome}
            reward @flatten {
              rewardTier: tier @lowerCase
              rewardType: type @lowerCase
              rewardValue: value
              rewardLabel: label
            }
            playedAt
          }
          totalCount { value }
        }
      }
    }`,
    message: 'Plays retrieved successfully',
    list: true,
    paging: { meta: ['page', 'limit', 'total', 'totalPages'] },
    notFound: 'USER_NOT_FOUND',
    errors: ['USER_NOT_FOUND'],
  }),
  route('GET /v1/users/{userId}/sdk-balance', {
    key: 'public',
    summary: "Show a user's balance to a widget",
    operation: `query ($userId: String!) {
      result: user(by: { externalId: $userId }) { userId: externalId totalPoints: balance displayName }
    }`,
    message: 'Balance retrieved successfully',
    optional: ['displayName'],
    notFound: 'USER_NOT_FOUND',
    errors: ['USER_NOT_FOUND'],
  }),
  route('GET /v1/users/{userId}/balance', {
    key: 'secret',
    summary: "Show a user's balance to a backend",
    operation: `query ($userId: String!) {
      result: user(by: { externalId: $userId }) {
        userId: externalId totalPoints: balance displayName email metadata createdAt
      }
    }`,
    message: 'Balance retrieved successfully',
    notFound: 'USER_NOT_FOUND',
    errors: ['USER_NOT_FOUND'],
  }),
  route('GET /v1/users/{userId}/history', {
    key: 'secret',
    summary: "List a user's ledger entries, newest first",
    operation: `query ($userId: String!, $page: String, $limit: Int) {
      user(by: { externalId: $userId }) {
        result: history(first: $limit, after: $page) {
          data: nodes { id: uuid eventType points reference metadata createdAt }
          totalCount { value }
        }
      }
    }`,
    message: 'History retrieved successfully',
    list: true,
    paging: { meta: ['page', 'limit', 'total', 'totalPages'] },
    optional: ['reference'],
    notFound: 'USER_NOT_FOUND',
    errors: ['USER_NOT_FOUND'],
  }),
]
