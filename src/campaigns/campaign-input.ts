/** Inputs that create and change campaigns. */
import { z } from 'zod'
import {
  flag,
  integer,
  isStorable,
  maxPoints,
  moment,
  oneOf,
  reference,
  text,
} from '../core/validation.ts'
import { CampaignStatus } from '../generated/prisma/enums.ts'
import { CampaignBy, slugFormat } from './campaign.ts'

/** `codes` has the place of a slug in URLs. */
const reservedSlugs = ['codes']

const newSlug = () =>
  text(64)
    .regex(slugFormat, 'must be lower-case letters and digits in words joined by single hyphens')
    .refine((slug) => !reservedSlugs.includes(slug), 'is reserved')

const hasDoubles = (names: string[]) => new Set(names).size < names.length

const EventRule = z
  .object({
    eventType: reference().describe('What users do: purchase, signup, …'),
    points: integer(1, maxPoints).describe('Points of one event.'),
  })
  .describe('What an event type is worth.')

const Tier = z
  .object({
    name: text(100).describe('The prize in words; unique in the campaign.'),
    points: integer(0, maxPoints).describe('What redeeming a win pays.'),
    weight: integer(1, 1_000_000)
      .nullish()
      .describe('Relative to the other tiers that are in stock; 1 when left out.'),
    maxWins: integer(0, maxPoints).describe('How often it can be won: its stock.'),
  })
  .describe('A prize, and how often it is there.')

const InstantWinRules = z
  .object({
    winRate: z
      .number({ error: (issue) => (issue.input == null ? 'is required' : 'must be a number') })
      .min(0, 'must be 0 to 1')
      .max(1, 'must be 0 to 1')
      .meta({ graphql: 'Float' })
      .describe('Share of events that win while there are prizes, 0 to 1, to six decimals.'),
    winCodeDays: integer(1, 3650)
      .nullish()
      .describe('Days in which a win code must be redeemed; 30 when left out.'),
    tiers: z
      .array(Tier, { error: 'must be a list of prizes' })
      .max(50, 'must have at most 50 prizes')
      .refine((tiers) => !hasDoubles(tiers.map(({ name }) => name)), 'must not name a prize twice')
      .describe('The prizes, in the order in which they are shown.'),
  })
  .describe('Each event may win a prize.')

const ReferralRules = z
  .object({
    referrerReward: integer(0, maxPoints).describe('Points for the referrer.'),
    refereeReward: integer(0, maxPoints).describe('Points for the referee.'),
  })
  .describe('Rewards for referrals.')

const mechanics = {
  startsAt: moment().nullish().describe('Accepts no events before this moment; null for no start.'),
  endsAt: moment().nullish().describe('Accepts no events from this moment on; null for no end.'),
  maxPlaysPerUser: integer(1, maxPoints)
    .nullish()
    .describe('Events that each user may send; null for no limit.'),
  creditsWallet: flag()
    .nullish()
    .describe('Whether points of the campaign also go to the wallet; true when left out.'),
  eventRules: z
    .array(EventRule, { error: 'must be a list of rules' })
    .max(100, 'must have at most 100 rules')
    .refine(
      (rules) => !hasDoubles(rules.map(({ eventType }) => eventType)),
      'must not name an event type twice',
    )
    .nullish()
    .describe('Which event types are worth points; all of them at once.'),
  instantWin: InstantWinRules.nullish().describe('Prizes for events; null for none.'),
  referralRules: ReferralRules.nullish().describe('Rewards for referrals; null for none.'),
}

const description = z
  .string({ error: 'must be a string' })
  .max(2000, 'must be at most 2000 characters')
  .refine(isStorable, 'must not contain NUL characters or lone surrogates')

export const CreateCampaign = z
  .object({
    slug: newSlug().describe('Used in URLs; never changes.'),
    name: text(255).describe('Display name.'),
    description: description.nullish().describe('What it is about, for its page.'),
    status: oneOf('CampaignStatus', CampaignStatus).nullish().describe('DRAFT when left out.'),
    ...mechanics,
  })
  .describe('A promotion, with its mechanics.')

export type CreateCampaign = z.output<typeof CreateCampaign>

export const UpdateCampaign = z
  .object({
    campaign: CampaignBy,
    name: text(255).optional().describe('Display name.'),
    description: description.optional().describe('What it is about, for its page.'),
    ...mechanics,
  })
  .describe('What is left out stays as it is.')

export type UpdateCampaign = z.output<typeof UpdateCampaign>

export const CloneCampaign = z
  .object({
    campaign: CampaignBy,
    newSlug: newSlug().nullish().describe('Slug in LIVE; the same when left out.'),
  })
  .describe('A TEST campaign to copy to LIVE.')

export type CloneCampaign = z.output<typeof CloneCampaign>
