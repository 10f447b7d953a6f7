/** Types of the mechanics of a campaign. */
import { builder } from '../core/graphql/builder.ts'
import { forOwner } from '../core/graphql/owner.ts'
import type { FullCampaign } from './campaign.ts'

export const EventRuleRef = builder.prismaObject('CampaignEventRule', {
  fields: (t) => ({
    eventType: t.exposeString('eventType', { description: 'What users do.' }),
    points: t.exposeInt('points', { description: 'Points of one event.' }),
  }),
})

export const PrizeTierRef = builder.prismaObject('PrizeTier', {
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The prize in words; unique in the campaign.' }),
    points: t.exposeInt('points'),
    weight: t.int(
      forOwner(
        'Relative to the weights of the other tiers that are in stock.',
        ({ weight }) => weight,
      ),
    ),
    winCount: t.exposeInt('wins', { description: 'How often it was won; never above `maxWins`.' }),
    maxWins: t.exposeInt('maxWins'),
    remainingCount: t.int({
      description: 'How often it can still be won.',
      resolve: ({ maxWins, wins }) => maxWins - wins,
    }),
  }),
})

const million = 1_000_000

export const InstantWinRulesRef = builder.objectRef<FullCampaign>('InstantWinRules').implement({
  description: 'Each event may win a prize.',
  fields: (t) => ({
    winRate: t.float(
      forOwner('Share of events that win while there are prizes, 0 to 1.', ({ winsPerMillion }) =>
        winsPerMillion === null ? null : winsPerMillion / million,
      ),
    ),
    winCodeDays: t.int(
      forOwner('Days in which a win code must be redeemed.', ({ winCodeDays }) => winCodeDays),
    ),
    tiers: t.expose('tiers', {
      type: [PrizeTierRef],
      description: 'The prizes, in the order in which they are shown.',
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
