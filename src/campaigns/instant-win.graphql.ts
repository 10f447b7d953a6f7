import { builder } from '../core/graphql/builder.ts'
import { mutation } from '../core/graphql/mutation.ts'
import { tenantOf } from '../core/tenant.ts'
import { PrizeTierRef } from './campaign.graphql.ts'
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
    totalPlays: t.expose('totalPlays', {
      type: 'SafeInt',
      description: 'Events that chance decided about.',
    }),
    totalWins: t.expose('totalWins', { type: 'SafeInt', description: 'Prizes that were won.' }),
    winRate: t.exposeFloat('winRate', { description: 'Wins among plays in percent.' }),
    tiers: t.expose('tiers', { type: [PrizeTierRef], description: 'The prizes.' }),
  }),
})

builder.prismaObjectField('Campaign', 'instantWinStats', (t) =>
  t.field({
    type: StatsRef,
    description: 'Plays, wins and stock of the instant win.',
    resolve: (campaign, _, ctx) => readInstantWinStats(ctx, campaign as never),
  }),
)

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
