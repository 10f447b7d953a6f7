import type { EndUser, UserTimeZone } from '../generated/prisma/client.ts'
import { type Context, requireCaller } from '../kit/access/context.ts'
import { inTransaction } from '../kit/database/db.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { orError } from '../kit/schema/null-with-error.ts'
import { personal } from '../kit/schema/personal.ts'
import { tenantOf } from '../kit/tenant.ts'
import type { UserId } from '../kit/user-id.ts'
import { UserRef } from './end-user.graphql.ts'
import {
  findTimeZones,
  getDefaultTimeZone,
  SetDefaultTimeZone,
  setDefaultTimeZone,
  type TimeZoneState,
} from './time-zone.ts'
import { checkTimeZone } from './time-zone-names.ts'

builder.scalarType('TimeZone', {
  description: 'The name of a time zone in the IANA database: `Europe/Paris`, `UTC`.',
  specifiedByURL: 'https://www.iana.org/time-zones',
  serialize: (zone) => zone,
})

const TimeZoneChangeRef = builder
  .objectRef<NonNullable<TimeZoneState['next']>>('TimeZoneChange')
  .implement({
    description: 'A change of a time zone that is ahead.',
    fields: (t) => ({
      timeZone: t.expose('timeZone', { type: 'TimeZone', description: 'The next time zone.' }),
      startsAt: t.expose('startsAt', {
        type: 'DateTime',
        description: 'From when it holds: a midnight of the time zone before.',
      }),
    }),
  })

/** A time zone that a user has had, for the export of personal data. */
export const UserTimeZoneRef = builder.objectRef<UserTimeZone>('UserTimeZone').implement({
  description: 'A time zone that was set for a user.',
  fields: (t) => ({
    timeZone: t.expose('zone', {
      type: 'TimeZone',
      nullable: true,
      description: "The time zone; null for the partner's default.",
    }),
    startsAt: t.expose('since', {
      type: 'DateTime',
      description: 'From when it holds, until the next one.',
    }),
  }),
})

const timeZoneOf = (user: EndUser, ctx: Context): Promise<TimeZoneState | null> =>
  load(ctx, findTimeZones, { ...tenantOf(user), userId: user.id as UserId })

const ofUser = <T>(description: string, value: (state: TimeZoneState) => T) =>
  personal<EndUser, T | null>({
    description,
    value: async (user, ctx) => {
      const state = await timeZoneOf(user, ctx)
      return state && value(state)
    },
    unset: null,
    isShown: () => false,
  })

builder.prismaObjectFields(UserRef, (t) => ({
  timeZone: t.field({
    type: 'TimeZone',
    ...ofUser(
      "The time zone of the user's days, weeks and months: the user's own, or the default of the environment.",
      ({ timeZone }) => timeZone,
    ),
  }),
  timeZoneChange: t.field({
    type: TimeZoneChangeRef,
    ...ofUser('The change that is ahead; null if there is none.', ({ next }) => next),
  }),
}))

const DefaultTimeZoneRef = builder.objectRef<TimeZoneState>('DefaultTimeZone').implement({
  description: 'The time zone of users who have none of their own.',
  fields: (t) => ({
    timeZone: t.expose('timeZone', {
      type: 'TimeZone',
      description: 'The time zone that holds now; UTC until another one is set.',
    }),
    change: t.field({
      type: TimeZoneChangeRef,
      nullable: true,
      description: 'The change that is ahead; null if there is none.',
      resolve: ({ next }) => next,
    }),
  }),
})

builder.queryField('defaultTimeZone', (t) =>
  t.field({
    type: DefaultTimeZoneRef,
    ...orError('The time zone of users who have none of their own.'),
    authScopes: { key: ['secret', 'READ'] },
    resolve: (_, __, ctx) => getDefaultTimeZone(ctx, requireCaller(ctx, 'secret')),
  }),
)

mutation('setDefaultTimeZone', {
  description:
    'Sets the time zone of users who have none of their own. It holds from the next midnight of the one before, so dates of the past stay. Until then, another call replaces it.',
  key: 'secret',
  right: 'JOURNEYS_WRITE',
  input: SetDefaultTimeZone,
  payload: { defaultTimeZone: DefaultTimeZoneRef },
  errors: [],
  prepare: async (input, ctx) => {
    await checkTimeZone(ctx, input)
    return input
  },
  resolve: async (input, ctx) => {
    await inTransaction(ctx, (txWork) => setDefaultTimeZone(txWork, input))
    return { defaultTimeZone: await getDefaultTimeZone(ctx, input) }
  },
})
