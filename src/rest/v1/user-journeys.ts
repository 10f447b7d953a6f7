import { type Each, fragment, route } from '../route.ts'

const whose = 'partner @flatten { partnerId: uuid } externalId environment'

const profile = `
  id: uuid ${whose} displayName @unset(as: "") email @unset(as: "")
  journey @flatten {
    phone @unset(as: "") country @unset(as: "") device @lowerCase @unset(as: "")
    source @unset(as: "") firstSeenAt lastSeenAt lifecycleStage: stage @lowerCase engagementTier @lowerCase
    engagementScore totalPlays: playCount plays7d: playCount7d plays30d: playCount30d
    pointsEarned7d pointsEarned30d campaignsJoined: campaignCount winRate totalEvents: activityCount
    tags
  }
  metadata`

const detailedProfile = fragment(
  'UserDetails on User',
  `${profile}
  more: journey @flatten {
    avgSessionGapMin: averageSessionGapMinutes
    recommendations { type @lowerCase @unset(as: "") name reason priority @lowerCase @unset(as: "") }
  }`,
)

const event = `
  id: uuid user @flatten { ${whose} } category eventType sourceId @unset(as: "") points
  reference @unset(as: "") metadata occurredAt`

const offer = `
  id: uuid user @flatten { externalId } offerType @lowerCase gameType @unset(as: "") title
  description @unset(as: "") pointsValue: points status @lowerCase expiresAt claimedAt metadata`

/** The answer for all events of a list, some of which were rejected before they were sent. */
const answerForAll: Each['answer'] = (answer, refused) => {
  const { accepted = 0, duplicates = 0, rejected = 0, results = [] } = answer ?? {}
  const sent = [...(results as object[])]
  const received = sent.length + refused.size
  return {
    received,
    accepted,
    duplicates,
    rejected: Number(rejected) + refused.size,
    results: Array.from({ length: received }, (_, index) => {
      const error = refused.get(index)
      return error === undefined ? { ...sent.shift(), index } : { index, status: 'rejected', error }
    }),
  }
}

export const userJourneys = [
  route('POST /v1/user-journeys/users', {
    key: 'public',
    personal: true,
    summary: "Create or update a user's profile",
    operation: `mutation ($externalId: String!, $displayName: String @unset(as: ""),
        $email: String @unset(as: ""), $phone: String @unset(as: ""), $country: String @unset(as: ""),
        $device: Device @unset(as: ""), $source: String @unset(as: ""),
        $timeZone: TimeZone @unset(as: ""), $tags: JSON, $metadata: JSON) {
      result: trackUser(input: { user: { externalId: $externalId }, displayName: $displayName,
          email: $email, phone: $phone, country: $country, device: $device, source: $source,
          timeZone: $timeZone, tags: $tags, metadata: $metadata }) {
        ... on TrackUserPayload { user @flatten { ${profile} } }
        ...Problem
      }
    }`,
    never: ['USER_NOT_FOUND'],
    failure: 'TRACK_USER_FAILED',
  }),
  route('POST /v1/user-journeys/events', {
    key: 'public',
    takesSecret: true,
    personal: true,
    summary: 'Add an event to a timeline',
    operation: `mutation ($externalId: String!, $category: ActivityCategory!, $eventType: String!,
        $sourceId: String, $points: Int, $reference: String, $metadata: JSON, $occurredAt: DateTime) {
      result: trackActivity(input: { user: { externalId: $externalId }, category: $category,
          eventType: $eventType, sourceId: $sourceId, points: $points, reference: $reference,
          metadata: $metadata, occurredAt: $occurredAt }) {
        ... on TrackActivityPayload { activity @flatten { ${event} } }
        ...Problem
      }
    }`,
    never: ['USER_NOT_FOUND'],
    failure: 'TRACK_EVENT_FAILED',
  }),
  route('POST /v1/user-journeys/track', {
    key: 'public',
    takesSecret: true,
    summary: 'Add up to 500 events to timelines; each succeeds or fails independently',
    operation: `mutation ($events: [TrackActivityInput!]!) {
      result: trackActivities(input: { activities: $events }) {
        ... on TrackActivitiesPayload {
          received: receivedCount accepted: createdCount duplicates: duplicateCount
          rejected: rejectedCount
          results {
            index
            status @lowerCase
            activity @flatten { id: uuid }
            error
          }
        }
        ...Problem
      }
    }`,
    each: {
      field: 'activities',
      item: `{ user: { externalId: $externalId }, category: $category, eventType: $eventType,
        sourceId: $sourceId, points: $points, reference: $reference, metadata: $metadata,
        occurredAt: $occurredAt }`,
      odd: 'The event must be an object',
      answer: answerForAll,
    },
    optional: ['id', 'error'],
    bodyLimit: 512 * 1024,
  }),
  route('GET /v1/user-journeys/users/{externalId}', {
    key: 'public',
    personal: true,
    summary: "Show a user's profile and recommendations",
    operation: `query ($externalId: String!) {
      result: user(by: { externalId: $externalId }) { ${detailedProfile} }
    }`,
    notFound: 'USER_NOT_FOUND',
    errors: ['USER_NOT_FOUND'],
  }),
  route('GET /v1/user-journeys/users/{externalId}/timeline', {
    key: 'public',
    personal: true,
    summary: "List a user's events, most recent first",
    operation: `query ($externalId: String!, $page: String, $limit: Int) {
      user(by: { externalId: $externalId }) {
        result: activities(first: $limit, after: $page) {
          events: nodes { ${event} }
          totalCount { value }
        }
      }
    }`,
    paging: { beside: ['total', 'page', 'limit'] },
    notFound: 'USER_NOT_FOUND',
    errors: ['USER_NOT_FOUND', 'INVALID_PARAMETERS'],
    failure: 'TIMELINE_FAILED',
  }),
  route('POST /v1/user-journeys/users/{externalId}/offers', {
    key: 'secret',
    summary: 'Create an offer for a user',
    operation: `mutation ($externalId: String!, $offerType: OfferType!, $gameType: GameType,
        $title: String, $description: String, $pointsValue: Int, $creditsPoints: Boolean,
        $expiresAt: DateTime, $metadata: JSON) {
      result: createOffer(input: { user: { externalId: $externalId }, offerType: $offerType,
          gameType: $gameType, title: $title, description: $description, points: $pointsValue,
          creditsPoints: $creditsPoints, expiresAt: $expiresAt, metadata: $metadata }) {
        ... on CreateOfferPayload { offer { ${offer} } }
        ...Problem
      }
    }`,
    notFound: 'USER_NOT_FOUND',
  }),
  route('GET /v1/user-journeys/users/{externalId}/offers', {
    key: 'public',
    personal: true,
    summary: "List a user's active offers",
    operation: `query ($externalId: String!, $page: String, $limit: Int) {
      user(by: { externalId: $externalId }) {
        result: offers(filter: { statuses: [ACTIVE] }, first: $limit, after: $page) {
          offers: nodes { ${offer} }
          totalCount { value }
        }
      }
    }`,
    paging: { beside: ['total', 'page', 'limit'] },
    notFound: 'USER_NOT_FOUND',
    errors: ['USER_NOT_FOUND', 'INVALID_PARAMETERS'],
  }),
  route('POST /v1/user-journeys/users/{externalId}/offers/{offerId}/claim', {
    key: 'public',
    personal: true,
    summary: 'Claim an offer, once',
    operation: `mutation ($externalId: String!, $offerId: ID!) {
      result: claimOffer(input: { user: { externalId: $externalId }, offerId: $offerId }) {
        ... on ClaimOfferPayload { offer { ${offer} } }
        ...Problem
      }
    }`,
    notFound: 'OFFER_NOT_FOUND',
  }),
]
