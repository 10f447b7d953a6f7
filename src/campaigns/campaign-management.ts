/** Creates and changes campaigns. */
import { v7 as uuid } from 'uuid'
import { inTransaction, type Tx } from '../kit/database/db.ts'
import { refused, TesseraError } from '../kit/errors.ts'
import type { Work } from '../kit/runtime.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import { lockCampaign, upsertEventRules, upsertPrizeTiers } from './campaign.sql.ts'
import {
  type CampaignKey,
  type FullCampaign,
  findCampaigns,
  slugFormat,
  withMechanics,
} from './campaign.ts'
import type { CloneCampaign, CreateCampaign, UpdateCampaign } from './campaign-input.ts'
import { comesFrom } from './campaign-phase.rules.ts'

/** An input that names the campaign by its slug. */
type BySlug<T> = Omit<T, 'campaign'> & { slug: string }

const refuseDates = ({ startsAt, endsAt }: { startsAt?: Date | null; endsAt?: Date | null }) => {
  if (startsAt && endsAt && endsAt <= startsAt) throw refused('endsAt', 'must be after startsAt')
}

type Mechanics = Pick<UpdateCampaign, 'eventRules' | 'instantWin' | 'referralRules'>

const million = 1_000_000

/** The columns of the mechanics that are given. */
const mechanicsOf = ({ instantWin, referralRules }: Mechanics) => ({
  ...(instantWin !== undefined && {
    winsPerMillion: instantWin ? Math.round(instantWin.winRate * million) : null,
    winCodeDays: instantWin?.winCodeDays ?? 30,
  }),
  ...(referralRules !== undefined && {
    referrerReward: referralRules?.referrerReward ?? null,
    refereeReward: referralRules?.refereeReward ?? null,
  }),
})

/**
 * Sets event rules and prize tiers of a campaign that is locked. A tier is identified by its name and keeps its wins.
 */
const setMechanics = async (
  { tx }: { tx: Tx },
  { id, partnerId, environment }: Tenant & { id: string },
  { eventRules, instantWin }: Mechanics,
) => {
  if (eventRules) {
    const eventTypes = eventRules.map(({ eventType }) => eventType)
    await tx.campaignEventRule.deleteMany({
      where: { campaignId: id, eventType: { notIn: eventTypes } },
    })
    const rules = eventRules.map((rule) => ({ id: uuid(), ...rule }))
    await upsertEventRules(tx, { id, partnerId, environment }, rules)
  }
  if (instantWin === undefined) return
  const tiers = instantWin?.tiers ?? null
  // The tiers stay without instant win, too: their wins can still be redeemed.
  if (!tiers) return
  const names = tiers.map(({ name }) => name)
  const gone = { campaignId: id, name: { notIn: names } }
  if ((await tx.prizeTier.count({ where: { ...gone, wins: { gt: 0 } } })) > 0)
    throw new TesseraError('PRIZE_TIER_WON')
  await tx.prizeTier.deleteMany({ where: gone })
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
    const { count } = await tx.campaign.createMany({
      skipDuplicates: true,
      data: {
        id,
        partnerId,
        environment,
        slug: input.slug,
        name: input.name,
        description: input.description ?? '',
        status: input.status ?? 'DRAFT',
        startsAt: input.startsAt ?? null,
        endsAt: input.endsAt ?? null,
        maxPlaysPerUser: input.maxPlaysPerUser ?? null,
        creditsWallet: input.creditsWallet ?? true,
        ...mechanicsOf(input),
        createdAt: work.clock(),
        updatedAt: work.clock(),
      },
    })
    if (count === 0)
      throw new TesseraError('CAMPAIGN_SLUG_TAKEN', { field: 'slug', value: input.slug })
    await setMechanics({ tx }, { id, partnerId, environment }, input)
    return tx.campaign.findUniqueOrThrow({ where: { id }, include: withMechanics })
  })

/** Waits for operations in progress in a campaign, then locks it until the transaction ends. */
const takeCampaign = async ({ tx }: { tx: Tx }, { slug, ...tenant }: CampaignKey) => {
  const key = { ...tenantOf(tenant), slug: slugFormat.test(slug) ? slug : '' }
  await lockCampaign(tx, key)
  const campaign = await tx.campaign.findUnique({ where: { partnerId_environment_slug: key } })
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
    const { name, description, startsAt, endsAt, maxPlaysPerUser, creditsWallet } = input
    const changes = {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(startsAt !== undefined && { startsAt }),
      ...(endsAt !== undefined && { endsAt }),
      ...(maxPlaysPerUser !== undefined && { maxPlaysPerUser }),
      ...(creditsWallet !== undefined && { creditsWallet: creditsWallet ?? true }),
      ...mechanicsOf(input),
    }
    refuseDates({ ...campaign, ...changes })
    await setMechanics({ tx }, campaign, input)
    return tx.campaign.update({
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
    return tx.campaign.update({
      where: { id: campaign.id },
      data: { status, updatedAt: work.clock() },
      include: withMechanics,
    })
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
    instantWin:
      winsPerMillion === null ? null : { winRate: winsPerMillion / million, winCodeDays, tiers },
    referralRules:
      referrerReward === null || refereeReward === null ? null : { referrerReward, refereeReward },
  })
}
