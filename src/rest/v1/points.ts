import { fragment, route } from '../route.ts'

const award = fragment(
  'PointsAward on LedgerEntry',
  `ledgerId: uuid user @flatten { userId: externalId } eventType pointsAwarded: points
  userBalance: balanceAfter reference createdAt`,
)

export const points = [
  route('POST /v1/points/award', {
    key: 'secret',
    summary: 'Award points to a user',
    operation: `mutation ($userId: String!, $eventType: String!, $displayName: String, $email: String,
        $metadata: JSON, $reference: String) {
      result: awardPoints(input: { user: { externalId: $userId }, eventType: $eventType,
          displayName: $displayName, email: $email, metadata: $metadata, reference: $reference }) {
        ... on AwardPointsPayload { ledgerEntry @flatten { ${award} } }
        ...Problem
      }
    }`,
    message: 'Points awarded successfully',
    optional: ['reference'],
  }),
]
