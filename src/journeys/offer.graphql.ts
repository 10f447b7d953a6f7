import { z } from 'zod'
import { GameTypeRef } from '../games/mechanic.graphql.ts'
import type { EndUser, Offer, Prisma } from '../generated/prisma/client.ts'
import { OfferStatus, OfferType } from '../generated/prisma/enums.ts'
import { requireCaller } from '../kit/access/context.ts'
import { acrossTenants, ofTenant } from '../kit/database/tenant-client.ts'
import { inOrder } from '../kit/in-order.ts'
import { nodeId } from '../kit/node-id.ts'
import type { Work } from '../kit/runtime.ts'
import { builder } from '../kit/schema/builder.ts'
import { load, selectionsAt, selectsOnly } from '../kit/schema/edge.ts'
import {
  among,
  anyCondition,
  equal,
  isEmpty,
  Period,
  someOf,
  within,
} from '../kit/schema/filters.ts'
import { list } from '../kit/schema/list.ts'
import { lookup } from '../kit/schema/lookup.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { batched, findRowParts, type PartOf } from '../kit/schema/parts.ts'
import { inProfiles, personal } from '../kit/schema/personal.ts'
import { mapped, rows } from '../kit/schema/rows.ts'
import { tenantOf } from '../kit/tenant.ts'
import { knownUserOf, UserRef } from '../users/end-user.graphql.ts'
import { externalIdOf, findUsers, rowsOfUser, UserBy } from '../users/end-user.ts'
import { provesUser, whereOfNamed } from '../users/named-user.ts'
import { OfferStatusRef, OfferTypeRef } from './journey-words.graphql.ts'
import {
  CancelOffer,
  ClaimOffer,
  CreateOffer,
  cancelOffer,
  claimOffers,
  createOffers,
} from './offer.ts'

export const OfferRef = builder.prismaNode('Offer', {
  description: 'Something that a user may claim, once.',
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, ctx) => {
    const { user, ...tenant } = whereOfNamed(requireCaller(ctx, 'public'))
    return { id, ...tenant, ...(user && { profile: { user } }) }
  },
  fields: (t) => ({
    user: t.field({
      type: UserRef,
      description: 'The user who may claim it.',
      resolve: (offer, _, ctx, info) => knownUserOf(ctx, offer, info),
    }),
    offerType: t.expose('offerType', { type: OfferTypeRef, description: 'The kind of offer.' }),
    gameType: t.expose('gameType', {
      type: GameTypeRef,
      nullable: true,
      description: 'The game that it is for, if any.',
    }),
    title: t.exposeString('title', { description: 'Title that the user sees.' }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'Longer description.',
    }),
    points: t.exposeInt('pointsValue', { description: 'Points that it is worth.' }),
    creditsPoints: t.exposeBoolean('creditsPoints'),
    status: t.field({
      type: OfferStatusRef,
      description: 'The status of the offer.',
      resolve: ({ status, expiresAt }, _, ctx) =>
        status === 'active' && expiresAt <= ctx.clock() ? 'expired' : status,
    }),
    metadata: t.field({
      type: 'JSON',
      ...personal({
        description: "The caller's data; `{}` if there is none.",
        value: ({ metadata }: Offer) => metadata ?? {},
        unset: {},
        isShown: inProfiles(() => true),
      }),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'From when on it can no longer be claimed.',
    }),
    claimedAt: t.expose('claimedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was claimed; null if it was not.',
    }),
    cancelledAt: t.expose('cancelledAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When its partner cancelled it; null if it was not.',
    }),
  }),
})

/**
 * A condition for the status of offers at a moment. Past `expiresAt` an offer is expired, even before a job marks it.
 */
const withStatus = (status: OfferStatus, now: Date): Prisma.OfferWhereInput => {
  if (status === 'active') return { status, expiresAt: { gt: now } }
  if (status !== 'expired') return { status }
  return { OR: [{ status }, { status: 'active', expiresAt: { lte: now } }] }
}

const withStatuses = (statuses: OfferStatus[] | null | undefined, now: Date) =>
  statuses ? anyCondition(statuses.map((status) => withStatus(status, now))) : {}

const UserOfferFilter = z
  .object({
    statuses: someOf('OfferStatus', OfferStatus)
      .nullish()
      .describe('Only offers of these statuses.'),
    createdAt: Period.nullish().describe('Only offers that were created in this period.'),
  })
  .describe('Filters the offers of a user.')

const OfferFilter = UserOfferFilter.extend({
  user: UserBy.nullish().describe('Only offers to this user. None if there is no such user.'),
  createdAt: Period.nullish().describe(
    'Only offers that were created in this period. Requires `user`.',
  ),
  offerTypes: someOf('OfferType', OfferType).nullish().describe('Only offers of these types.'),
  offerRuleId: nodeId('OfferRule').nullish().describe('Only offers that this rule created.'),
  userBatchId: nodeId('UserBatch').nullish().describe('Only offers of this batch.'),
})
  .superRefine(({ user, createdAt }, ctx) => {
    // No index has the offers of a tenant by time and another condition.
    if (createdAt != null && user == null)
      ctx.addIssue({ code: 'custom', path: ['createdAt'], message: 'needs filter.user' })
  })
  .describe('Filters the offers to all users.')

list('offers', {
  description: 'Offers to all users, newest first.',
  key: 'secret',
  of: OfferRef,
  filter: OfferFilter,
  orders: { CREATED_AT: { by: ['id'], description: 'By time of creation.' } },
  order: ['CREATED_AT', 'DESC'],
  from: async ({ caller, filter, order, ctx }) => {
    const { statuses, offerTypes, offerRuleId: ruleId, userBatchId: batchId } = filter
    const { user, createdAt } = filter
    return rows(ofTenant(ctx.db, caller).offer, {
      where: {
        ...(await rowsOfUser(ctx, caller, user)),
        ...among({ offerType: offerTypes }),
        ...equal({ ruleId, batchId }),
        ...within({ createdAt }),
        ...withStatuses(statuses, ctx.clock()),
      },
      order,
      counting: 'AT_LEAST',
    })
  },
})

/** Offers by their ids. */
export const findOffers = async ({ tx }: Work, ids: string[]) =>
  inOrder(ids, await acrossTenants(tx, 'IDS').offer.findMany({ where: { id: { in: ids } } }))

const findOfferParts = (work: Work, requested: PartOf[]) =>
  findRowParts(work, { model: 'Offer', parent: 'user_id', by: { id: 'uuid' } }, requested)

list([UserRef, 'offers'], {
  description: 'Offers to this user, newest first.',
  of: OfferRef,
  name: 'UserOffer',
  filter: UserOfferFilter,
  // The offers of one user are few, so any order sorts them.
  orders: {
    CREATED_AT: { by: ['id'], description: 'By time of creation.' },
    EXPIRES_AT: { by: ['expiresAt', 'id'], description: 'By the time when they expire.' },
  },
  order: ['CREATED_AT', 'DESC'],
  from: ({ parent: user, filter: { statuses, createdAt }, order, ctx }) => {
    const { id: userId } = user
    const chosen = { ...withStatuses(statuses, ctx.clock()), ...within({ createdAt }) }
    const where = { userId, ...chosen }
    const source = rows(ofTenant(ctx.db, user).offer, { where, order })
    const read = (part: PartOf) => load(ctx, findOfferParts, part)
    const isByTime = order[0]?.[0] === 'id'
    const all =
      !isEmpty(chosen) || !isByTime ? source : batched(source, { parentId: userId, order }, read)
    return mapped(all, (offers) => offers.map((offer) => ({ ...offer, user })))
  },
})

mutation('createOffer', {
  description: 'Creates an offer for a user. A user can have three active offers at a time.',
  key: 'secret',
  right: 'JOURNEYS_WRITE',
  isAudited: false,
  input: CreateOffer,
  payload: { offer: OfferRef },
  errors: ['USER_NOT_FOUND', 'OFFER_LIMIT_REACHED', 'REWARD_NOT_FOUND', 'REWARD_ARCHIVED'],
  resolve: async ({ user, ...input }, ctx, caller) => {
    const externalId = await externalIdOf(ctx, caller, user)
    return {
      offer: (await ctx.write(createOffers, { ...input, externalId })) as never,
    }
  },
})

mutation('cancelOffer', {
  description: 'Cancels an active offer, so that its user can no longer claim it.',
  key: 'secret',
  right: 'JOURNEYS_WRITE',
  input: CancelOffer,
  payload: { offer: OfferRef },
  errors: ['OFFER_NOT_FOUND', 'OFFER_NOT_ACTIVE', 'OFFER_EXPIRED'],
  resolve: async (input, ctx) => ({ offer: await cancelOffer(ctx, input) }),
})

mutation('claimOffer', {
  description:
    'Claims an offer, once. Adds `offer_claimed` to the timeline and credits the points if `creditsPoints` is true. Emits `journey.offer_claimed`.',
  key: 'public',
  right: 'PLAY',
  isAudited: false,
  input: ClaimOffer,
  payload: {
    offer: OfferRef,
    user: { type: UserRef, description: 'The user, with the new balance.' },
  },
  errors: [
    'USER_NOT_FOUND',
    'OFFER_NOT_FOUND',
    'USER_BLOCKED',
    'OFFER_NOT_ACTIVE',
    'OFFER_EXPIRED',
  ],
  resolve: async ({ user: by, ...input }, ctx, caller, info) => {
    const externalId = await externalIdOf(ctx, caller, by)
    const claim = { ...input, externalId, isProven: provesUser(ctx, caller) }
    const offer = await ctx.write(claimOffers, claim)
    // Read after the write, and only if it is selected.
    const user = selectsOnly(selectionsAt(info, 'user'))
      ? { ...tenantOf(offer), id: offer.userId, externalId }
      : await ctx.read(findUsers, { ...tenantOf(offer), externalId })
    return { offer: offer as never, user: user as EndUser }
  },
})

lookup('offer', OfferRef, { description: 'An offer.', key: 'public' })

builder.prismaObjectField('LedgerEntry', 'offer', (t) =>
  t.field({
    type: OfferRef,
    nullable: true,
    description: 'The offer whose points it credits; null for other entries.',
    resolve: ({ account, sourceId }, _, ctx) =>
      account === 'offers' && sourceId ? load(ctx, findOffers, sourceId) : null,
  }),
)
