/** The public page of a campaign: what anyone can see and do without a key. */

import { z } from 'zod'
import { visitorsNeedTokens } from '../accounts/visitor.ts'
import { Environment } from '../generated/prisma/enums.ts'
import { onStandby } from '../kit/runtime.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { query } from '../kit/schema/query.ts'
import { oneOf } from '../kit/validation.ts'
import { PrizeRef, PublicCampaignRef } from './campaign.graphql.ts'
import { countParticipants } from './participant.ts'
import {
  findPublicCampaign,
  getPartnerNames,
  listPublicLeaders,
  type PublicLeader,
  RedeemPublicCode,
  redeemPublicCode,
  takesCodes,
} from './public-campaign.ts'

const LeaderRef = builder.objectRef<PublicLeader>('CampaignLeader').implement({
  description: 'One of the public top ten.',
  fields: (t) => ({
    rank: t.exposeInt('rank', { description: 'Position; 1 is the top.' }),
    name: t.exposeString('name', {
      description: 'Display name, or the first characters of the id if there is none.',
    }),
    campaignPoints: t.expose('campaignPoints', {
      type: 'SafeInt',
      description: 'Points earned in this campaign.',
    }),
  }),
})

builder.interfaceFields(PublicCampaignRef, (t) => ({
  timeZone: t.field({
    type: 'TimeZone',
    description: 'The time zone of the partner, in which its page shows times.',
    resolve: async ({ partnerId }, _, ctx) =>
      (await load(ctx, getPartnerNames, partnerId)).timeZone,
  }),
  takesCodes: t.boolean({
    description: 'Whether it may have codes that can be redeemed now.',
    resolve: (campaign, _, ctx) => takesCodes(ctx, campaign),
  }),
  needsUserToken: t.boolean({
    description: 'Whether `redeemPublicCode` requires a token of the user.',
    resolve: (campaign, _, ctx) => visitorsNeedTokens(ctx, campaign),
  }),
  participantCount: t.field({
    type: 'SafeInt',
    description: 'Number of participants.',
    resolve: (campaign, _, ctx) => countParticipants(ctx, campaign),
  }),
  leaders: t.field({
    type: [LeaderRef],
    description: 'The top ten participants with points.',
    complexity: { field: 1, multiplier: 1 },
    resolve: (campaign, _, ctx) => listPublicLeaders(onStandby(ctx), campaign),
  }),
}))

query('publicCampaign', {
  description: 'A campaign, as shown on its public page; null if not found or a draft.',
  key: 'anyone',
  args: z.object({
    partnerSlug: z.string().describe('Slug of the partner.'),
    slug: z.string().describe('Slug of the campaign.'),
    environment: oneOf('Environment', Environment).nullish().describe('Defaults to LIVE.'),
  }),
  type: PublicCampaignRef,
  nullable: true,
  onStandby: true,
  resolve: ({ environment, ...key }, ctx) =>
    findPublicCampaign(ctx, { ...key, environment: environment ?? 'LIVE' }),
})

mutation('redeemPublicCode', {
  description:
    'Redeems a code or a win code for the user that the visitor names. Requires no API key, but a token of the user if `PublicCampaign.needsUserToken`. After ten wrong codes from an address in ten minutes, further codes are refused for a while.',
  key: 'anyone',
  isAudited: false,
  input: RedeemPublicCode,
  payload: {
    campaign: PublicCampaignRef,
    points: { type: 'Int', description: 'Points that the code paid.' },
    prize: {
      type: PrizeRef,
      nullable: true,
      description: 'The prize, if it was a win code.',
    },
  },
  errors: [
    'RIGHT_REQUIRED',
    'CAMPAIGN_NOT_FOUND',
    'CAMPAIGN_NOT_ACTIVE',
    'INVALID_CODE',
    'CODE_REDEEMED',
    'CODE_EXPIRED',
    'CODE_REVOKED',
    'INVALID_WIN_CODE',
    'WIN_CODE_REDEEMED',
    'RATE_LIMITED',
    'USER_BLOCKED',
  ],
  resolve: (input, ctx) =>
    redeemPublicCode(ctx, ctx.ip, {
      ...input,
      userToken: ctx.header?.('x-user-token') ?? input.userToken,
    }),
})
