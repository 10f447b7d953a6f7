import { requireCaller } from '../core/context.ts'
import { builder } from '../core/graphql/builder.ts'
import { mutation } from '../core/graphql/mutation.ts'
import { isOwn } from '../core/graphql/owner.ts'
import { query } from '../core/graphql/query.ts'
import { tenantOf } from '../core/tenant.ts'
import type { PrizeTier } from '../generated/prisma/client.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import { externalIdOf, userOf } from '../users/end-user.ts'
import { CampaignRef } from './campaign.graphql.ts'
import { campaignOf, slugOf } from './campaign.ts'
import { PrizeTierRef } from './campaign-mechanics.graphql.ts'
import { guessingUser, whileGuessing } from './guessing.ts'
import {
  type InstantWinStats,
  RedeemWinCode,
  readInstantWinStats,
  redeemWinCodes,
} from './instant-win.ts'
import { ParticipantRef } from './participant.graphql.ts'
import type { WonPrize } from './played-event.ts'

export const InstantWinRef = builder.prismaNode('InstantWin', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, ctx) => ({ id, ...tenantOf(requireCaller(ctx, 'secret')) }),
  select: {
    ...{ id: true, partnerId: true, environment: true, campaignId: true, userId: true },
    ...{ tierId: true, points: true, wonAt: true, expiresAt: true, redeemedAt: true },
  },
  fields: (t) => ({
    campaign: t.field({
      type: CampaignRef,
      description: 'In which campaign.',
      resolve: (win, _, ctx) => campaignOf(ctx, win),
    }),
    user: t.field({
      type: UserRef,
      description: 'Who won.',
      resolve: (win, _, ctx) => userOf(ctx, win),
    }),
    prizeTier: t.field({
      type: PrizeTierRef,
      description: 'What was won.',
      // What has just been written comes with it. A tier of which something was won stays.
      resolve: async (win, _, ctx) =>
        (win as Partial<WonPrize>).tier ??
        ((await campaignOf(ctx, win)).tiers.find(({ id }) => id === win.tierId) as PrizeTier),
    }),
    points: t.exposeInt('points'),
    wonAt: t.expose('wonAt', { type: 'DateTime', description: 'When it was won.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'Its code cannot be redeemed from this moment on.',
    }),
    redeemedAt: t.expose('redeemedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When its code was redeemed.',
    }),
  }),
})

const StatsRef = builder.objectRef<InstantWinStats>('InstantWinStats').implement({
  description: 'How often chance decided, and what it gave.',
  fields: (t) => ({
    drawCount: t.expose('drawCount', {
      type: 'SafeInt',
      description: 'Events that chance decided about.',
    }),
    winCount: t.expose('winCount', { type: 'SafeInt', description: 'Prizes that were won.' }),
    winRate: t.exposeFloat('winRate', {
      description: 'Wins among these events, 0 to 1; 0 when there are none.',
    }),
    tiers: t.expose('tiers', { type: [PrizeTierRef], description: 'The prizes.' }),
  }),
})

query([CampaignRef, 'instantWinStats'], {
  description: 'What the instant win has given. Null to others than the owner.',
  type: StatsRef,
  nullable: true,
  resolve: (_args, ctx, _, campaign) =>
    isOwn(ctx, campaign) ? readInstantWinStats(ctx, campaign) : null,
})

mutation('redeemWinCode', {
  description:
    'Redeems the code of an instant win: once, by who won it, while it lasts; also after the campaign has ended.',
  key: 'secret',
  input: RedeemWinCode,
  payload: {
    instantWin: { type: InstantWinRef, description: 'The prize.' },
    participant: { type: ParticipantRef, description: 'The participant, right after it.' },
    user: UserRef,
    message: { type: 'String', description: 'The same in words.' },
  },
  errors: [
    'CAMPAIGN_NOT_FOUND',
    'INVALID_WIN_CODE',
    'WIN_CODE_REDEEMED',
    'RATE_LIMITED',
    'USER_NOT_FOUND',
  ],
  resolve: async ({ campaign, user, winCode }, ctx, caller) => {
    const userId = await externalIdOf(ctx, caller, user)
    const slug = await slugOf(ctx, caller, campaign)
    return whileGuessing(ctx, guessingUser(caller, userId), () =>
      ctx.write(redeemWinCodes, {
        ...tenantOf(caller),
        ...{ slug, userId, winCode, pepper: ctx.pepper },
      }),
    )
  },
})
