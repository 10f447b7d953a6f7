import { requireCaller } from '../kit/access/context.ts'
import { builder } from '../kit/schema/builder.ts'
import { inputType } from '../kit/schema/input.ts'
import { SharedStream } from '../kit/streams/broadcast.ts'
import { tenantOf } from '../kit/tenant.ts'
import { check } from '../kit/validation.ts'
import { UserRef } from './end-user.graphql.ts'
import { externalIdOf, UserBy } from './end-user.ts'
import { requireUserToken } from './named-user.ts'
import { type UserChange, userFeed } from './user-changes.ts'

const UserChangeRef = builder.objectRef<UserChange>('UserChange').implement({
  description: 'The state of a user after a change.',
  fields: (t) => ({
    version: t.exposeInt('version', {
      description:
        'Grows with each state that is sent. A state replaces all earlier ones. A new stream begins again.',
    }),
    user: t.field({
      type: UserRef,
      nullable: true,
      description: 'The user; null as long as there is none, and after an erasure.',
      resolve: ({ user }) => user as never,
    }),
  }),
})

builder.subscriptionField('userChanged', (t) =>
  t.field({
    type: UserChangeRef,
    description:
      'What you select of a user: at the start, and again after each change of points, goals, streaks, grants, offers or the timeline, at most five times a second. Once a minute it is sent without a change, because time changes states, too. A public key needs a token of the user, whatever its application says.',
    authScopes: { key: ['public', 'READ'] },
    extensions: { shared: true },
    args: {
      by: t.arg({
        type: inputType('UserBy', UserBy),
        required: true,
        description: 'The user, who need not exist yet.',
      }),
    },
    subscribe: async (_, { by }, ctx) => {
      const caller = requireCaller(ctx, 'public')
      const externalId = await externalIdOf(ctx, caller, check(UserBy, by))
      requireUserToken(ctx, externalId)
      const feed = userFeed(ctx, { ...tenantOf(caller), externalId })
      return new SharedStream(feed, null, ctx.callers)
    },
    resolve: (change) => change,
  }),
)
