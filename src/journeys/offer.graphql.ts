import { z } from 'zod'
import { requireCaller } from '../core/context.ts'
import { builder } from '../core/graphql/builder.ts'
import { list } from '../core/graphql/list.ts'
import { mutation } from '../core/graphql/mutation.ts'
import { inProfiles, personal } from '../core/graphql/personal.ts'
import { mapped, rows } from '../core/graphql/rows.ts'
import { tenantOf } from '../core/tenant.ts'
import { oneOf } from '../core/validation.ts'
import type { Offer, Prisma } from '../generated/prisma/client.ts'
import { OfferStatus } from '../generated/prisma/enums.ts'
import { OfferStatusRef, OfferTypeRef } from './journey-words.graphql.ts'
import { CreateOffer, createOffers, type UserOffer } from './offer.ts'
import { ClaimOffer, claimOffers } from './offer-claim.ts'
import { JourneyProfileRef } from './profile.graphql.ts'

const OfferRef = builder.prismaNode('Offer', {
  description: 'Something a user may claim, once.',
  id: { field: 'id' },
  nullable: true,
  include: { profile: { select: { user: { select: { externalId: true } } } } },
  findUnique: (id, ctx) => ({ id, ...tenantOf(requireCaller(ctx, 'public')) }),
  fields: (t) => ({
    offerId: t.exposeString('id', { description: 'UUID, the same in REST and in events.' }),
    externalId: t.string({
      description: "The partner's id of the user.",
      resolve: ({ profile }) => profile.user.externalId,
    }),
    offerType: t.expose('offerType', { type: OfferTypeRef, description: 'What kind.' }),
    gameType: t.string({
      description: 'The game it is about; empty when none.',
      resolve: ({ gameType }) => gameType ?? '',
    }),
    title: t.exposeString('title', { description: 'What the user sees.' }),
    description: t.string({
      description: 'More of it; empty when unset.',
      resolve: ({ description }) => description ?? '',
    }),
    pointsValue: t.exposeInt('pointsValue', { description: 'Points that it is worth.' }),
    creditsPoints: t.exposeBoolean('creditsPoints'),
    status: t.field({
      type: OfferStatusRef,
      description: 'What has become of it.',
      resolve: ({ status, expiresAt }, _, ctx) =>
        status === 'active' && expiresAt <= ctx.clock() ? 'expired' : status,
    }),
    metadata: t.field({
      type: 'JSON',
      ...personal({
        description: 'What its maker keeps with it; `{}` when nothing.',
        value: ({ metadata }: Offer) => metadata ?? {},
        unset: {},
        isShown: inProfiles(() => true),
      }),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'Until when it can be claimed.',
    }),
    claimedAt: t.expose('claimedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was claimed, if it was.',
    }),
  }),
})

/** An offer as its type expects it. */
const shown = ({ externalId, ...offer }: UserOffer) =>
  ({ ...offer, profile: { user: { externalId } } }) as never

/** Offers of a status at a moment: one whose time is over is expired, whether a job has seen it or not. */
const withStatus = (status: OfferStatus, now: Date): Prisma.OfferWhereInput => {
  if (status === 'active') return { status, expiresAt: { gt: now } }
  if (status === 'claimed') return { status }
  return { OR: [{ status }, { status: 'active', expiresAt: { lte: now } }] }
}

const OfferFilter = z
  .object({
    status: oneOf('OfferStatus', OfferStatus).nullish().describe('Only offers of this status.'),
  })
  .describe('Which offers.')

list([JourneyProfileRef, 'offers'], {
  description: 'Offers to this user, newest first.',
  of: OfferRef,
  filter: OfferFilter,
  orders: { CREATED_AT: { by: ['id'], description: 'By when they were made.' } },
  order: ['CREATED_AT', 'DESC'],
  from: ({ parent: { userId, externalId, at }, filter: { status }, order, ctx }) =>
    mapped(
      rows(ctx.db.offer, { where: { userId, ...(status && withStatus(status, at)) }, order }),
      (offers) => offers.map((offer) => shown({ ...offer, externalId })),
    ),
})

const offerPayload = (name: string, description: string) =>
  builder.objectRef<{ offer: UserOffer }>(name).implement({
    description,
    fields: (t) => ({
      offer: t.field({
        type: OfferRef,
        description: 'The offer as it is now.',
        resolve: ({ offer }) => shown(offer),
      }),
    }),
  })

mutation('createOffer', {
  description: 'Makes an offer to a user, who can have three active ones at once.',
  key: 'secret',
  input: CreateOffer,
  payload: offerPayload('CreateOfferPayload', 'An offer that was made.'),
  errors: ['USER_NOT_FOUND', 'OFFER_LIMIT_REACHED'],
  resolve: async (input, ctx, caller) => ({
    offer: await ctx.write(createOffers, { ...tenantOf(caller), ...input }),
  }),
})

mutation('claimOffer', {
  description:
    'Claims an offer: once, however many ask. It goes on the timeline as `offer_claimed`, and credits its points when it says so. Announced as `journey.offer_claimed`.',
  key: 'public',
  input: ClaimOffer,
  payload: offerPayload('ClaimOfferPayload', 'An offer that was claimed.'),
  errors: ['OFFER_NOT_FOUND', 'OFFER_NOT_ACTIVE', 'OFFER_EXPIRED'],
  resolve: async (input, ctx, caller) => ({
    offer: await ctx.write(claimOffers, { ...tenantOf(caller), ...input }),
  }),
})
