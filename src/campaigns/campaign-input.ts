/** The inputs of campaigns. */

import { z } from 'zod'
import { brandFields } from '../accounts/brand.ts'
import { CampaignReversal, CampaignStatus } from '../generated/prisma/enums.ts'
import {
  flag,
  integer,
  maxPoints,
  moment,
  oneOf,
  reference,
  storable,
  text,
} from '../kit/validation.ts'
import { RewardBy } from '../programme/reward.ts'
import { CampaignBy, slugFormat } from './campaign.ts'

/** `codes` is reserved, because a slug `codes` would collide with a URL. */
const reservedSlugs = ['codes']

/** A slug for a new campaign. */
export const newSlug = () =>
  text(64)
    .regex(slugFormat, 'must be lower-case letters and digits in words joined by single hyphens')
    .refine((slug) => !reservedSlugs.includes(slug), 'is reserved')

const hasDoubles = (names: string[]) => new Set(names).size < names.length

const EventRule = z
  .object({
    eventType: reference().describe('The event type: purchase, signup, …'),
    points: integer(1, maxPoints).describe('Points for one event.'),
  })
  .meta({ graphql: 'CampaignEventRuleInput' })
  .describe('The points of an event type.')

const Tier = z
  .object({
    name: text(100).describe('Display name of the prize, unique in the campaign.'),
    points: integer(0, maxPoints).describe('Points for redeeming it.'),
    weight: integer(1, 1_000_000)
      .nullish()
      .describe('Relative to the weights of the other tiers in stock. Defaults to 1.'),
    maxWins: integer(0, maxPoints).describe('Its stock: how often it can be won.'),
    reward: RewardBy.nullish().describe(
      'The reward that winning it gives at once, besides the points for redeeming it.',
    ),
  })
  .meta({ graphql: 'PrizeTierInput' })
  .describe('A prize with its stock and weight.')

const InstantWinRules = z
  .object({
    winRate: z
      .number({ error: (issue) => (issue.input == null ? 'is required' : 'must be a number') })
      .min(0, 'must be 0 to 1')
      .max(1, 'must be 0 to 1')
      .meta({ graphql: 'Float' })
      .describe(
        'Share of events that win while prizes are in stock, 0 to 1, with up to six decimals.',
      ),
    winCodeDays: integer(1, 3650)
      .nullish()
      .describe('Days within which a win code must be redeemed. Defaults to 30.'),
    prizeTiers: z
      .array(Tier, { error: 'must be a list of prizes' })
      .max(50, 'must have at most 50 prizes')
      .refine((tiers) => !hasDoubles(tiers.map(({ name }) => name)), 'must not name a prize twice')
      .describe('The prizes, in display order.'),
  })
  .meta({ graphql: 'InstantWinRulesInput' })
  .describe('Prizes that each event may win.')

const ReferralRules = z
  .object({
    referrerPoints: integer(0, maxPoints).describe('Points for the referrer.'),
    refereePoints: integer(0, maxPoints).describe('Points for the referee.'),
  })
  .meta({ graphql: 'ReferralRulesInput' })
  .describe('Points for both users of a referral.')

const CampaignBrand = z
  .object(brandFields)
  .meta({ graphql: 'CampaignBrandInput' })
  .describe('Values that replace those of the brand. Omitted fields are unchanged.')

const mechanics = {
  startsAt: moment().nullish().describe('When it starts. Null means at once.'),
  endsAt: moment().nullish().describe('When it ends. Null means no end.'),
  maxEventsPerUser: integer(1, maxPoints)
    .nullish()
    .describe('Events that are accepted per user; null for no limit.'),
  creditsWallet: flag()
    .optional()
    .describe('Whether points of the campaign are also credited to the wallet.'),
  onReversal: oneOf('CampaignReversal', CampaignReversal)
    .optional()
    .describe('What becomes of points of the campaign when their ledger entry is reversed.'),
  eventRules: z
    .array(EventRule, { error: 'must be a list of rules' })
    .max(100, 'must have at most 100 rules')
    .refine(
      (rules) => !hasDoubles(rules.map(({ eventType }) => eventType)),
      'must not name an event type twice',
    )
    .nullish()
    .describe('The event types that are worth points; the complete list. Null is as if omitted.'),
  instantWinRules: InstantWinRules.nullish().describe(
    'Prizes that events may win; null if there are none.',
  ),
  referralRules: ReferralRules.nullish().describe('Rewards for referrals; null if there are none.'),
  brand: CampaignBrand.nullish().describe(
    'What its page shows instead of the brand of the partner; null is as if omitted.',
  ),
}

const description = storable(
  z.string({ error: 'must be a string' }).max(2000, 'must be at most 2000 characters'),
)

export const CreateCampaign = z
  .object({
    slug: newSlug().describe('Used in URLs. Cannot be changed.'),
    name: text(255).describe('Name shown to users, such as on its page.'),
    description: description.nullish().describe('What it is about, as shown on its page.'),
    status: oneOf('CampaignStatus', CampaignStatus)
      .nullish()
      .describe('The status to begin with. Defaults to DRAFT.'),
    ...mechanics,
    creditsWallet: flag()
      .nullish()
      .describe(
        'Whether points of the campaign are also credited to the wallet. Defaults to true.',
      ),
    onReversal: oneOf('CampaignReversal', CampaignReversal)
      .nullish()
      .describe(
        'What becomes of points of the campaign when their ledger entry is reversed. Defaults to KEEP.',
      ),
  })
  .describe('A promotion, with its mechanics.')

export type CreateCampaign = z.output<typeof CreateCampaign>

export const UpdateCampaign = z
  .object({
    campaign: CampaignBy,
    name: text(255).optional().describe('Display name; null is refused.'),
    description: description.optional().describe('What it is about, as shown on its page.'),
    ...mechanics,
  })
  .describe('Changes to a campaign. Omitted fields are unchanged.')

export type UpdateCampaign = z.output<typeof UpdateCampaign>

/** An input that names the campaign by its slug. */
export type BySlug<T> = Omit<T, 'campaign'> & { slug: string }
