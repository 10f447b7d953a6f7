/** Types of the mechanics of a campaign. */
import { builder } from '../kit/schema/builder.ts'
import { forOwner } from '../kit/schema/owner.ts'
import type { FullCampaign } from './campaign.ts'

export const EventRuleRef = builder.prismaObject('CampaignEventRule', {
  fields: (t) => ({
    eventType: t.exposeString('eventType', { description: 'The event type.' }),
    points: t.exposeInt('points', { description: 'Points for one event.' }),
  }),
})

export const PrizeTierRef = builder.prismaObject('PrizeTier', {
  fields: (t) => ({
    name: t.exposeString('name', {
      description: 'Display name of the prize, unique in the campaign.',
    }),
    points: t.exposeInt('points'),
    weight: t.int(
      forOwner('Relative to the weights of the other tiers in stock.', ({ weight }) => weight),
    ),
    winCount: t.exposeInt('wins', {
      description: 'How often it was won; never more than `maxWins`.',
    }),
    maxWins: t.exposeInt('maxWins'),
    remainingCount: t.int({
      description: 'Prizes left in stock.',
      resolve: ({ maxWins, wins }) => maxWins - wins,
    }),
  }),
})

const million = 1_000_000

export const InstantWinRulesRef = builder.objectRef<FullCampaign>('InstantWinRules').implement({
  description: 'Prizes that each event may win.',
  fields: (t) => ({
    winRate: t.float(
      forOwner(
        'Share of events that win while prizes are in stock, 0 to 1.',
        ({ winsPerMillion }) => (winsPerMillion === null ? null : winsPerMillion / million),
      ),
    ),
    winCodeDays: t.int(
      forOwner('Days within which a win code must be redeemed.', ({ winCodeDays }) => winCodeDays),
    ),
    tiers: t.expose('tiers', {
      type: [PrizeTierRef],
      description: 'The prizes, in display order.',
    }),
  }),
})

export const ReferralRulesRef = builder.objectRef<FullCampaign>('ReferralRules').implement({
  description: 'Rewards for referrals.',
  fields: (t) => ({
    referrerReward: t.int({
      description: 'Points for the referrer.',
      resolve: ({ referrerReward }) => referrerReward as number,
    }),
    refereeReward: t.int(forOwner('Points for the referee.', ({ refereeReward }) => refereeReward)),
  }),
})
