import { z } from 'zod'
import type { PrizeTier } from '../generated/prisma/client.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import type { Work } from '../kit/runtime.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { isEmpty, Period, within } from '../kit/schema/filters.ts'
import { list } from '../kit/schema/list.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { ownRow } from '../kit/schema/owner.ts'
import { batched, findRowParts, type PartOf } from '../kit/schema/parts.ts'
import { query } from '../kit/schema/query.ts'
import { rows } from '../kit/schema/rows.ts'
import { tenantOf } from '../kit/tenant.ts'
import { GrantRef } from '../programme/grant.graphql.ts'
import { findGrantsBySource } from '../programme/grant.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import { rowsOfUser, UserBy, userOf } from '../users/end-user.ts'
import { CampaignRef, PrizeTierRef } from './campaign.graphql.ts'
import { campaignOf } from './campaign.ts'
import type { WonPrize } from './campaign-event.ts'
import { redeemFor } from './guessing.ts'
import {
  type InstantWinStats,
  RedeemWinCode,
  readInstantWinStats,
  redeemWinCodes,
  winCountOf,
} from './instant-win.ts'
import { changedParticipant } from './participant.graphql.ts'

export const InstantWinRef = builder.prismaNode('InstantWin', {
  id: { field: 'id' },
  nullable: true,
  findUnique: ownRow('secret'),
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
      description: 'The campaign in which it was won.',
      resolve: (win, _, ctx) => campaignOf(ctx, win),
    }),
    user: t.field({
      type: UserRef,
      description: 'The user who won.',
      resolve: (win, _, ctx) => userOf(ctx, win),
    }),
    prizeTier: t.field({
      type: PrizeTierRef,
      description: 'The prize that was won.',
      // A win that was just written comes with its tier. A tier with wins is never deleted.
      resolve: async (win, _, ctx) =>
        (win as Partial<WonPrize>).tier ??
        ((await campaignOf(ctx, win)).tiers.find(({ id }) => id === win.tierId) as PrizeTier),
    }),
    grant: t.field({
      type: GrantRef,
      nullable: true,
      description:
        'The grant of the reward of its prize, with how far it is; null for a prize without one.',
      resolve: async ({ id, ...win }, _, ctx) =>
        (await load(ctx, findGrantsBySource, {
          ...tenantOf(win),
          sourceKind: 'INSTANT_WIN' as const,
          sourceId: id,
        })) as never,
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
      description: 'When its code was redeemed; null until then.',
    }),
  }),
})

const findWinParts = (work: Work, requested: PartOf[]) =>
  findRowParts(
    work,
    { model: 'InstantWin', parent: 'campaign_id', by: { won_at: 'timestamptz', id: 'uuid' } },
    requested,
  )

const InstantWinFilter = z
  .object({
    user: UserBy.nullish().describe('Only prizes of this user. None if there is no such user.'),
    wonAt: Period.nullish().describe('Only prizes that were won in this period.'),
  })
  .describe('Filters prizes that were won.')

list([CampaignRef, 'instantWins'], {
  description: 'The prizes that were won in this campaign, newest first.',
  of: InstantWinRef,
  filter: InstantWinFilter,
  orders: { WON_AT: { by: ['wonAt', 'id'], description: 'By time of winning.' } },
  order: ['WON_AT', 'DESC'],
  needsRead: true,
  from: async ({ parent: campaign, filter: { user, wonAt }, order, ctx }) => {
    const chosen = { ...(await rowsOfUser(ctx, campaign, user)), ...within({ wonAt }) }
    const isAll = isEmpty(chosen)
    const source = rows(ofTenant(ctx.db, campaign).instantWin, {
      where: { campaignId: campaign.id, ...chosen },
      order,
      counting: isAll ? () => winCountOf(campaign.tiers) : 'AT_LEAST',
    })
    if (!isAll) return source
    return batched(source, { parentId: campaign.id, order }, (part) =>
      load(ctx, findWinParts, part),
    )
  },
})

const StatsRef = builder.objectRef<InstantWinStats>('InstantWinStats').implement({
  description: 'Statistics of an instant win.',
  fields: (t) => ({
    drawCount: t.expose('drawCount', {
      type: 'SafeInt',
      description: 'Events that could win.',
    }),
    winCount: t.expose('winCount', {
      type: 'SafeInt',
      description: 'Events that have won a prize.',
    }),
    winRate: t.exposeFloat('winRate', {
      description: 'Share of these events that won, 0 to 1; 0 if there are none.',
    }),
    prizeTiers: t.expose('tiers', {
      type: [PrizeTierRef],
      description: 'The prizes, in display order.',
    }),
  }),
})

query([CampaignRef, 'instantWinStats'], {
  description: 'Statistics of the instant win.',
  type: StatsRef,
  needsRead: true,
  resolve: (_args, ctx, _, campaign) => readInstantWinStats(ctx, campaign),
})

mutation('redeemWinCode', {
  description:
    'Redeems the code of an instant win, once, for its winner. It works until the code expires, even after the campaign has ended.',
  key: 'secret',
  right: 'PLAY',
  isAudited: false,
  input: RedeemWinCode,
  payload: {
    instantWin: { type: InstantWinRef, description: 'The win whose code was redeemed.' },
    ...changedParticipant,
  },
  errors: [
    'CAMPAIGN_NOT_FOUND',
    'INVALID_WIN_CODE',
    'WIN_CODE_REDEEMED',
    'RATE_LIMITED',
    'USER_NOT_FOUND',
    'USER_BLOCKED',
  ],
  resolve: ({ winCode, ...input }, ctx, caller) =>
    redeemFor(ctx, caller, input, (redeemer) =>
      ctx.write(redeemWinCodes, { ...redeemer, winCode }),
    ),
})
