import type { z } from 'zod'
import { TesseraError } from '../core/errors.ts'
import { nodeId, oneKey } from '../core/node-id.ts'
import type { Runtime, Work } from '../core/runtime.ts'
import { type Tenant, tenantOf } from '../core/tenant.ts'
import { text } from '../core/validation.ts'
import type { Campaign, CampaignEventRule, Prisma, PrizeTier } from '../generated/prisma/client.ts'
import { phaseOf } from './campaign.rules.ts'

export type CampaignKey = Tenant & { slug: string }

/** A campaign with what it does. */
export type FullCampaign = Campaign & { eventRules: CampaignEventRule[]; tiers: PrizeTier[] }

/** What is read with a campaign, in the order in which it is shown. */
export const withMechanics = {
  eventRules: { orderBy: { eventType: 'asc' } },
  tiers: { orderBy: { position: 'asc' } },
} satisfies Prisma.CampaignInclude

/** What every slug looks like; one that does not names no campaign. */
export const slugFormat = /^[a-z\d]+(-[a-z\d]+)*$/

/** The slug of a campaign that is there: any text, so that an odd one is unknown and not refused. */
export const campaignSlug = () => text(255).describe('Slug of the campaign.')

export const CampaignBy = oneKey({
  id: nodeId('Campaign').describe('The id, global or UUID.'),
  slug: campaignSlug(),
})
  .meta({ graphql: 'CampaignBy' })
  .describe('A campaign, by one of these.')

type CampaignBy = z.output<typeof CampaignBy>

const nameOfCampaign = ({ partnerId, environment, slug }: CampaignKey): string =>
  `${partnerId} ${environment} ${slug}`

/** Reads campaigns by slug; null for those that do not exist. */
export const findCampaigns = async (
  { tx }: Work,
  keys: CampaignKey[],
): Promise<(FullCampaign | null)[]> => {
  const wanted = [...new Map(keys.map((key) => [nameOfCampaign(key), key])).values()]
  const found = await tx.campaign.findMany({
    where: {
      OR: wanted
        .filter(({ slug }) => slugFormat.test(slug))
        .map((key) => ({ ...tenantOf(key), slug: key.slug })),
    },
    include: withMechanics,
  })
  const campaigns = new Map(found.map((campaign) => [nameOfCampaign(campaign), campaign]))
  return keys.map((key) => campaigns.get(nameOfCampaign(key)) ?? null)
}

/** Reads campaigns that must exist; CAMPAIGN_NOT_FOUND in the place of each that does not. */
export const getCampaigns = async (
  work: Work,
  keys: CampaignKey[],
): Promise<(FullCampaign | Error)[]> =>
  (await findCampaigns(work, keys)).map(
    (campaign) => campaign ?? new TesseraError('CAMPAIGN_NOT_FOUND'),
  )

/** Reads campaigns by our ids; null for those that do not exist or belong to others. */
const findCampaignsById = async (
  { tx }: Work,
  keys: (Tenant & { id: string })[],
): Promise<(FullCampaign | null)[]> => {
  const ids = [...new Set(keys.map(({ id }) => id))]
  const found = await tx.campaign.findMany({ where: { id: { in: ids } }, include: withMechanics })
  const campaigns = new Map(found.map((campaign) => [campaign.id, campaign]))
  return keys.map(({ id, partnerId, environment }) => {
    const campaign = campaigns.get(id)
    const isTheirs = campaign?.partnerId === partnerId && campaign.environment === environment
    return campaign && isTheirs ? campaign : null
  })
}

/** The campaign that a caller names, or null. */
export const findCampaignBy = (
  { read }: Pick<Runtime, 'read'>,
  tenant: Tenant,
  { id, slug = '' }: CampaignBy,
): Promise<FullCampaign | null> =>
  id
    ? read(findCampaignsById, { ...tenantOf(tenant), id })
    : read(findCampaigns, { ...tenantOf(tenant), slug })

/** The campaign of a batch, a participant, …, which is there as long as they are. */
export const campaignOf = async (
  { read }: Pick<Runtime, 'read'>,
  { campaignId, ...row }: Tenant & { campaignId: string },
): Promise<FullCampaign> =>
  (await read(findCampaignsById, { ...tenantOf(row), id: campaignId })) as FullCampaign

/**
 * The slug of the campaign that a caller names; nothing is read where it is that which they name. An id
 * of none gives the empty slug, which no campaign has, so that each operation refuses it in its own way.
 */
export const slugOf = async (
  runtime: Pick<Runtime, 'read'>,
  tenant: Tenant,
  by: CampaignBy,
): Promise<string> => by.slug ?? (await findCampaignBy(runtime, tenant, by))?.slug ?? ''

/** Why nothing can happen in a campaign: it is not there, or does not run. */
export const notRunning = (campaign: Campaign | null, now: Date): TesseraError => {
  const status = campaign && phaseOf(campaign, now)
  const endedByItself = status === 'ENDED' && campaign?.status !== 'ENDED'
  const since = endedByItself ? (campaign?.endsAt ?? null) : null
  return new TesseraError('CAMPAIGN_NOT_ACTIVE', { status, since })
}

/**
 * Reads campaigns and keeps them as they are until the transaction ends: nobody pauses or edits one
 * while something happens in it. Null for those that do not exist.
 */
export const holdCampaigns = async (
  { tx }: Work,
  keys: CampaignKey[],
): Promise<(Campaign | null)[]> => {
  const rows = [...new Map(keys.map((key) => [nameOfCampaign(key), key])).values()]
    .filter(({ slug }) => slugFormat.test(slug))
    .map(({ partnerId, environment, slug }) => ({ partner_id: partnerId, environment, slug }))
  const held = await tx.$queryRaw<Campaign[]>`/* hold_campaigns */
    SELECT c.id, c.partner_id AS "partnerId", c.environment, c.slug, c.name, c.description, c.status,
      c.starts_at AS "startsAt", c.ends_at AS "endsAt", c.max_plays_per_user AS "maxPlaysPerUser",
      c.credits_wallet AS "creditsWallet", c.wins_per_million AS "winsPerMillion",
      c.win_code_days AS "winCodeDays", c.referrer_reward AS "referrerReward",
      c.referee_reward AS "refereeReward", c.created_at AS "createdAt", c.updated_at AS "updatedAt"
    FROM json_to_recordset(${JSON.stringify(rows)}::json)
      AS k (partner_id uuid, environment "Environment", slug text)
    JOIN campaign c USING (partner_id, environment, slug)
    ORDER BY c.id FOR SHARE OF c`
  const campaigns = new Map(held.map((campaign) => [nameOfCampaign(campaign), campaign]))
  return keys.map((key) => campaigns.get(nameOfCampaign(key)) ?? null)
}
