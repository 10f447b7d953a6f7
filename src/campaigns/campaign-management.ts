/** Creates and changes campaigns. */

import { v7 as uuid } from 'uuid'
import { brandChanges } from '../accounts/brand.ts'
import { inTransaction, type Tx } from '../kit/database/db.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import { refused, TesseraError } from '../kit/errors.ts'
import type { Work } from '../kit/runtime.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import { idsOfSomeRewards } from '../programme/goal-references.ts'
import {
  keepCampaignVersion,
  lockCampaign,
  lockCampaignToDelete,
  upsertEventRules,
  upsertPrizeTiers,
} from './campaign.sql.ts'
import { type CampaignKey, type FullCampaign, slugFormat, withMechanics } from './campaign.ts'
import type { BySlug, CreateCampaign, UpdateCampaign } from './campaign-input.ts'
import { comesFrom } from './campaign-phase.rules.ts'

const refuseDates = ({ startsAt, endsAt }: { startsAt?: Date | null; endsAt?: Date | null }) => {
  if (startsAt && endsAt && endsAt <= startsAt) throw refused('endsAt', 'must be after the start')
}

type Mechanics = Pick<UpdateCampaign, 'eventRules' | 'instantWinRules' | 'referralRules'>

/** Win rates are stored per million events. */
export const million = 1_000_000

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
  const rewards = await idsOfSomeRewards(
    { tx },
    { partnerId, environment },
    tiers.map(({ reward }) => reward),
  )
  const rows = tiers.map((tier, position) => ({
    id: uuid(),
    rewardId: rewards[position],
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
 * @throws TesseraError CAMPAIGN_SLUG_TAKEN; REWARD_NOT_FOUND; REWARD_ARCHIVED; VALIDATION_FAILED when it ends before it
 * starts
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
        onReversal: input.onReversal ?? 'KEEP',
        ...mechanicsOf(input),
        ...(input.brand && brandChanges(input.brand, 'brand.')),
        createdAt: work.clock(),
        updatedAt: work.clock(),
      },
    })
    if (count === 0)
      throw new TesseraError('CAMPAIGN_SLUG_TAKEN', { field: 'slug', value: input.slug })
    await setMechanics({ tx }, { id, partnerId, environment }, input)
    await keepCampaignVersion(tx, id)
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
 * @throws TesseraError CAMPAIGN_NOT_FOUND; PRIZE_TIER_WON; REWARD_NOT_FOUND; REWARD_ARCHIVED; VALIDATION_FAILED when it
 * ends before it starts
 */
export const updateCampaign = (
  work: Work,
  input: Tenant & BySlug<UpdateCampaign>,
): Promise<FullCampaign> =>
  inTransaction(work, async ({ tx }) => {
    const campaign = await takeCampaign({ tx }, input)
    const { name, description, startsAt, endsAt, maxEventsPerUser, creditsWallet, onReversal } =
      input
    const changes = {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(startsAt !== undefined && { startsAt }),
      ...(endsAt !== undefined && { endsAt }),
      ...(maxEventsPerUser !== undefined && { maxPlaysPerUser: maxEventsPerUser }),
      ...(creditsWallet !== undefined && { creditsWallet }),
      ...(onReversal !== undefined && { onReversal }),
      ...mechanicsOf(input),
      ...(input.brand && brandChanges(input.brand, 'brand.')),
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
      data: {
        status,
        updatedAt: work.clock(),
        ...(status === 'ENDED' && { endedAt: work.clock() }),
      },
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
