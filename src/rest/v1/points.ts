import { route } from '../route.ts'

export const points = [
  route('POST /v1/points/award', {
    key: 'secret',
    summary: 'Award points to a user',
    operation: `mutation ($input: AwardPointsInput!) {
      result: awardPoints(input: $input) {
        ... on AwardPointsPayload {
          ledgerId userId eventType pointsAwarded userBalance reference createdAt
        }
        ...Problem
      }
    }`,
    message: 'Points awarded successfully',
    optional: ['reference'],
    errors: ['REWARD_RULE_NOT_FOUND', 'DUPLICATE_REFERENCE'],
  }),
]
