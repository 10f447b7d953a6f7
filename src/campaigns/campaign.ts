import type { z } from 'zod'
import type { Campaign, CampaignEventRule, Prisma, PrizeTier } from '../generated/prisma/client.ts'
import type { Model } from '../kit/database/model.ts'
import { acrossTenants, ofTenants, type TenantClient } from '../kit/database/tenant-client.ts'
import { TesseraError } from '../kit/errors.ts'
import { inOrder } from '../kit/in-order.ts'
import { nodeId, oneKey } from '../kit/node-id.ts'
import type { Runtime, Transaction, Work } from '../kit/runtime.ts'
import { load } from '../kit/schema/edge.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import { text } from '../kit/validation.ts'
import { holdCampaignRows } from './campaign.sql.ts'
import { phaseOf } from './campaign-phase.rules.ts'

export type CampaignKey = Tenant & { slug: string }

/** A campaign with its event rules and prize tiers. */
export type FullCampaign = Campaign & { eventRules: CampaignEventRule[]; tiers: PrizeTier[] }

/** The rules and tiers of a campaign, in display order. */
export const withMechanics = {
  eventRules: { orderBy: { eventType: 'asc' } },
  tiers: { orderBy: { position: 'asc' } },
} satisfies Prisma.CampaignInclude

/** The format of every slug. No campaign has a slug in another format. */
export const slugFormat = /^[a-z\d]+(-[a-z\d]+)*$/

/** The slug of an existing campaign. It takes any text, so that a malformed slug is unknown rather than invalid. */
const campaignSlug = () => text(255).describe('Slug of the campaign.')

export const CampaignBy = oneKey({
  id: nodeId('Campaign').describe('The global id or the UUID.'),
  slug: campaignSlug(),
})
  .meta({ graphql: 'CampaignBy' })
  .describe('Exactly one key of a campaign.')

export type CampaignBy = z.output<typeof CampaignBy>

const nameOfCampaign = ({ partnerId, environment, slug }: CampaignKey): string =>
  `${partnerId} ${environment} ${slug}`

/** The model of campaigns of a tenant, each with its mechanics. */
export const campaignsWithMechanics = ({ campaign }: TenantClient): Model<FullCampaign> => ({
  count: (args) => campaign.count(args),
  findMany: (args) => campaign.findMany({ ...args, include: withMechanics }),
})

/** Reads campaigns by slug; null for those that do not exist. */
export const findCampaigns = async (
  { tx }: Work,
  keys: CampaignKey[],
): Promise<(FullCampaign | null)[]> => {
  const wanted = [...new Map(keys.map((key) => [nameOfCampaign(key), key])).values()]
  const found = await ofTenants(
    tx,
    wanted.filter(({ slug }) => slugFormat.test(slug)),
    ({ slug }) => ({ slug }),
  ).campaign.findMany({ include: withMechanics })
  return inOrder(keys, found, nameOfCampaign, nameOfCampaign)
}

/** Reads campaigns by id; null for those that do not exist or belong to another tenant. */
const findCampaignsById = async (
  { tx }: Work,
  keys: (Tenant & { id: string })[],
): Promise<(FullCampaign | null)[]> => {
  const ids = [...new Set(keys.map(({ id }) => id))]
  const found = await acrossTenants(tx, 'IDS').campaign.findMany({
    where: { id: { in: ids } },
    include: withMechanics,
  })
  const nameOf = ({ partnerId, environment, id }: Tenant & { id: string }) =>
    `${partnerId} ${environment} ${id}`
  return inOrder(keys, found, nameOf, nameOf)
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

/** The campaign of a batch, a participant or another row. It exists because that row references it. */
export const campaignOf = async (
  runtime: Pick<Runtime, 'readAll'>,
  { campaignId, ...row }: Tenant & { campaignId: string },
): Promise<FullCampaign> =>
  (await load(runtime, findCampaignsById, { ...tenantOf(row), id: campaignId })) as FullCampaign

/**
 * The slug of the campaign that a caller names by id or by slug. An unknown id gives the empty slug, which no campaign
 * has, so that each operation refuses it with its own error.
 */
export const slugOf = async (
  runtime: Pick<Runtime, 'read'>,
  tenant: Tenant,
  by: CampaignBy,
): Promise<string> => by.slug ?? (await findCampaignBy(runtime, tenant, by))?.slug ?? ''

/** The error for a campaign that does not exist, or else is not running. */
export const notRunning = (campaign: Campaign | null, now: Date): TesseraError => {
  if (!campaign) return new TesseraError('CAMPAIGN_NOT_FOUND')
  const status = phaseOf(campaign, now)
  const endedByItself = status === 'ENDED' && campaign.status !== 'ENDED'
  const since = endedByItself ? campaign.endsAt : null
  const message = 'Campaign is not active'
  return new TesseraError('CAMPAIGN_NOT_ACTIVE', { message, status, since })
}

/**
 * Reads campaigns, which nobody can pause or edit until the transaction ends. Null for those that do not exist.
 */
export const holdCampaigns = async (
  { tx }: Transaction,
  keys: CampaignKey[],
): Promise<(Campaign | null)[]> => {
  const wanted = [...new Map(keys.map((key) => [nameOfCampaign(key), key])).values()]
  const held = await holdCampaignRows(
    tx,
    wanted.filter(({ slug }) => slugFormat.test(slug)),
  )
  return inOrder(keys, held, nameOfCampaign, nameOfCampaign)
}
