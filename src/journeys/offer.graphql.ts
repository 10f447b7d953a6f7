import { z } from 'zod'
import { GameTypeRef } from '../games/mechanic.graphql.ts'
import type { Offer, Prisma } from '../generated/prisma/client.ts'
import { OfferStatus, OfferType } from '../generated/prisma/enums.ts'
import { requireCaller } from '../kit/access/context.ts'
import { inOrder } from '../kit/in-order.ts'
import { nodeId } from '../kit/node-id.ts'
import type { Work } from '../kit/runtime.ts'
import { builder } from '../kit/schema/builder.ts'
import { equal } from '../kit/schema/filters.ts'
import { list } from '../kit/schema/list.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { batched, findRowParts, type PartOf } from '../kit/schema/parts.ts'
import { inProfiles, personal, readsPersonalData } from '../kit/schema/personal.ts'
import { mapped, rows } from '../kit/schema/rows.ts'
import { tenantOf } from '../kit/tenant.ts'
import { oneOf } from '../kit/validation.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import { externalIdOf } from '../users/end-user.ts'
import { whereOfNamed } from '../users/named-user.ts'
import { OfferStatusRef, OfferTypeRef } from './journey-words.graphql.ts'
import { knownUserOf } from './known-user.ts'
import { CreateOffer, createOffers } from './offer.ts'
import { ClaimOffer, claimOffers } from './offer-claim.ts'
import { OfferRuleRef } from './offer-rule.graphql.ts'
import { findOfferRules } from './offer-rule.ts'

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
    rule: t.field({
      type: OfferRuleRef,
      nullable: true,
      description: 'The rule that created it. Null if none did, and to public keys.',
      resolve: ({ ruleId }, _, ctx) =>
        ruleId && readsPersonalData(ctx) ? ctx.read(findOfferRules, ruleId) : null,
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
    pointsValue: t.exposeInt('pointsValue', { description: 'Points that it is worth.' }),
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
      description: 'When it expires.',
    }),
    claimedAt: t.expose('claimedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was claimed; null if it was not.',
    }),
  }),
})

/**
 * A condition for the status of offers at a moment. Past `expiresAt` an offer is expired, even before a job marks it.
 */
const withStatus = (status: OfferStatus, now: Date): Prisma.OfferWhereInput => {
  if (status === 'active') return { status, expiresAt: { gt: now } }
  if (status === 'claimed') return { status }
  return { OR: [{ status }, { status: 'active', expiresAt: { lte: now } }] }
}

const OfferFilter = z
  .object({
    status: oneOf('OfferStatus', OfferStatus).nullish().describe('Only offers of this status.'),
  })
  .describe('Filters offers.')

const OfferOfPartnerFilter = OfferFilter.extend({
  offerType: oneOf('OfferType', OfferType).nullish().describe('Only offers of this type.'),
  ruleId: nodeId('OfferRule').nullish().describe('Only offers that this rule created.'),
}).describe('Filters the offers of a partner.')

list('offers', {
  description: 'Offers to all users, newest first.',
  key: 'secret',
  of: OfferRef,
  name: 'OfferOfPartner',
  filter: OfferOfPartnerFilter,
  orders: { CREATED_AT: { by: ['id'], description: 'By time of creation.' } },
  order: ['CREATED_AT', 'DESC'],
  from: ({ caller, filter: { status, ...filter }, order, ctx }) =>
    rows(ctx.db.offer, {
      where: {
        ...tenantOf(caller),
        ...equal(filter),
        ...(status && withStatus(status, ctx.clock())),
      },
      order,
      counting: 'AT_LEAST',
    }),
})

/** Offers by their ids. */
export const findOffers = async ({ tx }: Work, ids: string[]) =>
  inOrder(ids, await tx.offer.findMany({ where: { id: { in: ids } } }))

const findOfferParts = (work: Work, asked: PartOf[]) =>
  findRowParts(work, { model: 'Offer', parent: 'user_id', by: { id: 'uuid' } }, asked)

list([UserRef, 'offers'], {
  description: 'Offers to this user, newest first.',
  of: OfferRef,
  filter: OfferFilter,
  orders: { CREATED_AT: { by: ['id'], description: 'By time of creation.' } },
  order: ['CREATED_AT', 'DESC'],
  from: ({ parent: user, filter: { status }, order, ctx }) => {
    const { id: userId } = user
    const where = { userId, ...(status && withStatus(status, ctx.clock())) }
    const source = rows(ctx.db.offer, { where, order })
    const read = (part: PartOf) => ctx.read(findOfferParts, part)
    const all = status ? source : batched(source, { parentId: userId, order }, read)
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
  errors: ['USER_NOT_FOUND', 'OFFER_LIMIT_REACHED'],
  resolve: async ({ user, ...input }, ctx, caller) => {
    const externalId = await externalIdOf(ctx, caller, user)
    return {
      offer: (await ctx.write(createOffers, {
        ...tenantOf(caller),
        ...input,
        externalId,
      })) as never,
    }
  },
})

mutation('claimOffer', {
  description:
    'Claims an offer, once. Adds `offer_claimed` to the timeline and credits the points if `creditsPoints` is true. Emits `journey.offer_claimed`.',
  key: 'public',
  right: 'PLAY',
  isAudited: false,
  input: ClaimOffer,
  payload: { offer: OfferRef },
  errors: ['USER_NOT_FOUND', 'OFFER_NOT_FOUND', 'OFFER_NOT_ACTIVE', 'OFFER_EXPIRED'],
  resolve: async ({ user, offerId }, ctx, caller) => {
    const externalId = await externalIdOf(ctx, caller, user)
    const claim = { ...tenantOf(caller), externalId, offerId }
    return { offer: (await ctx.write(claimOffers, claim)) as never }
  },
})
