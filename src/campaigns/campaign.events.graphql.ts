import type { InterfaceFieldBuilder } from '@pothos/core'
import type { Context } from '../kit/access/context.ts'
import type { Types } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { eventPart, eventType } from '../kit/schema/event-data.ts'
import type { Tenant } from '../kit/tenant.ts'
import { userOfEvent } from '../users/end-user.graphql.ts'
import { codeRedeemed, instantWinWon, referralCompleted } from './campaign.events.ts'
import { CampaignRef } from './campaign.graphql.ts'
import { findCampaignBy } from './campaign.ts'
import { RedemptionRef } from './code.graphql.ts'
import { findRedemptionsById } from './code-redemption.ts'
import { InstantWinRef } from './instant-win.graphql.ts'
import { findInstantWins } from './instant-win.ts'
import { findReferrals, ReferralRef } from './referral.graphql.ts'

const campaign = {
  type: CampaignRef,
  nullable: true as const,
  description: 'The campaign.',
  resolve: ({ campaignId, ...event }: Tenant & { campaignId: string }, _: unknown, ctx: Context) =>
    findCampaignBy(ctx, event, { id: campaignId }),
}

eventPart(
  'CampaignEventData',
  'The data of an event of a campaign.',
  (t: InterfaceFieldBuilder<Types, Tenant & { kind: string; campaignId: string }>) => ({
    campaign: t.field(campaign),
  }),
)

eventType(codeRedeemed, 'CampaignCodeRedeemedEventData', (t) => ({
  campaign: t.field(campaign),
  externalId: t.exposeString('userId', {
    description: "The partner's id of the user; a pseudonym once the user is erased.",
  }),
  user: t.field(userOfEvent('The user who redeemed the code.', ({ userId }) => userId)),
  redemption: t.field({
    type: RedemptionRef,
    nullable: true,
    description: 'The redemption, which leads to the batch.',
    resolve: ({ batchId, redemptionId }, _, ctx) =>
      load(ctx, findRedemptionsById, { batchId, redemptionId }),
  }),
  label: t.exposeString('label', {
    nullable: true,
    description: 'Label of the batch; null if it has none.',
  }),
  points: t.exposeInt('pointsEarned', { description: 'Points that the code gave.' }),
}))

eventType(referralCompleted, 'CampaignReferralCompletedEventData', (t) => ({
  campaign: t.field(campaign),
  referral: t.field({
    type: ReferralRef,
    nullable: true,
    description: 'The referral.',
    resolve: ({ eventId }, _, ctx) => load(ctx, findReferrals, eventId),
  }),
  referrer: t.field(userOfEvent('The user who referred.', ({ referrerId }) => referrerId)),
  referrerExternalId: t.exposeString('referrerId', {
    description: "The partner's id of the referrer.",
  }),
  referrerPoints: t.exposeInt('referrerReward', { description: 'Points for the referrer.' }),
  referee: t.field(userOfEvent('The user who was referred.', ({ refereeId }) => refereeId)),
  refereeExternalId: t.exposeString('refereeId', {
    description: "The partner's id of the referee.",
  }),
  refereePoints: t.exposeInt('refereeReward', { description: 'Points for the referee.' }),
}))

eventType(instantWinWon, 'CampaignInstantWinWonEventData', (t) => ({
  campaign: t.field(campaign),
  externalId: t.exposeString('userId', {
    description: "The partner's id of the user; a pseudonym once the user is erased.",
  }),
  user: t.field(userOfEvent('The user who won.', ({ userId }) => userId)),
  instantWin: t.field({
    type: InstantWinRef,
    nullable: true,
    description: 'The prize.',
    resolve: ({ winId }, _, ctx) => load(ctx, findInstantWins, winId),
  }),
  eventType: t.exposeString('eventType', { description: 'What the user did.' }),
  prizeTierName: t.exposeString('prizeTier', { description: 'Name of the prize.' }),
  points: t.exposeInt('pointsEarned', {
    description: 'Points that its win code gives when it is redeemed.',
  }),
  expiresAt: t.field({
    type: 'DateTime',
    description: 'When the prize expires.',
    resolve: ({ expiresAt }) => new Date(expiresAt),
  }),
}))
