import type { Context } from '../kit/access/context.ts'
import { load } from '../kit/schema/edge.ts'
import { eventType } from '../kit/schema/event-data.ts'
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

eventType(codeRedeemed, 'CampaignCodeRedeemedEventData', (t) => ({
  campaign: t.field(campaign),
  externalId: t.exposeString('userId'),
  user: t.field(userOfEvent('The user who redeemed the code.', ({ userId }) => userId)),
  redemption: t.field({
    type: RedemptionRef,
    nullable: true,
    description: 'The redemption, which leads to the batch.',
    resolve: ({ batchId, redemptionId }, _, ctx) =>
      load(ctx, findRedemptionsById, { batchId, redemptionId }),
  }),
  label: t.exposeString('label', { nullable: true, description: 'Label of the batch.' }),
  points: t.exposeInt('pointsEarned'),
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
  referrerExternalId: t.exposeString('referrerId'),
  referrerReward: t.exposeInt('referrerReward', { description: 'Points for the referrer.' }),
  referee: t.field(userOfEvent('The user who was referred.', ({ refereeId }) => refereeId)),
  refereeExternalId: t.exposeString('refereeId'),
  refereeReward: t.exposeInt('refereeReward', { description: 'Points for the referee.' }),
}))

eventType(instantWinWon, 'CampaignInstantWinWonEventData', (t) => ({
  campaign: t.field(campaign),
  externalId: t.exposeString('userId'),
  user: t.field(userOfEvent('The user who won.', ({ userId }) => userId)),
  instantWin: t.field({
    type: InstantWinRef,
    nullable: true,
    description: 'The prize.',
    resolve: ({ winId }, _, ctx) => load(ctx, findInstantWins, winId),
  }),
  eventType: t.exposeString('eventType', { description: 'What the user did.' }),
  prizeTierName: t.exposeString('prizeTier'),
  points: t.exposeInt('pointsEarned'),
  expiresAt: t.field({
    type: 'DateTime',
    description: 'When the prize expires.',
    resolve: ({ expiresAt }) => new Date(expiresAt),
  }),
}))
