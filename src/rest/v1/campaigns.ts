import { route } from '../route.ts'

export const campaigns = [
  route('POST /v1/campaigns/{slug}/events', {
    key: 'secret',
    summary: 'Record what a user did in a campaign',
    operation: `mutation ($input: RecordCampaignEventInput!) {
      result: recordCampaignEvent(input: $input) {
        ... on RecordCampaignEventPayload {
          pointsEarned totalPoints
          instantWin { won prizeTier pointsEarned winCode message }
          message
        }
        ...Problem
      }
    }`,
    optional: ['instantWin', 'prizeTier', 'winCode'],
    notFound: 'CAMPAIGN_NOT_ACTIVE',
    errors: ['CAMPAIGN_NOT_ACTIVE', 'MAX_PLAYS_EXCEEDED'],
  }),
  route('POST /v1/campaigns/{slug}/referrals', {
    key: 'secret',
    summary: 'Record that a user has brought another',
    operation: `mutation ($input: RecordReferralInput!) {
      result: recordReferral(input: $input) {
        ... on RecordReferralPayload { referrerReward refereeReward message }
        ...Problem
      }
    }`,
    notFound: 'CAMPAIGN_OR_USER_NOT_FOUND',
    errors: [
      'CAMPAIGN_OR_USER_NOT_FOUND',
      'REFERRALS_NOT_ENABLED',
      'SELF_REFERRAL',
      'INVALID_REFERRAL_CODE',
      'ALREADY_REFERRED',
    ],
  }),
  route('GET /v1/campaigns/{slug}/referral-code/{userId}', {
    key: 'secret',
    summary: "Show a user's referral code, and make it if there is none",
    operation: `query ($slug: String!, $userId: String!) {
      result: referralCode(slug: $slug, userId: $userId) {
        referralCode referralCount totalRewardsEarned
      }
    }`,
    errors: ['CAMPAIGN_OR_USER_NOT_FOUND', 'REFERRALS_NOT_ENABLED'],
  }),
  route('GET /v1/campaigns/{slug}/instant-win/stats', {
    key: 'secret',
    summary: 'Show plays, wins and stock of the instant win',
    operation: `query ($slug: String!) {
      campaign(slug: $slug) {
        result: instantWinStats {
          totalPlays totalWins winRate
          tiers { name wins maxWins remaining }
        }
      }
    }`,
    errors: ['CAMPAIGN_NOT_FOUND'],
  }),
  route('POST /v1/campaigns/{slug}/instant-win/redeem', {
    key: 'secret',
    summary: 'Redeem a win code',
    operation: `mutation ($input: RedeemWinCodeInput!) {
      result: redeemWinCode(input: $input) {
        ... on RedeemWinCodePayload { prizeTier pointsEarned message }
        ...Problem
      }
    }`,
    notFound: 'CAMPAIGN_NOT_FOUND',
    errors: ['CAMPAIGN_NOT_FOUND', 'INVALID_WIN_CODE', 'WIN_CODE_REDEEMED'],
  }),
  route('POST /v1/campaigns/{slug}/redeem', {
    key: 'secret',
    summary: 'Redeem a code of a batch',
    operation: `mutation ($input: RedeemCodeInput!) {
      result: redeemCode(input: $input) {
        ... on RedeemCodePayload { pointsEarned totalPoints message }
        ...Problem
      }
    }`,
    notFound: 'CAMPAIGN_NOT_ACTIVE',
    errors: [
      'CAMPAIGN_NOT_ACTIVE',
      'INVALID_CODE',
      'CODE_REDEEMED',
      'CODE_EXPIRED',
      'CODE_REVOKED',
    ],
  }),
  route('GET /v1/campaigns/{slug}/participants/{userId}', {
    key: 'secret',
    summary: 'Show a user in a campaign',
    operation: `query ($slug: String!, $userId: String!) {
      campaign(slug: $slug) {
        result: participant(userId: $userId) {
          userId displayName totalPoints plays playsLeft wins referralCount
          totalRewardsEarned: referralRewards joinedAt
        }
      }
    }`,
    errors: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_OR_USER_NOT_FOUND'],
  }),
  route('GET /v1/campaigns/{slug}/leaderboard', {
    key: 'secret',
    summary: 'List participants by points',
    operation: `query ($slug: String!, $page: Int, $limit: Int) {
      campaign(slug: $slug) {
        result: leaderboard(page: $page, limit: $limit) {
          entries: nodes { rank userId displayName totalPoints }
          totalParticipants: totalCount
        }
      }
    }`,
    errors: ['CAMPAIGN_NOT_FOUND', 'INVALID_PARAMETERS'],
  }),
  route('POST /v1/campaigns/codes/generate', {
    key: 'secret',
    summary: 'Make a batch of codes',
    operation: `mutation ($input: GenerateCodesInput!) {
      result: generateCodes(input: $input) {
        ... on GenerateCodesPayload {
          batch { id: batchId campaignId batchSize pointsValue label expiresAt createdAt }
          codes count gameUrl
        }
        ...Problem
      }
    }`,
    errors: ['CAMPAIGN_NOT_FOUND'],
  }),
  route('POST /v1/campaigns/codes/verify', {
    key: 'secret',
    summary: 'Say what a code is worth, without redeeming it',
    operation: `query ($input: VerifyCodeInput!) {
      result: verifyCode(input: $input) {
        valid pointsValue campaignName campaignSlug expired message
      }
    }`,
  }),
  route('GET /v1/campaigns/codes/batches', {
    key: 'secret',
    summary: 'List batches of codes, newest first',
    operation: `query ($slug: String, $page: Int, $limit: Int) {
      result: codeBatches(slug: $slug, page: $page, limit: $limit) {
        batches: nodes {
          id: batchId campaignId campaignSlug batchSize pointsValue label status redeemed
          expiresAt revokedAt createdAt
        }
        total: totalCount page limit
      }
    }`,
    errors: ['CAMPAIGN_NOT_FOUND', 'INVALID_PARAMETERS'],
  }),
  route('POST /v1/campaigns/codes/batches/{batchId}/revoke', {
    key: 'secret',
    summary: 'Make the codes of a batch worthless',
    operation: `mutation ($input: RevokeCodeBatchInput!) {
      result: revokeCodeBatch(input: $input) {
        ... on CodeBatch {
          id: batchId campaignId campaignSlug batchSize pointsValue label status redeemed
          expiresAt revokedAt createdAt
        }
        ...Problem
      }
    }`,
    notFound: 'CODE_BATCH_NOT_FOUND',
    errors: ['CODE_BATCH_NOT_FOUND'],
  }),
  route('GET /v1/campaigns/codes/stats', {
    key: 'secret',
    summary: 'Count codes by state',
    operation: `query ($slug: String) {
      result: codeStats(slug: $slug) { total active redeemed expired revoked }
    }`,
    errors: ['CAMPAIGN_NOT_FOUND'],
  }),
]
