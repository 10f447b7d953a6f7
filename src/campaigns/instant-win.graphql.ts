import type { PrizeTier } from '../generated/prisma/client.ts'
import { requireCaller } from '../kit/access/context.ts'
import type { Work } from '../kit/runtime.ts'
import { builder } from '../kit/schema/builder.ts'
import { list } from '../kit/schema/list.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { isOwn, knowsUsers } from '../kit/schema/owner.ts'
import { batched, findRowParts, type PartOf } from '../kit/schema/parts.ts'
import { query } from '../kit/schema/query.ts'
import { rows } from '../kit/schema/rows.ts'
import { tenantOf } from '../kit/tenant.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import { userOf } from '../users/end-user.ts'
import { CampaignRef, PrizeTierRef } from './campaign.graphql.ts'
import { campaignOf } from './campaign.ts'
import { redeemFor } from './guessing.ts'
import {
  type InstantWinStats,
  RedeemWinCode,
  readInstantWinStats,
  redeemWinCodes,
  winCountOf,
} from './instant-win.ts'
import { changedParticipant } from './participant.graphql.ts'
import type { WonPrize } from './played-event.ts'

export const InstantWinRef = builder.prismaNode('InstantWin', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, ctx) => ({ id, ...tenantOf(requireCaller(ctx, 'secret')) }),
  select: {
    id: true,
    partnerId: true,
    environment: true,
    campaignId: true,
    userId: true,
    tierId: true,
    points: true,
    wonAt: true,
    expiresAt: true,
    redeemedAt: true,
  },
  fields: (t) => ({
    campaign: t.field({
      type: CampaignRef,
      description: 'The campaign.',
      resolve: (win, _, ctx) => campaignOf(ctx, win),
    }),
    user: t.field({
      type: UserRef,
      description: 'The user who won.',
      resolve: (win, _, ctx) => userOf(ctx, win),
    }),
    prizeTier: t.field({
      type: PrizeTierRef,
      description: 'The prize.',
      // A win that was just written comes with its tier. A tier with wins is never deleted.
      resolve: async (win, _, ctx) =>
        (win as Partial<WonPrize>).tier ??
        ((await campaignOf(ctx, win)).tiers.find(({ id }) => id === win.tierId) as PrizeTier),
    }),
    points: t.exposeInt('points'),
    wonAt: t.expose('wonAt', { type: 'DateTime', description: 'When it was won.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'When its code expires.',
    }),
    redeemedAt: t.expose('redeemedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When its code was redeemed.',
    }),
  }),
})

const findWinParts = (work: Work, asked: PartOf[]) =>
  findRowParts(work, { model: 'InstantWin', parent: 'campaign_id', by: { id: 'uuid' } }, asked)

list([CampaignRef, 'wins'], {
  description:
    'The prizes that were won in this campaign, newest first. Null unless the caller is the owner.',
  of: InstantWinRef,
  orders: { WON_AT: { by: ['id'], description: 'By time of winning.' } },
  order: ['WON_AT', 'DESC'],
  isFor: knowsUsers,
  from: ({ parent: { id: campaignId, tiers }, order, ctx }) =>
    batched(
      rows(ctx.db.instantWin, { where: { campaignId }, order, counting: () => winCountOf(tiers) }),
      { parentId: campaignId, order },
      (part) => ctx.read(findWinParts, part),
    ),
})

const StatsRef = builder.objectRef<InstantWinStats>('InstantWinStats').implement({
  description: 'Statistics of an instant win.',
  fields: (t) => ({
    drawCount: t.expose('drawCount', {
      type: 'SafeInt',
      description: 'Events that could win.',
    }),
    winCount: t.expose('winCount', { type: 'SafeInt', description: 'Prizes won.' }),
    winRate: t.exposeFloat('winRate', {
      description: 'Share of these events that won, 0 to 1; 0 if there are none.',
    }),
    tiers: t.expose('tiers', { type: [PrizeTierRef], description: 'The prizes.' }),
  }),
})

query([CampaignRef, 'instantWinStats'], {
  description: 'Statistics of the instant win. Null unless the caller is the owner.',
  type: StatsRef,
  nullable: true,
  resolve: (_args, ctx, _, campaign) =>
    isOwn(ctx, campaign) ? readInstantWinStats(ctx, campaign) : null,
})

mutation('redeemWinCode', {
  description:
    'Redeems the code of an instant win, once, for its winner. It works until the code expires, even after the campaign has ended.',
  key: 'secret',
  right: 'PLAY',
  isAudited: false,
  input: RedeemWinCode,
  payload: {
    instantWin: { type: InstantWinRef, description: 'The prize.' },
    ...changedParticipant,
  },
  errors: [
    'CAMPAIGN_NOT_FOUND',
    'INVALID_WIN_CODE',
    'WIN_CODE_REDEEMED',
    'RATE_LIMITED',
    'USER_NOT_FOUND',
  ],
  resolve: ({ winCode, ...input }, ctx, caller) =>
    redeemFor(ctx, caller, input, (redeemer) =>
      ctx.write(redeemWinCodes, { ...redeemer, winCode }),
    ),
})
