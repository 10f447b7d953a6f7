/** What anybody may see of a campaign, and do in it, without a key: the game page. */
import { z } from 'zod'
import { TesseraError } from '../core/errors.ts'
import type { Runtime, Work } from '../core/runtime.ts'
import { isStorable, oneOf, reference, text } from '../core/validation.ts'
import type { Environment } from '../generated/prisma/enums.ts'
import { Environment as environments } from '../generated/prisma/enums.ts'
import { type Phase, phaseOf, publicName } from './campaign.rules.ts'
import { type FullCampaign, slugFormat, withMechanics } from './campaign.ts'
import { isWinCode, normalCode } from './code.rules.ts'
import { redeemCodes } from './code-redemption.ts'
import { guessingAddress, whileGuessing } from './guessing.ts'
import { redeemWinCodes } from './instant-win.ts'
import { countParticipants, listLeaders } from './participant.ts'

/** Where a campaign is shown to users (decisions §6). */
export const gameUrlOf = (
  publicUrl: string,
  partnerSlug: string,
  { slug, environment }: { slug: string; environment: Environment },
): string =>
  `${publicUrl}/campaign/${encodeURIComponent(partnerSlug)}/${slug}${environment === 'TEST' ? '?env=test' : ''}`

/** Reads slugs of partners by id. */
export const getPartnerSlugs = async (
  { tx }: Work,
  partnerIds: string[],
): Promise<(string | Error)[]> => {
  const partners = await tx.partner.findMany({
    where: { id: { in: [...new Set(partnerIds)] } },
    select: { id: true, slug: true },
  })
  const slugs = new Map(partners.map(({ id, slug }) => [id, slug]))
  return partnerIds.map((id) => slugs.get(id) ?? new TesseraError('PARTNER_NOT_FOUND'))
}

export type PublicCampaignKey = { partnerSlug: string; slug: string; environment: Environment }

/** A campaign as the public sees it. */
export type PublicCampaign = {
  campaign: FullCampaign
  partnerName: string
  phase: Exclude<Phase, 'DRAFT'>
  /** Whether there may be codes or win codes that can be redeemed now. */
  takesCodes: boolean
}

/**
 * A campaign by the slugs of its URL. A draft is nobody's business.
 * @throws TesseraError CAMPAIGN_NOT_FOUND
 */
export const getPublicCampaign = async (
  { tx, clock }: Pick<Work, 'tx' | 'clock'>,
  { partnerSlug, slug, environment }: PublicCampaignKey,
): Promise<PublicCampaign> => {
  const unknown = new TesseraError('CAMPAIGN_NOT_FOUND')
  if (!isStorable(partnerSlug) || !slugFormat.test(slug)) throw unknown
  const partner = await tx.partner.findUnique({ where: { slug: partnerSlug } })
  if (!partner || partner.closedAt) throw unknown
  const campaign = await tx.campaign.findUnique({
    where: { partnerId_environment_slug: { partnerId: partner.id, environment, slug } },
    include: withMechanics,
  })
  const now = clock()
  const phase = campaign && phaseOf(campaign, now)
  if (!campaign || !phase || phase === 'DRAFT') throw unknown
  const batch = await tx.codeBatch.findFirst({
    where: {
      campaignId: campaign.id,
      revokedAt: null,
      OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
    },
    select: { id: true },
  })
  // A prize that was won can be redeemed after the end, too.
  const takesCodes =
    phase === 'ACTIVE'
      ? batch !== null || campaign.winsPerMillion !== null
      : phase !== 'UPCOMING' && campaign.winsPerMillion !== null
  return { campaign, partnerName: partner.name, phase, takesCodes }
}

export type PublicLeader = { rank: number; name: string; totalPoints: bigint }

/** The top ten, by names that give nobody away. */
export const listPublicLeaders = async (
  work: Work,
  { campaign }: PublicCampaign,
): Promise<PublicLeader[]> => {
  const leaders = await listLeaders(work, campaign, 10)
  return leaders
    .filter(({ totalPoints }) => totalPoints > 0n)
    .map(({ rank, totalPoints, user }) => ({
      rank,
      totalPoints,
      name: publicName(user.displayName, user.externalId),
    }))
}

export const countPublicParticipants = (work: Pick<Work, 'tx'>, { campaign }: PublicCampaign) =>
  countParticipants(work, campaign)

export const RedeemPublicCode = z
  .object({
    partnerSlug: text(255).describe('Slug of the partner, as in the URL of the page.'),
    slug: text(255).describe('Slug of the campaign.'),
    environment: oneOf('Environment', environments).nullish().describe('LIVE when left out.'),
    userId: reference().describe('Who shall have the points: their id with the partner.'),
    code: reference().describe('A code, or a win code of this user.'),
  })
  .describe('A code that somebody has typed on the page of a campaign.')

export type PublicRedemption = {
  pointsEarned: number
  /** The prize, where it was a win code. */
  prizeTier: string | null
  message: string
}

/**
 * Redeems a code for whom the visitor names. It says nothing of that user but what the code gives them:
 * neither whether they were known, nor their total. Wrong codes count against the visitor's address.
 * @throws TesseraError CAMPAIGN_NOT_ACTIVE, those of a refused code, RATE_LIMITED
 */
export const redeemPublicCode = async (
  runtime: Runtime,
  ip: string,
  input: z.output<typeof RedeemPublicCode>,
): Promise<PublicRedemption> =>
  whileGuessing(runtime, guessingAddress(ip), async () => {
    const environment = input.environment ?? 'LIVE'
    const { campaign } = await getPublicCampaign(runtime, { ...input, environment })
    const { partnerId, slug } = campaign
    const { pepper } = runtime
    const ask = { partnerId, environment, slug, userId: input.userId, pepper }
    const code = normalCode(input.code)
    if (!isWinCode(code)) {
      const redeemed = await runtime.write(redeemCodes, { ...ask, code })
      return { ...redeemed, prizeTier: null }
    }
    return runtime.write(redeemWinCodes, { ...ask, winCode: code })
  })
