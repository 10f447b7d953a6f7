import { requireCaller } from '../core/context.ts'
import { builder } from '../core/graphql/builder.ts'
import { countUpTo, type Source } from '../core/graphql/connection.ts'
import { list } from '../core/graphql/list.ts'
import { mutation } from '../core/graphql/mutation.ts'
import { inProfiles, isTrusted, personal } from '../core/graphql/personal.ts'
import { EnvironmentRef } from '../core/graphql/vocabulary.ts'
import type { Runtime } from '../core/runtime.ts'
import { type Tenant, tenantOf } from '../core/tenant.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import { TrackUser, trackUsers } from './identify.ts'
import { nextStageAt, type ScoreBreakdown, sessionGapMinutes, winRateOf } from './journey.rules.ts'
import { EngagementTierRef, LifecycleStageRef } from './journey-words.graphql.ts'
import { findProfilesById, getProfiles, type Profile } from './profile.ts'
import { type Recommendation, recommend } from './recommendation.rules.ts'
import { countProfiles, findProfileIds, ProfileFilter } from './segment.ts'

const RecommendationRef = builder.objectRef<Recommendation>('Recommendation').implement({
  description: 'What to offer a user next.',
  fields: (t) => ({
    type: t.exposeString('type', { description: 'spin_to_win, referral, daily_streak, ….' }),
    name: t.exposeString('name', { description: 'The offer in words.' }),
    reason: t.exposeString('reason', { description: 'Why it fits.' }),
    priority: t.exposeString('priority', { description: 'high, medium or low.' }),
  }),
})

const ScoreBreakdownRef = builder.objectRef<ScoreBreakdown>('ScoreBreakdown').implement({
  description: 'The parts of an engagement score, each 0 to 100 before it is weighed.',
  fields: (t) => ({
    recency: t.exposeFloat('recency', { description: 'How lately seen.' }),
    frequency: t.exposeFloat('frequency', { description: 'Plays of 30 days.' }),
    monetary: t.exposeFloat('monetary', { description: 'Points earned in 30 days.' }),
    breadth: t.exposeFloat('breadth', { description: 'Campaigns joined.' }),
  }),
})

const neverSecret = () => false

export const JourneyProfileRef = builder.objectRef<Profile>('JourneyProfile').implement({
  description: 'Who a user is, what the user did, and what follows from it at this moment.',
  fields: (t) => ({
    profileId: t.exposeString('userId', { description: 'UUID, the same in REST.' }),
    partnerId: t.exposeString('partnerId', { description: 'UUID of the partner.' }),
    externalId: t.exposeString('externalId', { description: "The partner's id of the user." }),
    environment: t.expose('environment', { type: EnvironmentRef, description: 'Of the key.' }),
    displayName: t.string({
      description: 'Name to show; empty when unset.',
      resolve: ({ displayName }) => displayName ?? '',
    }),
    email: t.string(
      personal({
        description: 'E-mail address; empty when unset.',
        value: ({ email }: Profile) => email ?? '',
        unset: '',
        isShown: inProfiles(({ emailBySecret }) => emailBySecret),
      }),
    ),
    phone: t.string(
      personal({
        description: 'Telephone number; empty when unset.',
        value: ({ phone }: Profile) => phone ?? '',
        unset: '',
        isShown: inProfiles(({ phoneBySecret }) => phoneBySecret),
      }),
    ),
    country: t.string(
      personal({
        description: 'ISO 3166-1 alpha-2; empty when unset.',
        value: ({ country }: Profile) => country ?? '',
        unset: '',
        isShown: inProfiles(neverSecret),
      }),
    ),
    device: t.string(
      personal({
        description: 'mobile, desktop or tablet; empty when unset.',
        value: ({ device }: Profile) => device ?? '',
        unset: '',
        isShown: inProfiles(neverSecret),
      }),
    ),
    source: t.string(
      personal({
        description: 'Acquisition channel; empty when unset.',
        value: ({ source }: Profile) => source ?? '',
        unset: '',
        isShown: inProfiles(neverSecret),
      }),
    ),
    firstSeenAt: t.field({
      type: 'DateTime',
      description: 'The first event, or the call that made the profile.',
      resolve: ({ activity }) => activity.firstSeenAt,
    }),
    lastSeenAt: t.field({
      type: 'DateTime',
      description: 'The last event, or the call that made the profile.',
      resolve: ({ activity }) => activity.lastSeenAt,
    }),
    lifecycleStage: t.field({
      type: LifecycleStageRef,
      description: 'Computed for this moment.',
      resolve: ({ classification }) => classification.stage,
    }),
    stageReason: t.string({
      description: 'Why this stage, in words.',
      resolve: ({ classification }) => classification.reason,
    }),
    nextStageAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'Until then the stage stays if the user does nothing; exact for idleness and age, the earliest possible where plays leave the 30 days; null when it stays for ever.',
      resolve: ({ activity, rules, at }) => nextStageAt(activity, at, rules),
    }),
    engagementTier: t.field({
      type: EngagementTierRef,
      description: 'Computed for this moment.',
      resolve: ({ classification }) => classification.tier,
    }),
    engagementScore: t.float({
      description: '0 to 100, one decimal.',
      resolve: ({ classification }) => classification.score,
    }),
    scoreBreakdown: t.field({
      type: ScoreBreakdownRef,
      description: 'What the score is made of.',
      resolve: ({ classification }) => classification.breakdown,
    }),
    totalPlays: t.exposeInt('totalPlays', { description: 'Plays in all.' }),
    plays7d: t.exposeInt('plays7d', { description: 'Plays of the last 7 days.' }),
    plays30d: t.exposeInt('plays30d', { description: 'Plays of the last 30 days.' }),
    pointsEarned7d: t.expose('pointsEarned7d', {
      type: 'SafeInt',
      description: 'Points that events of the last 7 days earned; what was spent does not count.',
    }),
    pointsEarned30d: t.expose('pointsEarned30d', {
      type: 'SafeInt',
      description: 'The same of the last 30 days.',
    }),
    campaignsJoined: t.int({
      description: 'Distinct campaigns on the timeline.',
      resolve: ({ activity }) => activity.campaignsJoined,
    }),
    winRate: t.float({
      description: 'Share of plays that won something, 0 to 1.',
      resolve: ({ totalWins, totalPlays }) => winRateOf(totalWins, totalPlays),
    }),
    avgSessionGapMin: t.float({
      description:
        'Mean pause between two sessions in minutes; a session ends with 30 minutes of rest.',
      resolve: ({ sessionGaps, sessionGapMs }) => sessionGapMinutes(sessionGaps, sessionGapMs),
    }),
    totalEvents: t.exposeInt('totalEvents', { description: 'Events on the timeline.' }),
    tags: t.field({
      type: 'JSON',
      ...personal({
        description: 'Key-value pairs.',
        value: ({ tags }: Profile) => tags,
        unset: {},
        isShown: inProfiles(({ tagsBySecret }) => tagsBySecret),
      }),
    }),
    metadata: t.field({
      type: 'JSON',
      ...personal({
        description: 'Free-form data; `{}` when there is none.',
        value: ({ metadata }: Profile) => metadata,
        unset: {},
        isShown: inProfiles(({ metadataBySecret }) => metadataBySecret),
      }),
    }),
    recommendations: t.field({
      type: [RecommendationRef],
      description: 'Two, the more urgent first.',
      resolve: ({ classification }) => recommend(classification.stage),
    }),
    user: t.field({
      type: UserRef,
      description: 'The wallet of this user.',
      resolve: ({ userId }, _, ctx) => ctx.db.endUser.findUniqueOrThrow({ where: { id: userId } }),
    }),
  }),
})

/** The profiles that pass a filter, in the order of their ids. */
export const profilesThatPass = (
  ctx: Pick<Runtime, 'db' | 'tx' | 'clock'>,
  tenant: Tenant,
  filter: ProfileFilter,
): Source<Profile> => ({
  order: 'userId asc',
  placeOf: ({ userId }) => [userId],
  count: () => countUpTo((limit) => countProfiles(ctx, tenant, filter, limit)),
  fetch: async (part) => {
    const profiles = await findProfilesById(ctx, await findProfileIds(ctx, tenant, filter, part))
    return profiles.filter((profile) => profile !== null)
  },
})

list('journeyProfiles', {
  description:
    'Profiles that pass a filter. It looks at stage and tier as last announced: some seconds old after an award or a play.',
  key: 'secret',
  of: JourneyProfileRef,
  filter: ProfileFilter,
  from: ({ caller, filter, ctx }) => profilesThatPass(ctx, tenantOf(caller), filter),
})

builder.queryFields((t) => ({
  journeyProfile: t.field({
    type: JourneyProfileRef,
    description: "A profile by the partner's id of the user. Error USER_NOT_FOUND.",
    authScopes: { key: 'public' },
    args: {
      externalId: t.arg.string({ required: true, description: "The partner's id of the user." }),
    },
    resolve: (_, { externalId }, ctx) =>
      ctx.read(getProfiles, { ...tenantOf(requireCaller(ctx, 'public')), externalId }) as never,
  }),
}))

builder.prismaObjectField('EndUser', 'profile', (t) =>
  t.field({
    type: JourneyProfileRef,
    description: 'The user-journey profile.',
    resolve: (user, _, ctx) =>
      ctx.read(getProfiles, { ...tenantOf(user), externalId: user.externalId }) as never,
  }),
)

mutation('trackUser', {
  description:
    'Makes a profile, or changes what is known of a user. A public key leaves name, e-mail address, phone, tags and metadata as they are where a secret key has set them.',
  key: 'public',
  input: TrackUser,
  payload: JourneyProfileRef,
  errors: [],
  resolve: (input, ctx, caller) =>
    ctx.write(trackUsers, { ...tenantOf(caller), ...input, isTrusted: isTrusted(ctx) }),
})
