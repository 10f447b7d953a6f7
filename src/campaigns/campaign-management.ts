/** How a partner makes and changes campaigns. */
import { v7 as uuid } from 'uuid'
import { inTransaction } from '../core/db/db.ts'
import { refused, TesseraError } from '../core/errors.ts'
import type { Work } from '../core/runtime.ts'
import { type Tenant, tenantOf } from '../core/tenant.ts'
import { comesFrom } from './campaign.rules.ts'
import {
  type CampaignKey,
  type FullCampaign,
  findCampaigns,
  slugFormat,
  withMechanics,
} from './campaign.ts'
import type { CloneCampaign, CreateCampaign, UpdateCampaign } from './campaign-input.ts'

/** An input with the slug in the place of what names the campaign. */
type BySlug<T> = Omit<T, 'campaign'> & { slug: string }

const refuseDates = ({ startsAt, endsAt }: { startsAt?: Date | null; endsAt?: Date | null }) => {
  if (startsAt && endsAt && endsAt <= startsAt) throw refused('endsAt', 'must be after startsAt')
}

type Mechanics = Pick<UpdateCampaign, 'eventRules' | 'instantWin' | 'referralRules'>

const million = 1_000_000

/** The columns of the mechanics that are given. */
const columnsOf = ({ instantWin, referralRules }: Mechanics) => ({
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
 * Sets event rules and prize tiers of a campaign that nobody else can use now. Tiers are known by name;
 * what was won of them stays.
 */
const setMechanics = async (
  { tx }: Work,
  { id, partnerId, environment }: Tenant & { id: string },
  { eventRules, instantWin }: Mechanics,
) => {
  const place = { partnerId, environment, campaignId: id }
  if (eventRules) {
    await tx.campaignEventRule.deleteMany({ where: { campaignId: id } })
    await tx.campaignEventRule.createMany({
      data: eventRules.map((rule) => ({ id: uuid(), ...place, ...rule })),
    })
  }
  if (instantWin === undefined) return
  const tiers = instantWin?.tiers ?? null
  // Without instant win nothing is drawn; the tiers stay, because wins of theirs may be redeemed.
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
    weight: tier.weight ?? 1,
    max_wins: tier.maxWins,
    position,
  }))
  const set = await tx.$executeRaw`/* set_prize_tiers */
    INSERT INTO prize_tier AS t (id, partner_id, environment, campaign_id, name, points, weight,
      max_wins, position)
    SELECT r.id, ${partnerId}::uuid, ${environment}::"Environment", ${id}::uuid, name, points, weight,
      max_wins, position
    FROM json_to_recordset(${JSON.stringify(rows)}::json)
      AS r (id uuid, name text, points int, weight int, max_wins int, position int)
    ON CONFLICT (campaign_id, name) DO UPDATE SET points = excluded.points,
      weight = excluded.weight, max_wins = excluded.max_wins, position = excluded.position
    WHERE t.wins <= excluded.max_wins`
  if (set < rows.length) throw new TesseraError('PRIZE_TIER_WON')
}

/**
 * Makes a campaign.
 * @throws TesseraError CAMPAIGN_SLUG_TAKEN; VALIDATION_FAILED when it ends before it starts
 */
export const createCampaign = (
  work: Work,
  { partnerId, environment, ...input }: Tenant & CreateCampaign,
): Promise<FullCampaign> =>
  inTransaction(work.tx, async (tx) => {
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
        ...columnsOf(input),
        createdAt: work.clock(),
        updatedAt: work.clock(),
      },
    })
    if (count === 0)
      throw new TesseraError('CAMPAIGN_SLUG_TAKEN', { field: 'slug', value: input.slug })
    await setMechanics({ ...work, tx }, { id, partnerId, environment }, input)
    return tx.campaign.findUniqueOrThrow({ where: { id }, include: withMechanics })
  })

/** Waits until nothing is under way in a campaign, and keeps others out until the transaction ends. */
const takeCampaign = async ({ tx }: Work, { slug, ...tenant }: CampaignKey) => {
  const key = { ...tenantOf(tenant), slug: slugFormat.test(slug) ? slug : '' }
  await tx.$queryRaw`/* take_campaign */
    SELECT id FROM campaign WHERE partner_id = ${key.partnerId}::uuid
      AND environment = ${key.environment}::"Environment" AND slug = ${key.slug}
    FOR NO KEY UPDATE`
  const campaign = await tx.campaign.findUnique({ where: { partnerId_environment_slug: key } })
  if (!campaign) throw new TesseraError('CAMPAIGN_NOT_FOUND')
  return campaign
}

/**
 * Changes a campaign, at any time: what happens after it goes by the new rules, what happened before
 * stays.
 * @throws TesseraError CAMPAIGN_NOT_FOUND; PRIZE_TIER_WON; VALIDATION_FAILED when it ends before it starts
 */
export const updateCampaign = (
  work: Work,
  input: Tenant & BySlug<UpdateCampaign>,
): Promise<FullCampaign> =>
  inTransaction(work.tx, async (tx) => {
    const campaign = await takeCampaign({ ...work, tx }, input)
    const { name, description, startsAt, endsAt, maxPlaysPerUser, creditsWallet } = input
    const changes = {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(startsAt !== undefined && { startsAt }),
      ...(endsAt !== undefined && { endsAt }),
      ...(maxPlaysPerUser !== undefined && { maxPlaysPerUser }),
      ...(creditsWallet !== undefined && { creditsWallet: creditsWallet ?? true }),
      ...columnsOf(input),
    }
    refuseDates({ ...campaign, ...changes })
    await setMechanics({ ...work, tx }, campaign, input)
    return tx.campaign.update({
      where: { id: campaign.id },
      data: { ...changes, updatedAt: work.clock() },
      include: withMechanics,
    })
  })

/**
 * Starts, pauses or ends a campaign. When it answers, nothing happens by the old status any more.
 * @throws TesseraError CAMPAIGN_NOT_FOUND; CAMPAIGN_STATUS_CONFLICT
 */
export const changeCampaignStatus = (
  work: Work,
  key: CampaignKey,
  status: keyof typeof comesFrom,
): Promise<FullCampaign> =>
  inTransaction(work.tx, async (tx) => {
    const campaign = await takeCampaign({ ...work, tx }, key)
    if (!comesFrom[status].includes(campaign.status))
      throw new TesseraError('CAMPAIGN_STATUS_CONFLICT', { status: campaign.status, since: null })
    return tx.campaign.update({
      where: { id: campaign.id },
      data: { status, updatedAt: work.clock() },
      include: withMechanics,
    })
  })

/**
 * Makes a DRAFT in LIVE of a campaign of TEST: its rules, mechanics and full stock; nothing of what
 * happened in it.
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
