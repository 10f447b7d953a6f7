import { z } from 'zod'
import { ParticipantRef } from '../campaigns/participant.graphql.ts'
import { PlayRef } from '../games/play.graphql.ts'
import type { EndUser } from '../generated/prisma/client.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { query } from '../kit/schema/query.ts'
import type { UserId } from '../kit/user-id.ts'
import { LedgerEntryRef } from '../points/ledger.graphql.ts'
import { GoalCompletionRef } from '../programme/goal-completion.graphql.ts'
import { GrantRef } from '../programme/grant.graphql.ts'
import { readStreaksOf, StreakRef } from '../programme/streak.graphql.ts'
import { UserBlockRef } from '../users/block.graphql.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import { externalIdOf, findUserBy, UserBy } from '../users/end-user.ts'
import { UserTimeZoneRef } from '../users/time-zone.graphql.ts'
import { UserNoteRef } from '../users/user-note.graphql.ts'
import { ActivityRef } from './activity.graphql.ts'
import { StageChangeRef } from './classification.graphql.ts'
import { EraseUser, eraseUser, finishErasure } from './erasure.ts'
import { OfferRef } from './offer.graphql.ts'
import { readUserData, type UserData } from './personal-data.ts'

const UserDataRef = builder.objectRef<UserData>('UserData').implement({
  description: 'Everything stored about a user, with the newest 10,000 items of each list.',
  // Long: a field for each kind of data.
  fields: (t) => ({
    exportedAt: t.expose('exportedAt', {
      type: 'DateTime',
      description: 'When the data was read.',
    }),
    isComplete: t.exposeBoolean('isComplete', {
      description: 'False if a list was truncated; the lists of `user` have the rest.',
    }),
    user: t.expose('user', { type: UserRef, description: 'The user, with wallet and journey.' }),
    activities: t.field({
      type: [ActivityRef],
      description: 'Entries of the timeline, newest first.',
      resolve: ({ activities }) => activities,
    }),
    ledgerEntries: t.field({
      type: [LedgerEntryRef],
      description: 'Entries of the ledger, newest first.',
      resolve: ({ ledgerEntries }) => ledgerEntries,
    }),
    plays: t.field({
      type: [PlayRef],
      description: 'Plays of games of chance, newest first.',
      resolve: ({ plays }) => plays,
    }),
    participants: t.field({
      type: [ParticipantRef],
      description: 'Campaigns that the user takes part in, newest first.',
      resolve: ({ participants }) => participants,
    }),
    offers: t.field({
      type: [OfferRef],
      description: 'Offers made to the user, newest first.',
      resolve: ({ offers }) => offers,
    }),
    stageChanges: t.field({
      type: [StageChangeRef],
      description: 'Changes of the lifecycle stage, newest first.',
      resolve: ({ stageChanges }) => stageChanges,
    }),
    timeZones: t.field({
      type: [UserTimeZoneRef],
      description: 'Time zones that were set, newest first.',
      resolve: ({ timeZones }) => timeZones,
    }),
    grants: t.field({
      type: [GrantRef],
      description: 'Rewards that the user was given, newest first.',
      resolve: ({ grants }) => grants,
    }),
    goalCompletions: t.field({
      type: [GoalCompletionRef],
      description: 'Goals that the user has completed, newest first.',
      resolve: ({ goalCompletions }) => goalCompletions,
    }),
    blocks: t.field({
      type: [UserBlockRef],
      description: 'Blocks, also those that are over.',
      resolve: ({ blocks }) => blocks,
    }),
    notes: t.field({
      type: [UserNoteRef],
      description: 'What your team has noted about the user.',
      resolve: ({ notes }) => notes,
    }),
    streaks: t.field({
      type: [StreakRef],
      description: 'Streaks of goals, except for those that ended more than 30 days ago.',
      resolve: ({ user }, _, ctx) => load(ctx, readStreaksOf, user.id as UserId),
    }),
  }),
})

query('userData', {
  description: 'Everything stored about a user. Null if there is no such user.',
  key: 'secret',
  right: 'EXPORT',
  args: z.object({ by: UserBy }),
  type: UserDataRef,
  nullable: true,
  complexity: 1_000,
  resolve: async ({ by }, ctx, caller) => {
    const user = await findUserBy(ctx, caller, by)
    return user && readUserData(ctx, user)
  },
})

mutation('eraseUser', {
  description:
    "Erases a user's personal data. The ledger is kept under a pseudonym, which becomes the `externalId`. The old `externalId` can be used again.",
  key: 'secret',
  right: 'USERS_ERASE',
  input: EraseUser,
  payload: {
    user: UserRef,
    erasedCount: { type: 'Int', description: 'Number of erased activities.' },
  },
  errors: ['USER_NOT_FOUND'],
  price: 5_000,
  resolve: async ({ user: by, ...tenant }, ctx, caller) => {
    const externalId = await externalIdOf(ctx, caller, by)
    return { user: await eraseUser(ctx, { ...tenant, externalId }), erasedCount: 0 }
  },
  finish: async ({ user, ...payload }, ctx) => ({
    ...payload,
    user,
    erasedCount: await finishErasure(ctx, (user as EndUser).id as UserId),
  }),
})
