import { fragment, route } from '../route.ts'
import { outcome } from './games.ts'
import { userGoal } from './goals.ts'

const pastPlay = fragment(
  'PastPlay on Play',
  `playId: uuid gameType user @flatten { userId: externalId } pointsSpent outcome ${outcome}
  reward @flatten {
    rewardTier: tier @lowerCase rewardType: type @lowerCase rewardValue: value rewardLabel: label
  }
  playedAt`,
)

const shownBalance = 'userId: externalId totalPoints: balance displayName'
const widgetBalance = fragment(
  'WidgetBalance on User',
  `${shownBalance} freePlays { gameType count nextEndsAt }`,
)
const balance = fragment('UserBalance on User', `${shownBalance} email metadata createdAt`)

const shownGrant = `grantId: uuid user @flatten { userId: externalId }
  reward @flatten { rewardId: uuid reward: slug name description imageUrl kind } points price status source
  needsClaim heldUntil readyAt claimExpiresAt claimedAt issuedAt fulfilledAt expiredAt revokedAt cancelledAt failedAt
  failure message shortfall gameType freePlaysLeft playableUntil code`
const userGrant = fragment('UserGrant on Grant', `${shownGrant} createdAt`)
const claimedGrant = fragment(
  'ClaimedGrant on ClaimGrantPayload',
  `grant @flatten { ${shownGrant} createdAt } user @flatten { userBalance: balance }`,
)
const boughtGrant = fragment(
  'BoughtGrant on BuyRewardPayload',
  `grant @flatten { ${shownGrant} reference createdAt } user @flatten { userBalance: balance }`,
)
export const givenGrant = fragment('GivenGrant on Grant', `${shownGrant} reference note createdAt`)

const blockedUser = fragment(
  'BlockedUser on User',
  'userId: externalId block { reason note blockedAt until }',
)

export const users = [
  route('GET /v1/users/{userId}/plays', {
    key: 'public',
    summary: "List a user's plays, newest first",
    operation: `query ($userId: String!, $page: String, $limit: Int) {
      user(by: { externalId: $userId }) {
        result: plays(first: $limit, after: $page) {
          data: nodes { ${pastPlay} }
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
      result: user(by: { externalId: $userId }) { ${widgetBalance} }
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
      result: user(by: { externalId: $userId }) { ${balance} }
    }`,
    message: 'Balance retrieved successfully',
    notFound: 'USER_NOT_FOUND',
    errors: ['USER_NOT_FOUND'],
  }),
  route('GET /v1/users/{userId}/play-seeds', {
    key: 'public',
    summary: 'Show what is known of the seeds of the next play',
    operation: `query ($userId: String!) {
      user(by: { externalId: $userId }) {
        result: playSeeds { commitment nextCommitment clientSeed nextNonce }
      }
    }`,
    message: 'Seeds retrieved successfully',
    notFound: 'USER_NOT_FOUND',
    errors: ['USER_NOT_FOUND'],
  }),
  route('POST /v1/users/{userId}/play-seeds/rotate', {
    key: 'public',
    summary: 'Replace the seeds of plays, and reveal the server seed until now',
    operation: `mutation ($userId: String!, $clientSeed: String) {
      result: rotatePlaySeed(input: { user: { externalId: $userId }, clientSeed: $clientSeed }) {
        ... on RotatePlaySeedPayload {
          revealed { serverSeed commitment clientSeed }
          user @flatten { playSeeds @flatten { commitment nextCommitment clientSeed nextNonce } }
        }
        ...Problem
      }
    }`,
    message: 'Seeds replaced successfully',
    notFound: 'USER_NOT_FOUND',
  }),
  route('POST /v1/users/{userId}/token', {
    key: 'secret',
    summary: 'Sign a short-lived token, with which a public key acts for the user',
    operation: `mutation ($userId: String!, $ttlSeconds: Int, $scopes: [UserTokenScope!],
        $timeZone: TimeZone) {
      result: createUserToken(input: { user: { externalId: $userId }, ttlSeconds: $ttlSeconds,
          scopes: $scopes, timeZone: $timeZone }) {
        ... on CreateUserTokenPayload {
          userToken @flatten { token userId: externalId scopes expiresAt }
        }
        ...Problem
      }
    }`,
    message: 'User token created successfully',
    never: ['USER_NOT_FOUND'],
  }),
  route('POST /v1/users/{userId}/token/revoke', {
    key: 'secret',
    summary: 'Revoke the tokens that the user has now',
    operation: `mutation ($userId: String!) {
      result: revokeUserTokens(input: { user: { externalId: $userId } }) {
        ... on RevokeUserTokensPayload { revokedAt }
        ...Problem
      }
    }`,
    message: 'User tokens revoked successfully',
    never: ['USER_NOT_FOUND'],
  }),
  route('POST /v1/users/{userId}/block', {
    key: 'secret',
    summary: 'Block a user, until a moment or for good',
    operation: `mutation ($userId: String!, $reason: BlockReason!, $note: String, $until: DateTime) {
      result: blockUser(input: { user: { externalId: $userId }, reason: $reason, note: $note, until: $until }) {
        ... on BlockUserPayload { user @flatten { ${blockedUser} } }
        ...Problem
      }
    }`,
    message: 'User blocked successfully',
    notFound: 'USER_NOT_FOUND',
  }),
  route('POST /v1/users/{userId}/unblock', {
    key: 'secret',
    summary: 'End the block of a user',
    operation: `mutation ($userId: String!) {
      result: unblockUser(input: { user: { externalId: $userId } }) {
        ... on UnblockUserPayload { user @flatten { ${blockedUser} } }
        ...Problem
      }
    }`,
    message: 'User unblocked successfully',
    notFound: 'USER_NOT_FOUND',
  }),
  route('GET /v1/users/{userId}/grants', {
    key: 'public',
    takesSecret: true,
    summary:
      "List a user's grants of rewards, newest first; a public key needs a token of the user",
    operation: `query ($userId: String!, $status: [GrantStatus!] @single, $page: String, $limit: Int) {
      user(by: { externalId: $userId }) {
        result: grants(filter: { statuses: $status }, first: $limit, after: $page) {
          data: nodes { ${userGrant} }
          totalCount { value }
        }
      }
    }`,
    message: 'Grants retrieved successfully',
    list: true,
    paging: { meta: ['page', 'limit', 'total', 'totalPages'] },
    notFound: 'USER_NOT_FOUND',
    errors: ['USER_NOT_FOUND'],
  }),
  route('POST /v1/users/{userId}/grants', {
    key: 'secret',
    summary: 'Give a user a reward',
    operation: `mutation ($userId: String!, $reward: String!, $reference: String, $note: String,
        $needsClaim: Boolean, $heldUntil: DateTime, $claimExpiresAt: DateTime) {
      result: giveReward(input: { user: { externalId: $userId }, reward: { slug: $reward },
          reference: $reference, note: $note, needsClaim: $needsClaim, heldUntil: $heldUntil,
          claimExpiresAt: $claimExpiresAt }) {
        ... on GiveRewardPayload { grant @flatten { ${givenGrant} } }
        ...Problem
      }
    }`,
    message: 'Reward given successfully',
    never: ['USER_NOT_FOUND'],
  }),
  route('POST /v1/users/{userId}/grants/{grantId}/reveal', {
    key: 'public',
    takesSecret: true,
    summary:
      'Show the code of a grant to its user, which hands it out; a public key needs a token of the user',
    operation: `mutation ($userId: String!, $grantId: ID!) {
      result: revealCode(input: { user: { externalId: $userId }, grantId: $grantId }) {
        ... on RevealCodePayload { grant @flatten { ${userGrant} } }
        ...Problem
      }
    }`,
    message: 'Code revealed successfully',
    never: ['USER_NOT_FOUND'],
    notFound: 'GRANT_NOT_FOUND',
  }),
  route('POST /v1/users/{userId}/rewards/{slug}/buy', {
    key: 'public',
    takesSecret: true,
    summary: 'Buy a reward with points; a public key needs a token of the user',
    operation: `mutation ($userId: String!, $slug: String!, $reference: String) {
      result: buyReward(input: { user: { externalId: $userId }, reward: { slug: $slug },
          reference: $reference }) {
        ... on BuyRewardPayload { ${boughtGrant} }
        ...Problem
      }
    }`,
    message: 'Reward bought successfully',
    notFound: ['USER_NOT_FOUND', 'REWARD_NOT_FOUND'],
  }),
  route('POST /v1/users/{userId}/grants/{grantId}/claim', {
    key: 'public',
    takesSecret: true,
    summary: 'Claim a grant that is ready, once; a public key needs a token of the user',
    operation: `mutation ($userId: String!, $grantId: ID!) {
      result: claimGrant(input: { user: { externalId: $userId }, grantId: $grantId }) {
        ... on ClaimGrantPayload { ${claimedGrant} }
        ...Problem
      }
    }`,
    message: 'Grant claimed successfully',
    never: ['USER_NOT_FOUND'],
    notFound: 'GRANT_NOT_FOUND',
  }),
  route('GET /v1/users/{userId}/goals', {
    key: 'public',
    takesSecret: true,
    summary: "List a user's goals, in their order, with how far the user is",
    operation: `query ($userId: String!, $state: [GoalState!] @single, $page: String, $limit: Int) {
      user(by: { externalId: $userId }) {
        result: goals(filter: { states: $state }, first: $limit, after: $page) {
          data: nodes { ${userGoal} }
          totalCount { value }
        }
      }
    }`,
    message: 'Goals retrieved successfully',
    list: true,
    paging: { meta: ['page', 'limit', 'total', 'totalPages'] },
    notFound: 'USER_NOT_FOUND',
    errors: ['USER_NOT_FOUND'],
  }),
  route('POST /v1/users/{userId}/goals/{slug}/join', {
    key: 'public',
    takesSecret: true,
    summary: 'Have a user take part in a goal, from now on',
    operation: `mutation ($userId: String!, $slug: String!) {
      result: joinGoal(input: { user: { externalId: $userId }, goal: { slug: $slug } }) {
        ... on JoinGoalPayload { userGoal @flatten { ${userGoal} } }
        ...Problem
      }
    }`,
    message: 'Goal joined successfully',
  }),
  route('GET /v1/users/{userId}/history', {
    key: 'secret',
    summary: "List a user's ledger entries, newest first",
    operation: `query ($userId: String!, $page: String, $limit: Int) {
      user(by: { externalId: $userId }) {
        result: ledgerEntries(first: $limit, after: $page) {
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
