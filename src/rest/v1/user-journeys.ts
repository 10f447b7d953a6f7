import { z } from 'zod'
import { errorOfRefusal, type Refusal } from '../../kit/schema/refusal.ts'
import { answer, type Each, fragment, route } from '../route.ts'

const whose = 'partner @flatten { partnerId: uuid } externalId environment'

const profile = `
  id: uuid ${whose} displayName @unset(as: "") email @unset(as: "")
  journey @flatten {
    phone @unset(as: "") country @unset(as: "") device @lowerCase @unset(as: "")
    source @unset(as: "") firstSeenAt lastSeenAt lifecycleStage: stage @lowerCase engagementTier @lowerCase
    engagementScore totalPlays: playCount plays7d: playCount7d plays30d: playCount30d
    pointsEarned7d pointsEarned30d campaignsJoined: campaignCount winRate @unset(as: 0) totalEvents: activityCount
    tags
  }
  metadata`

const offer = `
  id: uuid user @flatten { externalId } offerType @lowerCase gameType @unset(as: "") title
  description @unset(as: "") pointsValue: points status @lowerCase expiresAt claimedAt metadata`

const recommendedGoal = fragment(
  'RecommendedGoal on UserGoal',
  'goal @flatten { goalId: uuid slug name } state nextAction',
)

const detailedProfile = fragment(
  'UserDetails on User',
  `${profile}
  more: journey @flatten {
    avgSessionGapMin: averageSessionGapMinutes @unset(as: 0)
    recommendations { type @lowerCase @unset(as: "") name reason priority @lowerCase @unset(as: "")
      goal { ${recommendedGoal} } offer { ${offer} } }
  }`,
)

const event = `
  id: uuid user @flatten { ${whose} } category eventType sourceId @unset(as: "") points
  reference @unset(as: "") metadata occurredAt`

const trackedEvent = z
  .object({
    index: z.int().describe('Its index in the list, from 0.'),
    status: z.enum(['created', 'duplicate', 'rejected']).describe('Its result.'),
    id: z.uuid().optional().describe('The id of the event; omitted if it was rejected.'),
    error: z.string().optional().describe('Why it was rejected; omitted if it was not.'),
  })
  .meta({ title: 'TrackedActivity', about: 'The result of one activity of a list.' })

type TrackedEvent = z.output<typeof trackedEvent>

/** What became of the events, as the interface counts them. */
const countedOf = (results: TrackedEvent[]) => {
  const count = (status: TrackedEvent['status']) =>
    results.filter((result) => result.status === status).length
  return {
    received: results.length,
    accepted: count('created'),
    duplicates: count('duplicate'),
    rejected: count('rejected'),
    results,
  }
}

const resultOf = (
  { problem, isDuplicate, id, ...refusal }: Record<string, unknown>,
  index: number,
): TrackedEvent => {
  if (problem === undefined)
    return { index, status: isDuplicate ? 'duplicate' : 'created', id: String(id) }
  const { errors, message } = errorOfRefusal({ problem, ...refusal } as Refusal)
  return {
    index,
    status: 'rejected',
    error: errors?.map(({ message }) => message).join('; ') ?? message,
  }
}

const trackedEvents = answer(
  z
    .object({
      received: z.int().describe('Activities in the list.'),
      accepted: z.int().describe('Activities that were added.'),
      duplicates: z.int().describe('Activities that already existed.'),
      rejected: z.int().describe('Activities that were rejected.'),
      results: z
        .array(trackedEvent)
        .describe('One result for each activity, in the order of the list.'),
    })
    .meta({ title: 'TrackActivitiesPayload', about: 'What the request changed.' }),
  ({ results }) => countedOf(results.map(resultOf)),
)

/** The answer for all events of a list, some of which were rejected before they were sent. */
const answerForAll: Each['answer'] = (answer, refused) => {
  const sent = [...((answer?.results ?? []) as TrackedEvent[])]
  return countedOf(
    Array.from({ length: sent.length + refused.size }, (_, index) => {
      const error = refused.get(index)
      return error === undefined
        ? { ...(sent.shift() as TrackedEvent), index }
        : { index, status: 'rejected', error }
    }),
  )
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
    operation: `mutation ($events: [ActivityInput!]!) {
      result: trackActivities(input: { activities: $events }) {
        ... on TrackActivitiesPayload {
          results {
            ... on TrackActivityPayload { isDuplicate activity @flatten { id: uuid } }
            ...Problem
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
    answer: trackedEvents,
    bodyLimit: 512 * 1024,
  }),
  route('GET /v1/user-journeys/users/{externalId}', {
    key: 'public',
    personal: true,
    summary: "Show a user's profile and recommendations",
    optional: ['goal', 'offer'],
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
    never: ['REWARD_NOT_FOUND', 'REWARD_ARCHIVED'],
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
    takesSecret: true,
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
