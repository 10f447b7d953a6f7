/** Creates and changes campaigns. */

import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import { CampaignStatus } from '../generated/prisma/enums.ts'
import { inTransaction, type Tx } from '../kit/database/db.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import { refused, TesseraError } from '../kit/errors.ts'
import type { Work } from '../kit/runtime.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
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
import {
  lockCampaign,
  lockCampaignToDelete,
  upsertEventRules,
  upsertPrizeTiers,
} from './campaign.sql.ts'
import {
  CampaignBy,
  type CampaignKey,
  type FullCampaign,
  findCampaigns,
  slugFormat,
  withMechanics,
} from './campaign.ts'
import { comesFrom } from './campaign-phase.rules.ts'

/** `codes` is reserved, because a slug `codes` would collide with a URL. */
const reservedSlugs = ['codes']

const newSlug = () =>
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
  .describe('Rewards for referrals.')

const mechanics = {
  startsAt: moment().nullish().describe('When it starts. Null means at once.'),
  endsAt: moment().nullish().describe('When it ends. Null means no end.'),
  maxEventsPerUser: integer(1, maxPoints)
    .nullish()
    .describe('Events that are accepted per user; null for no limit.'),
  creditsWallet: flag()
    .optional()
    .describe('Whether points of the campaign are also credited to the wallet.'),
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
}

const description = storable(
  z.string({ error: 'must be a string' }).max(2000, 'must be at most 2000 characters'),
)

export const CreateCampaign = z
  .object({
    slug: newSlug().describe('Used in URLs. Cannot be changed.'),
    name: text(255).describe('Display name.'),
    description: description.nullish().describe('What it is about, as shown on its page.'),
    status: oneOf('CampaignStatus', CampaignStatus).nullish().describe('Defaults to DRAFT.'),
    ...mechanics,
    creditsWallet: flag()
      .nullish()
      .describe(
        'Whether points of the campaign are also credited to the wallet. Defaults to true.',
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

export const CloneCampaign = z
  .object({
    campaign: CampaignBy,
    newSlug: newSlug().nullish().describe('Slug in LIVE. Defaults to the same slug.'),
  })
  .describe('A TEST campaign to copy to LIVE.')

export type CloneCampaign = z.output<typeof CloneCampaign>

/** An input that names the campaign by its slug. */
type BySlug<T> = Omit<T, 'campaign'> & { slug: string }

const refuseDates = ({ startsAt, endsAt }: { startsAt?: Date | null; endsAt?: Date | null }) => {
  if (startsAt && endsAt && endsAt <= startsAt) throw refused('endsAt', 'must be after the start')
}

type Mechanics = Pick<UpdateCampaign, 'eventRules' | 'instantWinRules' | 'referralRules'>

const million = 1_000_000

/** The columns of the mechanics that are given. */
const mechanicsOf = ({ instantWinRules: instantWin, referralRules }: Mechanics) => ({
  ...(instantWin !== undefined && {
    winsPerMillion: instantWin ? Math.round(instantWin.winRate * million) : null,
    winCodeDays: instantWin?.winCodeDays ?? 30,
  }),
  ...(referralRules !== undefined && {
    referrerReward: referralRules?.referrerPoints ?? null,
    refereeReward: referralRules?.refereePoints ?? null,
  }),
})

/**
 * Sets event rules and prize tiers of a campaign that is locked. A tier is identified by its name and keeps its wins.
 */
const setMechanics = async (
  { tx }: { tx: Tx },
  { id, partnerId, environment }: Tenant & { id: string },
  { eventRules, instantWinRules }: Mechanics,
) => {
  const { campaignEventRule, prizeTier } = ofTenant(tx, { partnerId, environment })
  if (eventRules) {
    const eventTypes = eventRules.map(({ eventType }) => eventType)
    await campaignEventRule.deleteMany({
      where: { campaignId: id, eventType: { notIn: eventTypes } },
    })
    const rules = eventRules.map((rule) => ({ id: uuid(), ...rule }))
    await upsertEventRules(tx, { id, partnerId, environment }, rules)
  }
  if (instantWinRules === undefined) return
  const tiers = instantWinRules?.prizeTiers ?? null
  // The tiers stay without instant win, too: their wins can still be redeemed.
  if (!tiers) return
  const names = tiers.map(({ name }) => name)
  const gone = { campaignId: id, name: { notIn: names } }
  if ((await prizeTier.count({ where: { ...gone, wins: { gt: 0 } } })) > 0)
    throw new TesseraError('PRIZE_TIER_WON')
  await prizeTier.deleteMany({ where: gone })
  const rows = tiers.map((tier, position) => ({
    id: uuid(),
    name: tier.name,
    points: tier.points,
    maxWins: tier.maxWins,
    position,
    weight: tier.weight ?? 1,
  }))
  if ((await upsertPrizeTiers(tx, { id, partnerId, environment }, rows)) < rows.length)
    throw new TesseraError('PRIZE_TIER_WON')
}

/**
 * Creates a campaign.
 * @throws TesseraError CAMPAIGN_SLUG_TAKEN; VALIDATION_FAILED when it ends before it starts
 */
export const createCampaign = (
  work: Work,
  { partnerId, environment, ...input }: Tenant & CreateCampaign,
): Promise<FullCampaign> =>
  inTransaction(work, async ({ tx }) => {
    refuseDates(input)
    const id = uuid()
    const own = ofTenant(tx, { partnerId, environment }).campaign
    const { count } = await own.createMany({
      skipDuplicates: true,
      data: {
        id,
        slug: input.slug,
        name: input.name,
        description: input.description ?? '',
        status: input.status ?? 'DRAFT',
        startsAt: input.startsAt ?? null,
        endsAt: input.endsAt ?? null,
        maxPlaysPerUser: input.maxEventsPerUser ?? null,
        creditsWallet: input.creditsWallet ?? true,
        ...mechanicsOf(input),
        createdAt: work.clock(),
        updatedAt: work.clock(),
      },
    })
    if (count === 0)
      throw new TesseraError('CAMPAIGN_SLUG_TAKEN', { field: 'slug', value: input.slug })
    await setMechanics({ tx }, { id, partnerId, environment }, input)
    return own.findUniqueOrThrow({ where: { id }, include: withMechanics })
  })

/** Waits for operations in progress in a campaign, then locks it until the transaction ends. */
const takeCampaign = async (
  { tx }: { tx: Tx },
  { slug, ...tenant }: CampaignKey,
  lock = lockCampaign,
) => {
  const key = { ...tenantOf(tenant), slug: slugFormat.test(slug) ? slug : '' }
  await lock(tx, key)
  const campaign = await ofTenant(tx, key).campaign.findFirst({ where: { slug: key.slug } })
  if (!campaign) throw new TesseraError('CAMPAIGN_NOT_FOUND')
  return campaign
}

/**
 * Changes a campaign. Later events follow the new rules; earlier results stay.
 * @throws TesseraError CAMPAIGN_NOT_FOUND; PRIZE_TIER_WON; VALIDATION_FAILED when it ends before it starts
 */
export const updateCampaign = (
  work: Work,
  input: Tenant & BySlug<UpdateCampaign>,
): Promise<FullCampaign> =>
  inTransaction(work, async ({ tx }) => {
    const campaign = await takeCampaign({ tx }, input)
    const { name, description, startsAt, endsAt, maxEventsPerUser, creditsWallet } = input
    const changes = {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(startsAt !== undefined && { startsAt }),
      ...(endsAt !== undefined && { endsAt }),
      ...(maxEventsPerUser !== undefined && { maxPlaysPerUser: maxEventsPerUser }),
      ...(creditsWallet !== undefined && { creditsWallet }),
      ...mechanicsOf(input),
    }
    refuseDates({ ...campaign, ...changes })
    await setMechanics({ tx }, campaign, input)
    return ofTenant(tx, campaign).campaign.update({
      where: { id: campaign.id },
      data: { ...changes, updatedAt: work.clock() },
      include: withMechanics,
    })
  })

/**
 * Starts, pauses or ends a campaign. Once it returns, no operation uses the old status.
 * @throws TesseraError CAMPAIGN_NOT_FOUND; CAMPAIGN_STATUS_CONFLICT
 */
export const changeCampaignStatus = (
  work: Work,
  key: CampaignKey,
  status: keyof typeof comesFrom,
): Promise<FullCampaign> =>
  inTransaction(work, async ({ tx }) => {
    const campaign = await takeCampaign({ tx }, key)
    if (!comesFrom[status].includes(campaign.status))
      throw new TesseraError('CAMPAIGN_STATUS_CONFLICT', { status: campaign.status, since: null })
    return ofTenant(tx, campaign).campaign.update({
      where: { id: campaign.id },
      data: { status, updatedAt: work.clock() },
      include: withMechanics,
    })
  })

/**
 * Deletes a draft with its rules and prizes, and returns it. A draft has never run: no status leads back to it.
 * @throws TesseraError CAMPAIGN_NOT_FOUND; CAMPAIGN_STATUS_CONFLICT when it is no draft; CAMPAIGN_IN_USE when it has
 *   participants or codes
 */
export const deleteCampaign = (work: Work, key: CampaignKey): Promise<FullCampaign> =>
  inTransaction(work, async ({ tx }) => {
    const campaign = await takeCampaign({ tx }, key, lockCampaignToDelete)
    const { id, status } = campaign
    if (status !== 'DRAFT')
      throw new TesseraError('CAMPAIGN_STATUS_CONFLICT', { status, since: null })
    const own = ofTenant(tx, campaign)
    const ofCampaign = { where: { campaignId: id } }
    const used =
      (await own.codeBatch.findFirst(ofCampaign)) ??
      (await own.campaignParticipant.findFirst(ofCampaign))
    if (used) throw new TesseraError('CAMPAIGN_IN_USE')
    const last = await own.campaign.findUniqueOrThrow({ where: { id }, include: withMechanics })
    await own.campaignEventRule.deleteMany(ofCampaign)
    await own.prizeTier.deleteMany(ofCampaign)
    await own.campaign.deleteMany({ where: { id } })
    return last
  })

/**
 * Copies a campaign from TEST to LIVE as a DRAFT: its rules, mechanics and full stock, without its results.
 * @throws TesseraError CAMPAIGN_NOT_FOUND; CAMPAIGN_SLUG_TAKEN
 */
export const cloneCampaign = async (
  work: Work,
  { partnerId, slug, newSlug }: { partnerId: string } & BySlug<CloneCampaign>,
): Promise<FullCampaign> => {
  const [original] = await findCampaigns(work, [{ partnerId, environment: 'TEST', slug }])
  if (!original) throw new TesseraError('CAMPAIGN_NOT_FOUND')
  const { winsPerMillion, winCodeDays, referrerReward, refereeReward, tiers } = original
  return createCampaign(work, {
    ...original,
    environment: 'LIVE',
    slug: newSlug ?? slug,
    status: 'DRAFT',
    eventRules: original.eventRules.map(({ eventType, points }) => ({ eventType, points })),
    maxEventsPerUser: original.maxPlaysPerUser,
    instantWinRules:
      winsPerMillion === null
        ? null
        : { winRate: winsPerMillion / million, winCodeDays, prizeTiers: tiers },
    referralRules:
      referrerReward === null || refereeReward === null
        ? null
        : { referrerPoints: referrerReward, refereePoints: refereeReward },
  })
}
