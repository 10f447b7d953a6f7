import { z } from 'zod'
import { named } from '../codecs.ts'
import { answer, asPercent, fragment, given, route } from '../route.ts'

const batch = `{
  id: uuid
  campaign @flatten { campaignId: uuid campaignSlug: slug }
  batchSize: codeCount
  pointsValue: points
  label
  status
  redeemed: redeemedCount
  expiresAt
  revokedAt
  createdAt
}`

const newBatch = fragment(
  'NewCodeBatch on CodeBatch',
  `id: uuid campaign @flatten { campaignId: uuid } batchSize: codeCount pointsValue: points label
  expiresAt createdAt`,
)

const referralCode = fragment(
  'ReferralCode on Participant',
  'referralCode referralCount totalRewardsEarned: referralPoints',
  { referralCode: given },
)

const instantWinStats = fragment(
  'InstantWinStats on InstantWinStats',
  `totalPlays: drawCount totalWins: winCount winRate
  tiers: prizeTiers { name wins: winCount maxWins remaining: remainingCount }`,
  {
    winRate: asPercent(
      z.number().describe('Part of the plays that won, in percent, to two decimals.'),
    ),
  },
)

const batches = `{ batches: nodes ${batch} totalCount { value } }`

const stats = `{
  total: codeCount active: activeCount redeemed: redeemedCount expired: expiredCount
  revoked: revokedCount totalCodes: codeCount activeCodes: activeCount redeemedCodes: redeemedCount
  expiredCodes: expiredCount revokedCodes: revokedCount totalBatches: batchCount
}`

const pointsEarned = z.int().describe('Points that this gave the user.')
const totalPoints = z.int().describe('Points in the campaign, with these.')
const message = z.string().describe('The same as readable text.')

const instantWin = z
  .object({
    won: z.boolean().describe('Whether the user won.'),
    prizeTier: z.string().optional().describe('Name of the prize tier.'),
    pointsEarned: z.int().describe('Points that the win code gives when it is redeemed.'),
    winCode: z.string().optional().describe('To redeem the win.'),
    message,
  })
  .meta({ title: 'InstantWin', about: 'A draw of the instant win.' })

const recorded = answer(
  z.object({ pointsEarned, totalPoints, instantWin: instantWin.optional(), message }).meta({
    title: 'RecordedCampaignEvent',
    about: 'What an event of a user in a campaign earned.',
  }),
  ({ instantWin: draw, ...event }) => ({
    ...event,
    ...(draw && {
      instantWin: {
        ...draw,
        message: draw.won
          ? `You won ${draw.prizeTier}! Redeem the win code for ${draw.pointsEarned} points.`
          : 'No win this time',
      },
    }),
    message: event.pointsEarned
      ? `Event recorded: ${event.pointsEarned} points earned`
      : 'Event recorded',
  }),
)

const referral = answer(
  z
    .object({
      referrerReward: z.int().describe('Points of the user who referred.'),
      refereeReward: z.int().describe('Points of the user who was referred.'),
      message,
    })
    .meta({ title: 'Referral', about: 'What both users of a referral earned.' }),
  (rewards) => ({ ...rewards, message: 'Referral completed' }),
)

const redeemedWin = answer(
  z
    .object({ prizeTier: z.string().describe('Name of the prize tier.'), pointsEarned, message })
    .meta({ title: 'RedeemedWin', about: 'A win whose code was redeemed.' }),
  (win) => ({
    ...win,
    message: `${win.prizeTier} redeemed: ${win.pointsEarned} points earned`,
  }),
)

const redeemedCode = answer(
  z
    .object({ pointsEarned, totalPoints, message })
    .meta({ title: 'RedeemedCode', about: 'A code of a batch that was redeemed.' }),
  (code) => ({ ...code, message: `Code redeemed: ${code.pointsEarned} points earned` }),
)

const codeMessages: Record<string, string> = {
  REDEEMABLE: 'Code is valid and redeemable',
  CAMPAIGN_NOT_ACTIVE: 'Code is valid, but its campaign is not active',
  REDEEMED: 'Code has already been redeemed',
  EXPIRED: 'Code has expired',
  REVOKED: 'Code has been revoked',
}

const verifiedCode = answer(
  z
    .object({
      valid: z.boolean().describe('Whether it can be redeemed now.'),
      pointsValue: z
        .int()
        .nullable()
        .describe('Points that the code gives; null if it is unknown.'),
      campaignName: z.string().nullable().describe('Name of its campaign; null if it is unknown.'),
      campaignSlug: z.string().nullable().describe('Slug of its campaign; null if it is unknown.'),
      expired: z.boolean().describe('Whether it has expired.'),
      message,
    })
    .meta({
      title: 'VerifiedCode',
      about: 'What a code is worth, and whether it can be redeemed.',
    }),
  ({ status, pointsValue = null, campaignName = null, campaignSlug = null }) => ({
    valid: status === 'REDEEMABLE',
    pointsValue,
    campaignName,
    campaignSlug,
    expired: status === 'EXPIRED',
    message: codeMessages[status] ?? 'Invalid code',
  }),
)

/** REST does not tell a campaign that is unknown from one that is not active. */
const notActive = {
  CAMPAIGN_NOT_FOUND: 'CAMPAIGN_NOT_ACTIVE',
  CAMPAIGN_NOT_ACTIVE: 'CAMPAIGN_NOT_ACTIVE',
} as const

/** Nor does it say which of the campaign and the user it has not found. */
const campaignOrUser = {
  CAMPAIGN_NOT_FOUND: 'CAMPAIGN_OR_USER_NOT_FOUND',
  CAMPAIGN_NOT_ACTIVE: 'CAMPAIGN_OR_USER_NOT_FOUND',
  USER_NOT_FOUND: 'CAMPAIGN_OR_USER_NOT_FOUND',
} as const

export const campaigns = [
  route('POST /v1/campaigns/{slug}/events', {
    key: 'secret',
    summary: 'Record what a user did in a campaign',
    operation: `mutation ($slug: String!, $userId: String!, $eventType: String!, $metadata: JSON) {
      result: recordCampaignEvent(input: { campaign: { slug: $slug }, user: { externalId: $userId },
          eventType: $eventType, metadata: $metadata }) {
        ... on RecordCampaignEventPayload {
          campaignEvent @flatten { pointsEarned: points }
          participant @flatten { totalPoints: campaignPoints }
          instantWin: instantWinDraw {
            won: isWon
            instantWin @flatten { prizeTier @flatten { prizeTier: name } pointsEarned: points @unset(as: 0) }
            winCode
          }
        }
        ...Problem
      }
    }`,
    answer: recorded,
    optional: ['instantWin', 'prizeTier', 'winCode'],
    notFound: 'CAMPAIGN_NOT_ACTIVE',
    folds: notActive,
  }),
  route('POST /v1/campaigns/{slug}/referrals', {
    key: 'secret',
    summary: 'Record a referral',
    operation: `mutation ($slug: String!, $referrerId: String!, $refereeId: String!,
        $referralCode: String!) {
      result: recordReferral(input: { campaign: { slug: $slug }, referrer: { externalId: $referrerId },
          referee: { externalId: $refereeId }, referralCode: $referralCode }) {
        ... on RecordReferralPayload { referral @flatten { referrerReward: referrerPoints refereeReward: refereePoints } }
        ...Problem
      }
    }`,
    answer: referral,
    notFound: 'CAMPAIGN_OR_USER_NOT_FOUND',
    folds: campaignOrUser,
  }),
  route('GET /v1/campaigns/{slug}/referral-code/{userId}', {
    key: 'secret',
    summary: "Show a user's referral code; creates it if necessary",
    operation: `mutation ($slug: String!, $userId: String!) {
      result: createReferralCode(input: { campaign: { slug: $slug }, user: { externalId: $userId } }) {
        ... on CreateReferralCodePayload {
          participant @flatten { ${referralCode} }
        }
        ...Problem
      }
    }`,
    notFound: 'CAMPAIGN_OR_USER_NOT_FOUND',
    folds: campaignOrUser,
  }),
  route('GET /v1/campaigns/{slug}/instant-win/stats', {
    key: 'secret',
    summary: 'Show plays, wins and stock of the instant win',
    operation: `query ($slug: String!) {
      campaign(by: { slug: $slug }) {
        result: instantWinStats { ${instantWinStats} }
      }
    }`,
    notFound: 'CAMPAIGN_NOT_FOUND',
    errors: ['CAMPAIGN_NOT_FOUND'],
  }),
  route('POST /v1/campaigns/{slug}/instant-win/redeem', {
    key: 'secret',
    summary: 'Redeem a win code',
    operation: `mutation ($slug: String!, $winCode: String!, $userId: String!) {
      result: redeemWinCode(input: { campaign: { slug: $slug }, winCode: $winCode,
          user: { externalId: $userId } }) {
        ... on RedeemWinCodePayload {
          instantWin @flatten { prizeTier @flatten { prizeTier: name } pointsEarned: points }
        }
        ...Problem
      }
    }`,
    answer: redeemedWin,
    notFound: 'CAMPAIGN_NOT_FOUND',
  }),
  route('POST /v1/campaigns/{slug}/redeem', {
    key: 'secret',
    summary: 'Redeem a code of a batch',
    operation: `mutation ($slug: String!, $code: String!, $userId: String!) {
      result: redeemCode(input: { campaign: { slug: $slug }, code: $code,
          user: { externalId: $userId } }) {
        ... on RedeemCodePayload {
          codeBatch @flatten { pointsEarned: points }
          participant @flatten { totalPoints: campaignPoints }
        }
        ...Problem
      }
    }`,
    answer: redeemedCode,
    notFound: 'CAMPAIGN_NOT_ACTIVE',
    folds: notActive,
  }),
  route('GET /v1/campaigns/{slug}/participants/{userId}', {
    key: 'secret',
    summary: 'Show a participant of a campaign',
    operation: `query ($slug: String!, $userId: String!) {
      campaign(by: { slug: $slug }) {
        result: participant(by: { externalId: $userId }) {
          user @flatten { userId: externalId displayName }
          totalPoints: campaignPoints
          plays: eventCount
          playsLeft: eventsLeft
          wins: winCount
          referralCount
          totalRewardsEarned: referralPoints
          joinedAt
          eventsCount: eventCount
          rank
        }
      }
    }`,
    notFound: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_OR_USER_NOT_FOUND'],
    errors: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_OR_USER_NOT_FOUND'],
  }),
  route('GET /v1/campaigns/{slug}/leaderboard', {
    key: 'secret',
    summary: 'List participants by points',
    operation: `query ($slug: String!, $page: String, $limit: Int) {
      campaign(by: { slug: $slug }) {
        result: leaderboard(first: $limit, after: $page) {
          entries: nodes {
            rank
            participant @flatten {
              user @flatten { userId: externalId displayName }
              totalPoints: campaignPoints
              eventsCount: eventCount
            }
          }
          totalCount { value }
        }
      }
    }`,
    paging: { beside: ['totalParticipants'] },
    notFound: 'CAMPAIGN_NOT_FOUND',
    errors: ['CAMPAIGN_NOT_FOUND', 'INVALID_PARAMETERS'],
  }),
  route('POST /v1/campaigns/codes/generate', {
    key: 'secret',
    summary: 'Create a batch of codes',
    operation: `mutation ($slug: String!, $batchSize: Int!, $pointsValue: Int!, $label: String,
        $expiresAt: DateTime) {
      result: createCodeBatch(input: { campaign: { slug: $slug }, codeCount: $batchSize,
          points: $pointsValue, label: $label, expiresAt: $expiresAt }) {
        ... on CreateCodeBatchPayload {
          batch: codeBatch { ${newBatch} }
          codes
          codeBatch @flatten { count: codeCount campaign @flatten { gameUrl: pageUrl } }
        }
        ...Problem
      }
    }`,
  }),
  route('POST /v1/campaigns/codes/verify', {
    key: 'secret',
    summary: 'Verify a code without redeeming it',
    operation: `query ($code: String!) {
      result: campaignCode(code: $code) @unset(as: {}) {
        status
        codeBatch @flatten {
          pointsValue: points
          campaign @flatten { campaignName: name campaignSlug: slug }
        }
      }
    }`,
    answer: verifiedCode,
  }),
  route('GET /v1/campaigns/codes/batches', {
    key: 'secret',
    summary: 'List batches of codes, newest first',
    operation: {
      parameter: 'slug',
      given: `query ($slug: String!, $page: String, $limit: Int) {
        campaign(by: { slug: $slug }) { result: codeBatches(first: $limit, after: $page) ${batches} }
      }`,
      absent: `query ($page: String, $limit: Int) {
        result: codeBatches(first: $limit, after: $page) ${batches}
      }`,
    },
    paging: { beside: ['total', 'page', 'limit'] },
    notFound: 'CAMPAIGN_NOT_FOUND',
    errors: ['CAMPAIGN_NOT_FOUND', 'INVALID_PARAMETERS'],
  }),
  route('POST /v1/campaigns/codes/batches/{batchId}/revoke', {
    key: 'secret',
    summary: 'Revoke a batch of codes',
    operation: `mutation ($input: RevokeCodeBatchInput!) {
      result: revokeCodeBatch(input: $input) {
        ... on RevokeCodeBatchPayload { codeBatch @flatten ${batch} }
        ...Problem
      }
    }`,
    forms: { codeBatchId: named('batchId') },
    notFound: 'CODE_BATCH_NOT_FOUND',
  }),
  route('GET /v1/campaigns/codes/stats', {
    key: 'secret',
    summary: 'Count codes by state',
    operation: {
      parameter: 'slug',
      given: `query ($slug: String!) { campaign(by: { slug: $slug }) { result: codeStats ${stats} } }`,
      absent: `{ result: codeStats ${stats} }`,
    },
    notFound: 'CAMPAIGN_NOT_FOUND',
    errors: ['CAMPAIGN_NOT_FOUND'],
  }),
]
