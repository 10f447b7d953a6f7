import type { InterfaceFieldBuilder } from '@pothos/core'
import type { GraphQLResolveInfo } from 'graphql'
import { z } from 'zod'
import { PartnerRef } from '../accounts/partner.graphql.ts'
import { findPartners } from '../accounts/partner.ts'
import type { EndUser, Partner } from '../generated/prisma/client.ts'
import type { Context } from '../kit/access/context.ts'
import { builder, type Types } from '../kit/schema/builder.ts'
import { load, selectsOnly } from '../kit/schema/edge.ts'
import { eventPart } from '../kit/schema/event-data.ts'
import { environmentField } from '../kit/schema/input.ts'
import { ownRow } from '../kit/schema/owner.ts'
import { inProfiles, personal } from '../kit/schema/personal.ts'
import { publicPart } from '../kit/schema/public-part.ts'
import { query } from '../kit/schema/query.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import type { ExternalId, UserId } from '../kit/user-id.ts'
import { findUserBy, findUsers, UserBy, userOf } from './end-user.ts'
import { mayName, refuseOtherUserIn } from './named-user.ts'

/** Edges other than rankings have the type of owners. What everyone sees is not refused there either. */
const shownToAll = { skipTypeScopes: true } as const

export const PublicUserRef = publicPart<EndUser>('User', {
  model: 'EndUser',
  description:
    'An end user of a partner. The same external id in TEST and LIVE denotes two users. Rankings show this part of every user.',
  isOwn: mayName,
  fields: (t) => ({
    partner: t.field({
      type: PartnerRef,
      ...shownToAll,
      description: 'The partner whose user it is.',
      resolve: ({ partnerId }, _, ctx, info) =>
        selectsOnly(info) ? ({ id: partnerId } as Partner) : load(ctx, findPartners, partnerId),
    }),
    environment: t.expose('environment', { ...environmentField, ...shownToAll }),
    externalId: t.exposeString('externalId', shownToAll),
    displayName: t.exposeString('displayName', {
      nullable: true,
      ...shownToAll,
    }),
    lifetimePoints: t.expose('lifetimePoints', { type: 'SafeInt', ...shownToAll }),
    playCount: t.exposeInt('gamesPlayed', shownToAll),
    rewardCount: t.exposeInt('rewardsWon', shownToAll),
    score: t.expose('score', {
      type: 'SafeInt',
      ...shownToAll,
      description: 'lifetimePoints + rewardCount + 10 × playCount.',
    }),
  }),
})

export const UserRef = builder.prismaNode('EndUser', {
  name: 'User',
  id: { field: 'id', ...shownToAll },
  nullable: true,
  interfaces: [PublicUserRef],
  // Rankings lead to all users. Fields that are not for all refuse a token of another user.
  findUnique: ownRow('public'),
  authScopes: ({ externalId }, ctx) => {
    refuseOtherUserIn(ctx, externalId)
    return true
  },
  fields: (t) => ({
    balance: t.expose('balance', { type: 'SafeInt' }),
    email: t.string(
      personal({
        description: 'E-mail address; null if unset.',
        value: ({ email }: EndUser) => email,
        unset: null,
        isShown: inProfiles(({ emailBySecret }) => emailBySecret),
      }),
    ),
    metadata: t.field({
      type: 'JSON',
      ...personal({
        description: 'Free-form data; `{}` if there is none.',
        value: ({ metadata }: EndUser) => metadata ?? {},
        unset: {},
        isShown: inProfiles(({ metadataBySecret }) => metadataBySecret),
      }),
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the user was created.',
    }),
  }),
})

query('user', {
  description: 'A user.',
  key: 'public',
  args: z.object({ by: UserBy }),
  type: UserRef,
  nullable: true,
  resolve: ({ by }, ctx, caller) => findUserBy(ctx, caller, by),
})

/** A field of an event that returns the user of an `externalId` in its data. */
export const userOfEvent = <P extends Tenant>(
  description: string,
  externalIdOf: (event: P) => ExternalId | undefined,
) => ({
  type: UserRef,
  nullable: true as const,
  description,
  resolve: (event: P, _: unknown, ctx: Context) => {
    const externalId = externalIdOf(event)
    return externalId === undefined
      ? null
      : load(ctx, findUsers, { ...tenantOf(event), externalId })
  },
})

/** The options of `externalId` in the data of an event. */
export const idOfEventUser = {
  description: "The partner's id of the user; a pseudonym once the user is erased.",
}

eventPart(
  'UserEventData',
  'The data of an event of a user.',
  (t: InterfaceFieldBuilder<Types, Tenant & { kind: string; userId: ExternalId }>) => ({
    externalId: t.exposeString('userId', { description: "The partner's id of the user." }),
    user: t.field(userOfEvent('The user; null once erased.', ({ userId }) => userId)),
  }),
)

type Row = Tenant & { userId: UserId; user?: EndUser; externalId?: ExternalId }

/** Reads the user only if the query selects more than the row has. */
export const knownUserOf = (ctx: Context, row: Row, info: GraphQLResolveInfo) => {
  const { userId: id, partnerId, environment, user, externalId } = row
  if (user) return user
  return externalId !== undefined && selectsOnly(info, 'externalId', 'environment', 'partner')
    ? ({ id, partnerId, environment, externalId } as EndUser)
    : userOf(ctx, row)
}
