import { TesseraError } from '../core/errors.ts'
import type { Work } from '../core/runtime.ts'
import { type Tenant, tenantOf } from '../core/tenant.ts'
import { text } from '../core/validation.ts'
import type { Campaign, CampaignEventRule, Prisma, PrizeTier } from '../generated/prisma/client.ts'

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
