/** What anybody may see of a campaign, and do in it, without a key: the game page. */
import { z } from 'zod'
import { TesseraError } from '../core/errors.ts'
import type { Runtime, Work } from '../core/runtime.ts'
import { isStorable, oneOf, reference, text } from '../core/validation.ts'
import type { Environment } from '../generated/prisma/enums.ts'
import { Environment as environments } from '../generated/prisma/enums.ts'
import { userOf } from '../users/end-user.ts'
import { phaseOf, publicName } from './campaign.rules.ts'
import { type FullCampaign, slugFormat, withMechanics } from './campaign.ts'
import { isWinCode, normalCode } from './code.rules.ts'
import { redeemCodes } from './code-redemption.ts'
import { guessingAddress, whileGuessing } from './guessing.ts'
import { redeemWinCodes } from './instant-win.ts'
import { listParticipants } from './participant-list.ts'

/** Where a campaign is shown to users (decisions §6). */
export const gameUrlOf = (
  publicUrl: string,
  partnerSlug: string,
  { slug, environment }: { slug: string; environment: Environment },
): string =>
  `${publicUrl}/campaign/${encodeURIComponent(partnerSlug)}/${slug}${environment === 'TEST' ? '?env=test' : ''}`

/** How partners are called, by their ids. */
export const getPartnerNames = async (
  { tx }: Work,
  partnerIds: string[],
): Promise<({ slug: string; name: string } | Error)[]> => {
  const partners = await tx.partner.findMany({
    where: { id: { in: [...new Set(partnerIds)] } },
    select: { id: true, slug: true, name: true },
  })
  const names = new Map(partners.map((partner) => [partner.id, partner]))
  return partnerIds.map((id) => names.get(id) ?? new TesseraError('PARTNER_NOT_FOUND'))
}

export type PublicCampaignKey = { partnerSlug: string; slug: string; environment: Environment }

/** A campaign by the slugs of its URL, or null. A draft is nobody's business. */
export const findPublicCampaign = async (
  { tx }: Pick<Work, 'tx'>,
  { partnerSlug, slug, environment }: PublicCampaignKey,
): Promise<FullCampaign | null> => {
  if (!isStorable(partnerSlug) || !slugFormat.test(slug)) return null
  const partner = await tx.partner.findUnique({ where: { slug: partnerSlug } })
  if (!partner || partner.closedAt) return null
  const campaign = await tx.campaign.findUnique({
    where: { partnerId_environment_slug: { partnerId: partner.id, environment, slug } },
    include: withMechanics,
  })
  return campaign?.status === 'DRAFT' ? null : campaign
}

/** For each campaign whether it has a batch of codes that can be redeemed now, as far as time goes. */
const haveOpenBatches = async ({ tx, clock }: Work, campaignIds: string[]): Promise<boolean[]> => {
  const found = await tx.$queryRaw<{ isOpen: boolean }[]>`/* have_open_batches */
    SELECT EXISTS (SELECT FROM code_batch b WHERE b.campaign_id = k.id::uuid AND b.revoked_at IS NULL
      AND (b.expires_at IS NULL OR b.expires_at > ${clock()}::timestamptz)) AS "isOpen"
    FROM json_array_elements_text(${JSON.stringify(campaignIds)}::json)
      WITH ORDINALITY AS k (id, n) ORDER BY k.n`
  return found.map(({ isOpen }) => isOpen)
}

/** Whether there may be codes or win codes of a campaign that can be redeemed now. */
export const takesCodes = async (
  { read, clock }: Pick<Runtime, 'read' | 'clock'>,
  campaign: FullCampaign,
): Promise<boolean> => {
  const phase = phaseOf(campaign, clock())
  if (phase === 'DRAFT' || phase === 'UPCOMING') return false
  // A prize that was won can be redeemed after the end, too.
  if (campaign.winsPerMillion !== null) return true
  return phase === 'ACTIVE' && read(haveOpenBatches, campaign.id)
}

export type PublicLeader = { rank: number; name: string; campaignPoints: bigint }

/** The top ten, by names that give nobody away. */
export const listPublicLeaders = async (
  { read }: Pick<Runtime, 'read'>,
  { id: campaignId }: FullCampaign,
): Promise<PublicLeader[]> => {
  const part = { take: 10, skip: 0, backward: false, from: undefined }
  const leaders = await read(listParticipants, { ...part, campaignId })
  return Promise.all(
    leaders
      .filter(({ totalPoints }) => totalPoints > 0n)
      .map(async (leader, i) => {
        const { displayName, externalId } = await userOf({ read }, leader)
        const name = publicName(displayName, externalId)
        return { rank: i + 1, name, campaignPoints: leader.totalPoints }
      }),
  )
}

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
}

/**
 * Redeems a code for whom the visitor names. It says nothing of that user but what the code gives them:
 * neither whether they were known, nor their total. Wrong codes count against the visitor's address.
 * @throws TesseraError CAMPAIGN_NOT_FOUND, CAMPAIGN_NOT_ACTIVE, those of a refused code, RATE_LIMITED
 */
export const redeemPublicCode = async (
  runtime: Runtime,
  ip: string,
  input: z.output<typeof RedeemPublicCode>,
): Promise<PublicRedemption> =>
  whileGuessing(runtime, guessingAddress(ip), async () => {
    const environment = input.environment ?? 'LIVE'
    const campaign = await findPublicCampaign(runtime, { ...input, environment })
    if (!campaign) throw new TesseraError('CAMPAIGN_NOT_FOUND')
    const { partnerId, slug } = campaign
    const { pepper } = runtime
    const ask = { partnerId, environment, slug, userId: input.userId, pepper }
    const code = normalCode(input.code)
    if (!isWinCode(code)) {
      const { codeBatch } = await runtime.write(redeemCodes, { ...ask, code })
      return { pointsEarned: codeBatch.pointsValue, prizeTier: null }
    }
    const { instantWin } = await runtime.write(redeemWinCodes, { ...ask, winCode: code })
    return { pointsEarned: instantWin.points, prizeTier: instantWin.tier.name }
  })
