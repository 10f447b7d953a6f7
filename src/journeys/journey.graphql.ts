import type { EndUser } from '../generated/prisma/client.ts'
import type { Context } from '../kit/access/context.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { eventType } from '../kit/schema/event-data.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { inProfiles, isTrusted, personal } from '../kit/schema/personal.ts'
import { query } from '../kit/schema/query.ts'
import { tenantOf } from '../kit/tenant.ts'
import { UserRef, userOfEvent } from '../users/end-user.graphql.ts'
import { externalIdOf } from '../users/end-user.ts'
import { newUserLimitOf, withNewUser } from '../users/new-user-limit.ts'
import { checkTimeZone } from '../users/time-zone-names.ts'
import { TrackUser, trackUsers } from './identify.ts'
import { offerClaimed, stageChanged } from './journey.events.ts'
import {
  nextStageAt,
  playWinRateOf,
  type ScoreBreakdown,
  sessionGapMinutes,
} from './journey.rules.ts'
import {
  DeviceRef,
  EngagementTierRef,
  LifecycleStageRef,
  OfferTypeRef,
} from './journey-words.graphql.ts'
import { findOffers, OfferRef } from './offer.graphql.ts'
import { getProfilesById, type Profile } from './profile.ts'
import { RecommendationRef } from './recommendation.graphql.ts'
import { recommend } from './recommendation.rules.ts'

const ScoreBreakdownRef = builder.objectRef<ScoreBreakdown>('ScoreBreakdown').implement({
  description: 'The parts of an engagement score, each 0 to 100 before weighting.',
  fields: (t) => ({
    recency: t.exposeFloat('recency', { description: 'Recency of the last activity.' }),
    frequency: t.exposeFloat('frequency', { description: 'Plays in 30 days.' }),
    monetary: t.exposeFloat('monetary', { description: 'Points earned in 30 days.' }),
    breadth: t.exposeFloat('breadth', { description: 'Number of campaigns joined.' }),
  }),
})

const withheld = <T>(
  description: string,
  value: (profile: Profile) => T | null,
  isSet: (profile: Profile) => boolean = () => false,
) =>
  personal<Profile, T | null>({
    description: `${description}; null if unset.`,
    value,
    unset: null,
    isShown: inProfiles(isSet),
  })

export const JourneyRef = builder.objectRef<Profile>('Journey').implement({
  description:
    "A user's profile, with metrics computed from their activity at the time of the request.",
  // Long: the fields of one type, one after another.
  fields: (t) => ({
    phone: t.string(
      withheld(
        'Phone number',
        ({ phone }) => phone,
        ({ phoneBySecret }) => phoneBySecret,
      ),
    ),
    country: t.string(withheld('ISO 3166-1 alpha-2', ({ country }) => country)),
    device: t.field({ type: DeviceRef, ...withheld('Device', ({ device }) => device) }),
    source: t.string(withheld('Acquisition channel', ({ source }) => source)),
    tags: t.field({
      type: 'JSON',
      ...personal({
        description: 'Key-value pairs.',
        value: ({ tags }: Profile) => tags,
        unset: {},
        isShown: inProfiles(({ tagsBySecret }) => tagsBySecret),
      }),
    }),
    firstSeenAt: t.field({
      type: 'DateTime',
      description: 'Time of the first activity, or of the call that created the profile.',
      resolve: ({ activity }) => activity.firstSeenAt,
    }),
    lastSeenAt: t.field({
      type: 'DateTime',
      description:
        'Time of the last activity, or of the call that created the profile. A correction of points by hand is no activity.',
      resolve: ({ activity }) => activity.lastSeenAt,
    }),
    stage: t.field({
      type: LifecycleStageRef,
      description: 'Computed at the time of the request.',
      resolve: ({ classification }) => classification.stage,
    }),
    stageReason: t.string({
      description: 'A readable reason for the stage.',
      resolve: ({ classification }) => classification.reason,
    }),
    nextStageAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'When the stage changes if the user does nothing. Exact for changes by idleness and age; the earliest possible time if plays leave the 30-day window. Null if it never changes.',
      resolve: ({ activity, rules, at }) => nextStageAt(activity, at, rules),
    }),
    engagementTier: t.field({
      type: EngagementTierRef,
      description: 'Computed at the time of the request.',
      resolve: ({ classification }) => classification.tier,
    }),
    engagementScore: t.float({
      description: '0 to 100, one decimal.',
      resolve: ({ classification }) => classification.score,
    }),
    scoreBreakdown: t.field({
      type: ScoreBreakdownRef,
      description: 'The parts of the score.',
      resolve: ({ classification }) => classification.breakdown,
    }),
    playCount: t.exposeInt('totalPlays', { description: 'Number of plays on the timeline.' }),
    playCount7d: t.exposeInt('plays7d', { description: 'Of the last 7 days.' }),
    playCount30d: t.exposeInt('plays30d', { description: 'Of the last 30 days.' }),
    pointsEarned7d: t.expose('pointsEarned7d', {
      type: 'SafeInt',
      description: 'Of the last 7 days. Neither spending nor a correction by hand changes it.',
    }),
    pointsEarned30d: t.expose('pointsEarned30d', {
      type: 'SafeInt',
      description: 'Of the last 30 days.',
    }),
    campaignCount: t.int({
      description: 'Number of different campaigns on the timeline.',
      resolve: ({ activity }) => activity.campaignsJoined,
    }),
    activityCount: t.exposeInt('totalEvents', {
      description:
        'Number of activities on the timeline. Corrections of points by hand do not count.',
    }),
    winRate: t.float({
      nullable: true,
      description: 'Share of plays that won something, 0 to 1; null without plays.',
      resolve: ({ totalWins, totalPlays }) => playWinRateOf(totalWins, totalPlays),
    }),
    averageSessionGapMinutes: t.float({
      nullable: true,
      description:
        'Average time between sessions; null before the second one. A session ends after 30 minutes without activity.',
      resolve: ({ sessionGaps, sessionGapMs }) => sessionGapMinutes(sessionGaps, sessionGapMs),
    }),
    recommendations: t.field({
      type: [RecommendationRef],
      description: 'Two recommendations, the more urgent first.',
      resolve: ({ classification, userId }) =>
        recommend(classification.stage).map((item) => ({ ...item, userId })),
    }),
  }),
})

/** Journeys that were already read, by the user object in the response. */
const known = new WeakMap<EndUser, Profile | Promise<Profile>>()

const journeyOf = (user: EndUser, ctx: Context): Profile | Promise<Profile> => {
  const journey = known.get(user) ?? load(ctx, getProfilesById, user.id)
  known.set(user, journey)
  return journey
}

query([UserRef, 'journey'], {
  description: "The user's profile, stage, score and recommendations.",
  type: JourneyRef,
  resolve: (_, ctx, __, user) => journeyOf(user as EndUser, ctx),
})

/** Null unsets a field, like an empty text in REST. */
const unsetOf = <T extends object>(given: T): T =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      value === null && name !== 'tags' && name !== 'metadata' ? '' : value,
    ]),
  ) as T

mutation('trackUser', {
  description:
    'Creates or updates a user. Omitted fields are unchanged; null unsets a field. A public key does not overwrite the name, e-mail address, phone, time zone, tags and metadata that a secret key has set. A public key may create a limited number of users from a network.',
  key: 'public',
  right: 'PLAY',
  isAudited: false,
  input: TrackUser,
  payload: { user: UserRef },
  errors: ['USER_NOT_FOUND', 'RATE_LIMITED'],
  resolve: async ({ user, ...given }, ctx, caller) => {
    await checkTimeZone(ctx, given)
    const externalId = await externalIdOf(ctx, caller, user)
    const call = { ...tenantOf(caller), ...unsetOf(given), externalId, isTrusted: isTrusted(ctx) }
    const profile = await withNewUser(ctx, newUserLimitOf(ctx, caller), call, (mayCreate) =>
      ctx.write(trackUsers, { ...call, onlyExisting: !mayCreate }),
    )
    known.set(profile.user, profile)
    return { user: profile.user }
  },
})

eventType(stageChanged, 'JourneyStageChangedEventData', (t) => ({
  externalId: t.exposeString('userId', {
    description: "The partner's id of the user; a pseudonym once the user is erased.",
  }),
  user: t.field(userOfEvent('The user whose stage it is.', ({ userId }) => userId)),
  previousStage: t.expose('previousStage', {
    type: LifecycleStageRef,
    description: 'The stage that the user was in.',
  }),
  stage: t.expose('stage', { type: LifecycleStageRef, description: 'The stage from then on.' }),
  reason: t.exposeString('reason', { description: 'A readable reason for the change.' }),
}))

eventType(offerClaimed, 'JourneyOfferClaimedEventData', (t) => ({
  externalId: t.exposeString('userId', {
    description: "The partner's id of the user; a pseudonym once the user is erased.",
  }),
  user: t.field(userOfEvent('The user who claimed it.', ({ userId }) => userId)),
  offer: t.field({
    type: OfferRef,
    nullable: true,
    description: 'The offer.',
    resolve: ({ offerId }, _, ctx) => load(ctx, findOffers, offerId),
  }),
  offerType: t.expose('offerType', { type: OfferTypeRef, description: 'The kind of offer.' }),
  title: t.exposeString('title', { description: 'Title of the offer.' }),
  points: t.exposeInt('pointsValue', { description: 'Points that it was worth.' }),
  creditsPoints: t.exposeBoolean('creditsPoints', {
    description: 'Whether the points were credited to the wallet.',
  }),
}))
