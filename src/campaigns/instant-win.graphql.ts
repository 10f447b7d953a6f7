import { builder } from '../core/graphql/builder.ts'
import { mutation } from '../core/graphql/mutation.ts'
import { isOwn } from '../core/graphql/owner.ts'
import { query } from '../core/graphql/query.ts'
import { tenantOf } from '../core/tenant.ts'
import { CampaignRef } from './campaign.graphql.ts'
import { PrizeTierRef } from './campaign-mechanics.graphql.ts'
import { guessingUser, whileGuessing } from './guessing.ts'
import {
  type InstantWinStats,
  type RedeemedWin,
  RedeemWinCode,
  readInstantWinStats,
  redeemWinCodes,
} from './instant-win.ts'

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

const Payload = builder.objectRef<RedeemedWin>('RedeemWinCodePayload').implement({
  description: 'A prize that was redeemed.',
  fields: (t) => ({
    prizeTier: t.exposeString('prizeTier', { description: 'The prize.' }),
    pointsEarned: t.exposeInt('pointsEarned', { description: 'What it paid.' }),
    totalPoints: t.expose('totalPoints', {
      type: 'SafeInt',
      description: "The participant's total in the campaign, right after.",
    }),
    message: t.exposeString('message', { description: 'The same in words.' }),
  }),
})

mutation('redeemWinCode', {
  description:
    'Redeems the code of an instant win: once, by who won it, while it lasts; also after the campaign has ended.',
  key: 'secret',
  input: RedeemWinCode,
  payload: Payload,
  errors: ['CAMPAIGN_NOT_FOUND', 'INVALID_WIN_CODE', 'WIN_CODE_REDEEMED', 'RATE_LIMITED'],
  resolve: (input, ctx, caller) =>
    whileGuessing(ctx, guessingUser(caller, input.userId), () =>
      ctx.write(redeemWinCodes, {
        ...tenantOf(caller),
        ...input,
        pepper: ctx.pepper,
      }),
    ),
})
