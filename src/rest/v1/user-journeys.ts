import { route } from '../route.ts'

const profile = `
  id: profileId partnerId externalId environment displayName email phone country device source
  firstSeenAt lastSeenAt lifecycleStage engagementTier engagementScore totalPlays plays7d plays30d
  pointsEarned7d pointsEarned30d campaignsJoined winRate totalEvents tags metadata`

const event = `
  id: eventId partnerId externalId environment category eventType sourceId points reference metadata
  occurredAt`

const offer = `
  id: offerId externalId offerType gameType title description pointsValue status expiresAt claimedAt
  metadata`

export const userJourneys = [
  route('POST /v1/user-journeys/users', {
    key: 'public',
    personal: true,
    summary: "Make a user's profile, or change what is known",
    operation: `mutation ($input: TrackUserInput!) {
      result: trackUser(input: $input) { ... on JourneyProfile { ${profile} } ...Problem }
    }`,
    failure: 'TRACK_USER_FAILED',
  }),
  route('POST /v1/user-journeys/events', {
    key: 'public',
    personal: true,
    summary: 'Put an event on a timeline',
    operation: `mutation ($input: TrackEventInput!) {
      result: trackEvent(input: $input) { ... on UserEvent { ${event} } ...Problem }
    }`,
    failure: 'TRACK_EVENT_FAILED',
  }),
  route('POST /v1/user-journeys/track', {
    key: 'public',
    summary: 'Put up to 500 events on timelines; each stands or falls alone',
    operation: `mutation ($input: TrackEventsInput!) {
      result: trackEvents(input: $input) {
        ... on TrackEventsPayload {
          received accepted duplicates rejected
          results { index status id error }
        }
        ...Problem
      }
    }`,
    optional: ['id', 'error'],
    bodyLimit: 512 * 1024,
  }),
  route('GET /v1/user-journeys/users/{externalId}', {
    key: 'public',
    personal: true,
    summary: "Show a user's profile and what to offer next",
    operation: `query ($externalId: String!) {
      result: journeyProfile(externalId: $externalId) {
        ${profile} avgSessionGapMin
        recommendations { type name reason priority }
      }
    }`,
    errors: ['USER_NOT_FOUND'],
  }),
  route('GET /v1/user-journeys/users/{externalId}/timeline', {
    key: 'public',
    personal: true,
    summary: "List a user's events, most recent first",
    operation: `query ($externalId: String!, $page: String, $limit: Int) {
      user(by: { externalId: $externalId }) {
        result: timeline(first: $limit, after: $page) {
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
    summary: 'Make an offer to a user',
    operation: `mutation ($input: CreateOfferInput!) {
      result: createOffer(input: $input) {
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
      journeyProfile(externalId: $externalId) {
        result: offers(filter: { status: active }, first: $limit, after: $page) {
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
    operation: `mutation ($input: ClaimOfferInput!) {
      result: claimOffer(input: $input) {
        ... on ClaimOfferPayload { offer { ${offer} } }
        ...Problem
      }
    }`,
    notFound: 'OFFER_NOT_FOUND',
  }),
]
